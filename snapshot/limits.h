/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * limits.h - every ceiling of both programs, with its unit
 *
 * A buffer, wait or loop over outside data is bounded by one of these.
 */

#ifndef SNAPSHOT_LIMITS_H
#define SNAPSHOT_LIMITS_H

/* bytes: an input line, and a URL as given; longer ones are invalid */
#define LIMIT_LINE (64 * 1024)
/* bytes: a normalised URL (every byte may become three, plus a base) */
#define LIMIT_URL (4 * LIMIT_LINE)
/* bytes: a host after conversion to ASCII (RFC 1035 gives names 253; the
   WHATWG parser sets no limit of its own) */
#define LIMIT_HOST (64 * 1024)
/* bytes: a domain that needs conversion to ASCII; code points of it */
#define LIMIT_IDN 1024

/* bytes: content of a zstd frame of the journal or a snapshot */
#define LIMIT_FRAME (8 * 1024 * 1024)
/* places tried when looking for a whole frame behind a damaged one */
#define LIMIT_FRAME_TRIES 4096
/* bytes: a batch of journal records, open or in flight */
#define LIMIT_BATCH (4 * 1024 * 1024)
/* bytes: a word and a text of a record, before escaping; a record's line */
#define LIMIT_RECORD_WORD 32
#define LIMIT_RECORD_TEXT 4096
#define LIMIT_RECORD      (LIMIT_URL + 4 * LIMIT_RECORD_TEXT + 256)
/* bytes: a journal segment is closed once it is this long */
#define LIMIT_SEGMENT (UINT64_C(64) * 1024 * 1024)
/* bytes: a chunk of a snapshot; the name of a section */
#define LIMIT_SNAP_CHUNK (1024 * 1024)
#define LIMIT_SNAP_NAME  64
/* bytes of a snapshot written between two syncs */
#define LIMIT_SNAP_DIRTY (8 * 1024 * 1024)
/* bytes: input handled as one batch, beside one line that began before */
#define LIMIT_INPUT (128 * 1024)
/* lines: of a batch handled in one round */
#define LIMIT_ROUND 8192
/* bytes: normalised URLs kept for output in one round, beside the last one */
#define LIMIT_ROUND_TEXT (1024 * 1024)
/* threads of urlseen */
#define LIMIT_THREADS 256
/* bytes: written and not yet synced under --sync */
#define LIMIT_UNSYNCED (8 * 1024 * 1024)

/* bytes: a filter beyond memory is gone through in windows of this size */
#define LIMIT_WINDOW (UINT64_C(4) * 1024 * 1024)
/* ms: quiet input after which lines that were kept for a sorted batch go on;
   up to so few lines go on at once */
#define LIMIT_BULK_MS  50
#define LIMIT_BULK_FEW 64
/* ms: a helper that is at one transfer of a window for so long, or at packing
   a chunk, waits for a disk that is broken */
#define LIMIT_HELPER_MS (10 * 60 * 1000)
/* bytes of lines kept for a sorted batch that are packed at a time */
#define LIMIT_PACK ((size_t)256 * 1024)

/* keys: let through and not yet safe; beyond it the output is waited for */
#define LIMIT_PENDING (1024 * 1024)
/* bytes: a pipe's buffer is made this large where the system lets us */
#define LIMIT_PIPE (1024 * 1024)
/* ms: between two looks at whether a pipe's reader has taken all */
#define LIMIT_DRAIN_MS 20
/* ms: between two looks at whether a waiting call should give up */
#define LIMIT_STOP_MS 50

/* ms: without a turn taken at a shared filter by anybody, after which those
   that wait go on without; that opening one takes */
#define LIMIT_SHARE_MS      3000
#define LIMIT_SHARE_OPEN_MS 30000

