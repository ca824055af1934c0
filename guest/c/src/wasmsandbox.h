/* wasmsandbox: responders and matchers of a sandbox session, in C.
 *
 * A guest defines its handlers in tables and names them with WASMSANDBOX_GUEST:
 *
 *	static wasmsandbox_error *status(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
 *	                                 wasmsandbox_exec_result *result) {
 *		(void)call, (void)request;
 *		result->out = wasmsandbox_inline(WASMSANDBOX_TEXT("on branch main\n"));
 *		return NULL;
 *	}
 *	static const wasmsandbox_responder responders[] = {{.name = "status", .exec = status}};
 *	WASMSANDBOX_GUEST = {.name = "git", .version = "1.0.0", WASMSANDBOX_RESPONDERS(responders)};
 *
 * Ownership. A handler's arguments, and all that functions of this header return
 * without saying otherwise, belong to the call: they are valid until the next call
 * of the guest begins. What has to stay is copied into memory of wasmsandbox_alloc
 * or malloc. No function here takes ownership of its arguments, but results refer
 * to what they are made from, which must not change before the next call.
 *
 * A function that runs out of memory panics, and so never returns NULL. */
#ifndef WASMSANDBOX_H
#define WASMSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wasmsandbox_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WASMSANDBOX_SDK_VERSION "0.1.0"

/* Bytes or text of a known length, not terminated by a zero. Text is UTF-8: what
 * isn't is replaced by U+FFFD when it is sent. */
typedef struct wasmsandbox_slice {
	const char *data; /* may be NULL when the length is 0 */
	size_t length;    /* bytes */
} wasmsandbox_slice;

/* The slice of a string literal. */
#define WASMSANDBOX_TEXT(literal) ((wasmsandbox_slice){"" literal, sizeof(literal) - 1})

/* The slice of a string that ends with a zero; NULL gives an empty one. */
static inline wasmsandbox_slice wasmsandbox_text(const char *string);

static inline bool wasmsandbox_equal(wasmsandbox_slice a, wasmsandbox_slice b);

/* Compares bytes as unsigned numbers, a prefix before what is longer: negative,
 * 0 or positive. */
static inline int wasmsandbox_compare(wasmsandbox_slice a, wasmsandbox_slice b);

/* ------------------------------------------------------------------- content */

typedef enum wasmsandbox_content_kind {
	WASMSANDBOX_CONTENT_EMPTY = 0,
	WASMSANDBOX_CONTENT_INLINE = 1, /* in the guest's memory */
	WASMSANDBOX_CONTENT_BLOB = 2,   /* with the host */
} wasmsandbox_content_kind;

typedef struct wasmsandbox_blob {
	uint32_t handle; /* names nothing after the call */
	uint64_t size;   /* bytes */
	wasmsandbox_slice sha256; /* 32 bytes in requests; may be empty in results */
} wasmsandbox_blob;

/* The bytes of a file or of an output. Zeroes are empty content. */
typedef struct wasmsandbox_content {
	wasmsandbox_content_kind kind;
	union {
		wasmsandbox_slice bytes;
		wasmsandbox_blob blob;
	} as;
} wasmsandbox_content;

/* A file-like value with a position. */
typedef struct wasmsandbox_stream {
	wasmsandbox_content content; /* all of it, also what lies before the position */
	uint64_t position;           /* bytes from the start; may be past the end */
	bool text;                   /* made of text, not of bytes */
} wasmsandbox_stream;

/* -------------------------------------------------------------------- values */

typedef enum wasmsandbox_value_kind {
	WASMSANDBOX_NULL = 0,
	WASMSANDBOX_BOOL = 1,
	WASMSANDBOX_INT = 2,
	WASMSANDBOX_STRING = 3,
	WASMSANDBOX_BYTES = 4,
	WASMSANDBOX_LIST = 5,
	WASMSANDBOX_MAP = 6,
} wasmsandbox_value_kind;

struct wasmsandbox_value;
struct wasmsandbox_entry;

typedef struct wasmsandbox_list {
	struct wasmsandbox_value *items;
	size_t count;
} wasmsandbox_list;

typedef struct wasmsandbox_map {
	struct wasmsandbox_entry *items; /* ascending by key in what a guest sends */
	size_t count;
} wasmsandbox_map;

/* A JSON-like value without fractions, nested at most 64 deep. */
typedef struct wasmsandbox_value {
	wasmsandbox_value_kind kind;
	union {
		bool boolean;
		int64_t integer;
		wasmsandbox_slice string;
		wasmsandbox_slice bytes;
		wasmsandbox_list list;
		wasmsandbox_map map;
	} as;
} wasmsandbox_value;

