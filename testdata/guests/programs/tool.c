// A program for tests: its first argument says what it does.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void copy_input(void) {
	char piece[4096];
	ssize_t n;
	while ((n = read(0, piece, sizeof piece)) > 0)
		write(1, piece, (size_t)n);
}

static void flood(int fd, long bytes) {
	char piece[1024];
	memset(piece, 'x', sizeof piece);
	for (; bytes > 0; bytes -= sizeof piece)
		write(fd, piece, bytes < (long)sizeof piece ? (size_t)bytes : sizeof piece);
}

static void show_world(void) {
	struct timespec now;
	uint64_t random;
	clock_gettime(CLOCK_REALTIME, &now);
	getentropy(&random, sizeof random);
	printf("%lld %016llx\n", (long long)now.tv_sec, (unsigned long long)random);
}

int main(int argc, char **argv) {
	const char *verb = argc > 1 ? argv[1] : "";
	if (strcmp(verb, "args") == 0) {
		for (int i = 0; i < argc; i++)
			printf("%d=[%s]\n", i, argv[i]);
	} else if (strcmp(verb, "env") == 0) {
		for (char **e = environ; *e; e++)
			puts(*e);
	} else if (strcmp(verb, "cat") == 0) {
		copy_input();
	} else if (strcmp(verb, "both") == 0) {
		fputs("to stdout\n", stdout);
		fputs("to stderr\n", stderr);
	} else if (strcmp(verb, "exit") == 0 && argc > 2) {
		fputs("leaving\n", stderr);
		exit(atoi(argv[2]));
	} else if (strcmp(verb, "trap") == 0) {
		fputs("half of it\n", stdout);
		fflush(stdout);
		fputs("about to trap\n", stderr);
		__builtin_trap();
	} else if (strcmp(verb, "out") == 0 && argc > 2) {
		flood(1, atol(argv[2]));
	} else if (strcmp(verb, "err") == 0 && argc > 2) {
		flood(2, atol(argv[2]));
	} else if (strcmp(verb, "loop") == 0) {
		for (volatile unsigned n = 0;; n++)
			;
	} else if (strcmp(verb, "recurse") == 0) {
		char *again[] = {argv[0], argv[1], NULL};
		return main(2, again) + 1;
	} else if (strcmp(verb, "world") == 0) {
		show_world();
	} else if (argc > 0) {
		fprintf(stderr, "usage: %s VERB\n", argv[0]);
		return 2;
	} else {
		puts("no arguments at all");
	}
	return 0;
}
