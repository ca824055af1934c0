/* The host's functions. In WebAssembly they are imports; natively they are
 * ordinary functions, of which wasmsandbox_testing.c is a stand-in. */
#ifndef WASMSANDBOX_IMPORTS_H
#define WASMSANDBOX_IMPORTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define WASMSANDBOX_IMPORT(name) __attribute__((import_module("wasmsandbox_v1"), import_name(name)))
#define WASMSANDBOX_EXPORT(name) __attribute__((export_name(name)))
#else
#define WASMSANDBOX_IMPORT(name)
#endif

WASMSANDBOX_IMPORT("log") int32_t wasmsandbox_import_log(int32_t level, const void *data, size_t length);
WASMSANDBOX_IMPORT("fail") int32_t wasmsandbox_import_fail(const void *data, size_t length);
WASMSANDBOX_IMPORT("blob_len") int64_t wasmsandbox_import_blob_len(uint32_t handle);
WASMSANDBOX_IMPORT("blob_read")
int32_t wasmsandbox_import_blob_read(uint32_t handle, int64_t offset, void *data, size_t length);
WASMSANDBOX_IMPORT("blob_new") int32_t wasmsandbox_import_blob_new(void);
WASMSANDBOX_IMPORT("blob_write")
int32_t wasmsandbox_import_blob_write(uint32_t handle, const void *data, size_t length);
WASMSANDBOX_IMPORT("extension")
int64_t wasmsandbox_import_extension(uint32_t op, const void *data, size_t length);

/* What a negative answer means. */
enum {
	STATUS_BAD_POINTER = -1,
	STATUS_BAD_HANDLE = -2,
	STATUS_BAD_ARGUMENT = -3,
	STATUS_LIMIT = -4,
	STATUS_BAD_MESSAGE = -5,
	STATUS_UNSUPPORTED = -6,
};

#endif