typedef struct wasmsandbox_entry {
	wasmsandbox_slice key;
	wasmsandbox_value value;
} wasmsandbox_entry;

static inline wasmsandbox_value wasmsandbox_null(void);
static inline wasmsandbox_value wasmsandbox_bool(bool boolean);
static inline wasmsandbox_value wasmsandbox_int(int64_t integer);
static inline wasmsandbox_value wasmsandbox_string(wasmsandbox_slice string);
static inline wasmsandbox_value wasmsandbox_bytes(wasmsandbox_slice bytes);

/* A list of the values given, which it refers to. */
static inline wasmsandbox_value wasmsandbox_list_of(wasmsandbox_value *items, size_t count);

/* Sets a key of a map, which starts as zeroes and stays in ascending order. */
static inline void wasmsandbox_map_set(wasmsandbox_map *map, const char *key, wasmsandbox_value value);

/* A map as a value. */
static inline wasmsandbox_value wasmsandbox_map_value(wasmsandbox_map map);

/* The value of a key, the last one if there are several, or NULL. */
static inline const wasmsandbox_value *wasmsandbox_map_get(const wasmsandbox_map *map, wasmsandbox_slice key);

/* ------------------------------------------------------------------ requests */

typedef enum wasmsandbox_method {
	WASMSANDBOX_METHOD_APPLY_PATCH = 3,
	WASMSANDBOX_METHOD_EXEC = 4,
	WASMSANDBOX_METHOD_LS = 5,
	WASMSANDBOX_METHOD_MKDIR = 6,
	WASMSANDBOX_METHOD_PTY_EXEC_START = 7,
	WASMSANDBOX_METHOD_PTY_WRITE_STDIN = 8,
	WASMSANDBOX_METHOD_READ = 9,
	WASMSANDBOX_METHOD_RM = 10,
	WASMSANDBOX_METHOD_WRITE = 11,
} wasmsandbox_method;

/* The method's name in scripts, such as "pty_exec_start", or "unknown". Static. */
const char *wasmsandbox_method_name(wasmsandbox_method method);

typedef struct wasmsandbox_parts {
	wasmsandbox_slice *items;
	size_t count;
} wasmsandbox_parts;

typedef struct wasmsandbox_patch_operation {
	wasmsandbox_slice type; /* create_file, update_file, delete_file; not checked */
	wasmsandbox_slice path;
	bool has_diff;
	wasmsandbox_slice diff;
	bool has_move_to;
	wasmsandbox_slice move_to;
} wasmsandbox_patch_operation;

typedef struct wasmsandbox_apply_patch_request {
	struct {
		wasmsandbox_patch_operation *items;
		size_t count;
	} operations;
	wasmsandbox_slice patch_format;
} wasmsandbox_apply_patch_request;

typedef enum wasmsandbox_shell_mode {
	WASMSANDBOX_SHELL_DEFAULT = 0, /* the default login shell */
	WASMSANDBOX_SHELL_OFF = 1,     /* the command's parts are argv */
	WASMSANDBOX_SHELL_ARGV = 2,    /* the command is wrapped in argv */
} wasmsandbox_shell_mode;

typedef struct wasmsandbox_shell {
	wasmsandbox_shell_mode mode;
	wasmsandbox_parts argv;
} wasmsandbox_shell;

typedef struct wasmsandbox_exec_request {
	wasmsandbox_parts command;
	int64_t timeout_ns; /* 0: none */
	wasmsandbox_shell shell;
	wasmsandbox_slice user; /* empty: none */
} wasmsandbox_exec_request;

typedef struct wasmsandbox_ls_request {
	wasmsandbox_slice path;
	wasmsandbox_slice user;
} wasmsandbox_ls_request;

typedef struct wasmsandbox_mkdir_request {
	wasmsandbox_slice path;
	bool parents;
	wasmsandbox_slice user;
} wasmsandbox_mkdir_request;

typedef struct wasmsandbox_pty_exec_start_request {
	wasmsandbox_parts command;
	int64_t timeout_ns; /* 0: none */
	wasmsandbox_shell shell;
	wasmsandbox_slice user;
	bool tty;
	int64_t yield_time_ns;     /* 0: not given */
	int64_t max_output_tokens; /* 0: not given */
} wasmsandbox_pty_exec_start_request;

typedef struct wasmsandbox_pty_write_stdin_request {
	int64_t session_id;
	wasmsandbox_slice chars;
	int64_t yield_time_ns;     /* 0: not given */
	int64_t max_output_tokens; /* 0: not given */
} wasmsandbox_pty_write_stdin_request;

