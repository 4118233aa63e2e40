# SPDX-License-Identifier: BSD-2-Clause

dist_man_MANS += %D%/crawl.1
dist_man_MANS += %D%/crawl-state.5
dist_man_MANS += %D%/urlseen-filter.5
dist_man_MANS += %D%/urlseen.1
