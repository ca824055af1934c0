#include "kitchen.h"

typedef struct file {
	struct file *next;
	wasmsandbox_slice path; /* both are kept */
	wasmsandbox_slice data;
} file;

/* What the guest remembers. */
static file *files; /* ascending by path */
static int32_t calls;

/* The link to a file, or to the one that would come after it. */
static file **find(const wasmsandbox_slice *path, bool *found) {
	file **link = &files;
	int order = 1;
	while (*link != NULL && (order = wasmsandbox_compare((*link)->path, *path)) < 0) {
		link = &(*link)->next;
	}
	*found = *link != NULL && order == 0;
	return link;
}

wasmsandbox_error *store_read(const wasmsandbox_call *call, const wasmsandbox_read_request *request,
                              wasmsandbox_stream *result) {
	(void)call;
	bool found;
	file *const *link = find(&request->path, &found);
	if (!found) {
		return wasmsandbox_with(wasmsandbox_raise(WASMSANDBOX_CODE_WORKSPACE_READ_NOT_FOUND), "path",
		                        wasmsandbox_string(request->path));
	}
	result->content = wasmsandbox_inline((*link)->data);
	return NULL;
}

wasmsandbox_error *store_write(const wasmsandbox_call *call, const wasmsandbox_write_request *request) {
	(void)call;
	wasmsandbox_slice data;
	wasmsandbox_error *error = wasmsandbox_stream_all(&request->data, &data);
	if (error != NULL) {
		return error;
	}
	bool found;
	file **link = find(&request->path, &found);
	if (found) {
		wasmsandbox_drop((*link)->data);
	} else {
		file *added = wasmsandbox_alloc(sizeof *added);
		added->next = *link;
		added->path = wasmsandbox_keep(request->path);
		*link = added;
	}
	(*link)->data = wasmsandbox_keep(data);
	return NULL;
}

wasmsandbox_error *store_rm(const wasmsandbox_call *call, const wasmsandbox_rm_request *request) {
	(void)call;
	bool found;
	file **link = find(&request->path, &found);
	if (found) {
		file *removed = *link;
		*link = removed->next;
		wasmsandbox_drop(removed->path);
		wasmsandbox_drop(removed->data);
		wasmsandbox_free(removed);
	}
	return NULL;
}

wasmsandbox_error *store_ls(const wasmsandbox_call *call, const wasmsandbox_ls_request *request,
                            wasmsandbox_listing *result) {
	(void)call, (void)request;
	size_t count = 0;
	for (const file *f = files; f != NULL; f = f->next) {
		count++;
	}
	result->items = wasmsandbox_scratch(count * sizeof *result->items);
	for (const file *f = files; f != NULL; f = f->next) {
		result->items[result->count++] =
			(wasmsandbox_file_entry){.path = f->path, .permissions = 0644, .size = f->data.length};
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
