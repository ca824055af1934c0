#include "wasmsandbox.h"

/* Answers git describe with the tag of the configuration. */
static wasmsandbox_error *describe(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                                   wasmsandbox_exec_result *result) {
	(void)call, (void)request;
	wasmsandbox_slice tag = wasmsandbox_setting_text(WASMSANDBOX_TEXT("tag"), WASMSANDBOX_TEXT("v0.0.0"));
	result->out = wasmsandbox_inline(WASMSANDBOX_JOIN(tag, WASMSANDBOX_TEXT("\n")));
	return NULL;
}

static const wasmsandbox_responder responders[] = {{.name = "describe", .exec = describe}};

WASMSANDBOX_GUEST = {.name = "tags", .version = "1.0.0", WASMSANDBOX_RESPONDERS(responders)};
