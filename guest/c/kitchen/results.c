#include "kitchen.h"

static wasmsandbox_listing full_listing(void) {
	static const wasmsandbox_file_entry entries[] = {
		{.path = {"src", 3}, .permissions = 040755, .owner = {"root", 4}, .group = {"staff", 5}, .size = 4096,
	     .kind = WASMSANDBOX_DIRECTORY},
		{.path = {"a.txt", 5}, .permissions = 0644, .owner = {"root", 4}, .group = {"staff", 5}, .size = 5},
		{.path = {"link", 4}, .permissions = 0777, .kind = WASMSANDBOX_SYMLINK},
		{.path = {"fifo", 4}, .permissions = 0600, .owner = {"u", 1}, .group = {"g", 1}, .kind = WASMSANDBOX_OTHER},
	};
	enum { COUNT = sizeof entries / sizeof entries[0] };
	wasmsandbox_file_entry *items = wasmsandbox_scratch(sizeof entries);
	for (size_t i = 0; i < COUNT; i++) {
		items[i] = entries[i];
	}
	return (wasmsandbox_listing){items, COUNT};
}

wasmsandbox_error *results(const wasmsandbox_call *call, wasmsandbox_result *result) {
	switch (call->method) {
	case WASMSANDBOX_METHOD_APPLY_PATCH:
		result->apply_patch = WASMSANDBOX_JOIN(
			WASMSANDBOX_TEXT("patched "), wasmsandbox_decimal_unsigned(call->request.apply_patch.operations.count));
		break;
	case WASMSANDBOX_METHOD_EXEC:
		result->exec.out = wasmsandbox_inline(WASMSANDBOX_TEXT("out\n"));
		result->exec.err = wasmsandbox_inline(WASMSANDBOX_TEXT("err\n"));
		result->exec.exit_code = 3;
		break;
	case WASMSANDBOX_METHOD_LS:
		result->ls = full_listing();
		break;
	case WASMSANDBOX_METHOD_PTY_EXEC_START:
		result->pty = wasmsandbox_pty_running(7, WASMSANDBOX_TEXT("$ "));
		result->pty.has_original_token_count = true;
		result->pty.original_token_count = UINT64_MAX;
		break;
	case WASMSANDBOX_METHOD_PTY_WRITE_STDIN:
		result->pty = wasmsandbox_pty_exited(-1, WASMSANDBOX_TEXT("bye"));
		break;
	case WASMSANDBOX_METHOD_READ:
		result->read.content = wasmsandbox_inline(WASMSANDBOX_TEXT("hello"));
		result->read.position = 2;
		result->read.text = true;
		break;
	case WASMSANDBOX_METHOD_MKDIR:
	case WASMSANDBOX_METHOD_RM:
	case WASMSANDBOX_METHOD_WRITE:
		break;
	}
	return NULL;
}

wasmsandbox_error *empty(const wasmsandbox_call *call, wasmsandbox_result *result) {
	(void)call, (void)result;
	return NULL;
}

/* The full context, in another order than it is sent in. */
static void add_full_context(wasmsandbox_error *error) {
	static wasmsandbox_value list[] = {
		{.kind = WASMSANDBOX_NULL},
		{.kind = WASMSANDBOX_BOOL},
		{.kind = WASMSANDBOX_INT, .as.integer = 7},
		{.kind = WASMSANDBOX_STRING, .as.string = {"x", 1}},
	};
	static wasmsandbox_entry inner[] = {{{"b", 1}, {.kind = WASMSANDBOX_STRING, .as.string = {"c", 1}}}};
	static wasmsandbox_entry outer[] = {{{"a", 1}, {.kind = WASMSANDBOX_MAP, .as.map = {inner, 1}}}};
	static const struct {
		const char *key;
		wasmsandbox_value value;
	} context[] = {
		{"text", {.kind = WASMSANDBOX_STRING, .as.string = {"\xc3\xa9", 2}}},
		{"bool", {.kind = WASMSANDBOX_BOOL, .as.boolean = true}},
		{"bytes", {.kind = WASMSANDBOX_BYTES, .as.bytes = {"\x00\xff", 2}}},
		{"int", {.kind = WASMSANDBOX_INT, .as.integer = -5}},
		{"null", {.kind = WASMSANDBOX_NULL}},
		{"min", {.kind = WASMSANDBOX_INT, .as.integer = INT64_MIN}},
		{"max", {.kind = WASMSANDBOX_INT, .as.integer = INT64_MAX}},
		{"list", {.kind = WASMSANDBOX_LIST, .as.list = {list, 4}}},
		{"map", {.kind = WASMSANDBOX_MAP, .as.map = {outer, 1}}},
	};
	for (size_t i = 0; i < sizeof context / sizeof context[0]; i++) {
		wasmsandbox_with(error, context[i].key, context[i].value);
	}
}

wasmsandbox_error *raise_error(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                               wasmsandbox_exec_result *result) {
	(void)call, (void)result;
	const wasmsandbox_slice *part = command_parts(request, 5);
	wasmsandbox_error *error = wasmsandbox_raise_slice(part[0]);
	wasmsandbox_with_op(error, part[1]);
	wasmsandbox_with_message(error, part[2]);
	if (!wasmsandbox_equal(part[3], WASMSANDBOX_TEXT("unknown"))) {
		wasmsandbox_with_retryable(error, wasmsandbox_equal(part[3], WASMSANDBOX_TEXT("yes")));
	}
	if (wasmsandbox_equal(part[4], WASMSANDBOX_TEXT("full"))) {
		add_full_context(error);
	}
	return error;
}

wasmsandbox_error *shell_start(const wasmsandbox_call *call, const wasmsandbox_pty_exec_start_request *request,
                               wasmsandbox_pty_update *result) {
	(void)call;
	*result = wasmsandbox_pty_running(7, WASMSANDBOX_TEXT("$ "));
	if (request->max_output_tokens != 0) {
		result->has_original_token_count = true;
		result->original_token_count = 12;
	}
	return NULL;
}

wasmsandbox_error *shell_write(const wasmsandbox_call *call, const wasmsandbox_pty_write_stdin_request *request,
                               wasmsandbox_pty_update *result) {
	(void)call;
	if (wasmsandbox_equal(request->chars, WASMSANDBOX_TEXT("exit\n"))) {
		*result = wasmsandbox_pty_exited(0, WASMSANDBOX_TEXT("bye\n"));
	} else {
		*result = wasmsandbox_pty_running(request->session_id, request->chars);
	}
	return NULL;
}