/* layers: how often a filter may grow; 4^20 times its first capacity */
#define LIMIT_LAYERS 20
/* bits: one layer of a filter */
#define LIMIT_LAYER_BITS (UINT64_C(1) << 46)
/* bits set or probed for one key in a layer */
#define LIMIT_PROBES 64
/* bits: a cuckoo fingerprint, least and most */
#define LIMIT_PRINT_LEAST 6
#define LIMIT_PRINT       56
/* the least false-positive rate that can be asked for or be a layer's */
#define LIMIT_RATE 1e-15
/* keys: what a filter looks up or adds in one pass over memory */
#define LIMIT_KEYS 256
/* bytes: an exact table that is to turn into a filter, unless one says */
#define LIMIT_EXACT_START (UINT64_C(64) << 20)
/* slots of an exact table from where a key belongs: none lies farther (at a
   load of 7/8 some 2500 are the most in a table of 1e9) */
#define LIMIT_EXACT_STEPS 65536
/* lines of a layer that an estimate looks at */
#define LIMIT_SAMPLE (1 << 18)

/* bytes that must be free before a crawl goes on after a full disk */
#define LIMIT_DISK_ROOM (1024 * 1024)

/* bytes: the head of an HTTP response; more is an error */
#define LIMIT_HEAD (128 * 1024)
/* bytes: the head of a WARC record that we read */
#define LIMIT_WARC_HEAD (2 * LIMIT_URL)
/* bytes: of a record that are looked at when it is read back */
#define LIMIT_UNPACK_HEAD (LIMIT_WARC_HEAD + LIMIT_HEAD)
/* bytes: an archive file, unless asked otherwise, and its index */
#define LIMIT_ARCHIVE_FILE (UINT64_C(1) << 30)
#define LIMIT_CDXJ         (64 * 1024 * 1024)
/* bytes: archive frames written and not yet synced */
#define LIMIT_ARCHIVE_UNSYNCED (64 * 1024 * 1024)
/* query parameters that an index's key sorts; more stay as they are */
#define LIMIT_CDXJ_ARGS 512
/* bytes: a dictionary of an archive that we read (the IIPC rules' limit) */
#define LIMIT_ARCHIVE_DICT (8 * 1024 * 1024)
/* response records that an archive's own dictionary is drawn from; samples
   that are kept of them; bytes of a sample; bytes of the dictionary */
#define LIMIT_DICT_RECORDS 1000
#define LIMIT_DICT_SAMPLES 256
#define LIMIT_DICT_SAMPLE  (16 * 1024)
#define LIMIT_DICT         (110 * 1024)
/* payloads whose copies an archive knows */
#define LIMIT_ARCHIVE_REVISIT (16 * 1024)
/* content codings applied to one body, one after the other */
#define LIMIT_CODINGS 4
/* names a resolver keeps, addresses kept for each, queries in flight */
#define LIMIT_DNS_CACHE  (32 * 1024)
#define LIMIT_DNS_IPS    8
#define LIMIT_DNS_FLIGHT 256
/* names that may lie behind the address guard; --resolve, --connect-to */
#define LIMIT_GUARD_NAMES (1024 * 1024)
#define LIMIT_ROUTES      1024
/* bytes: the value of one --resolve or --connect-to */
#define LIMIT_ROUTE 2048
/* ms: the longest Retry-After that is believed (a day) */
#define LIMIT_RETRY_AFTER_MS (24 * 3600 * 1000)
/* redirects followed for robots.txt (RFC 9309 section 2.3.1.2) */
#define LIMIT_ROBOTS_HOPS 5
/* redirects of robots.txt that wait for their turn, at one host and in all;
   ms that a host lets pass for which there is no room there */
