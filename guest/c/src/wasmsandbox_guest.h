/* The second half of wasmsandbox.h, which includes it: handlers, errors, the
 * session, memory, text and content. Include wasmsandbox.h. */
#ifndef WASMSANDBOX_GUEST_H
#define WASMSANDBOX_GUEST_H

/* -------------------------------------------------------------------- errors */

/* What a handler returns instead of NULL when it has no result. */
typedef struct wasmsandbox_error wasmsandbox_error;

/* A sandbox error: the session's caller gets it as if a real sandbox had raised
 * it. The code must not be empty; the host fills in the operation and the message
 * that go with the code unless they are set. */
static inline wasmsandbox_error *wasmsandbox_raise(const char *code);
static inline wasmsandbox_error *wasmsandbox_raise_slice(wasmsandbox_slice code);

/* These set a part of a sandbox error, and return it. */
static inline wasmsandbox_error *wasmsandbox_with(wasmsandbox_error *error, const char *key, wasmsandbox_value value);
static inline wasmsandbox_error *wasmsandbox_with_op(wasmsandbox_error *error, wasmsandbox_slice op);
static inline wasmsandbox_error *wasmsandbox_with_message(wasmsandbox_error *error, wasmsandbox_slice message);
wasmsandbox_error *wasmsandbox_with_retryable(wasmsandbox_error *error, bool retryable);

/* A failure of the guest itself: there is no answer, and the call fails with the
 * message. From an open hook it says that the configuration isn't usable. */
static inline wasmsandbox_error *wasmsandbox_failed(wasmsandbox_slice message);

/* The file's name without its folder, where the compiler tells it: a module has no
 * paths of the machine that built it, and is smaller. */
#ifdef __FILE_NAME__
#define WASMSANDBOX_FILE __FILE_NAME__
#else
#define WASMSANDBOX_FILE __FILE__
#endif

/* Ends the guest and reports the message, a C string, with file and line. */
#define wasmsandbox_panic(message) wasmsandbox_panic_at((message), WASMSANDBOX_FILE, __LINE__)

