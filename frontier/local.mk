# SPDX-License-Identifier: BSD-2-Clause
#
# Which URL next, and when: no sockets, no clock.

noinst_LIBRARIES += %D%/libfrontier.a
%C%_libfrontier_a_CPPFLAGS = $(AM_CPPFLAGS) $(PSL_CFLAGS) $(PCRE2_CFLAGS) \
	$(ZSTD_CFLAGS)
%C%_libfrontier_a_SOURCES = \
	%D%/addr.c %D%/addr.h \
	%D%/blob.c %D%/blob.h \
	%D%/block.c %D%/block.h \
	%D%/core.h \
	%D%/entry.c %D%/entry.h \
	%D%/frontier.c %D%/frontier.h \
	%D%/host.c %D%/host.h \
	%D%/image.h \
	%D%/index.c %D%/index.h \
	%D%/job.c %D%/job.h \
	%D%/marks.c %D%/marks.h \
	%D%/outcome.c %D%/outcome.h \
	%D%/sched.c %D%/sched.h \
	%D%/scope.h \
	%D%/store.c %D%/store.h \
	%D%/stream.c %D%/stream.h \
	%D%/table.c %D%/table.h \
	%D%/task.c %D%/task.h \
	%D%/trap.h \
	%D%/wheel.c %D%/wheel.h

FRONTIER_LIBS = frontier/libfrontier.a $(DEDUP_LIBS) $(PSL_LIBS) \
	$(PCRE2_LIBS) $(ZSTD_LIBS)
