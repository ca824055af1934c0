#include "kitchen.h"

wasmsandbox_error *match_accept(const wasmsandbox_call *call, wasmsandbox_verdict *verdict) {
	(void)call;
	wasmsandbox_accept(verdict);
	return NULL;
}

wasmsandbox_error *match_undecided(const wasmsandbox_call *call, wasmsandbox_verdict *verdict) {
	(void)call, (void)verdict;
	return NULL;
}

wasmsandbox_error *match_only_git(const wasmsandbox_call *call, wasmsandbox_verdict *verdict) {
	const wasmsandbox_parts *command = &call->request.exec.command;
	wasmsandbox_slice first = command->count == 0 ? WASMSANDBOX_TEXT("") : command->items[0];
	if (wasmsandbox_equal(first, WASMSANDBOX_TEXT("git"))) {
		wasmsandbox_accept(verdict);
	} else {
		wasmsandbox_reject(verdict, WASMSANDBOX_TEXT("not git"));
		wasmsandbox_differ(verdict, WASMSANDBOX_TEXT("args[0]"), WASMSANDBOX_TEXT("git"), first);
	}
	return NULL;
}

wasmsandbox_error *match_differ(const wasmsandbox_call *call, wasmsandbox_verdict *verdict) {
	(void)call;
	wasmsandbox_reject(verdict, WASMSANDBOX_TEXT("two differences"));
	wasmsandbox_differ(verdict, WASMSANDBOX_TEXT("a"), WASMSANDBOX_TEXT("1"), WASMSANDBOX_TEXT("2"));
	wasmsandbox_differ(verdict, WASMSANDBOX_TEXT("b"), WASMSANDBOX_TEXT(""), WASMSANDBOX_TEXT(""));
	return NULL;
}

wasmsandbox_error *match_digest(const wasmsandbox_call *call, wasmsandbox_verdict *verdict) {
	const wasmsandbox_content *content = &call->request.write.data.content;
	wasmsandbox_slice reason = WASMSANDBOX_TEXT("inline");
	if (content->kind == WASMSANDBOX_CONTENT_BLOB) {
		reason = wasmsandbox_hex(content->as.blob.sha256);
	}
	wasmsandbox_reject(verdict, reason);
	wasmsandbox_differ(verdict, WASMSANDBOX_TEXT("data"), WASMSANDBOX_TEXT(""),
	                   wasmsandbox_decimal_unsigned(wasmsandbox_content_size(content)));
	return NULL;
}

wasmsandbox_error *match_broken(const wasmsandbox_call *call, wasmsandbox_verdict *verdict) {
	(void)call, (void)verdict;
	return wasmsandbox_failed(WASMSANDBOX_TEXT("it's broken"));
}

wasmsandbox_error *match_panic(const wasmsandbox_call *call, wasmsandbox_verdict *verdict) {
	(void)call, (void)verdict;
	wasmsandbox_panic("deliberate panic");
}
