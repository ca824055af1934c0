/* The dispatch at the level of encoded messages, and the parts that handlers use. */
#include <stdlib.h>

#include "check.h"
#include "internal/codec.h"
#include "wasmsandbox_testing.h"

/* What the handler `probe` does. */
static wasmsandbox_error *(*probe)(wasmsandbox_exec_result *result);

static wasmsandbox_error *respond_probe(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                                        wasmsandbox_exec_result *result) {
	(void)call, (void)request;
	return probe(result);
}

static wasmsandbox_error *match_strange(const wasmsandbox_call *call, wasmsandbox_verdict *verdict) {
	if (call->method == WASMSANDBOX_METHOD_RM) {
		return wasmsandbox_with_message(wasmsandbox_raise("some_code"), WASMSANDBOX_TEXT("why"));
	}
	verdict->answer = (wasmsandbox_answer)3;
	return NULL;
}

static wasmsandbox_error *list_strange(const wasmsandbox_call *call, const wasmsandbox_ls_request *request,
                                       wasmsandbox_listing *result) {
	static wasmsandbox_file_entry entry = {.kind = (wasmsandbox_file_kind)4};
	(void)call, (void)request;
	*result = (wasmsandbox_listing){&entry, 1};
	return NULL;
}

static bool refuse_close;

static wasmsandbox_error *close_guest(void) {
	return refuse_close ? wasmsandbox_failed(WASMSANDBOX_TEXT("not yet")) : NULL;
}

static const wasmsandbox_responder responders[] = {{.name = "probe", .exec = respond_probe},
                                                   {.name = "strange", .ls = list_strange}};
static const wasmsandbox_matcher matchers[] = {{.name = "strange", .match = match_strange}};
WASMSANDBOX_GUEST = {.name = "test", .version = "2", WASMSANDBOX_RESPONDERS(responders), WASMSANDBOX_MATCHERS(matchers),
                     .close = close_guest};

static arena decoded;

static reply_message decode_reply(const wasmsandbox_slice *data) {
	reply_message reply = {0};
	CHECK(wasmsandbox_decode(&wasmsandbox_schemas[SCHEMA_REPLY], &reply, *data, &decoded).reason == DECODE_OK, "a reply");
	return reply;
}

static void check_refused(const wasmsandbox_slice *data, guest_error_kind kind, const char *message) {
	reply_message reply = decode_reply(data);
	CHECK(reply.kind == REPLY_ERROR && reply.as.error.kind == kind, message);
	CHECK_TEXT(reply.as.error.message, message);
}

static void check_description(void) {
	for (int i = 0; i < 2; i++) {
		reply_message reply = decode_reply(wasmsandbox_guest_describe());
		const description_message *d = &reply.as.description;
		CHECK(reply.kind == REPLY_DESCRIPTION && d->handlers.count == 3, "three handlers");
		CHECK_TEXT(d->name, "test");
		CHECK_TEXT(d->language, "c");
		CHECK(d->handlers.items[0].id == 1 && d->handlers.items[0].kind == HANDLER_MATCH, "matchers first");
		CHECK(d->handlers.items[0].methods.count == 0, "all methods");
		CHECK_TEXT(d->handlers.items[1].name, "probe");
		CHECK(d->handlers.items[1].methods.count == 1 && d->handlers.items[1].methods.items[0] == 4, "exec");
	}
}

