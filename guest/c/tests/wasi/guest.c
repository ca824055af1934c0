/* A guest that uses the libc: formatted text, memory of malloc, the clock and
 * standard error, beside the SDK's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wasmsandbox.h"

static char *history; /* memory of malloc, which stays */

static wasmsandbox_error *echo(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                               wasmsandbox_exec_result *result) {
	for (size_t i = 0; i < request->command.count; i++) {
		wasmsandbox_slice part = request->command.items[i];
		size_t old = history == NULL ? 0 : strlen(history);
		history = realloc(history, old + part.length + 2);
		wasmsandbox_assert(history != NULL);
		snprintf(history + old, part.length + 2, "%.*s,", (int)part.length, part.data);
	}
	char *line = wasmsandbox_scratch(256);
	struct timespec now;
	wasmsandbox_assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
	int length = snprintf(line, 256, "%s %.2f %d\n", history, 0.5 + (double)call->index,
	                      (int64_t)now.tv_sec >= call->time_ns / 1000000000);
	fprintf(stderr, "call %d\n", (int)call->index);
	result->out = wasmsandbox_inline((wasmsandbox_slice){line, (size_t)length});
	return NULL;
}

static wasmsandbox_error *crash(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                                wasmsandbox_exec_result *result) {
	(void)call, (void)request, (void)result;
	wasmsandbox_panic("crashed on purpose");
}

static const wasmsandbox_responder responders[] = {{.name = "echo", .exec = echo}, {.name = "crash", .exec = crash}};
WASMSANDBOX_GUEST = {.name = "wasi", .version = "1.0.0", WASMSANDBOX_RESPONDERS(responders)};
