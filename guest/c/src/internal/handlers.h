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

/* Whether a responder has a function for one of the nine methods. They lie in the order
 * of the methods' numbers. */
static bool has_function(const wasmsandbox_responder *r, uint32_t method) {
	void (*function)(void);
	_Static_assert(offsetof(wasmsandbox_responder, any) - offsetof(wasmsandbox_responder, apply_patch) ==
	               9 * sizeof function, "nine methods");
	memcpy(&function, (const char *)&r->apply_patch + (method - WASMSANDBOX_METHOD_APPLY_PATCH) * sizeof function,
	       sizeof function);
	return function != NULL;
}

/* The set of methods that a responder has functions for. */
static uint32_t responder_methods(const wasmsandbox_responder *r) {
	uint32_t set = 0;
	for (uint32_t m = WASMSANDBOX_METHOD_APPLY_PATCH; m <= WASMSANDBOX_METHOD_WRITE; m++) {
		set |= (uint32_t)has_function(r, m) << m;
	}
	return set;
}

/* A matcher or a responder. */
typedef struct handler {
	const char *name;
	handler_kind kind;
	uint32_t methods; /* a set; 0: all nine */
	bool is_usable;   /* has the function or functions that it needs */
} handler;

static size_t handler_count(void) { return wasmsandbox_this_guest.matcher_count + wasmsandbox_this_guest.responder_count; }

/* The handler of an id, which is from 1 to the count. */
__attribute__((noinline)) static void find_handler(size_t id, handler *h) {
	const wasmsandbox_guest *g = &wasmsandbox_this_guest;
	size_t i = id - 1;
	if (i < g->matcher_count) {
		const wasmsandbox_matcher *m = &g->matchers[i];
		bool exist = (m->methods & ~(uint32_t)ALL_METHODS) == 0;
		*h = (handler){m->name, HANDLER_MATCH, m->methods, m->match != NULL && exist};
		return;
	}
	const wasmsandbox_responder *r = &g->responders[i - g->matcher_count];
	uint32_t methods = responder_methods(r);
	*h = (handler){r->name, HANDLER_RESPOND, methods, (r->any != NULL) == (methods == 0)};
}

static bool matcher_serves(const wasmsandbox_matcher *m, wasmsandbox_method method) {
	return m->methods == 0 || (m->methods & WASMSANDBOX_SERVES(method)) != 0;
}

static bool responder_serves(const wasmsandbox_responder *r, wasmsandbox_method method) {
	return r->any != NULL || has_function(r, method);
}

/* Panics on a mistake in the tables. */
static void check_handlers(void) {
	handler h, other;
	if (guest.checked) {
		return;
	}
	for (size_t id = 1; id <= handler_count(); id++) {
		find_handler(id, &h);
		if (h.name == NULL || h.name[0] == 0) {
			wasmsandbox_panic("a handler has no name");
		}
		if (!h.is_usable) {
			wasmsandbox_panic(h.kind == HANDLER_MATCH ? "a matcher has no function, or an unknown method"
			                                          : "a responder has no function, or others beside .any");
		}
		for (size_t before = 1; before < id; before++) {
			find_handler(before, &other);
			if (other.kind == h.kind && wasmsandbox_equal(wasmsandbox_text(h.name), wasmsandbox_text(other.name))) {
				wasmsandbox_panic("two handlers of a kind have the same name");
			}
		}
	}
	guest.checked = true;
}

static void describe_handler(uint32_t id, handler_message *message) {
	handler h;
	find_handler(id, &h);
	*message = (handler_message){.id = id, .name = wasmsandbox_text(h.name), .kind = h.kind};
	message->methods.items = wasmsandbox_scratch(9 * sizeof *message->methods.items);
	for (uint32_t m = WASMSANDBOX_METHOD_APPLY_PATCH; m <= WASMSANDBOX_METHOD_WRITE; m++) {
		if ((h.methods & WASMSANDBOX_SERVES(m)) != 0) {
			message->methods.items[message->methods.count++] = m;
		}
	}
}

static void describe_guest(description_message *d) {
	static const description_message sdk = {
		.sdk = {"c", 1},
		.sdk_version = {WASMSANDBOX_SDK_VERSION, sizeof WASMSANDBOX_SDK_VERSION - 1},
		.language = {"c", 1},
		.toolchain = {__VERSION__, sizeof __VERSION__ - 1},
	};
	*d = sdk;
	d->name = wasmsandbox_text(wasmsandbox_this_guest.name);
	d->version = wasmsandbox_text(wasmsandbox_this_guest.version);
	d->config_schema = wasmsandbox_text(wasmsandbox_this_guest.config_schema);
	d->handlers.count = handler_count();
	d->handlers.items = wasmsandbox_scratch(d->handlers.count * sizeof *d->handlers.items);
	for (size_t i = 0; i < d->handlers.count; i++) {
		describe_handler((uint32_t)i + 1, &d->handlers.items[i]);
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