static void check_dispatch(void) {
	unsigned char *input = wasmsandbox_guest_buffer(4096);
	CHECK(input != NULL, "an input buffer");
	CHECK(wasmsandbox_guest_buffer((64u << 20) + 1) == NULL, "more than any message has");
	CHECK(wasmsandbox_guest_buffer(UINT32_MAX) == NULL, "the largest size");
	CHECK(wasmsandbox_guest_buffer(10) == input, "a buffer is kept");
	memcpy(input, "\x22\x00", 2); /* an exec call */
	check_refused(wasmsandbox_guest_respond(0, 2), GUEST_UNKNOWN_HANDLER, "no responder has the id 0");
	check_refused(wasmsandbox_guest_respond(1, 2), GUEST_UNKNOWN_HANDLER, "no responder has the id 1");
	check_refused(wasmsandbox_guest_respond(4, 2), GUEST_UNKNOWN_HANDLER, "no responder has the id 4");
	check_refused(wasmsandbox_guest_match(2, 2), GUEST_UNKNOWN_HANDLER, "no matcher has the id 2");
	check_refused(wasmsandbox_guest_match(UINT32_MAX, 2), GUEST_UNKNOWN_HANDLER, "no matcher has the id 4294967295");
	check_refused(wasmsandbox_guest_respond(3, 2), GUEST_UNSUPPORTED_METHOD, "the responder strange doesn't serve exec");
	check_refused(wasmsandbox_guest_respond(2, 1), GUEST_BAD_MESSAGE, "can't decode the message: truncated at byte 0");
	check_refused(wasmsandbox_guest_respond(2, 0), GUEST_BAD_MESSAGE, "can't decode the message: missing at byte 0");
	check_refused(wasmsandbox_guest_respond(2, UINT32_MAX), GUEST_BAD_MESSAGE,
	              "the message is longer than the input buffer");
	check_refused(wasmsandbox_guest_open(1), GUEST_BAD_MESSAGE, "can't decode the message: truncated at byte 0");
	check_refused(wasmsandbox_guest_match(1, 2), GUEST_HANDLER_FAILED,
	              "the matcher gave an unknown answer");
	memcpy(input, "\x52\x00", 2); /* an rm call */
	check_refused(wasmsandbox_guest_match(1, 2), GUEST_HANDLER_FAILED, "sandbox error some_code: why");
	memcpy(input, "\x2a\x00", 2); /* an ls call */
	check_refused(wasmsandbox_guest_respond(3, 2), GUEST_HANDLER_FAILED,
	              "the listing has an unknown kind of file");
	refuse_close = true;
	check_refused(wasmsandbox_guest_close(), GUEST_HANDLER_FAILED, "not yet");
	refuse_close = false;
	CHECK(decode_reply(wasmsandbox_guest_close()).kind == REPLY_DONE, "close");
}

static wasmsandbox_error *exhaust(wasmsandbox_exec_result *result) {
	(void)result;
	wasmsandbox_scratch(SIZE_MAX - 100);
	return NULL;
}

static wasmsandbox_error *exhaust_heap(wasmsandbox_exec_result *result) {
	(void)result;
	wasmsandbox_free(wasmsandbox_alloc(PTRDIFF_MAX / 2));
	return NULL;
}

static wasmsandbox_error *nest(wasmsandbox_exec_result *result) {
	static wasmsandbox_value cycle; /* a list that holds itself */
	(void)result;
	cycle = wasmsandbox_list_of(&cycle, 1);
	return wasmsandbox_with(wasmsandbox_raise("x"), "cycle", cycle);
}

static wasmsandbox_error *disorder(wasmsandbox_exec_result *result) {
	static wasmsandbox_entry entries[2] = {{.key = {"b", 1}}, {.key = {"a", 1}}};
	(void)result;
	return wasmsandbox_with(wasmsandbox_raise("x"), "map", wasmsandbox_map_value((wasmsandbox_map){entries, 2}));
}

static wasmsandbox_error *sort(wasmsandbox_exec_result *result) {
	static const char *const keys[] = {"m", "b", "z", "a", "m", "y", "c", "a"};
	wasmsandbox_error *error = wasmsandbox_raise("x");
	(void)result;
	for (int i = 0; i < 8; i++) {
		wasmsandbox_with(error, keys[i], wasmsandbox_int(i));
	}
	return wasmsandbox_with_retryable(error, true);
}

static wasmsandbox_error *expired(wasmsandbox_exec_result *result) {
	result->out = (wasmsandbox_content){.kind = WASMSANDBOX_CONTENT_BLOB, .as.blob = {.handle = 9, .size = 5}};
	char bytes[8];
	size_t count;
	return wasmsandbox_content_read(&result->out, 0, bytes, sizeof bytes, &count);
}

static wasmsandbox_error *huge(wasmsandbox_exec_result *result) {
	wasmsandbox_slice bytes;
	result->out = (wasmsandbox_content){.kind = WASMSANDBOX_CONTENT_BLOB, .as.blob = {.handle = 9, .size = UINT64_MAX}};
	return wasmsandbox_content_all(&result->out, &bytes);
}

