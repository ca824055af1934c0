// A program that reads lines, and says when none comes for a second.
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
	char line[100];
	printf("terminal %d %d\n", isatty(0), isatty(1));
	for (;;) {
		struct pollfd p = {.fd = 0, .events = POLLIN};
		if (poll(&p, 1, 1000) == 0) {
			printf("nothing\n");
			continue;
		}
		ssize_t n = read(0, line, sizeof line - 1);
		if (n <= 0)
			break;
		line[n] = 0;
		line[strcspn(line, "\n")] = 0;
		printf("line %s\n", line);
	}
	printf("end\n");
	return 0;
}
