# SPDX-License-Identifier: BSD-2-Clause
#
# Bytes on disk.  The lowest storey: includes nothing of the others.

noinst_LIBRARIES += %D%/libsnapshot.a
%C%_libsnapshot_a_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
%C%_libsnapshot_a_SOURCES = \
	%D%/atomicfile.h %D%/disk.h \
	%D%/fault.c %D%/fault.h \
	%D%/file.h %D%/frame.h %D%/helper.h \
	%D%/journal.h %D%/journal_compact.h %D%/journal_mend.h \
	%D%/journal_read.h %D%/limits.h %D%/record.h %D%/series.h \
	%D%/snapfile.h %D%/snapfile_read.h %D%/statedir.h
%C%_libsnapshot_a_SOURCES += %D%/lock.c %D%/lock.h
