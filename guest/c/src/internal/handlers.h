/* The tables of handlers. Ids count from 1, first through the matchers and then
 * through the responders, in the order of the tables. */
#ifndef WASMSANDBOX_HANDLERS_H
#define WASMSANDBOX_HANDLERS_H

#include "content.h"

enum { ALL_METHODS = (1 << (WASMSANDBOX_METHOD_WRITE + 1)) - (1 << WASMSANDBOX_METHOD_APPLY_PATCH) };

const char *wasmsandbox_method_name(wasmsandbox_method method) {
	static const char *const names[] = {"apply_patch",     "exec", "ls", "mkdir", "pty_exec_start",
	                                    "pty_write_stdin", "read", "rm", "write"};
	uint32_t i = (uint32_t)method - WASMSANDBOX_METHOD_APPLY_PATCH;
	return i < sizeof names / sizeof names[0] ? names[i] : "unknown";
}

/* The set of methods that a responder has functions for. */
static uint32_t responder_methods(const wasmsandbox_responder *r) {
	uint32_t set = 0;
	set |= (r->apply_patch != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_APPLY_PATCH);
	set |= (r->exec != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_EXEC);
	set |= (r->ls != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_LS);
	set |= (r->mkdir != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_MKDIR);
	set |= (r->pty_exec_start != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_PTY_EXEC_START);
	set |= (r->pty_write_stdin != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_PTY_WRITE_STDIN);
	set |= (r->read != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_READ);
	set |= (r->rm != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_RM);
	set |= (r->write != NULL) * WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_WRITE);
	return set;
}

static void check_name(const char *name, const char *other) {
	if (name == NULL || name[0] == 0) {
		wasmsandbox_panic("a handler has no name");
	}
	if (other != NULL && wasmsandbox_equal(wasmsandbox_text(name), wasmsandbox_text(other))) {
		wasmsandbox_panic("two matchers, or two responders, have the same name");
	}
}

/* Panics on a mistake in the tables. */
static void check_handlers(void) {
	const wasmsandbox_guest *g = &wasmsandbox_this_guest;
	if (guest.checked) {
		return;
	}
	for (size_t i = 0; i < g->matcher_count; i++) {
		check_name(g->matchers[i].name, NULL);
		if (g->matchers[i].match == NULL || (g->matchers[i].methods & ~(uint32_t)ALL_METHODS) != 0) {
			wasmsandbox_panic("a matcher has no function, or a method that doesn't exist");
		}
		for (size_t j = 0; j < i; j++) {
			check_name(g->matchers[i].name, g->matchers[j].name);
		}
	}
	for (size_t i = 0; i < g->responder_count; i++) {
		check_name(g->responders[i].name, NULL);
		if ((g->responders[i].any != NULL) == (responder_methods(&g->responders[i]) != 0)) {
			wasmsandbox_panic("a responder has no function, or others beside the one for any method");
		}
		for (size_t j = 0; j < i; j++) {
			check_name(g->responders[i].name, g->responders[j].name);
		}
	}
	guest.checked = true;
}

static void describe_handler(handler_message *h, uint32_t id, const char *name, handler_kind kind, uint32_t methods) {
	*h = (handler_message){.id = id, .name = wasmsandbox_text(name), .kind = kind};
	for (uint32_t m = WASMSANDBOX_METHOD_APPLY_PATCH; m <= WASMSANDBOX_METHOD_WRITE; m++) {
		if ((methods & WASMSANDBOX_SERVES(m)) != 0) {
			h->methods.items =
				arena_extend(&guest.scratch, h->methods.items, h->methods.count, sizeof *h->methods.items);
			h->methods.items[h->methods.count++] = m;
		}
	}
}

static void describe_guest(description_message *d) {
	const wasmsandbox_guest *g = &wasmsandbox_this_guest;
	*d = (description_message){
		.name = wasmsandbox_text(g->name),
		.version = wasmsandbox_text(g->version),
		.sdk = WASMSANDBOX_TEXT("c"),
		.sdk_version = WASMSANDBOX_TEXT(WASMSANDBOX_SDK_VERSION),
		.language = WASMSANDBOX_TEXT("c"),
		.toolchain = WASMSANDBOX_TEXT(__VERSION__),
		.config_schema = wasmsandbox_text(g->config_schema),
	};
	d->handlers.count = g->matcher_count + g->responder_count;
	d->handlers.items = wasmsandbox_scratch(d->handlers.count * sizeof *d->handlers.items);
	handler_message *h = d->handlers.items;
	uint32_t id = 1;
	for (size_t i = 0; i < g->matcher_count; i++) {
		describe_handler(h++, id++, g->matchers[i].name, HANDLER_MATCH, g->matchers[i].methods);
	}
	for (size_t i = 0; i < g->responder_count; i++) {
		const wasmsandbox_responder *r = &g->responders[i];
		describe_handler(h++, id++, r->name, HANDLER_RESPOND, responder_methods(r));
	}
}

/* Calls the responder's function for the method of the call, which it has. */
static wasmsandbox_error *call_responder(const wasmsandbox_responder *r, const wasmsandbox_call *call,
                                         wasmsandbox_result *result) {
	if (r->any != NULL) {
		return r->any(call, result);
	}
	switch (call->method) {
	case WASMSANDBOX_METHOD_APPLY_PATCH:
		return r->apply_patch(call, &call->request.apply_patch, &result->apply_patch);
	case WASMSANDBOX_METHOD_EXEC:
		return r->exec(call, &call->request.exec, &result->exec);
	case WASMSANDBOX_METHOD_LS:
		return r->ls(call, &call->request.ls, &result->ls);
	case WASMSANDBOX_METHOD_MKDIR:
		return r->mkdir(call, &call->request.mkdir);
	case WASMSANDBOX_METHOD_PTY_EXEC_START:
		return r->pty_exec_start(call, &call->request.pty_exec_start, &result->pty);
	case WASMSANDBOX_METHOD_PTY_WRITE_STDIN:
		return r->pty_write_stdin(call, &call->request.pty_write_stdin, &result->pty);
	case WASMSANDBOX_METHOD_READ:
		return r->read(call, &call->request.read, &result->read);
	case WASMSANDBOX_METHOD_RM:
		return r->rm(call, &call->request.rm);
	case WASMSANDBOX_METHOD_WRITE:
		return r->write(call, &call->request.write);
	}
	wasmsandbox_panic("a call without a method");
}

#endif
