/* The state of the guest, of which a program has one. */
#ifndef WASMSANDBOX_GUEST_STATE_H
#define WASMSANDBOX_GUEST_STATE_H

#include "arena.h"
#include "imports.h"

struct wasmsandbox_error {
	bool is_sandbox_error;
	sandbox_error_message sandbox;
	wasmsandbox_slice failure; /* of the guest */
};

static struct {
	wasmsandbox_session session;
	wasmsandbox_slice bad_setting; /* what a getter has complained about, empty if none */
	bool checked;                  /* the tables are in order */

	unsigned char *input;
	size_t input_size;
	encoder output;
	wasmsandbox_slice encoded; /* the last reply */

	arena scratch;     /* of the call */
	arena permanent;   /* what the session is made of */
	wasmsandbox_call call;
	reply_message reply;
} guest;

enum { DEFAULT_INLINE_BYTES = 64 << 10 };

static uint64_t inline_limit(void) {
	uint64_t limit = guest.session.limits.inline_bytes;
	return limit == 0 ? DEFAULT_INLINE_BYTES : limit;
}

const wasmsandbox_session *wasmsandbox_this_session(void) { return &guest.session; }

void *wasmsandbox_scratch(size_t size) { return arena_alloc(&guest.scratch, size); }

void wasmsandbox_log_bytes(wasmsandbox_log_level level, const char *text, size_t length) {
	wasmsandbox_import_log((int32_t)level, text, length);
}

#endif
