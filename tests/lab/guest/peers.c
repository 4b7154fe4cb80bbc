// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Other ways to read many counters once, for comparison; each prints the sum of all.
 *
 *	peers bare|fscanf|uring FILE...
 *
 * bare: open, pread, close. fscanf: fopen, fscanf, fclose. uring: io_uring,
 * batches of 64 reads over files that are opened first. Exit 77: not in this kernel.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BATCH	  64
#define TEXT_SIZE 32

static void die(const char *what)
{
	fprintf(stderr, "peers: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t bare(char **paths, int n)
{
	char text[TEXT_SIZE];
	uint64_t sum = 0;

	for (int i = 0; i < n; i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		ssize_t len = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);

		if (len < 0)
			die(paths[i]);
		text[len] = '\0';
		sum += strtoull(text, NULL, 10);
		close(fd);
	}
	return sum;
}

static uint64_t with_fscanf(char **paths, int n)
{
	uint64_t sum = 0, value;

	for (int i = 0; i < n; i++) {
		FILE *file = fopen(paths[i], "r");

		if (!file || fscanf(file, "%" SCNu64, &value) != 1)
			die(paths[i]);
		sum += value;
		fclose(file);
	}
	return sum;
}

struct ring {
	int fd;
	struct io_uring_params p;
	char *sq, *cq;
	struct io_uring_sqe *sqes;
};

static void *map(int fd, size_t size, off_t offset)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);

	if (at == MAP_FAILED)
		die("mmap");
	return at;
}

static void ring_open(struct ring *r)
{
	r->fd = (int)syscall(SYS_io_uring_setup, BATCH, &r->p);
	if (r->fd < 0 && (errno == ENOSYS || errno == EPERM)) {
		fprintf(stderr, "peers: no io_uring here\n");
		exit(77);
	}
	if (r->fd < 0)
		die("io_uring_setup");
	r->sq = map(r->fd, r->p.sq_off.array + r->p.sq_entries * 4, IORING_OFF_SQ_RING);
	r->cq = map(r->fd, r->p.cq_off.cqes + r->p.cq_entries * sizeof(struct io_uring_cqe),
		    IORING_OFF_CQ_RING);
	r->sqes = map(r->fd, r->p.sq_entries * sizeof(*r->sqes), IORING_OFF_SQES);
}

static void ring_batch(struct ring *r, const int *fds, char (*text)[TEXT_SIZE], unsigned int n)
{
	unsigned int *tail = (unsigned int *)(r->sq + r->p.sq_off.tail);
	unsigned int mask = *(unsigned int *)(r->sq + r->p.sq_off.ring_mask);
	unsigned int *array = (unsigned int *)(r->sq + r->p.sq_off.array);
	unsigned int *head = (unsigned int *)(r->cq + r->p.cq_off.head);
	unsigned int cq_mask = *(unsigned int *)(r->cq + r->p.cq_off.ring_mask);
	struct io_uring_cqe *cqes = (struct io_uring_cqe *)(r->cq + r->p.cq_off.cqes);

	for (unsigned int i = 0; i < n; i++) {
		unsigned int at = (*tail + i) & mask;

		r->sqes[at] = (struct io_uring_sqe){
			.opcode = IORING_OP_READ,
			.fd = fds[i],
			.addr = (uint64_t)(uintptr_t)text[i],
			.len = TEXT_SIZE - 1,
			.user_data = i,
		};
		array[at] = at;
	}
	__atomic_store_n(tail, *tail + n, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, r->fd, n, n, IORING_ENTER_GETEVENTS, NULL, 0) != (long)n)
		die("io_uring_enter");
	for (unsigned int i = 0; i < n; i++) {
		const struct io_uring_cqe *cqe = &cqes[(*head + i) & cq_mask];

		if (cqe->res <= 0) {
			errno = -cqe->res;
			die("read");
		}
		text[cqe->user_data][cqe->res] = '\0';
	}
	__atomic_store_n(head, *head + n, __ATOMIC_RELEASE);
}

static uint64_t with_uring(char **paths, int n)
{
	char text[BATCH][TEXT_SIZE];
	int *fds = calloc((size_t)n, sizeof(*fds));
	struct ring ring = { 0 };
	struct rlimit limit;
	uint64_t sum = 0;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	ring_open(&ring);
	for (int i = 0; fds && i < n; i++) {
		fds[i] = open(paths[i], O_RDONLY | O_CLOEXEC);
		if (fds[i] < 0)
			die(paths[i]);
	}
	for (int i = 0; fds && i < n; i += BATCH) {
		int batch = n - i < BATCH ? n - i : BATCH;

		ring_batch(&ring, fds + i, text, (unsigned int)batch);
		for (int k = 0; k < batch; k++)
			sum += strtoull(text[k], NULL, 10);
	}
	free(fds);
	return sum;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	uint64_t (*work)(char **paths, int n) = !strcmp(how, "bare")   ? bare :
						!strcmp(how, "fscanf") ? with_fscanf :
						!strcmp(how, "uring")  ? with_uring :
									 NULL;

	if (!work || argc < 3) {
		fprintf(stderr, "usage: peers bare|fscanf|uring FILE...\n");
		return 2;
	}
	printf("%" PRIu64 "\n", work(argv + 2, argc - 2));
	return 0;
}
