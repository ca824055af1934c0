/* The functions of wasmsandbox.h, which includes it, that take slices and values.
 * They are inline, above functions that take pointers and lengths: WebAssembly
 * passes a struct through memory, and copies it for each call. */
#ifndef WASMSANDBOX_INLINE_H
#define WASMSANDBOX_INLINE_H

bool wasmsandbox_equal_bytes(const char *a, size_t a_length, const char *b, size_t b_length);
int wasmsandbox_compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length);
wasmsandbox_error *wasmsandbox_raise_bytes(const char *code, size_t length);
wasmsandbox_error *wasmsandbox_with_op_bytes(wasmsandbox_error *error, const char *op, size_t length);
wasmsandbox_error *wasmsandbox_with_message_bytes(wasmsandbox_error *error, const char *message, size_t length);
wasmsandbox_error *wasmsandbox_failed_bytes(const char *message, size_t length);
void wasmsandbox_log_bytes(wasmsandbox_log_level level, const char *text, size_t length);
void wasmsandbox_append_bytes(wasmsandbox_builder *builder, const char *text, size_t length);
void wasmsandbox_write_bytes(wasmsandbox_writer *writer, const char *bytes, size_t length);
bool wasmsandbox_parse_bytes(const char *text, size_t length, int64_t *number);
int64_t wasmsandbox_extension_bytes(uint32_t op, const char *argument, size_t length);

/* A copy that stays, and the hexadecimal digits in memory of the call. */
char *wasmsandbox_keep_bytes(const char *bytes, size_t length);
char *wasmsandbox_hex_digits(const char *bytes, size_t length);

/* The value of a key, which is added if it isn't there, of a map or of an error. */
wasmsandbox_value *wasmsandbox_map_place(wasmsandbox_map *map, const char *key, size_t length);
wasmsandbox_value *wasmsandbox_context_place(wasmsandbox_error *error, const char *key, size_t length);
const wasmsandbox_value *wasmsandbox_map_find(const wasmsandbox_map *map, const char *key, size_t length);

/* A setting of the kind wanted, or NULL if it is missing, null, or of another. */
const wasmsandbox_value *wasmsandbox_setting(const char *key, size_t length, wasmsandbox_value_kind kind);

void wasmsandbox_differ_bytes(wasmsandbox_verdict *verdict, const char *field, size_t field_length, const char *expected,
                              size_t expected_length, const char *actual, size_t actual_length);

/* ---------------------------------------------------------------- slices, text */

static inline wasmsandbox_slice wasmsandbox_text(const char *string) {
	wasmsandbox_slice slice = {string, string == NULL ? 0 : __builtin_strlen(string)};
	return slice;
}

static inline bool wasmsandbox_equal(wasmsandbox_slice a, wasmsandbox_slice b) {
	return wasmsandbox_equal_bytes(a.data, a.length, b.data, b.length);
}

static inline int wasmsandbox_compare(wasmsandbox_slice a, wasmsandbox_slice b) {
	return wasmsandbox_compare_bytes(a.data, a.length, b.data, b.length);
}

static inline wasmsandbox_slice wasmsandbox_keep(wasmsandbox_slice bytes) {
	wasmsandbox_slice kept = {wasmsandbox_keep_bytes(bytes.data, bytes.length), bytes.length};
	return kept;
}

static inline void wasmsandbox_drop(wasmsandbox_slice kept) { wasmsandbox_free((void *)(uintptr_t)kept.data); }

static inline void wasmsandbox_append(wasmsandbox_builder *builder, wasmsandbox_slice text) {
	wasmsandbox_append_bytes(builder, text.data, text.length);
}

static inline wasmsandbox_slice wasmsandbox_built(const wasmsandbox_builder *builder) {
	wasmsandbox_slice built = {builder->data, builder->length};
	return built;
}

static inline wasmsandbox_slice wasmsandbox_hex(wasmsandbox_slice bytes) {
	wasmsandbox_slice digits = {wasmsandbox_hex_digits(bytes.data, bytes.length), 2 * bytes.length};
	return digits;
}

static inline bool wasmsandbox_parse(wasmsandbox_slice text, int64_t *number) {
	return wasmsandbox_parse_bytes(text.data, text.length, number);
}

/* ---------------------------------------------------------------------- values */

static inline wasmsandbox_value wasmsandbox_null(void) {
	wasmsandbox_value value;
	value.kind = WASMSANDBOX_NULL;
	return value;
}

static inline wasmsandbox_value wasmsandbox_bool(bool boolean) {
	wasmsandbox_value value;
	value.kind = WASMSANDBOX_BOOL;
	value.as.boolean = boolean;
	return value;
}

static inline wasmsandbox_value wasmsandbox_int(int64_t integer) {
	wasmsandbox_value value;
	value.kind = WASMSANDBOX_INT;
	value.as.integer = integer;
	return value;
}

