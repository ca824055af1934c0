#include "kitchen.h"

typedef struct file {
	wasmsandbox_slice path; /* both are kept */
	wasmsandbox_slice data;
} file;

/* What the guest remembers. */
static struct {
	file *items; /* ascending by path */
	size_t count, capacity;
} files;
static int32_t calls;

/* Where a file is, or would be; true if it is there. */
static bool find(wasmsandbox_slice path, size_t *at) {
	size_t low = 0, high = files.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (wasmsandbox_compare(files.items[middle].path, path) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	*at = low;
	return low < files.count && wasmsandbox_equal(files.items[low].path, path);
}

wasmsandbox_error *store_read(const wasmsandbox_call *call, const wasmsandbox_read_request *request,
                              wasmsandbox_stream *result) {
	(void)call;
	size_t at;
	if (!find(request->path, &at)) {
		return wasmsandbox_with(wasmsandbox_raise(WASMSANDBOX_CODE_WORKSPACE_READ_NOT_FOUND), "path",
		                        wasmsandbox_string(request->path));
	}
	result->content = wasmsandbox_inline(files.items[at].data);
	return NULL;
}

wasmsandbox_error *store_write(const wasmsandbox_call *call, const wasmsandbox_write_request *request) {
	(void)call;
	wasmsandbox_slice data;
	wasmsandbox_error *error = wasmsandbox_stream_all(&request->data, &data);
	if (error != NULL) {
		return error;
	}
	size_t at;
	if (find(request->path, &at)) {
		wasmsandbox_drop(files.items[at].data);
		files.items[at].data = wasmsandbox_keep(data);
		return NULL;
	}
	if (files.count == files.capacity) {
		files.capacity = 2 * files.capacity + 8;
		files.items = wasmsandbox_resize(files.items, files.capacity * sizeof *files.items);
	}
	for (size_t i = files.count++; i > at; i--) {
		files.items[i] = files.items[i - 1];
	}
	files.items[at] = (file){wasmsandbox_keep(request->path), wasmsandbox_keep(data)};
	return NULL;
}

wasmsandbox_error *store_rm(const wasmsandbox_call *call, const wasmsandbox_rm_request *request) {
	(void)call;
	size_t at;
	if (!find(request->path, &at)) {
		return NULL;
	}
	wasmsandbox_drop(files.items[at].path);
	wasmsandbox_drop(files.items[at].data);
	for (files.count--; at < files.count; at++) {
		files.items[at] = files.items[at + 1];
	}
	return NULL;
}

wasmsandbox_error *store_ls(const wasmsandbox_call *call, const wasmsandbox_ls_request *request,
                            wasmsandbox_listing *result) {
	(void)call, (void)request;
	result->items = wasmsandbox_scratch(files.count * sizeof *result->items);
	result->count = files.count;
	for (size_t i = 0; i < files.count; i++) {
		result->items[i] = (wasmsandbox_file_entry){
			.path = files.items[i].path, .permissions = 0644, .size = files.items[i].data.length};
	}
	return NULL;
}

wasmsandbox_error *store_mkdir(const wasmsandbox_call *call, const wasmsandbox_mkdir_request *request) {
	(void)call, (void)request;
	return wasmsandbox_raise(WASMSANDBOX_CODE_WORKSPACE_ARCHIVE_WRITE);
}

wasmsandbox_error *count(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                         wasmsandbox_exec_result *result) {
	(void)call, (void)request;
	calls++;
	wasmsandbox_log(WASMSANDBOX_DEBUG, WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("call "), wasmsandbox_decimal(calls)));
	result->exit_code = calls;
	return NULL;
}
