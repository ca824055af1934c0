#include "wasmsandbox_testing.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal/codec.h"
#include "internal/imports.h"

enum { MOST_BLOBS = 64, DEFAULT_REPLY_BYTES = 16 << 20 };

typedef struct buffer {
	char *data;
	size_t length;
} buffer;

/* The command of a request. */
typedef struct request {
	struct request *next;
	wasmsandbox_slice parts[];
} request;

static struct {
	buffer log;
	buffer panic;
	jmp_buf *dying; /* where a panic goes; NULL outside of a call */

	buffer blobs[MOST_BLOBS]; /* handle 1 is the first one */
	uint32_t blob_count;
	uint32_t brought; /* so many are of the call, and can't be written */
	bool is_over;     /* the call whose blobs these are */
	size_t written, blob_limit;
	uint64_t reply_limit; /* of the session; 0: the default */

	arena arena;  /* of the reply */
	request *requests; /* all that were made */
	encoder encoder;
} host = {.blob_limit = SIZE_MAX};

static void buffer_append(buffer *b, const void *data, size_t length) {
	if (length == 0) {
		return;
	}
	b->data = realloc(b->data, b->length + length);
	if (b->data == NULL) {
		abort();
	}
	memcpy(b->data + b->length, data, length);
	b->length += length;
}

static void buffer_clear(buffer *b) {
	free(b->data);
	*b = (buffer){0};
}

/* ------------------------------------------------------------------- imports */

int32_t wasmsandbox_import_log(int32_t level, const void *data, size_t length) {
	if (level < WASMSANDBOX_DEBUG || level > WASMSANDBOX_ERROR) {
		return STATUS_BAD_ARGUMENT;
	}
	buffer_append(&host.log, data, length);
	buffer_append(&host.log, "\n", 1);
	return 0;
}

int32_t wasmsandbox_import_fail(const void *data, size_t length) {
	buffer_clear(&host.panic);
	buffer_append(&host.panic, data, length);
	if (host.dying == NULL) {
		fprintf(stderr, "wasmsandbox: a panic outside of a call\n");
		abort();
	}
	longjmp(*host.dying, 1);
}

static buffer *find_blob(uint32_t handle) {
	return handle == 0 || handle > host.blob_count ? NULL : &host.blobs[handle - 1];
}

int64_t wasmsandbox_import_blob_len(uint32_t handle) {
	const buffer *b = find_blob(handle);
	return b == NULL ? STATUS_BAD_HANDLE : (int64_t)b->length;
}

int32_t wasmsandbox_import_blob_read(uint32_t handle, int64_t offset, void *data, size_t length) {
	const buffer *b = find_blob(handle);
	if (b == NULL) {
		return STATUS_BAD_HANDLE;
	}
	if (offset < 0 || length > INT32_MAX) {
		return STATUS_BAD_ARGUMENT;
	}
	if ((uint64_t)offset >= b->length || length == 0) {
		return 0;
	}
	if (length > b->length - (size_t)offset) {
		length = b->length - (size_t)offset;
	}
	memcpy(data, b->data + offset, length);
	return (int32_t)length;
}

int32_t wasmsandbox_import_blob_new(void) {
	if (host.blob_count == MOST_BLOBS) {
		return STATUS_LIMIT;
	}
	return (int32_t)++host.blob_count;
}

int32_t wasmsandbox_import_blob_write(uint32_t handle, const void *data, size_t length) {
	buffer *b = find_blob(handle);
	if (b == NULL || handle <= host.brought) {
		return STATUS_BAD_HANDLE;
	}
	if (length > INT32_MAX) {
		return STATUS_BAD_ARGUMENT;
	}
	if (length > host.blob_limit - host.written) {
		return STATUS_LIMIT;
	}
	buffer_append(b, data, length);
	host.written += length;
	return (int32_t)length;
}

int64_t wasmsandbox_import_extension(uint32_t op, const void *data, size_t length) {
	(void)op, (void)data, (void)length;
	return STATUS_UNSUPPORTED;
}

