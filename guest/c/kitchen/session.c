#include "kitchen.h"

const wasmsandbox_slice *command_parts(const wasmsandbox_exec_request *request, size_t count) {
	wasmsandbox_assert(request->command.count >= count);
	return request->command.items;
}

wasmsandbox_error *log_parts(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                             wasmsandbox_exec_result *result) {
	(void)call, (void)result;
	for (size_t i = 0; i < request->command.count; i++) {
		wasmsandbox_log((wasmsandbox_log_level)(i % 4), request->command.items[i]);
	}
	return NULL;
}

wasmsandbox_error *config(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                          wasmsandbox_exec_result *result) {
	(void)call, (void)request;
	const wasmsandbox_map *settings = &wasmsandbox_this_session()->config;
	wasmsandbox_builder b = {0};
	for (size_t i = 0; i < settings->count; i++) {
		wasmsandbox_append(&b, settings->items[i].key);
		wasmsandbox_append(&b, WASMSANDBOX_TEXT("="));
		render_value(&b, &settings->items[i].value);
		wasmsandbox_append(&b, WASMSANDBOX_TEXT("\n"));
	}
	result->out = wasmsandbox_inline(wasmsandbox_built(&b));
	return NULL;
}

wasmsandbox_error *setting(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                           wasmsandbox_exec_result *result) {
	(void)call;
	result->out =
		wasmsandbox_inline(wasmsandbox_setting_text(*command_parts(request, 1), WASMSANDBOX_TEXT("main")));
	return NULL;
}

wasmsandbox_error *session(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                           wasmsandbox_exec_result *result) {
	(void)request;
	const wasmsandbox_session *s = wasmsandbox_this_session();
	wasmsandbox_builder b = {0};
	line_uint(&b, "seed", s->seed);
	line_int(&b, "start_time_ns", s->start_time_ns);
	line_uint(&b, "inline_bytes", s->limits.inline_bytes);
	line_uint(&b, "reply_bytes", s->limits.reply_bytes);
	line_uint(&b, "log_bytes", s->limits.log_bytes);
	line_uint(&b, "blob_bytes", s->limits.blob_bytes);
	line_uint(&b, "index", call->index);
	line_int(&b, "time_ns", call->time_ns);
	result->out = wasmsandbox_inline(wasmsandbox_built(&b));
	return NULL;
}

wasmsandbox_error *extension(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                             wasmsandbox_exec_result *result) {
	(void)call, (void)request;
	result->out = wasmsandbox_inline(wasmsandbox_decimal(wasmsandbox_extension(7, WASMSANDBOX_TEXT("x"))));
	return NULL;
}