/* Panics unless the condition holds. */
#define wasmsandbox_assert(condition) \
	((condition) ? (void)0 : wasmsandbox_panic_at("assertion failed: " #condition, WASMSANDBOX_FILE, __LINE__))

#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void wasmsandbox_panic_at(const char *message, const char *file, uint32_t line);

/* ------------------------------------------------------------------ handlers */

/* A responder: one function for each method it serves, or `any` for all nine. The
 * result is zeroes, which is the method's empty result. A function returns NULL,
 * or an error, with which the result isn't used. */
typedef struct wasmsandbox_responder {
	const char *name;
	wasmsandbox_error *(*apply_patch)(const wasmsandbox_call *, const wasmsandbox_apply_patch_request *,
	                                  wasmsandbox_slice *);
	wasmsandbox_error *(*exec)(const wasmsandbox_call *, const wasmsandbox_exec_request *,
	                           wasmsandbox_exec_result *);
	wasmsandbox_error *(*ls)(const wasmsandbox_call *, const wasmsandbox_ls_request *, wasmsandbox_listing *);
	wasmsandbox_error *(*mkdir)(const wasmsandbox_call *, const wasmsandbox_mkdir_request *);
	wasmsandbox_error *(*pty_exec_start)(const wasmsandbox_call *, const wasmsandbox_pty_exec_start_request *,
	                                     wasmsandbox_pty_update *);
	wasmsandbox_error *(*pty_write_stdin)(const wasmsandbox_call *, const wasmsandbox_pty_write_stdin_request *,
	                                      wasmsandbox_pty_update *);
	wasmsandbox_error *(*read)(const wasmsandbox_call *, const wasmsandbox_read_request *, wasmsandbox_stream *);
	wasmsandbox_error *(*rm)(const wasmsandbox_call *, const wasmsandbox_rm_request *);
	wasmsandbox_error *(*write)(const wasmsandbox_call *, const wasmsandbox_write_request *);
	wasmsandbox_error *(*any)(const wasmsandbox_call *, wasmsandbox_result *);
} wasmsandbox_responder;

/* The set of one method; sets are joined with |. */
#define WASMSANDBOX_SERVES(method) (UINT32_C(1) << (method))

/* A matcher. The verdict is zeroes: no answer, which accepts. */
typedef struct wasmsandbox_matcher {
	const char *name;
	uint32_t methods; /* a set; 0: all nine */
	wasmsandbox_error *(*match)(const wasmsandbox_call *, wasmsandbox_verdict *);
} wasmsandbox_matcher;

/* What the guest is. Names of handlers are not empty, and unique within a table;
 * a mistake in the tables is a panic when the guest is described or opened. */
typedef struct wasmsandbox_guest {
	const char *name;
	const char *version;
	const char *config_schema; /* a JSON Schema for the configuration, or NULL */
	const wasmsandbox_responder *responders;
	size_t responder_count;
	const wasmsandbox_matcher *matchers;
	size_t matcher_count;
	wasmsandbox_error *(*open)(void);  /* before the first call, or NULL */
	wasmsandbox_error *(*close)(void); /* at the session's end, or NULL */
} wasmsandbox_guest;

/* Defines the guest: exactly one file of a program has `WASMSANDBOX_GUEST = {…};`. */
#define WASMSANDBOX_GUEST const wasmsandbox_guest wasmsandbox_this_guest
extern const wasmsandbox_guest wasmsandbox_this_guest;

/* The fields of a guest for an array of handlers. */
#define WASMSANDBOX_RESPONDERS(array) .responders = (array), .responder_count = sizeof(array) / sizeof((array)[0])
#define WASMSANDBOX_MATCHERS(array) .matchers = (array), .matcher_count = sizeof(array) / sizeof((array)[0])

/* ------------------------------------------------------------------- session */

typedef struct wasmsandbox_limits {
	uint64_t inline_bytes; /* content longer than this travels as a blob */
	uint64_t reply_bytes;  /* longest reply */
	uint64_t log_bytes;    /* log text kept per call */
	uint64_t blob_bytes;   /* bytes of blobs a guest may make per call */
} wasmsandbox_limits;

typedef struct wasmsandbox_session {
	wasmsandbox_map config; /* in the order in which it came */
	uint64_t seed;
	int64_t start_time_ns; /* virtual, nanoseconds since 1970 */
	wasmsandbox_limits limits; /* as told: 0 is the ABI's default */
} wasmsandbox_session;

/* The session, valid until the guest ends; zeroes before it is opened. */
const wasmsandbox_session *wasmsandbox_this_session(void);

/* Settings of the configuration. One that is missing or null gives the default.
 * One of another type gives it too, and the call, or the opening, that asked is
 * answered with "the configuration isn't usable". The text may be kept. */
static inline wasmsandbox_slice wasmsandbox_setting_text(wasmsandbox_slice key, wasmsandbox_slice fallback);
static inline int64_t wasmsandbox_setting_int(wasmsandbox_slice key, int64_t fallback);
static inline bool wasmsandbox_setting_bool(wasmsandbox_slice key, bool fallback);

typedef enum wasmsandbox_log_level {
	WASMSANDBOX_DEBUG = 0,
	WASMSANDBOX_INFO = 1,
	WASMSANDBOX_WARN = 2,
	WASMSANDBOX_ERROR = 3,
} wasmsandbox_log_level;

/* Adds text to the record of the call. The host drops what exceeds its limit. */
static inline void wasmsandbox_log(wasmsandbox_log_level level, wasmsandbox_slice text);

/* -------------------------------------------------------------------- memory */

/* Memory of the call, aligned for every type and not zeroed. It is never freed by
 * hand: all of it goes when the next call begins. */
void *wasmsandbox_scratch(size_t size);

/* Memory that stays until it is freed, aligned for every type and not zeroed.
 * With a libc these are malloc, realloc and free. */
void *wasmsandbox_alloc(size_t size);
void *wasmsandbox_resize(void *memory, size_t size);
void wasmsandbox_free(void *memory);

/* A copy of the bytes that stays until it is dropped. */
static inline wasmsandbox_slice wasmsandbox_keep(wasmsandbox_slice bytes);
static inline void wasmsandbox_drop(wasmsandbox_slice kept);

/* ---------------------------------------------------------------------- text */

/* Text that is made piece by piece, in memory of the call. Starts as zeroes. */
typedef struct wasmsandbox_builder {
	char *data;
	size_t length;
	size_t capacity;
} wasmsandbox_builder;

static inline void wasmsandbox_append(wasmsandbox_builder *builder, wasmsandbox_slice text);

/* Appends the digits of a number. */
void wasmsandbox_append_decimal(wasmsandbox_builder *builder, int64_t number);
void wasmsandbox_append_decimal_unsigned(wasmsandbox_builder *builder, uint64_t number);

/* What was appended so far. */
static inline wasmsandbox_slice wasmsandbox_built(const wasmsandbox_builder *builder);

/* The slices one after the other, for example
 * WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("size="), wasmsandbox_decimal(size)). */
#define WASMSANDBOX_JOIN(...)                               \
	wasmsandbox_join((const wasmsandbox_slice[]){__VA_ARGS__}, \
	                 sizeof((const wasmsandbox_slice[]){__VA_ARGS__}) / sizeof(wasmsandbox_slice))
wasmsandbox_slice wasmsandbox_join(const wasmsandbox_slice *parts, size_t count);

wasmsandbox_slice wasmsandbox_decimal(int64_t number);
wasmsandbox_slice wasmsandbox_decimal_unsigned(uint64_t number);
static inline wasmsandbox_slice wasmsandbox_hex(wasmsandbox_slice bytes); /* lower case */

/* Parses a decimal number with an optional minus sign. False, and no number, for
 * anything else, or one that doesn't fit. */
static inline bool wasmsandbox_parse(wasmsandbox_slice text, int64_t *number);

/* ------------------------------------------------------------------- content */

/* Content in memory, which it refers to. When it is longer than the host takes
 * inline, it is moved to the host when the handler has returned it. */
static inline wasmsandbox_content wasmsandbox_inline(wasmsandbox_slice bytes);

/* The length in bytes. */
uint64_t wasmsandbox_content_size(const wasmsandbox_content *content);

/* Copies up to `capacity` bytes from `offset` on, and sets how many: fewer at the
 * end, none at or past it. NULL, or why the host refused. */
wasmsandbox_error *wasmsandbox_content_read(const wasmsandbox_content *content, uint64_t offset, void *buffer,
                                            size_t capacity, size_t *count);

/* All bytes of content, or those of a stream from its position on. Inline content
 * isn't copied. NULL, or why they can't be read: more than 1 GiB can't be held. */
wasmsandbox_error *wasmsandbox_content_all(const wasmsandbox_content *content, wasmsandbox_slice *bytes);
wasmsandbox_error *wasmsandbox_stream_all(const wasmsandbox_stream *stream, wasmsandbox_slice *bytes);

/* Output that is made in pieces: little stays in memory, more than the host's
 * inline limit goes to the host as a blob. Starts as zeroes, and belongs to the
 * call. */
typedef struct wasmsandbox_writer {
	wasmsandbox_builder pending;
	wasmsandbox_blob blob;
	bool spilled; /* the blob exists */
	wasmsandbox_error *error;
} wasmsandbox_writer;

/* Adds bytes. After a failure nothing is added any more. */
static inline void wasmsandbox_write(wasmsandbox_writer *writer, wasmsandbox_slice bytes);

/* Gives what was written. NULL, or the first failure. */
wasmsandbox_error *wasmsandbox_finish(wasmsandbox_writer *writer, wasmsandbox_content *content);

/* The host's functions that nothing above uses, for guests that call them
 * themselves. Negative answers are statuses of the ABI. */
int64_t wasmsandbox_blob_len(uint32_t handle);
static inline int64_t wasmsandbox_extension(uint32_t op, wasmsandbox_slice argument);

#endif