/* --------------------------------------------------------------------- calls */

static void drop_blobs(void) {
	for (uint32_t i = 0; i < host.blob_count; i++) {
		buffer_clear(&host.blobs[i]);
	}
	host.blob_count = host.brought = 0;
	host.written = 0;
	host.is_over = false;
}

wasmsandbox_content wasmsandbox_testing_blob(wasmsandbox_slice bytes) {
	if (host.is_over) {
		drop_blobs();
	}
	if (host.blob_count == MOST_BLOBS) {
		abort();
	}
	buffer_append(&host.blobs[host.blob_count++], bytes.data, bytes.length);
	host.brought = host.blob_count;
	return (wasmsandbox_content){.kind = WASMSANDBOX_CONTENT_BLOB,
	                             .as.blob = {.handle = host.blob_count, .size = bytes.length}};
}

wasmsandbox_slice wasmsandbox_testing_bytes(const wasmsandbox_content *content) {
	if (content->kind == WASMSANDBOX_CONTENT_INLINE) {
		return content->as.bytes;
	}
	const buffer *b = content->kind == WASMSANDBOX_CONTENT_BLOB ? find_blob(content->as.blob.handle) : NULL;
	return b == NULL ? (wasmsandbox_slice){NULL, 0} : (wasmsandbox_slice){b->data, b->length};
}

void wasmsandbox_testing_limit_blobs(size_t bytes) { host.blob_limit = bytes; }

wasmsandbox_call wasmsandbox_testing_exec(const char *const *parts) {
	wasmsandbox_call call = {.method = WASMSANDBOX_METHOD_EXEC};
	size_t count = 0;
	while (parts[count] != NULL) {
		count++;
	}
	request *r = malloc(sizeof *r + count * sizeof r->parts[0]);
	if (r == NULL) {
		abort();
	}
	r->next = host.requests;
	host.requests = r;
	for (size_t i = 0; i < count; i++) {
		r->parts[i] = (wasmsandbox_slice){parts[i], strlen(parts[i])};
	}
	call.request.exec.command = (wasmsandbox_parts){r->parts, count};
	return call;
}

/* Sets what the outcome of a responder was. */
static void take_outcome(wasmsandbox_tested *tested, const outcome_message *outcome) {
	if (outcome->kind != OUTCOME_ERROR) {
		tested->kind = WASMSANDBOX_TESTED_RESULT;
		tested->result = outcome->as.result;
		return;
	}
	const sandbox_error_message *error = &outcome->as.error;
	tested->kind = WASMSANDBOX_TESTED_ERROR;
	tested->code = error->code;
	tested->op = error->op;
	tested->message = error->message;
	tested->context = error->context;
	tested->retryable = (int)error->retryable - (int)RETRYABLE_NO;
}

static wasmsandbox_tested take_panic(void) {
	panic_message panic = {0};
	wasmsandbox_decode(&wasmsandbox_schemas[SCHEMA_PANIC], &panic, (wasmsandbox_slice){host.panic.data, host.panic.length},
	                   &host.arena);
	return (wasmsandbox_tested){.kind = WASMSANDBOX_TESTED_PANIC,
	                            .message = panic.message,
	                            .file = panic.file,
	                            .line = panic.line,
	                            .log = {host.log.data, host.log.length}};
}