static inline wasmsandbox_value wasmsandbox_string(wasmsandbox_slice string) {
	wasmsandbox_value value;
	value.kind = WASMSANDBOX_STRING;
	value.as.string = string;
	return value;
}

static inline wasmsandbox_value wasmsandbox_bytes(wasmsandbox_slice bytes) {
	wasmsandbox_value value;
	value.kind = WASMSANDBOX_BYTES;
	value.as.bytes = bytes;
	return value;
}

static inline wasmsandbox_value wasmsandbox_list_of(wasmsandbox_value *items, size_t count) {
	wasmsandbox_value value;
	value.kind = WASMSANDBOX_LIST;
	value.as.list.items = items;
	value.as.list.count = count;
	return value;
}

static inline wasmsandbox_value wasmsandbox_map_value(wasmsandbox_map map) {
	wasmsandbox_value value;
	value.kind = WASMSANDBOX_MAP;
	value.as.map = map;
	return value;
}

static inline void wasmsandbox_map_set(wasmsandbox_map *map, const char *key, wasmsandbox_value value) {
	*wasmsandbox_map_place(map, key, __builtin_strlen(key)) = value;
}

static inline const wasmsandbox_value *wasmsandbox_map_get(const wasmsandbox_map *map, wasmsandbox_slice key) {
	return wasmsandbox_map_find(map, key.data, key.length);
}

static inline wasmsandbox_slice wasmsandbox_setting_text(wasmsandbox_slice key, wasmsandbox_slice fallback) {
	const wasmsandbox_value *value = wasmsandbox_setting(key.data, key.length, WASMSANDBOX_STRING);
	return value == NULL ? fallback : value->as.string;
}

static inline int64_t wasmsandbox_setting_int(wasmsandbox_slice key, int64_t fallback) {
	const wasmsandbox_value *value = wasmsandbox_setting(key.data, key.length, WASMSANDBOX_INT);
	return value == NULL ? fallback : value->as.integer;
}

static inline bool wasmsandbox_setting_bool(wasmsandbox_slice key, bool fallback) {
	const wasmsandbox_value *value = wasmsandbox_setting(key.data, key.length, WASMSANDBOX_BOOL);
	return value == NULL ? fallback : value->as.boolean;
}

/* ---------------------------------------------------------------------- errors */

static inline wasmsandbox_error *wasmsandbox_raise(const char *code) {
	return wasmsandbox_raise_bytes(code, __builtin_strlen(code));
}

static inline wasmsandbox_error *wasmsandbox_raise_slice(wasmsandbox_slice code) {
	return wasmsandbox_raise_bytes(code.data, code.length);
}

static inline wasmsandbox_error *wasmsandbox_with(wasmsandbox_error *error, const char *key, wasmsandbox_value value) {
	*wasmsandbox_context_place(error, key, __builtin_strlen(key)) = value;
	return error;
}

static inline wasmsandbox_error *wasmsandbox_with_op(wasmsandbox_error *error, wasmsandbox_slice op) {
	return wasmsandbox_with_op_bytes(error, op.data, op.length);
}

static inline wasmsandbox_error *wasmsandbox_with_message(wasmsandbox_error *error, wasmsandbox_slice message) {
	return wasmsandbox_with_message_bytes(error, message.data, message.length);
}

static inline wasmsandbox_error *wasmsandbox_failed(wasmsandbox_slice message) {
	return wasmsandbox_failed_bytes(message.data, message.length);
}

/* -------------------------------------------------------------------- verdicts */

static inline void wasmsandbox_accept(wasmsandbox_verdict *verdict) { verdict->answer = WASMSANDBOX_ACCEPT; }

static inline void wasmsandbox_reject(wasmsandbox_verdict *verdict, wasmsandbox_slice reason) {
	verdict->answer = WASMSANDBOX_REJECT;
	verdict->reason = reason;
}

static inline void wasmsandbox_differ(wasmsandbox_verdict *verdict, wasmsandbox_slice field, wasmsandbox_slice expected,
                                      wasmsandbox_slice actual) {
	wasmsandbox_differ_bytes(verdict, field.data, field.length, expected.data, expected.length, actual.data, actual.length);
}

/* --------------------------------------------------------------------- content */

static inline wasmsandbox_content wasmsandbox_inline(wasmsandbox_slice bytes) {
	wasmsandbox_content content;
	content.kind = WASMSANDBOX_CONTENT_INLINE;
	content.as.bytes = bytes;
	return content;
}

static inline void wasmsandbox_write(wasmsandbox_writer *writer, wasmsandbox_slice bytes) {
	wasmsandbox_write_bytes(writer, bytes.data, bytes.length);
}

static inline void wasmsandbox_log(wasmsandbox_log_level level, wasmsandbox_slice text) {
	wasmsandbox_log_bytes(level, text.data, text.length);
}

static inline int64_t wasmsandbox_extension(uint32_t op, wasmsandbox_slice argument) {
	return wasmsandbox_extension_bytes(op, argument.data, argument.length);
}

#endif
