#include "kitchen.h"

static wasmsandbox_error *broken(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                                 wasmsandbox_exec_result *result) {
	(void)call, (void)request, (void)result;
	return wasmsandbox_failed(WASMSANDBOX_TEXT("it's broken"));
}

static wasmsandbox_error *deliberate_panic(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                                           wasmsandbox_exec_result *result) {
	(void)call, (void)request, (void)result;
	wasmsandbox_panic("deliberate panic");
}

static wasmsandbox_error *open_kitchen(void) {
	const wasmsandbox_value *depth =
		wasmsandbox_map_get(&wasmsandbox_this_session()->config, WASMSANDBOX_TEXT("depth"));
	if (depth != NULL && depth->kind == WASMSANDBOX_INT && depth->as.integer > 9) {
		return wasmsandbox_failed(WASMSANDBOX_TEXT("depth is at most 9"));
	}
	return NULL;
}

static const wasmsandbox_responder responders[] = {
	{.name = "render", .any = render},
	{.name = "results", .any = results},
	{.name = "empty", .any = empty},
	{.name = "raise", .exec = raise_error},
	{
		.name = "store",
		.read = store_read,
		.write = store_write,
		.rm = store_rm,
		.ls = store_ls,
		.mkdir = store_mkdir,
	},
	{.name = "count", .exec = count},
	{.name = "checksum", .write = checksum},
	{.name = "generate", .read = generate},
	{.name = "big", .exec = big},
	{.name = "log", .exec = log_parts},
	{.name = "config", .exec = config},
	{.name = "setting", .exec = setting},
	{.name = "session", .exec = session},
	{.name = "shell", .pty_exec_start = shell_start, .pty_write_stdin = shell_write},
	{.name = "extension", .exec = extension},
	{.name = "blob_len", .write = blob_len},
	{.name = "broken", .exec = broken},
	{.name = "panic", .exec = deliberate_panic},
};

enum {
	EXEC = WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_EXEC),
	WRITE = WASMSANDBOX_SERVES(WASMSANDBOX_METHOD_WRITE),
};

static const wasmsandbox_matcher matchers[] = {
	{.name = "accept", .match = match_accept},
	{.name = "undecided", .match = match_undecided},
	{.name = "only_git", .methods = EXEC, .match = match_only_git},
	{.name = "differ", .match = match_differ},
	{.name = "digest", .methods = WRITE, .match = match_digest},
	{.name = "broken", .methods = EXEC, .match = match_broken},
	{.name = "panic", .methods = EXEC, .match = match_panic},
};

WASMSANDBOX_GUEST = {
	.name = "kitchen-sink",
	.version = "1.0.0",
	.config_schema = "{\"type\":\"object\"}",
	WASMSANDBOX_RESPONDERS(responders),
	WASMSANDBOX_MATCHERS(matchers),
	.open = open_kitchen,
};
