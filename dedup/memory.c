/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/memory.h"

/* The files of a memory cgroup, in both versions. */
struct cgroup {
	const char *root, *limit, *usage;
	const char *cache; /* in its memory.stat: pages of files */
};

static const struct cgroup v1 = { "/sys/fs/cgroup/memory",
	"memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache" };
static const struct cgroup v2 = { "/sys/fs/cgroup", "memory.max",
	"memory.current", "file" };

/* The number behind `name' in a file of "name number" lines; 0: none. */
static uint64_t
named(const char *path, const char *name)
{
	char line[256], word[64];
	uint64_t v, found = 0;
	FILE *f = fopen(path, "re");

	if (f == NULL)
		return 0;
	while (fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "%63s %" SCNu64, word, &v) == 2 &&
		    strcmp(word, name) == 0)
			found = v;
	fclose(f);
	return found;
}

/* The number that a file consists of; 0 for none, or "max". */
static uint64_t
single(const char *path)
{
	uint64_t v = 0;
	FILE *f = fopen(path, "re");

	if (f == NULL)
		return 0;
	if (fscanf(f, "%" SCNu64, &v) != 1)
		v = 0;
	fclose(f);
	return v;
}

/* What one cgroup leaves us; UINT64_MAX if it has no limit. */
static uint64_t
left_in(const struct cgroup *c, const char *dir)
{
	char path[1024];
	uint64_t limit, used, cache;

	snprintf(path, sizeof path, "%s%s/%s", c->root, dir, c->limit);
	limit = single(path);
	if (limit == 0)
		return UINT64_MAX;
	snprintf(path, sizeof path, "%s%s/%s", c->root, dir, c->usage);
	used = single(path);
	snprintf(path, sizeof path, "%s%s/memory.stat", c->root, dir);
	cache = named(path, c->cache);
	used = cache < used ? used - cache : 0;
	return used < limit ? limit - used : 0;
}

/* The least that the cgroup `dir' and those above it leave. */
static uint64_t
least(const struct cgroup *c, char *dir)
{
	uint64_t min = UINT64_MAX, left;
	char *slash;

	for (;;) {
		left = left_in(c, dir);
		min = left < min ? left : min;
		slash = strrchr(dir, '/');
		if (slash == NULL)
			return min;
		*slash = '\0';
	}
}

uint64_t
memory_free(void)
{
	uint64_t min = named("/proc/meminfo", "MemAvailable:") * 1024, left;
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[512], *dir;

	if (min == 0)
		min = UINT64_MAX;
	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		dir = strchr(line, '/');
		if (dir == NULL)
			continue;
		left = UINT64_MAX;
		if (strncmp(line, "0::", 3) == 0)
			left = least(&v2, dir);
		else if (strstr(line, ":memory:") != NULL)
			left = least(&v1, dir);
		min = left < min ? left : min;
	}
	if (f != NULL)
		fclose(f);
	return min == UINT64_MAX ? 0 : min;
}
