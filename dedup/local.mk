# SPDX-License-Identifier: BSD-2-Clause
#
# One spelling for each URL, and whether it was seen before.  A source a line,
# so that two people can add one each.

noinst_LIBRARIES += %D%/libdedup.a
%C%_libdedup_a_CPPFLAGS = $(AM_CPPFLAGS) $(XXHASH_CFLAGS) $(IDN2_CFLAGS) \
	$(ZSTD_CFLAGS)
%C%_libdedup_a_SOURCES =
%C%_libdedup_a_SOURCES += %D%/admit.c %D%/admit.h
%C%_libdedup_a_SOURCES += %D%/batch.c %D%/batch.h
%C%_libdedup_a_SOURCES += %D%/blocked.c %D%/blocked.h
%C%_libdedup_a_SOURCES += %D%/bloom.c %D%/bloom.h
%C%_libdedup_a_SOURCES += %D%/completion.c %D%/completion.h
%C%_libdedup_a_SOURCES += %D%/bulk.c %D%/bulk.h
%C%_libdedup_a_SOURCES += %D%/counting.c %D%/counting.h
%C%_libdedup_a_SOURCES += %D%/cuckoo.c %D%/cuckoo.h
%C%_libdedup_a_SOURCES += %D%/emit.c %D%/emit.h
%C%_libdedup_a_SOURCES += %D%/exact.c %D%/exact.h
%C%_libdedup_a_SOURCES += %D%/filter.c %D%/filter.h
%C%_libdedup_a_SOURCES += %D%/filterdirect.c %D%/filterdirect.h
%C%_libdedup_a_SOURCES += %D%/filterdisk.c %D%/filterdisk.h
%C%_libdedup_a_SOURCES += %D%/filterfile.c %D%/filterfile.h
%C%_libdedup_a_SOURCES += %D%/filtergrow.c %D%/filtergrow.h
%C%_libdedup_a_SOURCES += %D%/filterhead.c %D%/filterhead.h
%C%_libdedup_a_SOURCES += %D%/filterint.h
%C%_libdedup_a_SOURCES += %D%/filterkeys.c
%C%_libdedup_a_SOURCES += %D%/filtermerge.c
%C%_libdedup_a_SOURCES += %D%/filternew.c
%C%_libdedup_a_SOURCES += %D%/filtersum.c
%C%_libdedup_a_SOURCES += %D%/filtershare.c %D%/filtershare.h
%C%_libdedup_a_SOURCES += %D%/filterwindow.c %D%/filterwindow.h
%C%_libdedup_a_SOURCES += %D%/gate.c %D%/gate.h
%C%_libdedup_a_SOURCES += %D%/input.c %D%/input.h
%C%_libdedup_a_SOURCES += %D%/interrupt.c %D%/interrupt.h
%C%_libdedup_a_SOURCES += %D%/layer.c %D%/layer.h
%C%_libdedup_a_SOURCES += %D%/linescan.c %D%/linescan.h
%C%_libdedup_a_SOURCES += %D%/memory.c %D%/memory.h
%C%_libdedup_a_SOURCES += %D%/merge.c %D%/merge.h
%C%_libdedup_a_SOURCES += %D%/number.c %D%/number.h
%C%_libdedup_a_SOURCES += %D%/odd.c %D%/odd.h
%C%_libdedup_a_SOURCES += %D%/optable.c %D%/optable.h
%C%_libdedup_a_SOURCES += %D%/optvalue.c
%C%_libdedup_a_SOURCES += %D%/options.c %D%/options.h
%C%_libdedup_a_SOURCES += %D%/outputs.c %D%/outputs.h
%C%_libdedup_a_SOURCES += %D%/pending.c %D%/pending.h
%C%_libdedup_a_SOURCES += %D%/rate.c %D%/rate.h
%C%_libdedup_a_SOURCES += %D%/live.c %D%/live.h
%C%_libdedup_a_SOURCES += %D%/report.c %D%/report.h
%C%_libdedup_a_SOURCES += %D%/setup.c %D%/setup.h
%C%_libdedup_a_SOURCES += %D%/plan.c %D%/plan.h
%C%_libdedup_a_SOURCES += %D%/pipeline.c %D%/pipeline.h %D%/pipelineint.h
%C%_libdedup_a_SOURCES += %D%/pipelinebulk.c %D%/pipelinebulk.h
%C%_libdedup_a_SOURCES += %D%/share.c %D%/share.h
%C%_libdedup_a_SOURCES += %D%/suggest.c %D%/suggest.h
%C%_libdedup_a_SOURCES += %D%/turn.c %D%/turn.h
%C%_libdedup_a_SOURCES += %D%/textpack.c %D%/textpack.h
%C%_libdedup_a_SOURCES += %D%/url.c %D%/url.h
%C%_libdedup_a_SOURCES += %D%/urladdr.c %D%/urladdr.h
%C%_libdedup_a_SOURCES += %D%/urlclass.c %D%/urlclass.h
%C%_libdedup_a_SOURCES += %D%/urlfast.c %D%/urlfast.h
%C%_libdedup_a_SOURCES += %D%/urlhost.c %D%/urlhost.h
%C%_libdedup_a_SOURCES += %D%/urlidna.c %D%/urlidna.h
%C%_libdedup_a_SOURCES += %D%/urlkey.c %D%/urlkey.h
%C%_libdedup_a_SOURCES += %D%/urlnames.c %D%/urlnames.h
%C%_libdedup_a_SOURCES += %D%/urlpath.c %D%/urlpath.h
%C%_libdedup_a_SOURCES += %D%/urlpuny.c %D%/urlpuny.h
%C%_libdedup_a_SOURCES += %D%/urlquery.c %D%/urlquery.h
%C%_libdedup_a_SOURCES += %D%/urlrules.c %D%/urlrules.h
%C%_libdedup_a_SOURCES += %D%/urlsets.h
%C%_libdedup_a_SOURCES += %D%/urlskip.c %D%/urlskip.h
%C%_libdedup_a_SOURCES += %D%/urlsplit.c
%C%_libdedup_a_SOURCES += %D%/urlucd.c %D%/urlucd.h
%C%_libdedup_a_SOURCES += %D%/urlucdtab.c
EXTRA_DIST += %D%/urlucd.py

DEDUP_LIBS = dedup/libdedup.a $(SNAPSHOT_LIBS) $(IDN2_LIBS)

bin_PROGRAMS += urlseen
urlseen_SOURCES = %D%/urlseen.c
urlseen_LDADD = $(DEDUP_LIBS)