#define LIMIT_HOPS_HOST 1000
#define LIMIT_HOPS      (LIMIT_JOBS / 4)
#define LIMIT_HOPS_MS   (60 * 1000)
/* jobs in flight and pages not yet collected, a worker */
#define LIMIT_WORKER_PAGES 4096
/* bytes: what a worker's pages not yet collected hold, beside one page */
#define LIMIT_WORKER_BYTES (64 * 1024 * 1024)
/* workers of a crawl */
#define LIMIT_WORKERS 256
/* ms: between two tries to write to an archive that is stuck */
#define LIMIT_ARCHIVE_RETRY_MS 1000
/* links kept of one page, and bytes of their URLs */
#define LIMIT_PAGE_LINKS      (64 * 1024)
#define LIMIT_PAGE_LINK_BYTES (16 * 1024 * 1024)

/* bytes: a robots.txt; RFC 9309 section 2.5 wants 500 KiB at least */
#define LIMIT_ROBOTS (512 * 1024)
/* bytes: its flat form: a rule may be kept in two spellings, every byte of
   them %XX, plus the lengths */
#define LIMIT_ROBOTS_FLAT (8 * LIMIT_ROBOTS)
/* ms: a Crawl-delay; more would stop the host, which is not asked for */
#define LIMIT_ROBOTS_DELAY 300000
/* Sitemap lines of one robots.txt */
#define LIMIT_ROBOTS_SITEMAPS 1000
/* bytes searched for the wildcards of all rules, for one URL */
#define LIMIT_ROBOTS_STEPS (INT64_C(64) << 20)
/* hosts in a frontier: numbers are 31 bits, one bit marks addresses */
#define LIMIT_HOSTS (UINT32_C(1) << 30)
/* jobs in flight in a frontier, and requests of these to one address */
#define LIMIT_JOBS        65536
#define LIMIT_ADDR_FLIGHT 64
/* ms: a delay between requests that is asked for */
#define LIMIT_DELAY_MS (24 * 3600 * 1000)
/* ms: a host's first back-off, doubled each time, and its ceiling */
#define LIMIT_BACKOFF_FIRST_MS 1000
#define LIMIT_BACKOFF_MS       (10 * 60 * 1000)
/* ms: the ceiling of what a host waits that answers 429 or 5xx */
#define LIMIT_BUSY_MS (60 * 1000)
/* failures in a row before a host that has answered before is given up: no
   answer at all; 429 or 5xx */
#define LIMIT_HOST_FAILURES 9
#define LIMIT_HOST_BUSY     32
/* tries of an unreachable robots.txt beyond --retries */
#define LIMIT_ROBOTS_TRIES 3
/* ms: rules hold (RFC 9309 section 2.4); are asked for again if a refresh
   failed; a host that was given up stays so */
#define LIMIT_ROBOTS_TTL_MS   (24 * 3600 * 1000)
#define LIMIT_ROBOTS_STALE_MS (3600 * 1000)
#define LIMIT_DEAD_MS         (3600 * 1000)
/* ms: least and most that an address is believed, and how much longer if
   there is no newer one */
#define LIMIT_ADDR_TTL_LEAST_MS (60 * 1000)
#define LIMIT_ADDR_TTL_MS       (24 * 3600 * 1000)
#define LIMIT_ADDR_STALE_MS     (10 * 60 * 1000)
/* s: a time that is given on a command line (ten years) */
#define LIMIT_SECONDS (10 * 366 * 24 * 3600)
/* requests in flight in all; ms that a journal record may wait */
#define LIMIT_CONNECTIONS 65536
#define LIMIT_SYNC_MS     60000
/* bytes: DIR/config, DIR/crawl.conf */
#define LIMIT_CONFIG (1024 * 1024)
/* bytes: of a --cacert file, in which a certificate is to begin */
#define LIMIT_CACERT_LOOK (1024 * 1024)
/* bytes: finished fetches' lines before they are written */
#define LIMIT_OUTPUT (1024 * 1024)
/* redirects one after the other; sitemaps that name each other */
#define LIMIT_REDIRECTS    20
#define LIMIT_SITEMAP_NEST 4
/* further tries of a URL */
#define LIMIT_RETRIES 100

