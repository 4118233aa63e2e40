# SPDX-License-Identifier: BSD-2-Clause
#
# Bytes on disk.  The lowest storey: includes nothing of the others.

noinst_LIBRARIES += %D%/libsnapshot.a
%C%_libsnapshot_a_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
%C%_libsnapshot_a_SOURCES =
%C%_libsnapshot_a_SOURCES += %D%/atomicfile.c %D%/atomicfile.h
%C%_libsnapshot_a_SOURCES += %D%/boot.c %D%/boot.h
%C%_libsnapshot_a_SOURCES += %D%/clock.c %D%/clock.h
%C%_libsnapshot_a_SOURCES += %D%/disk.c %D%/disk.h
%C%_libsnapshot_a_SOURCES += %D%/fault.c %D%/fault.h
%C%_libsnapshot_a_SOURCES += %D%/file.c %D%/file.h
%C%_libsnapshot_a_SOURCES += %D%/frame.c %D%/frame.h
%C%_libsnapshot_a_SOURCES += %D%/helper.c %D%/helper.h
%C%_libsnapshot_a_SOURCES += %D%/journal.c %D%/journal.h
%C%_libsnapshot_a_SOURCES += %D%/journal_compact.c %D%/journal_compact.h
%C%_libsnapshot_a_SOURCES += %D%/journal_head.c %D%/journal_head.h
%C%_libsnapshot_a_SOURCES += %D%/journal_mend.c %D%/journal_mend.h
%C%_libsnapshot_a_SOURCES += %D%/journal_read.c %D%/journal_read.h
%C%_libsnapshot_a_SOURCES += %D%/limits.h
%C%_libsnapshot_a_SOURCES += %D%/lock.c %D%/lock.h
%C%_libsnapshot_a_SOURCES += %D%/record.c %D%/record.h
%C%_libsnapshot_a_SOURCES += %D%/segment.c %D%/segment.h
%C%_libsnapshot_a_SOURCES += %D%/series.c %D%/series.h
%C%_libsnapshot_a_SOURCES += %D%/snapfile.c %D%/snapfile.h
%C%_libsnapshot_a_SOURCES += %D%/snapfile_read.c %D%/snapfile_read.h
%C%_libsnapshot_a_SOURCES += %D%/statedir.c %D%/statedir.h

SNAPSHOT_LIBS = snapshot/libsnapshot.a $(ZSTD_LIBS)
