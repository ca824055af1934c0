// files is a command that pretends to be a read-only workspace. Its files are those
// of its configuration: {"files": {"notes.txt": "…"}}.
#define _GNU_SOURCE // asprintf
#include <unistd.h>

#include "json.h"

static char *read_all(void) {
	size_t length = 0, room = 4096;
	char *text = malloc(room + 1);
	for (ssize_t n; (n = read(0, text + length, room - length)) > 0;) {
		length += (size_t)n;
		if (length == room)
			text = realloc(text, (room *= 2) + 1);
	}
	text[length] = 0;
	return text;
}

static void print_error(const char *code, const char *path) {
	printf("{\"error\": {\"code\": \"%s\", \"context\": {\"path\": ", code);
	json_put(path);
	printf("}}}\n");
}

static void answer_read(const char *files, const char *path) {
	char *content = json_text(json_key(files, path));
	if (!content) {
		print_error("workspace_read_not_found", path);
		return;
	}
	printf("{\"result\": ");
	json_put(content);
	printf("}\n");
}

static void answer_ls(const char *files) {
	const char *separator = "", *at = files;
	char *name;
	printf("{\"result\": [");
	for (const char *value; (value = json_next(&at, &name));) {
		printf("%s{\"path\": ", separator);
		json_put(name);
		printf(", \"permissions\": \"-r--r--r--\", \"size\": %zu}", strlen(json_text(value)));
		separator = ", ";
	}
	printf("]}\n");
}

// answer_cat answers exec: cat, with the files named, and nothing else.
static void answer_cat(const char *files, const char *args) {
	char *program = json_text(json_item(args, 0)), *problem = "", *path;
	size_t length = 0;
	char *output = calloc(1, 1);
	if (!program || strcmp(program, "cat") != 0) {
		printf("{\"result\": {\"stderr\": \"no such command\\n\", \"exit_code\": 127}}\n");
		return;
	}
	for (int i = 1; (path = json_text(json_item(args, i))); i++) {
		char *content = json_text(json_key(files, path));
		if (!content) {
			problem = path;
			continue;
		}
		output = realloc(output, length + strlen(content) + 1);
		strcpy(output + length, content);
		length += strlen(content);
	}
	printf("{\"result\": {\"stdout\": ");
	json_put(output);
	if (*problem) {
		char *line;
		asprintf(&line, "cat: %s: no such file\n", problem);
		printf(", \"exit_code\": 1, \"stderr\": ");
		json_put(line);
	}
	printf("}}\n");
}

// match_known accepts calls whose first argument is a file that there is.
static void match_known(const char *files, const char *path) {
	if (json_key(files, path)) {
		printf("{\"verdict\": {\"answer\": \"accept\"}}\n");
		return;
	}
	printf("{\"verdict\": {\"answer\": \"reject\", \"reason\": \"there is no such file\","
	       " \"differences\": [{\"field\": \"args[0]\", \"expected\": \"a file of the workspace\", \"actual\": ");
	json_put(path);
	printf("}]}}\n");
}

int main(void) {
	char *call = read_all();
	char *kind = json_text(json_key(call, "kind")), *method = json_text(json_key(call, "method"));
	const char *files = json_key(json_key(call, "config"), "files"), *args = json_key(call, "args");
	char *path = json_text(json_item(args, 0));

	if (!files) {
		printf("{\"failed\": \"the configuration has no files\"}\n");
	} else if (strcmp(method, "exec") == 0 && strcmp(kind, "respond") == 0) {
		answer_cat(files, args);
	} else if (!path) {
		printf("{\"failed\": \"the call has no path that is text\"}\n");
	} else if (strcmp(kind, "match") == 0) {
		match_known(files, path);
	} else if (strcmp(method, "read") == 0) {
		answer_read(files, path);
	} else if (strcmp(method, "ls") == 0) {
		answer_ls(files);
	} else if (strcmp(method, "write") == 0 || strcmp(method, "rm") == 0 || strcmp(method, "mkdir") == 0) {
		fprintf(stderr, "refused to %s %s\n", method, path);
		print_error("workspace_archive_write_error", path);
	} else {
		printf("{\"failed\": \"the workspace has only files\"}\n");
	}
	return 0;
}
