// A program that works with the files of its folder, and with whoever types.

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int complain(const char *name) {
	perror(name);
	return 1;
}

static int show(const char *name) {
	FILE *file = fopen(name, "r");
	if (file == NULL) {
		return complain(name);
	}
	char buffer[512];
	size_t n;
	while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) {
		fwrite(buffer, 1, n, stdout);
	}
	return fclose(file) == 0 ? 0 : complain(name);
}

static int append(const char *name, const char *text) {
	FILE *file = fopen(name, "a");
	if (file == NULL || fputs(text, file) == EOF || fclose(file) != 0) {
		return complain(name);
	}
	return 0;
}

static int list(const char *name) {
	DIR *dir = opendir(name);
	if (dir == NULL) {
		return complain(name);
	}
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
		puts(entry->d_name);
	}
	return closedir(dir) == 0 ? 0 : complain(name);
}

// chat answers lines until it hears "bye".
static int chat(void) {
	char line[256];
	for (;;) {
		fputs("> ", stdout);
		fflush(stdout);
		if (fgets(line, sizeof line, stdin) == NULL) {
			puts("nobody is there");
			return 3;
		}
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "bye") == 0) {
			return 0;
		}
		printf("you said %s\n", line);
	}
}

// nap counts to a number, a second for each.
static int nap(int seconds) {
	for (int i = 1; i <= seconds; i++) {
		sleep(1);
		printf("%d\n", i);
		fflush(stdout);
	}
	return 0;
}

// listen waits for a line, a second at a time.
static int listen_for(int seconds) {
	struct pollfd input = {.fd = 0, .events = POLLIN};
	for (int i = 0; i < seconds; i++) {
		if (poll(&input, 1, 1000) == 0) {
			puts("nothing");
			fflush(stdout);
			continue;
		}
		char line[256];
		if (fgets(line, sizeof line, stdin) == NULL) {
			return 3;
		}
		printf("heard %s", line);
		return 0;
	}
	return 1;
}

int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	if (strcmp(what, "show") == 0 && argc == 3) {
		return show(argv[2]);
	}
	if (strcmp(what, "append") == 0 && argc == 4) {
		return append(argv[2], argv[3]);
	}
	if (strcmp(what, "list") == 0 && argc == 3) {
		return list(argv[2]);
	}
	if (strcmp(what, "chat") == 0) {
		return chat();
	}
	if (strcmp(what, "nap") == 0 && argc == 3) {
		return nap(atoi(argv[2]));
	}
	if (strcmp(what, "listen") == 0 && argc == 3) {
		return listen_for(atoi(argv[2]));
	}
	if (strcmp(what, "terminal") == 0) {
		puts(isatty(1) ? "yes" : "no");
		return 0;
	}
	if (strcmp(what, "env") == 0 && argc == 3) {
		const char *value = getenv(argv[2]);
		puts(value != NULL ? value : "(none)");
		return 0;
	}
	fprintf(stderr, "desk: what?\n");
	return 2;
}
