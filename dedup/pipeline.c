/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/pipelinebulk.h"

/* Note the first reason to end before the end of input. */
static void
note_end(struct pipeline *s, enum pipeline_end end, int fault,
    unsigned int file)
{
	int err = errno;

	pthread_mutex_lock(&s->ending);
	if (s->result.end == PIPELINE_DONE) {
		s->result.end = end;
		s->result.fault = fault;
		s->result.err = err;
		s->result.file = file;
	}
	pthread_mutex_unlock(&s->ending);
}

void
pipeline_give_up(struct pipeline *s, enum pipeline_end end, int fault,
    unsigned int file)
{
	note_end(s, end, fault, file);
	atomic_store(&s->stop, 1);
	turn_close(&s->gate_turn);
	turn_close(&s->write);
	input_stop(s->input);
}

void
pipeline_stop(struct pipeline *s)
{
	unsigned int i;

	pipeline_give_up(s, PIPELINE_STOPPED, 0, 0);
	emit_stop(s->o.out);
	if (s->o.rejects != NULL)
		emit_stop(s->o.rejects);
	if (s->o.kick == 0)
		return;
	pthread_mutex_lock(&s->ending);
	for (i = 0; i < s->workers; i++)
		pthread_kill(s->worker[i], s->o.kick);
	pthread_mutex_unlock(&s->ending);
}

static size_t
waiting(struct pipeline *s)
{
	size_t n;

	turn_lock(&s->remembering);
	n = gate_waiting(s->gate);
	pthread_mutex_unlock(&s->remembering);
	return n;
}

/*
 * Remember what is safe by now.  0, or a fault; FAULT_LOCKED if that must wait
 * for another process.
 */
static int
remember(struct pipeline *s)
{
	int rc = 0, enter = filter_shared(s->o.filter) && !s->inside;

	if (enter && waiting(s) == 0)
		return 0;
	if (enter)
		rc = filter_enter(s->o.filter);
	if (rc < 0)
		return rc;
	turn_lock(&s->remembering);
	rc = gate_safe(s->gate, emit_safe(s->o.out));
	pthread_mutex_unlock(&s->remembering);
	if (enter)
		filter_leave(s->o.filter);
	return rc;
}

/*
 * Make what was written before batch `seq' durable, where that is asked for,
 * and remember what is safe.  The caller knows that no later batch will be
 * written meanwhile.
 */
static void
settle(struct pipeline *s, uint64_t seq)
{
	int rc;

	if (!turn_wait(&s->write, seq))
		return;
	if (emit_sync(s->o.out) < 0)
		pipeline_give_up(s, PIPELINE_ERR_OUTPUT, FAULT_SYS, 0);
	rc = remember(s);
	if (rc < 0 && rc != FAULT_LOCKED)
		pipeline_give_up(s, PIPELINE_ERR_FILTER, rc, 0);
}

/* Input is awaited: see to what waits for our reader meanwhile. */
static int
idle(void *arg)
{
	struct pipeline *s = arg;

	if (s->bulk != NULL)
		return pipelinebulk_idle(s);
	settle(s, s->next_seq);
	return waiting(s) == 0 ? -1 : LIMIT_DRAIN_MS;
}

/* Wait until the gate takes a whole round of batch `seq'. */
static void
make_room(struct pipeline *s, uint64_t seq)
{
	while (waiting(s) > LIMIT_PENDING - LIMIT_ROUND &&
	    !atomic_load(&s->stop)) {
		settle(s, seq);
		(void)poll(NULL, 0, 1);
	}
}

/* The turn at the gate for one round.  `count' is a copy for others. */
static int
take_turn(struct pipeline *s, struct batch *b, int first_round,
    struct admit_count *count)
{
	int rc;

	if (b->in.file_starts && first_round)
		s->admit.line = 0;
	s->admit.count.bytes = b->read;
	make_room(s, b->seq);
	turn_lock(&s->remembering);
	rc = admit_round(&s->admit, b);
	pthread_mutex_unlock(&s->remembering);
	*count = s->admit.count;
	return rc;
}

static int
write_lines(struct pipeline *s, const struct batch *b)
{
	const char *at = b->out.s, *end = at + b->out.len, *nl;
	int rc = 0;

	if (!s->o.line_buffered)
		return emit_write(s->o.out, at, b->out.len);
	while (at < end && rc == 0) {
		nl = memchr(at, s->o.rules.end, (size_t)(end - at));
		nl = nl == NULL ? end : nl + 1;
		rc = emit_write(s->o.out, at, (size_t)(nl - at));
		at = nl;
	}
	return rc;
}

