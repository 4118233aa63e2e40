# SPDX-License-Identifier: BSD-2-Clause

EXTRA_DIST += %D%/crawl@.service

# Packages can be built from the tarball, too.
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules
EXTRA_DIST += debian/source/format
EXTRA_DIST += debian/crawl.docs debian/crawl.examples debian/crawl.install
EXTRA_DIST += debian/urlseen.docs debian/urlseen.install
