# SPDX-License-Identifier: BSD-2-Clause
#
# Which URL next, and when: no sockets, no clock.

noinst_LIBRARIES += %D%/libfrontier.a
%C%_libfrontier_a_CPPFLAGS = $(AM_CPPFLAGS) $(PSL_CFLAGS) $(PCRE2_CFLAGS) \
	$(ZSTD_CFLAGS)
%C%_libfrontier_a_SOURCES = %D%/core.h
%C%_libfrontier_a_SOURCES += %D%/bytes.h
%C%_libfrontier_a_SOURCES += %D%/words.h
%C%_libfrontier_a_SOURCES += %D%/addr.c %D%/addr.h
%C%_libfrontier_a_SOURCES += %D%/blob.c %D%/blob.h
%C%_libfrontier_a_SOURCES += %D%/block.c %D%/block.h
%C%_libfrontier_a_SOURCES += %D%/chunk.c %D%/chunk.h
%C%_libfrontier_a_SOURCES += %D%/entry.c %D%/entry.h
%C%_libfrontier_a_SOURCES += %D%/frontier.c %D%/frontier.h
%C%_libfrontier_a_SOURCES += %D%/frontierlist.c
%C%_libfrontier_a_SOURCES += %D%/frontierend.c
%C%_libfrontier_a_SOURCES += %D%/host.c %D%/host.h
%C%_libfrontier_a_SOURCES += %D%/image.c %D%/image.h
%C%_libfrontier_a_SOURCES += %D%/imageline.c %D%/imageline.h
%C%_libfrontier_a_SOURCES += %D%/imageload.c %D%/imagereplay.c
%C%_libfrontier_a_SOURCES += %D%/index.c %D%/index.h
%C%_libfrontier_a_SOURCES += %D%/job.c %D%/job.h
%C%_libfrontier_a_SOURCES += %D%/marks.c %D%/marks.h
%C%_libfrontier_a_SOURCES += %D%/outcome.c %D%/outcome.h
%C%_libfrontier_a_SOURCES += %D%/pattern.c %D%/pattern.h
%C%_libfrontier_a_SOURCES += %D%/refs.c %D%/refs.h
%C%_libfrontier_a_SOURCES += %D%/sched.c %D%/sched.h
%C%_libfrontier_a_SOURCES += %D%/scope.c %D%/scope.h
%C%_libfrontier_a_SOURCES += %D%/sketch.c %D%/sketch.h
%C%_libfrontier_a_SOURCES += %D%/slab.c %D%/slab.h
%C%_libfrontier_a_SOURCES += %D%/spill.c %D%/spill.h %D%/spillint.h
%C%_libfrontier_a_SOURCES += %D%/spillkeep.c
%C%_libfrontier_a_SOURCES += %D%/store.c %D%/store.h %D%/storeint.h
%C%_libfrontier_a_SOURCES += %D%/storespill.c
%C%_libfrontier_a_SOURCES += %D%/stream.c %D%/stream.h
%C%_libfrontier_a_SOURCES += %D%/table.c %D%/table.h
%C%_libfrontier_a_SOURCES += %D%/task.c %D%/task.h
%C%_libfrontier_a_SOURCES += %D%/trap.c %D%/trap.h
%C%_libfrontier_a_SOURCES += %D%/wheel.c %D%/wheel.h

FRONTIER_LIBS = frontier/libfrontier.a $(DEDUP_LIBS) $(PSL_LIBS) \
	$(PCRE2_LIBS) $(ZSTD_LIBS)