int
pipeline_write(struct pipeline *s, struct batch *b,
    const struct admit_count *count)
{
	struct emit *out = s->o.out;
	int rc;

	if (s->o.yield != NULL && b->out.len + b->rejects.len > 0)
		s->o.yield(s->o.progress_arg);
	if (s->o.rejects != NULL && b->rejects.len > 0 &&
	    emit_write(s->o.rejects, b->rejects.s, b->rejects.len) < 0) {
		pipeline_give_up(s, PIPELINE_ERR_REJECTS, FAULT_SYS, 0);
		return -1;
	}
	if (write_lines(s, b) < 0 ||
	    (s->inside && emit_wait(out, LIMIT_DRAIN_MS) < 0) ||
	    (out->written - out->synced > LIMIT_UNSYNCED &&
		emit_sync(out) < 0)) {
		pipeline_give_up(s, PIPELINE_ERR_OUTPUT, FAULT_SYS, 0);
		return -1;
	}
	rc = remember(s);
	if (rc < 0 && rc != FAULT_LOCKED) {
		pipeline_give_up(s, PIPELINE_ERR_FILTER, rc, 0);
		return -1;
	}
	if (s->o.progress != NULL)
		s->o.progress(s->o.progress_arg, s, count);
	return 0;
}

/* All rounds of one batch.  0, or -1 to end. */
static int
do_batch(struct pipeline *s, struct batch *b)
{
	struct admit_count count;
	int more, first = 1, rc;

	do {
		more = batch_round(b);
		if (first && !turn_wait(&s->gate_turn, b->seq))
			return -1;
		rc = take_turn(s, b, first, &count);
		if (rc < 0)
			pipeline_give_up(s, PIPELINE_ERR_FILTER, rc, 0);
		if (rc < 0)
			return -1;
		/* an invalid line that ends all: the door stays shut */
		if (!more && b->stop == b->n)
			turn_pass(&s->gate_turn, b->seq);
		batch_copy(b);
		if (first && !turn_wait(&s->write, b->seq))
			return -1;
		if (pipeline_write(s, b, &count) < 0)
			return -1;
		if (b->stop < b->n) {
			pipeline_give_up(s, PIPELINE_INVALID,
			    s->admit.first.fault, s->admit.first.file);
			return -1;
		}
		first = 0;
	} while (more);
	turn_pass(&s->write, b->seq);
	return 0;
}

/*
 * One round in our turn among the processes that write the filter: nobody
 * else looks and prints between our look and the moment at which our lines
 * are remembered, or else in our pipe for LIMIT_DRAIN_MS.  If another one
 * stands still we print what is new all the same, and remember it later.
 */
static int
shared_round(struct pipeline *s, struct batch *b, int first)
{
	struct admit_count count;
	int rc = FAULT_LOCKED;

	if (batch_unseen(b) > 0)
		rc = filter_enter(s->o.filter);
	s->inside = rc == 0;
	if (rc == FAULT_LOCKED)
		rc = 0;
	b->since = 0; /* look again */
	if (rc == 0)
		rc = take_turn(s, b, first, &count);
	if (rc < 0)
		pipeline_give_up(s, PIPELINE_ERR_FILTER, rc, 0);
	if (rc == 0) {
		batch_copy(b);
		rc = pipeline_write(s, b, &count);
	}
	filter_leave(s->o.filter);
	s->inside = 0;
	return rc;
}

/* All rounds of one batch.  Both turns are one here: 0, or -1 to end. */
static int
do_shared(struct pipeline *s, struct batch *b)
{
	int more, first = 1;

	do {
		more = batch_round(b);
		if (first &&
		    (!turn_wait(&s->gate_turn, b->seq) ||
			!turn_wait(&s->write, b->seq)))
			return -1;
		if (shared_round(s, b, first) < 0)
			return -1;
		if (b->stop < b->n) {
			pipeline_give_up(s, PIPELINE_INVALID,
			    s->admit.first.fault, s->admit.first.file);
			return -1;
		}
		first = 0;
	} while (more);
	turn_pass(&s->gate_turn, b->seq);
	turn_pass(&s->write, b->seq);
	return 0;
}

static int
next_batch(struct pipeline *s, struct batch *b)
{
	int rc = 0;

	turn_lock(&s->reading);
	if (!atomic_load(&s->stop))
		rc = input_next(s->input, &b->in);
	if (rc > 0) {
		b->seq = s->next_seq++;
		s->quiet = 0;
		batch_start(b);
		b->read = input_bytes(s->input);
	} else if (rc < 0 && errno == EPIPE) {
		pipeline_give_up(s, PIPELINE_ERR_OUTPUT, rc, 0);
	} else if (rc < 0) {
		/* what came before it goes its way */
		note_end(s, PIPELINE_ERR_INPUT, rc, b->in.file);
		input_stop(s->input);
	}
	pthread_mutex_unlock(&s->reading);
	return rc;
}

