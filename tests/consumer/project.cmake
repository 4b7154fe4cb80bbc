# SPDX-License-Identifier: LGPL-2.1-or-later
# The CMakeLists.txt of the consumer; named otherwise so that nobody adds it to this build.
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C CXX)
find_package(mbmcat 0.1 REQUIRED)
set(CMAKE_CXX_STANDARD 17)
add_executable(consumer-c consumer.c)
add_executable(consumer-cxx consumer.cpp)
target_link_libraries(consumer-c PRIVATE mbmcat::mbmcat)
target_link_libraries(consumer-cxx PRIVATE mbmcat::mbmcat)
