#include "kitchen.h"

static void add(wasmsandbox_builder *b, const char *text) { wasmsandbox_append(b, wasmsandbox_text(text)); }

/* The start of a line, up to the value. */
static void add_name(wasmsandbox_builder *b, const char *name) {
	add(b, name);
	add(b, "=");
}

void line_text(wasmsandbox_builder *b, const char *name, const wasmsandbox_slice *value) {
	add_name(b, name);
	wasmsandbox_append(b, *value);
	add(b, "\n");
}

void line_int(wasmsandbox_builder *b, const char *name, int64_t value) {
	add_name(b, name);
	wasmsandbox_append_decimal(b, value);
	add(b, "\n");
}

void line_uint(wasmsandbox_builder *b, const char *name, uint64_t value) {
	add_name(b, name);
	wasmsandbox_append_decimal_unsigned(b, value);
	add(b, "\n");
}

/* The line of an element: name[i]field=value. */
static void line_element(wasmsandbox_builder *b, const char *name, size_t i, const char *field,
                         const wasmsandbox_slice *value) {
	add(b, name);
	add(b, "[");
	wasmsandbox_append_decimal_unsigned(b, i);
	add(b, "]");
	line_text(b, field, value);
}

static void render_parts(wasmsandbox_builder *b, const char *name, const wasmsandbox_parts *parts) {
	for (size_t i = 0; i < parts->count; i++) {
		line_element(b, name, i, "", &parts->items[i]);
	}
}

static void operation_line(wasmsandbox_builder *b, size_t i, const char *name, const wasmsandbox_slice *value) {
	line_element(b, "operations", i, name, value);
}

static void render_operations(wasmsandbox_builder *b, const wasmsandbox_apply_patch_request *r) {
	for (size_t i = 0; i < r->operations.count; i++) {
		const wasmsandbox_patch_operation *operation = &r->operations.items[i];
		operation_line(b, i, ".type", &operation->type);
		operation_line(b, i, ".path", &operation->path);
		if (operation->has_diff) {
			operation_line(b, i, ".diff", &operation->diff);
		}
		if (operation->has_move_to) {
			operation_line(b, i, ".move_to", &operation->move_to);
		}
	}
}

typedef enum line_shape {
	LINE_TEXT,
	LINE_INT,
	LINE_UINT,
	LINE_BOOL,
	LINE_MODE,
	LINE_SIZE,
	LINE_PARTS,
	LINE_OPERATIONS,
} line_shape;

/* A line, or the lines of an array, in the text of a method's request. */
typedef struct request_line {
	const char *name;
	uint8_t method, shape, offset; /* in wasmsandbox_call */
} request_line;