static void
enlist(struct pipeline *s)
{
	pthread_mutex_lock(&s->ending);
	s->worker[s->workers++] = pthread_self();
	pthread_mutex_unlock(&s->ending);
}

static void
retire(struct pipeline *s)
{
	unsigned int i = 0;

	pthread_mutex_lock(&s->ending);
	while (!pthread_equal(s->worker[i], pthread_self()))
		i++;
	s->worker[i] = s->worker[--s->workers];
	pthread_mutex_unlock(&s->ending);
}

static void *
work(void *arg)
{
	struct pipeline *s = arg;
	struct batch *b;
	int rc = batch_new(&b, &s->o.rules);

	enlist(s);
	if (rc < 0)
		pipeline_give_up(s, PIPELINE_ERR_THREAD, rc, 0);
	while (b != NULL && next_batch(s, b) > 0) {
		if (s->bulk != NULL)
			rc = pipelinebulk_batch(s, b);
		else if (filter_shared(s->o.filter))
			rc = do_shared(s, b);
		else
			rc = do_batch(s, b);
		if (rc < 0)
			break;
	}
	if (s->bulk != NULL && rc >= 0)
		pipelinebulk_last(s);
	batch_free(b);
	retire(s);
	return NULL;
}

struct pipeline *
pipeline_new(const struct pipeline_options *o)
{
	struct pipeline *s = calloc(1, sizeof *s);
	struct input_idle wait = { idle, s, -1 };

	if (s == NULL)
		return NULL;
	s->o = *o;
	if (o->out->kind == EMIT_PIPE && !o->rules.load)
		wait.watch = o->out->fd;
	s->input = input_new(o->names, o->n, o->rules.end, &wait);
	s->gate = gate_new(o->filter);
	s->o.rules.gate = s->gate;
	s->admit.gate = s->gate;
	s->admit.rules = &s->o.rules;
	s->admit.fail_invalid = o->fail_invalid;
	s->admit.alone = o->threads < 2;
	pthread_mutex_init(&s->reading, NULL);
	pthread_mutex_init(&s->remembering, NULL);
	pthread_mutex_init(&s->ending, NULL);
	turn_init(&s->gate_turn);
	turn_init(&s->write);
	if (s->input == NULL || s->gate == NULL || pipelinebulk_start(s) < 0) {
		pipeline_free(s);
		return NULL;
	}
	s->admit.count.bytes_total = input_total(s->input);
	return s;
}

void
pipeline_free(struct pipeline *s)
{
	input_free(s->input);
	gate_free(s->gate);
	pipelinebulk_free(s);
	turn_destroy(&s->gate_turn);
	turn_destroy(&s->write);
	pthread_mutex_destroy(&s->reading);
	pthread_mutex_destroy(&s->remembering);
	pthread_mutex_destroy(&s->ending);
	free(s);
}

/* See the output to its end, and remember what arrived there. */
static void
finish(struct pipeline *s)
{
	int rc;

	if (s->result.end != PIPELINE_STOPPED &&
	    s->result.end != PIPELINE_ERR_OUTPUT && emit_drain(s->o.out) < 0)
		pipeline_give_up(s, PIPELINE_ERR_OUTPUT, FAULT_SYS, 0);
	if (s->result.end == PIPELINE_ERR_FILTER)
		return;
	rc = s->bulk != NULL ? pipelinebulk_remember(s) : remember(s);
	if (rc < 0)
		pipeline_give_up(s, PIPELINE_ERR_FILTER, rc, 0);
}

struct pipeline_result
pipeline_run(struct pipeline *s)
{
	pthread_t thread[LIMIT_THREADS];
	unsigned int n = 0;

	/* this thread is one of them */
	while (n + 1 < s->o.threads && n + 1 < LIMIT_THREADS &&
	    pthread_create(&thread[n], NULL, work, s) == 0)
		n++;
	work(s);
	while (n > 0)
		pthread_join(thread[--n], NULL);
	finish(s);
	return s->result;
}

struct admit_count
pipeline_counts(const struct pipeline *s)
{
	return s->admit.count;
}

double
pipeline_expected(struct pipeline *s)
{
	double rate;

	turn_lock(&s->remembering);
	rate = filter_expected(s->o.filter);
	pthread_mutex_unlock(&s->remembering);
	return rate;
}

const struct admit_invalid *
pipeline_first_invalid(const struct pipeline *s)
{
	return s->admit.count.invalid > 0 ? &s->admit.first : NULL;
}