static wasmsandbox_tested take_reply(wasmsandbox_slice data) {
	wasmsandbox_tested tested = {.kind = WASMSANDBOX_TESTED_DONE, .log = {host.log.data, host.log.length}};
	if (data.length > (host.reply_limit == 0 ? DEFAULT_REPLY_BYTES : host.reply_limit)) {
		tested.kind = WASMSANDBOX_TESTED_LIMIT;
		tested.reply_size = data.length;
		return tested;
	}
	reply_message reply = {0};
	if (wasmsandbox_decode(&wasmsandbox_schemas[SCHEMA_REPLY], &reply, data, &host.arena).reason != DECODE_OK) {
		fprintf(stderr, "wasmsandbox: the guest's reply can't be decoded\n");
		abort();
	}
	switch (reply.kind) {
	case REPLY_VERDICT:
		tested.kind = WASMSANDBOX_TESTED_VERDICT;
		tested.verdict = reply.as.verdict;
		break;
	case REPLY_OUTCOME:
		take_outcome(&tested, &reply.as.outcome);
		break;
	case REPLY_ERROR:
		tested.kind = WASMSANDBOX_TESTED_FAILED;
		tested.failure = (int)reply.as.error.kind;
		tested.message = reply.as.error.message;
		break;
	default:
		break;
	}
	return tested;
}

typedef enum export { EXPORT_OPEN, EXPORT_CLOSE, EXPORT_MATCH, EXPORT_RESPOND } export;

/* Calls an export with an encoded message, which is copied to the input buffer. */
static wasmsandbox_tested call_export(export which, uint32_t id, const schema *s, const void *message) {
	jmp_buf dying;
	wasmsandbox_slice data = {NULL, 0}, reply = {NULL, 0};
	if (host.is_over) {
		drop_blobs();
	}
	buffer_clear(&host.log);
	wasmsandbox_arena_reset(&host.arena);
	host.encoder.limit = UINT32_MAX;
	if (message != NULL && !wasmsandbox_encode(&host.encoder, s, message, &data)) {
		abort();
	}
	host.dying = &dying;
	if (setjmp(dying) == 0) {
		void *input = wasmsandbox_guest_buffer((uint32_t)data.length);
		if (input == NULL) {
			abort();
		}
		if (data.length != 0) {
			memcpy(input, data.data, data.length);
		}
		switch (which) {
		case EXPORT_OPEN:
			reply = *wasmsandbox_guest_open((uint32_t)data.length);
			break;
		case EXPORT_CLOSE:
			reply = *wasmsandbox_guest_close();
			break;
		case EXPORT_MATCH:
			reply = *wasmsandbox_guest_match(id, (uint32_t)data.length);
			break;
		case EXPORT_RESPOND:
			reply = *wasmsandbox_guest_respond(id, (uint32_t)data.length);
			break;
		}
		host.dying = NULL;
		host.is_over = true;
		return take_reply(reply);
	}
	host.dying = NULL;
	host.is_over = true;
	return take_panic();
}

wasmsandbox_tested wasmsandbox_testing_open(const wasmsandbox_session *session) {
	wasmsandbox_session nothing = {0};
	host.reply_limit = session == NULL ? 0 : session->limits.reply_bytes;
	return call_export(EXPORT_OPEN, 0, &wasmsandbox_schemas[SCHEMA_OPEN], session == NULL ? &nothing : session);
}

wasmsandbox_tested wasmsandbox_testing_close(void) { return call_export(EXPORT_CLOSE, 0, NULL, NULL); }

wasmsandbox_tested wasmsandbox_testing_respond(const char *name, const wasmsandbox_call *call) {
	const wasmsandbox_guest *g = &wasmsandbox_this_guest;
	size_t i = 0;
	while (i < g->responder_count && strcmp(g->responders[i].name, name) != 0) {
		i++;
	}
	return call_export(EXPORT_RESPOND, (uint32_t)(g->matcher_count + i + 1), &wasmsandbox_schemas[SCHEMA_CALL], call);
}

wasmsandbox_tested wasmsandbox_testing_match(const char *name, const wasmsandbox_call *call) {
	const wasmsandbox_guest *g = &wasmsandbox_this_guest;
	size_t i = 0;
	while (i < g->matcher_count && strcmp(g->matchers[i].name, name) != 0) {
		i++;
	}
	return call_export(EXPORT_MATCH, (uint32_t)(i < g->matcher_count ? i + 1 : 0), &wasmsandbox_schemas[SCHEMA_CALL], call);
}
