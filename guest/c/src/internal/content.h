/* Content: reading it, and writing it to the host when it is large. */
#ifndef WASMSANDBOX_CONTENT_H
#define WASMSANDBOX_CONTENT_H

#include "errors.h"

enum { LONGEST_HELD = 1 << 30, LONGEST_PIECE = 1 << 20 };

uint64_t wasmsandbox_content_size(const wasmsandbox_content *content) {
	switch (content->kind) {
	case WASMSANDBOX_CONTENT_INLINE:
		return content->as.bytes.length;
	case WASMSANDBOX_CONTENT_BLOB:
		return content->as.blob.size;
	default:
		return 0;
	}
}

wasmsandbox_error *wasmsandbox_content_read(const wasmsandbox_content *content, uint64_t offset, void *buffer,
                                            size_t capacity, size_t *count) {
	uint64_t size = wasmsandbox_content_size(content);
	*count = 0;
	if (offset >= size) {
		return NULL;
	}
	if (capacity > size - offset) {
		capacity = (size_t)(size - offset);
	}
	if (content->kind == WASMSANDBOX_CONTENT_INLINE) {
		copy_bytes(buffer, content->as.bytes.data + offset, capacity);
		*count = capacity;
		return NULL;
	}
	while (*count < capacity) {
		size_t piece = capacity - *count > LONGEST_PIECE ? LONGEST_PIECE : capacity - *count;
		int32_t read = wasmsandbox_import_blob_read(content->as.blob.handle, (int64_t)(offset + *count),
		                                            (char *)buffer + *count, piece);
		if (read < 0) {
			return host_refused("blob_read", read);
		}
		if (read == 0 || (size_t)read > piece) {
			return wasmsandbox_failed(WASMSANDBOX_TEXT("blob_read: the blob is too short"));
		}
		*count += (size_t)read;
	}
	return NULL;
}

static wasmsandbox_error *content_from(const wasmsandbox_content *content, uint64_t offset, wasmsandbox_slice *bytes) {
	uint64_t size = wasmsandbox_content_size(content);
	*bytes = (wasmsandbox_slice){NULL, 0};
	if (offset >= size) {
		return NULL;
	}
	if (content->kind == WASMSANDBOX_CONTENT_INLINE) {
		*bytes = (wasmsandbox_slice){content->as.bytes.data + offset, (size_t)(size - offset)};
		return NULL;
	}
	if (size - offset > LONGEST_HELD) {
		return wasmsandbox_failed(WASMSANDBOX_TEXT("the content is too large to hold"));
	}
	char *data = wasmsandbox_scratch((size_t)(size - offset));
	size_t count;
	wasmsandbox_error *error = wasmsandbox_content_read(content, offset, data, (size_t)(size - offset), &count);
	if (error == NULL) {
		*bytes = (wasmsandbox_slice){data, count};
	}
	return error;
}

wasmsandbox_error *wasmsandbox_content_all(const wasmsandbox_content *content, wasmsandbox_slice *bytes) {
	return content_from(content, 0, bytes);
}

wasmsandbox_error *wasmsandbox_stream_all(const wasmsandbox_stream *stream, wasmsandbox_slice *bytes) {
	return content_from(&stream->content, stream->position, bytes);
}

static wasmsandbox_error *blob_create(wasmsandbox_blob *blob) {
	int32_t handle = wasmsandbox_import_blob_new();
	*blob = (wasmsandbox_blob){.handle = (uint32_t)handle};
	return handle < 0 ? host_refused("blob_new", handle) : NULL;
}

static wasmsandbox_error *blob_append(wasmsandbox_blob *blob, const char *bytes, size_t length) {
	while (length != 0) {
		size_t piece = length > LONGEST_HELD ? LONGEST_HELD : length;
		int32_t written = wasmsandbox_import_blob_write(blob->handle, bytes, piece);
		if (written < 0) {
			return host_refused("blob_write", written);
		}
		if (written == 0 || (size_t)written > piece) {
			return wasmsandbox_failed(WASMSANDBOX_TEXT("blob_write: a part was not written"));
		}
		blob->size += (uint64_t)written;
		bytes += written;
		length -= (size_t)written;
	}
	return NULL;
}

/* Moves content that is too large for a reply to the host. */
static wasmsandbox_error *content_send(wasmsandbox_content *content) {
	if (content->kind != WASMSANDBOX_CONTENT_INLINE || content->as.bytes.length <= inline_limit()) {
		return NULL;
	}
	wasmsandbox_blob blob;
	wasmsandbox_error *error = blob_create(&blob);
	if (error == NULL) {
		error = blob_append(&blob, content->as.bytes.data, content->as.bytes.length);
	}
	*content = (wasmsandbox_content){.kind = WASMSANDBOX_CONTENT_BLOB, .as.blob = blob};
	return error;
}

/* Moves what is pending to the host. */
static void writer_spill(wasmsandbox_writer *writer) {
	if (!writer->spilled) {
		writer->error = blob_create(&writer->blob);
		writer->spilled = true;
	}
	if (writer->error == NULL) {
		writer->error = blob_append(&writer->blob, writer->pending.data, writer->pending.length);
	}
	writer->pending.length = 0;
}

__attribute__((noinline)) void wasmsandbox_write_bytes(wasmsandbox_writer *writer, const char *bytes, size_t length) {
	uint64_t limit = inline_limit();
	if (writer->error == NULL && length > limit - writer->pending.length) {
		writer_spill(writer);
	}
	if (writer->error != NULL) {
		return;
	}
	if (length > limit) {
		writer->error = blob_append(&writer->blob, bytes, length);
	} else {
		wasmsandbox_append_bytes(&writer->pending, bytes, length);
	}
}

__attribute__((noinline)) wasmsandbox_error *wasmsandbox_finish(wasmsandbox_writer *writer, wasmsandbox_content *content) {
	*content = (wasmsandbox_content){0};
	if (writer->spilled && writer->error == NULL) {
		writer_spill(writer);
	}
	if (writer->error != NULL) {
		return writer->error;
	}
	if (writer->spilled) {
		*content = (wasmsandbox_content){.kind = WASMSANDBOX_CONTENT_BLOB, .as.blob = writer->blob};
	} else {
		*content = wasmsandbox_inline(wasmsandbox_built(&writer->pending));
	}
	return NULL;
}

int64_t wasmsandbox_blob_len(uint32_t handle) { return wasmsandbox_import_blob_len(handle); }

int64_t wasmsandbox_extension_bytes(uint32_t op, const char *argument, size_t length) {
	return wasmsandbox_import_extension(op, argument, length);
}

#endif
