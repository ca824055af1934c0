/* The test vectors of the ABI. */
#ifndef VECTORS_H
#define VECTORS_H

#include "internal/codec.h"

typedef struct vector {
	char name[256];
	const schema *schema; /* of the message */
	char reason[32];      /* why it is malformed; empty: it is valid */
	unsigned char *bytes;
	size_t length;
	unsigned char *canonical; /* what a writer makes of it; NULL: the same bytes */
	size_t canonical_length;
	bool has_canonical;
} vector;

/* A decoded message of any kind. */
typedef union any_message {
	wasmsandbox_call call;
	wasmsandbox_session open;
	reply_message reply;
	panic_message panic;
} any_message;

/* Reads all vectors of a folder. The caller frees them with free_vectors. Ends the
 * program when there are none, or one can't be read. */
vector *load_vectors(const char *folder, size_t *count);
void free_vectors(vector *vectors, size_t count);

#endif
