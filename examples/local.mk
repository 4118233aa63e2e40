# SPDX-License-Identifier: BSD-2-Clause

EXTRA_DIST += %D%/crawl@.service
EXTRA_DIST += %D%/common-crawl.sh %D%/fetch-new.sh %D%/follow-log.sh
EXTRA_DIST += %D%/crawl-list.sh %D%/crawl-site.sh
EXTRA_DIST += %D%/crawl-country.sh
EXTRA_DIST += %D%/json-lines.sh %D%/warc-page.sh

# Packages can be built from the tarball, too.
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules
EXTRA_DIST += debian/source/format
EXTRA_DIST += debian/urlseen-crawl.docs debian/urlseen-crawl.examples
EXTRA_DIST += debian/urlseen-crawl.install
EXTRA_DIST += debian/urlseen.examples debian/urlseen.docs debian/urlseen.install
