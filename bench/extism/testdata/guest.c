// A guest whose responder gives back the command's first part.
#include "wasmsandbox.h"

static wasmsandbox_error *echo(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                               wasmsandbox_exec_result *result) {
	(void)call;
	result->out = wasmsandbox_inline(request->command.items[0]);
	return NULL;
}

static const wasmsandbox_responder responders[] = {{.name = "echo", .exec = echo}};
WASMSANDBOX_GUEST = {.name = "echo", .version = "1.0.0", WASMSANDBOX_RESPONDERS(responders)};
