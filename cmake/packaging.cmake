# SPDX-License-Identifier: LGPL-2.1-or-later
# cpack -G DEB, cpack -G RPM, in the build directory: one package per component. Configure with
# -DCMAKE_INSTALL_PREFIX=/usr for packages, so that libraries go where the distribution has them.
set(CPACK_PACKAGE_NAME mbmcat)
set(CPACK_PACKAGE_VENDOR "The mbmcat project")
set(MBMCAT_PACKAGE_CONTACT "mbmcat packagers <packagers@mbmcat.invalid>" CACHE STRING
  "Maintainer named in packages: who builds them")
set(CPACK_PACKAGE_CONTACT ${MBMCAT_PACKAGE_CONTACT})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL tool library development docs)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)

set(CPACK_COMPONENT_TOOL_DESCRIPTION "The command and its manual pages.
Reads the counters of every resctrl monitoring group from a thread pinned in
each L3 domain, and prints them as a table, JSON or CSV.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The library libmbmcat.
Enumerates groups, domains and events, holds one open file per counter, and
reads a whole domain in one go.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "What programs are built with libmbmcat with:
headers, pkg-config file and CMake package.")
set(CPACK_COMPONENT_DOCS_DESCRIPTION "Licence, and notes for users and contributors.")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${PROJECT_HOMEPAGE_URL})
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME mbmcat)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libmbmcat0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmbmcat-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libmbmcat0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DOCS_PACKAGE_NAME mbmcat-doc)
set(CPACK_DEBIAN_DOCS_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCS_PACKAGE_ARCHITECTURE all)
# The tool needs the library of this build, which no installed package has.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS "libmbmcat0 (= ${PROJECT_VERSION})")

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE LGPL-2.1-or-later)
set(CPACK_RPM_PACKAGE_URL ${PROJECT_HOMEPAGE_URL})
set(CPACK_RPM_TOOL_PACKAGE_NAME mbmcat)
set(CPACK_RPM_LIBRARY_PACKAGE_NAME mbmcat-libs)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_NAME mbmcat-devel)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_REQUIRES "mbmcat-libs = ${PROJECT_VERSION}")
set(CPACK_RPM_DOCS_PACKAGE_NAME mbmcat-doc)
set(CPACK_RPM_DOCS_PACKAGE_ARCHITECTURE noarch)

include(CPack)
