// A program that says what it sees from its working folder, which is "sub" in the
// root "/work".
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void show(const char *path) {
	char text[100] = {0};
	int fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof text - 1) < 0)
		printf("%s: error %d\n", path, errno);
	else
		printf("%s: %s\n", path, text);
	close(fd);
}

int main(int argc, char **argv) {
	const char *paths[] = {"here", "./here", "../up", "../sub/../up", "/work/up", "/work/sub/here", "/granted/g",
		"../../secret", "../../granted/g", "/work/../secret", "absolute link", "relative link", "escaping link"};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		show(paths[i]);
#ifdef CHDIR
	char cwd[100];
	const char *folders[] = {"inner", "..", "..", "/work/sub", "/granted"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		int failed = chdir(folders[i]);
		printf("chdir %s: %d %s\n", folders[i], failed, getcwd(cwd, sizeof cwd));
		show("here");
		show("up");
		show("g");
		show("/work/up");
	}
#endif
	return 0;
}
