/* Checks that report and go on, and the exit code of a test program. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <string.h>

#include "wasmsandbox.h"

static int failures, checks;

#define CHECK(condition, ...) check((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)

static inline void check(bool holds, const char *file, int line, const char *condition, const char *about) {
	checks++;
	if (!holds) {
		failures++;
		fprintf(stderr, "%s:%d: %s: %s doesn't hold\n", file, line, about, condition);
	}
}

#define CHECK_TEXT(got, want) check_text((got), (want), __FILE__, __LINE__)

static inline void check_text(wasmsandbox_slice got, const char *want, const char *file, int line) {
	checks++;
	if (got.length != strlen(want) || (got.length != 0 && memcmp(got.data, want, got.length) != 0)) {
		failures++;
		fprintf(stderr, "%s:%d: got \"%.*s\", want \"%s\"\n", file, line, (int)got.length,
		        got.data == NULL ? "" : got.data, want);
	}
}

/* What main returns. A program without a check has failed. */
static inline int check_result(const char *program) {
	printf("%s: %d checks, %d failures\n", program, checks, failures);
	return failures != 0 || checks == 0;
}

#endif
