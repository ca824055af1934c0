/* Native tests of a guest, without WebAssembly: a host in memory that calls the
 * handlers through the dispatch and the encoding that a real host uses.
 *
 *	wasmsandbox_testing_open(NULL);
 *	wasmsandbox_call call = wasmsandbox_testing_exec((const char *[]){"git", "status", NULL});
 *	wasmsandbox_tested tested = wasmsandbox_testing_respond("status", &call);
 *	assert(tested.kind == WASMSANDBOX_TESTED_RESULT);
 *
 * What comes of a call is valid until the next call. Nothing resets a guest's own
 * state: a test program is one session. */
#ifndef WASMSANDBOX_TESTING_H
#define WASMSANDBOX_TESTING_H

#include "wasmsandbox.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wasmsandbox_tested_kind {
	WASMSANDBOX_TESTED_DONE,    /* opened or closed */
	WASMSANDBOX_TESTED_RESULT,  /* of a responder */
	WASMSANDBOX_TESTED_ERROR,   /* a sandbox error of a responder */
	WASMSANDBOX_TESTED_VERDICT, /* of a matcher */
	WASMSANDBOX_TESTED_FAILED,  /* a guest error */
	WASMSANDBOX_TESTED_LIMIT,   /* the reply is longer than a host takes: reply_size */
	WASMSANDBOX_TESTED_PANIC,   /* the guest is dead to a real host; here it can be called again */
} wasmsandbox_tested_kind;

/* What came of a call. Which members are set depends on the kind. */
typedef struct wasmsandbox_tested {
	wasmsandbox_tested_kind kind;
	wasmsandbox_result result;   /* RESULT */
	wasmsandbox_verdict verdict; /* VERDICT */
	wasmsandbox_slice code;      /* ERROR */
	wasmsandbox_slice op;        /* ERROR */
	wasmsandbox_map context;     /* ERROR */
	int retryable;               /* ERROR: -1 if it isn't known */
	int failure;                 /* FAILED: the number of the guest error's kind */
	wasmsandbox_slice message;   /* ERROR, FAILED, PANIC */
	wasmsandbox_slice file;      /* PANIC */
	uint32_t line;               /* PANIC */
	size_t reply_size;           /* LIMIT: in bytes */
	wasmsandbox_slice log;       /* all lines of the call, each ended by a newline */
} wasmsandbox_tested;

/* Opens the guest, with zeroes for what isn't in the session; NULL for all zeroes. */
wasmsandbox_tested wasmsandbox_testing_open(const wasmsandbox_session *session);
wasmsandbox_tested wasmsandbox_testing_close(void);

/* Calls a handler by its name. A name that the guest doesn't have, and a call whose
 * method isn't set, come back as FAILED. */
wasmsandbox_tested wasmsandbox_testing_respond(const char *name, const wasmsandbox_call *call);
wasmsandbox_tested wasmsandbox_testing_match(const char *name, const wasmsandbox_call *call);

/* A call of exec with the parts of a command, which end with NULL. It refers to the
 * strings, and is valid until the program ends. */
wasmsandbox_call wasmsandbox_testing_exec(const char *const *parts);

/* Content that the host holds as a blob. Blobs go when a call is over, so this is
 * for the next call; content of a result stays until the call after it. */
wasmsandbox_content wasmsandbox_testing_blob(wasmsandbox_slice bytes);

/* The bytes of content, inline or not. */
wasmsandbox_slice wasmsandbox_testing_bytes(const wasmsandbox_content *content);

/* How many bytes the blobs that a guest makes in a call may have together;
 * SIZE_MAX at first. */
void wasmsandbox_testing_limit_blobs(size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