/* patterns of a kind (include, exclude); bytes: one of them */
#define LIMIT_PATTERNS 1024
#define LIMIT_PATTERN  (64 * 1024)
/* steps and bytes that matching one pattern against one URL may take */
#define LIMIT_PATTERN_STEPS 1000000
#define LIMIT_PATTERN_HEAP  (16 * 1024 * 1024)
#define LIMIT_PATTERN_STACK (1024 * 1024)
/* hosts, domains or directories that seeds stand for */
#define LIMIT_SCOPE_KEYS (1 << 28)

/* bytes, path segments and query parameters of a URL that is no trap; times
   that a segment or parameter may repeat itself */
#define LIMIT_TRAP_LENGTH 4096
#define LIMIT_TRAP_DEPTH  50
#define LIMIT_TRAP_PARAMS 100
#define LIMIT_TRAP_REPEAT 4
/* URLs of one shape at a host, queries of one path: more go last; and so
   many links from a seed nowhere */
#define LIMIT_TRAP_SHAPE  1000
#define LIMIT_TRAP_FACETS 500
#define LIMIT_TRAP_HOPS   2000
/* bits: log2 of the counters for these */
#define LIMIT_TRAP_BITS 20
/* bytes of a shape that are looked at; parameters that are compared */
#define LIMIT_TRAP_TEXT    1024
#define LIMIT_TRAP_COMPARE 256

/* bytes: what a frontier needs beside its budget, or with the least one */
#define LIMIT_FRONTIER_FIXED (32 * 1024 * 1024)
/* bytes: a file that queues are spilled to is closed once it is this long; an
   eighth of the budget lies between them */
#define LIMIT_SPILL_FILE_LEAST (UINT64_C(256) * 1024)
#define LIMIT_SPILL_FILE       (UINT64_C(64) * 1024 * 1024)

/* bytes: a block of lines of a frontier's image; one line of it */
#define LIMIT_IMAGE_BLOCK (512 * 1024)
#define LIMIT_IMAGE_LINE  (LIMIT_URL + 1024)

/* bytes: a sitemap, unpacked (the protocol allows 50 MiB) */
#define LIMIT_SITEMAP (50 * 1024 * 1024)
/* how many times its packed size it may have, beyond the first bytes */
#define LIMIT_SITEMAP_RATIO 256
#define LIMIT_SITEMAP_SMALL (1024 * 1024)
/* entries of a sitemap; the protocol allows 50,000, sites take more */
#define LIMIT_SITEMAP_URLS 100000
/* elements within each other */
#define LIMIT_SITEMAP_DEPTH 128
/* bytes: a start tag; a comment or CDATA section that comes in one piece */
#define LIMIT_SITEMAP_TAG     (16 * 1024)
#define LIMIT_SITEMAP_COMMENT (1024 * 1024)
/* sum of the squares of the attributes of all tags */
#define LIMIT_SITEMAP_ATTRIBUTES (INT64_C(256) * 1024 * 1024)

/* bytes: where a document may declare its encoding (HTML Standard) */
#define LIMIT_META 1024
/* elements open at a time in a page; browsers stop nesting there too */
#define LIMIT_PAGE_DEPTH 512
/* attributes of one tag that a page's parser may keep room for */
#define LIMIT_PAGE_ATTRIBUTES 4096
/* ms: CPU time that parsing one page may take */
#define LIMIT_PAGE_MS 1000
/* bytes: names of elements and attributes that the parser remembers */
#define LIMIT_PAGE_NAMES (256 * 1024)
/* s: the delay of a meta refresh; what is above counts as this */
#define LIMIT_REFRESH_S 1000000000UL
/* bytes: the text of a crawl's status file; what --http answers with */
#define LIMIT_STATUS      16384
#define LIMIT_STATUS_PAGE (512 * 1024)
/* bytes: what a worker keeps of each of a page's lists for the next one */
#define LIMIT_PAGE_KEEP ((size_t)1 << 20)

#endif
