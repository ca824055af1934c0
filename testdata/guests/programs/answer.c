// A command for tests: it does what the call's arguments or its handler say.
//
//   document   answers with the whole document that it read, as standard output
//   count      answers with how often it was called in this instance
//   loop       never answers
//   any other  prints args[0] on standard output and args[1] on standard error, as
//              they are, and exits with args[2]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *document;
static size_t length;

static void read_document(void) {
	size_t room = 1 << 16;
	document = malloc(room + 1);
	ssize_t n;
	while ((n = read(0, document + length, room - length)) > 0) {
		length += (size_t)n;
		if (length == room)
			document = realloc(document, (room *= 2) + 1);
	}
	document[length] = 0;
}

// text reads the string that begins at *at, and moves *at behind it. Escapes
// beyond ASCII aren't needed: the document has them in UTF-8.
static char *text(const char **at) {
	const char *p = *at + 1;
	char *result = malloc(strlen(p) + 1), *out = result;
	for (; *p != '"'; p++) {
		if (*p != '\\') {
			*out++ = *p;
			continue;
		}
		switch (*++p) {
		case 'n': *out++ = '\n'; break;
		case 't': *out++ = '\t'; break;
		case 'r': *out++ = '\r'; break;
		case 'b': *out++ = '\b'; break;
		case 'f': *out++ = '\f'; break;
		case 'u': {
			char digits[5] = {p[1], p[2], p[3], p[4], 0};
			*out++ = (char)strtol(digits, NULL, 16);
			p += 4;
			break;
		}
		default: *out++ = *p;
		}
	}
	*out = 0;
	*at = p + 1;
	return result;
}

// after finds what follows a key. Keys are only looked for where the host puts
// them: before anything that a caller wrote.
static const char *after(const char *key) {
	const char *found = strstr(document, key);
	if (!found) {
		fprintf(stderr, "the document has no %s\n", key);
		exit(70);
	}
	return found + strlen(key);
}

static void quote(const char *s) {
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else if ((unsigned char)*s < ' ')
			printf("\\u%04x", *s);
		else
			putchar(*s);
	}
	putchar('"');
}

int main(void) {
	static int calls;
	calls++;
	read_document();
	const char *at = after("\"handler\":");
	char *handler = text(&at);
	if (strcmp(handler, "document") == 0) {
		printf("{\"result\": {\"stdout\": ");
		quote(document);
		printf("}}\n");
		return 0;
	}
	if (strcmp(handler, "count") == 0) {
		printf("{\"result\": {\"exit_code\": %d}}", calls);
		return 0;
	}
	if (strcmp(handler, "loop") == 0)
		for (volatile unsigned n = 0;; n++)
			;
	at = after("\"args\":[");
	char *args[3] = {"", "", "0"};
	for (int i = 0; i < 3 && *at == '"'; i++) {
		args[i] = text(&at);
		if (*at == ',')
			at++;
	}
	fputs(args[0], stdout);
	fputs(args[1], stderr);
	return atoi(args[2]);
}
