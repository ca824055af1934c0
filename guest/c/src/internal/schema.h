/* How a message is laid out on the wire and in memory. One table for each message
 * serves its reader and its writer. */
#ifndef WASMSANDBOX_SCHEMA_H
#define WASMSANDBOX_SCHEMA_H

#include "messages.h"

typedef enum field_type {
	/* varints */
	TYPE_UINT64, /* and int64 */
	TYPE_SINT64,
	TYPE_UINT32,
	TYPE_SINT32,
	TYPE_BOOL,
	TYPE_ENUM,   /* up to schema_field.detail */
	TYPE_METHOD, /* uint32 that is one of the nine methods */
	/* of a length */
	TYPE_TEXT,
	TYPE_BYTES,
	TYPE_DIGEST,
	TYPE_MESSAGE,
} field_type;

typedef enum field_presence {
	PRESENCE_IMPLICIT, /* its default isn't written */
	PRESENCE_FLAG,     /* a bool tells */
	PRESENCE_ONEOF,    /* the message's case tells */
	PRESENCE_ONEOF_NOT_EMPTY, /* and it isn't written when it is empty */
	PRESENCE_REPEATED, /* items and count */
	PRESENCE_PACKED,
} field_presence;

/* Of one byte each: the tables are a large part of a small guest. */
typedef struct schema_field {
	uint8_t type;
	uint8_t presence;
	uint8_t offset; /* in memory */
	uint8_t detail; /* of an enum: the last; of a message: its schema_id; else with PRESENCE_FLAG: the flag's offset */
} schema_field;

typedef struct schema {
	uint8_t first; /* in wasmsandbox_fields: number 1, and so on without a gap */
	uint8_t count;
	bool is_value; /* counts for the depth */
	bool is_oneof; /* all of it is one oneof */
	uint8_t size;  /* in memory */
	/* Of messages with a oneof: the number of the member that is set, and all members. */
	uint8_t case_offset;
	uint8_t union_offset;
	uint8_t union_size;
} schema;

typedef enum schema_id {
	SCHEMA_ENTRY,
	SCHEMA_LIST,
	SCHEMA_MAP,
	SCHEMA_VALUE,
	SCHEMA_BLOB,
	SCHEMA_CONTENT,
	SCHEMA_STREAM,
	SCHEMA_OPERATION,
	SCHEMA_APPLY_PATCH,
	SCHEMA_SHELL,
	SCHEMA_EXEC,
	SCHEMA_LS,
	SCHEMA_MKDIR,
	SCHEMA_PTY_EXEC_START,
	SCHEMA_PTY_WRITE_STDIN,
	SCHEMA_READ,
	SCHEMA_RM,
	SCHEMA_WRITE,
	SCHEMA_CALL,
	SCHEMA_LIMITS,
	SCHEMA_OPEN,
	SCHEMA_HANDLER,
	SCHEMA_DESCRIPTION,
	SCHEMA_DIFFERENCE,
	SCHEMA_VERDICT,
	SCHEMA_VOID,
	SCHEMA_EXEC_RESULT,
	SCHEMA_FILE_ENTRY,
	SCHEMA_LISTING,
	SCHEMA_PTY_UPDATE,
	SCHEMA_SANDBOX_ERROR,
	SCHEMA_OUTCOME,
	SCHEMA_GUEST_ERROR,
	SCHEMA_REPLY,
	SCHEMA_PANIC,
} schema_id;

extern const schema wasmsandbox_schemas[];
extern const schema_field *const wasmsandbox_fields;

/* What all repeated fields look like. */
typedef struct array {
	void *items;
	size_t count;
} array;

#endif
