#define _POSIX_C_SOURCE 200809L /* readdir */

#include "vectors.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *path, const char *problem) {
	fprintf(stderr, "%s: %s\n", path, problem);
	exit(1);
}

static char *read_text(const char *path) {
	FILE *file = fopen(path, "rb");
	if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
		give_up(path, "can't be read");
	}
	long size = ftell(file);
	rewind(file);
	char *text = calloc(1, (size_t)size + 1);
	if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) {
		give_up(path, "can't be read");
	}
	fclose(file);
	return text;
}

static int digit(char c) { return isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10; }

/* The bytes that hexadecimal digits up to `end` stand for; white space is skipped. */
static unsigned char *parse_hex(const char *path, const char *text, const char *end, size_t *length) {
	unsigned char *bytes = malloc((size_t)(end - text) / 2 + 1);
	*length = 0;
	while (text < end) {
		if (isspace((unsigned char)*text)) {
			text++;
			continue;
		}
		if (end - text < 2 || !isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1])) {
			give_up(path, "isn't hexadecimal");
		}
		bytes[(*length)++] = (unsigned char)(digit(text[0]) << 4 | digit(text[1]));
		text += 2;
	}
	/* Of the exact size, so that reading past the end is found. */
	unsigned char *exact = malloc(*length == 0 ? 1 : *length);
	memcpy(exact, bytes, *length);
	free(bytes);
	return exact;
}

static const schema *schema_named(const char *path, const char *name, size_t length) {
	static const struct {
		const char *name;
		const schema *schema;
	} known[] = {{"Call", &wasmsandbox_schemas[SCHEMA_CALL]},
	             {"Open", &wasmsandbox_schemas[SCHEMA_OPEN]},
	             {"Reply", &wasmsandbox_schemas[SCHEMA_REPLY]},
	             {"Panic", &wasmsandbox_schemas[SCHEMA_PANIC]}};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0) {
			return known[i].schema;
		}
	}
	give_up(path, "an unknown message");
	return NULL;
}

/* The value of a header line, or NULL if the line has another key. */
static const char *header(const char *line, const char *key) {
	size_t length = strlen(key);
	if (strncmp(line, "# ", 2) != 0 || strncmp(line + 2, key, length) != 0 || line[2 + length] != ':') {
		return NULL;
	}
	return line + 3 + length;
}

static void parse_vector(const char *path, const char *text, vector *v) {
	while (*text == '#') {
		const char *end = text + strcspn(text, "\n"), *value;
		if ((value = header(text, "message")) != NULL) {
			v->schema = schema_named(path, value + 1, (size_t)(end - value - 1));
		} else if ((value = header(text, "reason")) != NULL) {
			snprintf(v->reason, sizeof v->reason, "%.*s", (int)(end - value - 1), value + 1);
		} else if ((value = header(text, "canonical")) != NULL) {
			v->canonical = parse_hex(path, value, end, &v->canonical_length);
			v->has_canonical = true;
		}
		text = *end == 0 ? end : end + 1;
	}
	if (v->schema == NULL) {
		give_up(path, "has no message");
	}
	v->bytes = parse_hex(path, text, text + strlen(text), &v->length);
}

vector *load_vectors(const char *folder, size_t *count) {
	DIR *directory = opendir(folder);
	if (directory == NULL) {
		give_up(folder, "can't be read");
	}
	vector *vectors = NULL;
	struct dirent *entry;
	*count = 0;
	while ((entry = readdir(directory)) != NULL) {
		size_t length = strlen(entry->d_name);
		if (length < 5 || strcmp(entry->d_name + length - 4, ".txt") != 0) {
			continue;
		}
		char path[1024];
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		vectors = realloc(vectors, (*count + 1) * sizeof *vectors);
		vector *v = &vectors[(*count)++];
		memset(v, 0, sizeof *v);
		snprintf(v->name, sizeof v->name, "%s", entry->d_name);
		char *text = read_text(path);
		parse_vector(path, text, v);
		free(text);
	}
	closedir(directory);
	if (*count == 0) {
		give_up(folder, "has no vectors");
	}
	return vectors;
}

void free_vectors(vector *vectors, size_t count) {
	for (size_t i = 0; i < count; i++) {
		free(vectors[i].bytes);
		free(vectors[i].canonical);
	}
	free(vectors);
}