#define LINE(method, shape, member, name) \
	{name, WASMSANDBOX_METHOD_##method, LINE_##shape, offsetof(wasmsandbox_call, request.member)}

static const request_line request_lines[] = {
	LINE(APPLY_PATCH, OPERATIONS, apply_patch, ""),
	LINE(APPLY_PATCH, TEXT, apply_patch.patch_format, "patch_format"),
	LINE(EXEC, PARTS, exec.command, "command"),
	LINE(EXEC, INT, exec.timeout_ns, "timeout_ns"),
	LINE(EXEC, MODE, exec.shell.mode, "shell.mode"),
	LINE(EXEC, PARTS, exec.shell.argv, "shell.argv"),
	LINE(EXEC, TEXT, exec.user, "user"),
	LINE(LS, TEXT, ls.path, "path"),
	LINE(LS, TEXT, ls.user, "user"),
	LINE(MKDIR, TEXT, mkdir.path, "path"),
	LINE(MKDIR, BOOL, mkdir.parents, "parents"),
	LINE(MKDIR, TEXT, mkdir.user, "user"),
	LINE(PTY_EXEC_START, PARTS, pty_exec_start.command, "command"),
	LINE(PTY_EXEC_START, INT, pty_exec_start.timeout_ns, "timeout_ns"),
	LINE(PTY_EXEC_START, MODE, pty_exec_start.shell.mode, "shell.mode"),
	LINE(PTY_EXEC_START, PARTS, pty_exec_start.shell.argv, "shell.argv"),
	LINE(PTY_EXEC_START, TEXT, pty_exec_start.user, "user"),
	LINE(PTY_EXEC_START, BOOL, pty_exec_start.tty, "tty"),
	LINE(PTY_EXEC_START, INT, pty_exec_start.yield_time_ns, "yield_time_ns"),
	LINE(PTY_EXEC_START, INT, pty_exec_start.max_output_tokens, "max_output_tokens"),
	LINE(PTY_WRITE_STDIN, INT, pty_write_stdin.session_id, "session_id"),
	LINE(PTY_WRITE_STDIN, TEXT, pty_write_stdin.chars, "chars"),
	LINE(PTY_WRITE_STDIN, INT, pty_write_stdin.yield_time_ns, "yield_time_ns"),
	LINE(PTY_WRITE_STDIN, INT, pty_write_stdin.max_output_tokens, "max_output_tokens"),
	LINE(READ, TEXT, read.path, "path"),
	LINE(READ, TEXT, read.user, "user"),
	LINE(RM, TEXT, rm.path, "path"),
	LINE(RM, BOOL, rm.recursive, "recursive"),
	LINE(RM, TEXT, rm.user, "user"),
	LINE(WRITE, TEXT, write.path, "path"),
	LINE(WRITE, SIZE, write.data.content, "data.size"),
	LINE(WRITE, UINT, write.data.position, "data.position"),
	LINE(WRITE, BOOL, write.data.text, "data.text"),
	LINE(WRITE, TEXT, write.user, "user"),
};

static void render_line(wasmsandbox_builder *b, const request_line *line, const void *value) {
	uint64_t number = 0;
	switch ((line_shape)line->shape) {
	case LINE_TEXT:
		line_text(b, line->name, value);
		return;
	case LINE_PARTS:
		render_parts(b, line->name, value);
		return;
	case LINE_OPERATIONS:
		render_operations(b, value);
		return;
	case LINE_INT:
		line_int(b, line->name, *(const int64_t *)value);
		return;
	case LINE_UINT:
		number = *(const uint64_t *)value;
		break;
	case LINE_BOOL:
		number = *(const bool *)value;
		break;
	case LINE_MODE:
		number = *(const wasmsandbox_shell_mode *)value;
		break;
	case LINE_SIZE:
		number = wasmsandbox_content_size(value);
		break;
	}
	line_uint(b, line->name, number);
}

static void render_request(wasmsandbox_builder *b, const wasmsandbox_call *call) {
	for (size_t i = 0; i < sizeof request_lines / sizeof request_lines[0]; i++) {
		const request_line *line = &request_lines[i];
		if (line->method == call->method) {
			render_line(b, line, (const char *)call + line->offset);
		}
	}
}

wasmsandbox_error *render(const wasmsandbox_call *call, wasmsandbox_result *result) {
	wasmsandbox_builder b = {0};
	wasmsandbox_slice method = wasmsandbox_text(wasmsandbox_method_name(call->method));
	line_text(&b, "method", &method);
	line_uint(&b, "index", call->index);
	line_int(&b, "time_ns", call->time_ns);
	render_request(&b, call);
	wasmsandbox_log(WASMSANDBOX_INFO, wasmsandbox_built(&b));
	if (call->method == WASMSANDBOX_METHOD_EXEC) {
		result->exec.out = wasmsandbox_inline(wasmsandbox_built(&b));
	}
	return NULL;
}

static void render_list(wasmsandbox_builder *b, const wasmsandbox_list *list) {
	add(b, "[");
	for (size_t i = 0; i < list->count; i++) {
		add(b, i == 0 ? "" : ",");
		render_value(b, &list->items[i]);
	}
	add(b, "]");
}

static void render_map(wasmsandbox_builder *b, const wasmsandbox_map *map) {
	add(b, "{");
	for (size_t i = 0; i < map->count; i++) {
		add(b, i == 0 ? "" : ",");
		wasmsandbox_append(b, map->items[i].key);
		add(b, "=");
		render_value(b, &map->items[i].value);
	}
	add(b, "}");
}

void render_value(wasmsandbox_builder *b, const wasmsandbox_value *value) {
	switch (value->kind) {
	case WASMSANDBOX_NULL:
		add(b, "null");
		break;
	case WASMSANDBOX_BOOL:
		add(b, value->as.boolean ? "true" : "false");
		break;
	case WASMSANDBOX_INT:
		wasmsandbox_append_decimal(b, value->as.integer);
		break;
	case WASMSANDBOX_STRING:
		add(b, "\"");
		wasmsandbox_append(b, value->as.string);
		add(b, "\"");
		break;
	case WASMSANDBOX_BYTES:
		add(b, "0x");
		wasmsandbox_append(b, wasmsandbox_hex(value->as.bytes));
		break;
	case WASMSANDBOX_LIST:
		render_list(b, &value->as.list);
		break;
	case WASMSANDBOX_MAP:
		render_map(b, &value->as.map);
		break;
	}
}
