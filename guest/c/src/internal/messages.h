/* The messages that the SDK sends and takes itself, named as in abi.proto. Those
 * that handlers see are in wasmsandbox.h. */
#ifndef WASMSANDBOX_MESSAGES_H
#define WASMSANDBOX_MESSAGES_H

#include "../wasmsandbox.h"

typedef enum handler_kind { HANDLER_UNSPECIFIED = 0, HANDLER_MATCH = 1, HANDLER_RESPOND = 2 } handler_kind;

typedef struct handler_message {
	uint32_t id;
	wasmsandbox_slice name;
	handler_kind kind;
	struct {
		uint32_t *items;
		size_t count;
	} methods;
} handler_message;

typedef struct description_message {
	wasmsandbox_slice name;
	wasmsandbox_slice version;
	wasmsandbox_slice sdk;
	wasmsandbox_slice sdk_version;
	wasmsandbox_slice language;
	wasmsandbox_slice toolchain;
	struct {
		handler_message *items;
		size_t count;
	} handlers;
	wasmsandbox_slice config_schema;
} description_message;

typedef enum retryable { RETRYABLE_UNKNOWN = 0, RETRYABLE_NO = 1, RETRYABLE_YES = 2 } retryable;

typedef struct sandbox_error_message {
	wasmsandbox_slice code;
	wasmsandbox_slice op;
	wasmsandbox_slice message;
	wasmsandbox_map context;
	retryable retryable;
} sandbox_error_message;

typedef enum outcome_kind {
	OUTCOME_NONE = 0,
	OUTCOME_VOID = 1,
	OUTCOME_EXEC = 2,
	OUTCOME_STREAM = 3,
	OUTCOME_LISTING = 4,
	OUTCOME_TEXT = 5,
	OUTCOME_PTY = 6,
	OUTCOME_ERROR = 7,
} outcome_kind;

typedef struct outcome_message {
	outcome_kind kind;
	union {
		wasmsandbox_result result;
		sandbox_error_message error;
	} as;
} outcome_message;

typedef enum guest_error_kind {
	GUEST_ERROR_UNSPECIFIED = 0,
	GUEST_HANDLER_FAILED = 1,
	GUEST_UNKNOWN_HANDLER = 2,
	GUEST_BAD_MESSAGE = 3,
	GUEST_BAD_CONFIG = 4,
	GUEST_UNSUPPORTED_METHOD = 5,
} guest_error_kind;

typedef struct guest_error_message {
	guest_error_kind kind;
	wasmsandbox_slice message;
} guest_error_message;

typedef enum reply_kind {
	REPLY_NONE = 0,
	REPLY_DESCRIPTION = 1,
	REPLY_VERDICT = 2,
	REPLY_OUTCOME = 3,
	REPLY_ERROR = 4,
	REPLY_DONE = 5,
} reply_kind;

typedef struct reply_message {
	reply_kind kind;
	union {
		description_message description;
		wasmsandbox_verdict verdict;
		outcome_message outcome;
		guest_error_message error;
	} as;
} reply_message;

typedef struct panic_message {
	wasmsandbox_slice message;
	wasmsandbox_slice file;
	uint32_t line;
	wasmsandbox_slice stack;
} panic_message;

#endif
