#include "kitchen.h"

wasmsandbox_error *checksum(const wasmsandbox_call *call, const wasmsandbox_write_request *request) {
	(void)call;
	const wasmsandbox_content *content = &request->data.content;
	unsigned char *piece = wasmsandbox_scratch(4096);
	uint32_t hash = 2166136261;
	uint64_t offset = 0;
	for (;;) {
		size_t length;
		wasmsandbox_error *error = wasmsandbox_content_read(content, offset, piece, 4096, &length);
		if (error != NULL) {
			return error;
		}
		if (length == 0) {
			break;
		}
		for (size_t i = 0; i < length; i++) {
			hash = (hash ^ piece[i]) * 16777619;
		}
		offset += length;
	}
	wasmsandbox_log(WASMSANDBOX_INFO,
	                WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("size="), wasmsandbox_decimal_unsigned(wasmsandbox_content_size(content)),
	                                 WASMSANDBOX_TEXT(" position="), wasmsandbox_decimal_unsigned(request->data.position),
	                                 WASMSANDBOX_TEXT(" text="), wasmsandbox_decimal(request->data.text),
	                                 WASMSANDBOX_TEXT(" fnv="), wasmsandbox_decimal(hash)));
	return NULL;
}

static wasmsandbox_error *parse(const wasmsandbox_slice *text, int64_t *number) {
	if (wasmsandbox_parse(*text, number)) {
		return NULL;
	}
	return wasmsandbox_failed(WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("not a number: "), *text));
}

wasmsandbox_error *generate(const wasmsandbox_call *call, const wasmsandbox_read_request *request,
                            wasmsandbox_stream *result) {
	(void)call;
	int64_t lines;
	wasmsandbox_error *error = parse(&request->path, &lines);
	if (error != NULL) {
		return error;
	}
	wasmsandbox_writer writer = {0};
	wasmsandbox_builder line = {0}; /* one for all lines, as memory of the call would pile up */
	for (int64_t i = 0; i < lines && writer.error == NULL; i++) {
		line.length = 0;
		wasmsandbox_append_decimal(&line, i);
		wasmsandbox_append(&line, WASMSANDBOX_TEXT("\n"));
		wasmsandbox_write(&writer, wasmsandbox_built(&line));
	}
	return wasmsandbox_finish(&writer, &result->content);
}

static wasmsandbox_content letters(int64_t length) {
	wasmsandbox_assert(length >= 0 && length <= PTRDIFF_MAX);
	char *bytes = wasmsandbox_scratch((size_t)length);
	for (size_t i = 0; i < (size_t)length; i++) {
		bytes[i] = (char)('a' + i % 26);
	}
	return wasmsandbox_inline((wasmsandbox_slice){bytes, (size_t)length});
}

wasmsandbox_error *big(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                       wasmsandbox_exec_result *result) {
	(void)call;
	int64_t numbers[3];
	const wasmsandbox_slice *part = command_parts(request, 3);
	for (size_t i = 0; i < 3; i++) {
		wasmsandbox_error *error = parse(&part[i], &numbers[i]);
		if (error != NULL) {
			return error;
		}
	}
	*result = (wasmsandbox_exec_result){letters(numbers[0]), letters(numbers[1]), (int32_t)numbers[2]};
	return NULL;
}

wasmsandbox_error *blob_len(const wasmsandbox_call *call, const wasmsandbox_write_request *request) {
	(void)call;
	const wasmsandbox_content *content = &request->data.content;
	wasmsandbox_slice text = WASMSANDBOX_TEXT("inline");
	if (content->kind == WASMSANDBOX_CONTENT_BLOB) {
		text = wasmsandbox_decimal(wasmsandbox_blob_len(content->as.blob.handle));
	}
	wasmsandbox_log(WASMSANDBOX_INFO, text);
	return NULL;
}
