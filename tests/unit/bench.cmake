# SPDX-License-Identifier: LGPL-2.1-or-later
# bench and what of the host it alone uses.
function(bench_test name)
  add_executable(${name} ${name}.c)
  target_include_directories(${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
  # Check's own macros.
  target_compile_options(${name} PRIVATE -Wno-format-extra-args -Wno-conversion)
  target_link_libraries(${name} PRIVATE ${ARGN} fakefs PkgConfig::CHECK)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120)
endfunction()

bench_test(test_perf mbmcat_host mbmcat_base)
# Errors of perf_event_open(2), and software events in place of a PMU.
target_link_options(test_perf PRIVATE -Wl,--wrap=syscall)
bench_test(test_machine mbmcat_host mbmcat_base)
bench_test(test_bench mbmcat_cli mbmcat_host mbmcat_base)
bench_test(test_readers mbmcat_cli mbmcat_host mbmcat_base)
# Readings that are known beforehand.
target_link_options(test_readers PRIVATE
  -Wl,--wrap=perf_open_thread,--wrap=perf_close,--wrap=perf_read)
bench_test(test_system mbmcat_cli mbmcat_host mbmcat_base)
target_link_options(test_system PRIVATE -Wl,--wrap=syscall)