typedef struct wasmsandbox_read_request {
	wasmsandbox_slice path;
	wasmsandbox_slice user;
} wasmsandbox_read_request;

typedef struct wasmsandbox_rm_request {
	wasmsandbox_slice path;
	bool recursive;
	wasmsandbox_slice user;
} wasmsandbox_rm_request;

typedef struct wasmsandbox_write_request {
	wasmsandbox_slice path;
	wasmsandbox_stream data;
	wasmsandbox_slice user;
} wasmsandbox_write_request;

/* One call of a session. The method says which member of the request is set. */
typedef struct wasmsandbox_call {
	uint64_t index;  /* zero-based position in the session's history */
	int64_t time_ns; /* virtual time, nanoseconds since 1970 */
	wasmsandbox_method method;
	union {
		wasmsandbox_apply_patch_request apply_patch;
		wasmsandbox_exec_request exec;
		wasmsandbox_ls_request ls;
		wasmsandbox_mkdir_request mkdir;
		wasmsandbox_pty_exec_start_request pty_exec_start;
		wasmsandbox_pty_write_stdin_request pty_write_stdin;
		wasmsandbox_read_request read;
		wasmsandbox_rm_request rm;
		wasmsandbox_write_request write;
	} request;
} wasmsandbox_call;

/* ------------------------------------------------------------------- results */

typedef struct wasmsandbox_exec_result {
	wasmsandbox_content out; /* standard output */
	wasmsandbox_content err; /* standard error */
	int32_t exit_code;
} wasmsandbox_exec_result;

typedef enum wasmsandbox_file_kind {
	WASMSANDBOX_FILE = 0,
	WASMSANDBOX_DIRECTORY = 1,
	WASMSANDBOX_SYMLINK = 2,
	WASMSANDBOX_OTHER = 3,
} wasmsandbox_file_kind;

typedef struct wasmsandbox_file_entry {
	wasmsandbox_slice path;
	uint32_t permissions; /* 0777 bits, and 040000 for a directory */
	wasmsandbox_slice owner;
	wasmsandbox_slice group;
	uint64_t size; /* bytes */
	wasmsandbox_file_kind kind;
} wasmsandbox_file_entry;

typedef struct wasmsandbox_listing {
	wasmsandbox_file_entry *items;
	size_t count;
} wasmsandbox_listing;

/* What a terminal session printed since the last update. A live process has an id
 * and no exit code, a finished one an exit code and no id. */
typedef struct wasmsandbox_pty_update {
	bool has_process_id;
	int64_t process_id;
	wasmsandbox_content output;
	bool has_exit_code;
	int32_t exit_code;
	bool has_original_token_count;
	uint64_t original_token_count;
} wasmsandbox_pty_update;

wasmsandbox_pty_update wasmsandbox_pty_running(int64_t process_id, wasmsandbox_slice output);
wasmsandbox_pty_update wasmsandbox_pty_exited(int32_t exit_code, wasmsandbox_slice output);

/* The result of any method: the member that fits the call's method is sent. */
typedef union wasmsandbox_result {
	wasmsandbox_exec_result exec;
	wasmsandbox_stream read;
	wasmsandbox_listing ls;
	wasmsandbox_slice apply_patch;
	wasmsandbox_pty_update pty; /* of pty_exec_start and pty_write_stdin */
} wasmsandbox_result;

typedef enum wasmsandbox_answer {
	WASMSANDBOX_NO_ANSWER = 0, /* accepts */
	WASMSANDBOX_ACCEPT = 1,
	WASMSANDBOX_REJECT = 2,
} wasmsandbox_answer;

typedef struct wasmsandbox_difference {
	wasmsandbox_slice field; /* for example args[0] */
	wasmsandbox_slice expected;
	wasmsandbox_slice actual;
} wasmsandbox_difference;

typedef struct wasmsandbox_verdict {
	wasmsandbox_answer answer;
	wasmsandbox_slice reason;
	struct {
		wasmsandbox_difference *items;
		size_t count;
	} differences;
} wasmsandbox_verdict;

static inline void wasmsandbox_accept(wasmsandbox_verdict *verdict);
static inline void wasmsandbox_reject(wasmsandbox_verdict *verdict, wasmsandbox_slice reason);

/* Adds a difference to a verdict. */
static inline void wasmsandbox_differ(wasmsandbox_verdict *verdict, wasmsandbox_slice field, wasmsandbox_slice expected,
                        wasmsandbox_slice actual);

#include "wasmsandbox_guest.h"
#include "wasmsandbox_inline.h"

#ifdef __cplusplus
}
#endif

#endif