static wasmsandbox_tested run(wasmsandbox_error *(*what)(wasmsandbox_exec_result *)) {
	wasmsandbox_call call = {.method = WASMSANDBOX_METHOD_EXEC};
	probe = what;
	return wasmsandbox_testing_respond("probe", &call);
}

static void check_handlers(void) {
	wasmsandbox_tested got = run(exhaust);
	CHECK(got.kind == WASMSANDBOX_TESTED_PANIC, "no memory for the call");
	CHECK_TEXT(got.message, "out of memory");
	got = run(exhaust_heap);
	CHECK(got.kind == WASMSANDBOX_TESTED_PANIC && got.line > 0, "no memory at all");
	CHECK_TEXT(got.message, "out of memory");
	CHECK_TEXT(run(nest).message, "the context nests more than 64 deep");
	CHECK_TEXT(run(disorder).message, "the context has keys that don't ascend");
	CHECK_TEXT(run(expired).message, "blob_read: no such blob");
	CHECK_TEXT(run(huge).message, "the content is too large to hold");
	got = run(sort);
	CHECK(got.context.count == 6 && got.retryable == 1, "each key once");
	const char *const keys = "abcmyz";
	const int64_t values[] = {7, 1, 6, 4, 5, 2};
	for (size_t i = 0; i < got.context.count; i++) {
		CHECK(got.context.items[i].key.data[0] == keys[i], "keys ascend");
		CHECK(got.context.items[i].value.as.integer == values[i], "the last value of a key counts");
	}
}

static wasmsandbox_error *check_text_functions(wasmsandbox_exec_result *result) {
	int64_t n;
	(void)result;
	CHECK_TEXT(wasmsandbox_decimal(INT64_MIN), "-9223372036854775808");
	CHECK_TEXT(wasmsandbox_decimal(0), "0");
	CHECK_TEXT(wasmsandbox_decimal_unsigned(UINT64_MAX), "18446744073709551615");
	CHECK_TEXT(wasmsandbox_hex(WASMSANDBOX_TEXT("\x00\xff\x1a")), "00ff1a");
	CHECK_TEXT(WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("a"), wasmsandbox_text(NULL), WASMSANDBOX_TEXT("b")), "ab");
	CHECK(wasmsandbox_parse(WASMSANDBOX_TEXT("-9223372036854775808"), &n) && n == INT64_MIN, "the smallest");
	CHECK(wasmsandbox_parse(WASMSANDBOX_TEXT("9223372036854775807"), &n) && n == INT64_MAX, "the largest");
	const char *const refused[] = {"", "-", "1x", "+1", " 1", "9223372036854775808", "-9223372036854775809",
	                               "99999999999999999999"};
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		CHECK(!wasmsandbox_parse(wasmsandbox_text(refused[i]), &n), refused[i]);
	}
	CHECK(wasmsandbox_compare(WASMSANDBOX_TEXT("a"), WASMSANDBOX_TEXT("ab")) < 0, "a prefix");
	CHECK(wasmsandbox_compare(WASMSANDBOX_TEXT("\xff"), WASMSANDBOX_TEXT("a")) > 0, "bytes are unsigned");
	CHECK(wasmsandbox_equal((wasmsandbox_slice){NULL, 0}, WASMSANDBOX_TEXT("")), "empty slices");
	return NULL;
}

/* Memory of a call is given back, and can be had again. */
static wasmsandbox_error *check_scratch(wasmsandbox_exec_result *result) {
	(void)result;
	for (size_t size = 0; size < 100000; size += 997) {
		unsigned char *memory = wasmsandbox_scratch(size);
		CHECK((uintptr_t)memory % _Alignof(max_align_t) == 0, "aligned");
		memset(memory, 0xa5, size);
	}
	return NULL;
}

int main(void) {
	check_description();
	check_dispatch();
	CHECK(wasmsandbox_testing_open(NULL).kind == WASMSANDBOX_TESTED_DONE, "open");
	check_handlers();
	CHECK(run(check_text_functions).kind == WASMSANDBOX_TESTED_RESULT, "text");
	for (int i = 0; i < 3; i++) {
		CHECK(run(check_scratch).kind == WASMSANDBOX_TESTED_RESULT, "scratch");
	}
	wasmsandbox_arena_reset(&decoded);
	wasmsandbox_free(decoded.chunks);
	return check_result("sdk_test");
}
