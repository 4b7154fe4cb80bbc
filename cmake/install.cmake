# SPDX-License-Identifier: LGPL-2.1-or-later
# What others build against the library with: find_package(mbmcat) and pkg-config.
set(mbmcat_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mbmcat)

install(EXPORT mbmcatTargets FILE mbmcat-targets.cmake NAMESPACE mbmcat::
  DESTINATION ${mbmcat_cmake_dir} COMPONENT development)
configure_package_config_file(cmake/mbmcat-config.cmake.in cmake/mbmcat-config.cmake
  INSTALL_DESTINATION ${mbmcat_cmake_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(cmake/mbmcat-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/mbmcat-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/mbmcat-config-version.cmake
  DESTINATION ${mbmcat_cmake_dir} COMPONENT development)

# Relative to the file itself, so that `cmake --install --prefix` may still choose the prefix;
# an absolute CMAKE_INSTALL_LIBDIR or _INCLUDEDIR stays what it is.
set(mbmcat_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(MBMCAT_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(MBMCAT_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${mbmcat_pc_dir}" OUTPUT_VARIABLE up)
  set(MBMCAT_PC_PREFIX "\${pcfiledir}/${up}")
  set(MBMCAT_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(MBMCAT_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(MBMCAT_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/mbmcat.pc.in cmake/mbmcat.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/mbmcat.pc
  DESTINATION ${mbmcat_pc_dir} COMPONENT development)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
install(FILES CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs OPTIONAL)
