// As much JSON as a command needs. The reader takes what the host writes, which is
// well-formed: a value is a pointer to its first character, and NULL is none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *json_space(const char *at) {
	return at + strspn(at, " \t\r\n,:");
}

// json_skip gives what follows a value.
static const char *json_skip(const char *at) {
	int depth = 0;
	do {
		if (*at == '"') {
			for (at++; *at != '"'; at++)
				at += *at == '\\';
			at++;
		} else if (*at == '{' || *at == '[') {
			depth++;
			at++;
		} else if (*at == '}' || *at == ']') {
			depth--;
			at++;
		} else {
			at += strcspn(at, ",:{}[]\" \t\r\n");
		}
		at = json_space(at);
	} while (depth > 0);
	return at;
}

// json_utf8 appends a character, and gives the end.
static char *json_utf8(char *out, unsigned c) {
	if (c < 0x80) {
		*out++ = (char)c;
	} else if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
		*out++ = (char)(0x80 | (c & 0x3f));
	} else { // the host writes larger ones as they are
		*out++ = (char)(0xe0 | c >> 12);
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
		*out++ = (char)(0x80 | (c & 0x3f));
	}
	return out;
}

// json_text gives a string, which the caller frees, or NULL for another value.
static char *json_text(const char *value) {
	if (!value || *value != '"')
		return NULL;
	char *text = malloc(strlen(value)), *out = text;
	for (const char *p = value + 1; *p != '"'; p++) {
		if (*p != '\\') {
			*out++ = *p;
			continue;
		}
		static const char escapes[] = "b\bf\fn\nr\rt\t";
		const char *escape = strchr(escapes, *++p);
		if (*p == 'u') {
			char digits[5] = {p[1], p[2], p[3], p[4], 0};
			out = json_utf8(out, (unsigned)strtoul(digits, NULL, 16));
			p += 4;
		} else {
			*out++ = escape ? escape[1] : *p;
		}
	}
	*out = 0;
	return text;
}

// json_next walks over an object: it gives a value and its key, which the caller
// frees, and moves on; NULL at the end. It starts at the opening brace.
static const char *json_next(const char **at, char **key) {
	const char *p = json_space(**at == '{' ? *at + 1 : *at);
	if (*p == '}')
		return NULL;
	*key = json_text(p);
	const char *value = json_skip(p);
	*at = json_skip(value);
	return value;
}

// json_key gives the value of a key.
static const char *json_key(const char *object, const char *wanted) {
	char *key;
	for (const char *at = object, *value; at && (value = json_next(&at, &key));) {
		int found = strcmp(key, wanted) == 0;
		free(key);
		if (found)
			return value;
	}
	return NULL;
}

// json_item gives an item of a list.
static const char *json_item(const char *list, int index) {
	const char *at = json_space(list + 1);
	for (; *at != ']'; at = json_skip(at))
		if (index-- == 0)
			return at;
	return NULL;
}

// json_put prints a string.
static void json_put(const char *text) {
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	putchar('"');
}
