// A program that uses the files in and around its working folder in all ways that
// the C library has, and prints what comes of it. It prints the same on POSIX.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define TRY(call)                                                                    \
	do {                                                                             \
		errno = 0;                                                                   \
		long long got = (call);                                                      \
		if (got < 0)                                                                 \
			printf("%s: %s\n", #call, name_of(errno));                               \
		else                                                                         \
			printf("%s = %lld\n", #call, got);                                       \
	} while (0)

static const char *name_of(int number) {
	static char unknown[16];
#define NAME(e) case e: return #e;
	switch (number) {
		NAME(EACCES) NAME(EBADF) NAME(EEXIST) NAME(EINVAL) NAME(EISDIR) NAME(ELOOP) NAME(ENOENT)
		NAME(ENOTDIR) NAME(ENOTEMPTY) NAME(EPERM) NAME(ESPIPE) NAME(ENAMETOOLONG) NAME(EXDEV) NAME(ENOTTY)
	}
	snprintf(unknown, sizeof unknown, "error %d", number);
	return unknown;
}

static void show(const char *path) {
	char text[200];
	int fd = open(path, O_RDONLY);
	if (fd < 0) {
		printf("%s: %s\n", path, name_of(errno));
		return;
	}
	ssize_t n = read(fd, text, sizeof text);
	if (n < 0)
		printf("%s: %s\n", path, name_of(errno));
	else {
		printf("%s: \"", path);
		for (ssize_t i = 0; i < n; i++)
			printf(text[i] ? "%c" : "\\0", text[i]);
		printf("\"\n");
	}
	close(fd);
}

static void kind(const char *path, int follow) {
	struct stat s;
	if ((follow ? stat : lstat)(path, &s) < 0) {
		printf("stat %s: %s\n", path, name_of(errno));
		return;
	}
	printf("stat %s: %s", path,
		S_ISREG(s.st_mode) ? "file" : S_ISDIR(s.st_mode) ? "folder" : S_ISLNK(s.st_mode) ? "link" : "other");
	if (!S_ISDIR(s.st_mode))
		printf(" of %lld, %d links", (long long)s.st_size, (int)s.st_nlink);
	printf("\n");
}

static int by_name(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }

static void list(const char *path) {
	char *names[1000];
	int n = 0;
	DIR *d = opendir(path);
	if (!d) {
		printf("list %s: %s\n", path, name_of(errno));
		return;
	}
	for (struct dirent *e; n < 1000 && (e = readdir(d));) {
		names[n] = malloc(strlen(e->d_name) + 2);
		sprintf(names[n++], "%s%s", e->d_name, e->d_type == DT_DIR ? "/" : e->d_type == DT_LNK ? "@" : "");
	}
	closedir(d);
	qsort(names, n, sizeof *names, by_name);
	printf("list %s:", path);
	for (int i = 0; i < n; i++)
		if (n <= 20 || i % 100 == 0)
			printf(" %s", names[i]);
	printf(" (%d)\n", n);
}

static void opening(void) {
	TRY(open("missing", O_RDONLY));
	TRY(close(open("a", O_WRONLY | O_CREAT, 0644)) * 0);
	TRY(open("a", O_WRONLY | O_CREAT | O_EXCL, 0644));
	TRY(open("missing/a", O_WRONLY | O_CREAT, 0644));
	TRY(open("a/b", O_WRONLY | O_CREAT, 0644));
	TRY(open("a/", O_RDONLY));
	TRY(open("a", O_RDONLY | O_DIRECTORY));
	TRY(open(".", O_WRONLY));
	TRY(mkdir("folder", 0755));
	TRY(open("folder", O_RDWR));
	TRY(close(open("folder", O_RDONLY)));
	TRY(close(open("folder", O_RDONLY | O_DIRECTORY)));
	TRY(close(-1));
	TRY(close(999));
}

static void content(void) {
	char b[100] = {0};
	int fd = open("content", O_RDWR | O_CREAT | O_TRUNC, 0644);
	TRY(write(fd, "hello world", 11));
	TRY(lseek(fd, 0, SEEK_CUR));
	TRY(lseek(fd, 6, SEEK_SET));
	TRY(read(fd, b, 100));
	TRY(read(fd, b, 100));
	TRY(pread(fd, b, 5, 0));
	printf("%s\n", b);
	TRY(pwrite(fd, "W", 1, 6));
	TRY(lseek(fd, 0, SEEK_CUR));
	TRY(lseek(fd, 5, SEEK_END));
	TRY(write(fd, "!", 1));
	TRY(lseek(fd, -100, SEEK_CUR));
	TRY(lseek(fd, 0, 9));
	TRY(lseek(fd, -1, SEEK_SET));
	show("content");
	TRY(ftruncate(fd, 5));
	show("content");
	TRY(ftruncate(fd, 8));
	show("content");
	TRY(ftruncate(fd, -1));
	struct iovec parts[] = {{"one ", 4}, {"", 0}, {"two", 3}};
	TRY(lseek(fd, 0, SEEK_SET));
	TRY(writev(fd, parts, 3));
	show("content");
	TRY(fsync(fd));
	TRY(fdatasync(fd));
	TRY(posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL));
	TRY(posix_fallocate(fd, 10, 5));
	kind("content", 1);
	TRY(close(fd));
	TRY(write(fd, "x", 1));
	TRY(read(fd, b, 1));

	fd = open("content", O_RDONLY);
	TRY(write(fd, "x", 1));
	TRY(pwrite(fd, "x", 1, 0));
	TRY(ftruncate(fd, 0));
	TRY(close(fd));
	fd = open("content", O_WRONLY);
	TRY(read(fd, b, 1));
	TRY(pread(fd, b, 1, 0));
	TRY(close(fd));
	fd = open("folder", O_RDONLY);
	TRY(read(fd, b, 1));
	TRY(write(fd, "x", 1));
	TRY(close(fd));
}

static void appending(void) {
	int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644);
	TRY(write(fd, "one\n", 4));
	int other = open("log", O_WRONLY);
	TRY(lseek(other, 0, SEEK_END));
	TRY(write(other, "two\n", 4));
	TRY(write(fd, "three\n", 6));
	TRY(lseek(fd, 0, SEEK_CUR));
	TRY(fcntl(fd, F_GETFL) & O_APPEND ? 1 : 0);
	TRY(fcntl(other, F_GETFL) & O_APPEND ? 1 : 0);
	TRY(fcntl(other, F_SETFL, O_APPEND));
	TRY(lseek(other, 0, SEEK_SET));
	TRY(write(other, "four\n", 5));
	TRY(close(fd));
	TRY(close(other));
	show("log");
}

static void folders(void) {
	TRY(mkdir("folder", 0755));
	TRY(mkdir("missing/x", 0755));
	TRY(mkdir("a/x", 0755));
	TRY(mkdir("folder/inner", 0755));
	TRY(rmdir("folder"));
	TRY(rmdir("a"));
	TRY(rmdir("missing"));
	TRY(unlink("missing"));
	TRY(unlink("a/"));
	TRY(rmdir("folder/inner/"));
	TRY(mkdir("folder/inner/", 0755));
	list("folder");
	list("a");
	list("missing");
	char name[50];
	TRY(mkdir("many", 0755));
	for (int i = 0; i < 500; i++) {
		sprintf(name, "many/a file with a long name, number %d", i);
		close(open(name, O_WRONLY | O_CREAT, 0644));
	}
	list("many");
	DIR *d = opendir("many");
	int n = 0;
	for (struct dirent *e; (e = readdir(d));)
		if (e->d_name[0] != '.') {
			sprintf(name, "many/%s", e->d_name);
			n += unlink(name) == 0;
		}
	closedir(d);
	printf("%d removed while reading\n", n);
	list("many");
	d = opendir("folder");
	long at[4];
	char *names[4];
	for (n = 0; n < 3; n++) {
		at[n] = telldir(d);
		names[n] = strdup(readdir(d)->d_name);
	}
	seekdir(d, at[1]);
	printf("seek %d\n", strcmp(readdir(d)->d_name, names[1]));
	rewinddir(d);
	printf("rewind %d\n", strcmp(readdir(d)->d_name, names[0]));
	closedir(d);
}

static void names(void) {
	TRY(rename("missing", "b"));
	TRY(rename("a", "b"));
	kind("a", 0);
	kind("b", 0);
	TRY(rename("b", "folder"));
	TRY(rename("folder", "b"));
	TRY(rename("folder", "folder/inner/x"));
	TRY(rename("b", "missing/b"));
	TRY(mkdir("other", 0755));
	TRY(rename("folder", "other"));
	list("other");
	TRY(rename("many", "other"));
	TRY(rename("other", "folder"));
	TRY(link("b", "c"));
	kind("c", 0);
	TRY(link("b", "c"));
	TRY(link("missing", "d"));
	TRY(link("folder", "d"));
	TRY(unlink("b"));
	kind("c", 0);
}

static void links(void) {
	char target[100] = {0};
	TRY(symlink("content", "link"));
	TRY(symlink("folder", "to folder"));
	TRY(symlink("nowhere", "dangling"));
	TRY(symlink("round", "round"));
	TRY(symlink("x", "link"));
	TRY(symlink("", "empty"));
	TRY(readlink("link", target, 100));
	printf("%s\n", target);
	TRY(readlink("link", target, 3));
	TRY(readlink("content", target, 100));
	TRY(readlink("missing", target, 100));
	kind("link", 0);
	kind("link", 1);
	kind("to folder", 0);
	kind("to folder", 1);
	kind("to folder/", 0);
	kind("to folder/inner", 1);
	kind("dangling", 0);
	kind("dangling", 1);
	kind("round", 1);
	TRY(open("round", O_RDONLY));
	TRY(open("link", O_RDONLY | O_NOFOLLOW));
	TRY(open("dangling", O_WRONLY | O_CREAT | O_EXCL, 0644));
	TRY(close(open("dangling", O_WRONLY | O_CREAT, 0644)) * 0);
	kind("nowhere", 0);
	list("to folder");
	TRY(unlink("to folder"));
	TRY(unlink("link"));
	show("content");
	list(".");
}

static void at(void) {
	int fd = open("folder", O_RDONLY | O_DIRECTORY);
	TRY(mkdirat(fd, "sub", 0755));
	TRY(close(openat(fd, "sub/file", O_WRONLY | O_CREAT, 0644)) * 0);
	TRY(renameat(fd, "sub/file", fd, "file"));
	TRY(symlinkat("file", fd, "link"));
	TRY(linkat(fd, "file", fd, "hard", 0));
	TRY(faccessat(fd, "file", R_OK, 0));
	TRY(faccessat(fd, "missing", F_OK, 0));
	struct stat s;
	TRY(fstatat(fd, "link", &s, AT_SYMLINK_NOFOLLOW));
	TRY(S_ISLNK(s.st_mode));
	TRY(fstatat(fd, "../content", &s, 0));
	TRY(S_ISREG(s.st_mode));
	TRY(unlinkat(fd, "sub", AT_REMOVEDIR));
	TRY(unlinkat(fd, "inner", 0) < 0);
	TRY(unlinkat(fd, "hard", 0));
	TRY(close(fd));
	list("folder");
	TRY(access("content", R_OK | W_OK));
	TRY(access("missing", F_OK));
}

static void times(void) {
	struct stat s;
	struct timespec t[] = {{1000000000, 5}, {1100000000, 7}};
	TRY(utimensat(AT_FDCWD, "content", t, 0));
	stat("content", &s);
	printf("%lld.%ld %lld.%ld\n", (long long)s.st_atim.tv_sec, (long)s.st_atim.tv_nsec, (long long)s.st_mtim.tv_sec, (long)s.st_mtim.tv_nsec);
	t[0].tv_nsec = UTIME_OMIT;
	t[1].tv_sec = 1200000000;
	int fd = open("content", O_RDWR);
	TRY(futimens(fd, t));
	fstat(fd, &s);
	printf("%lld.%ld %lld.%ld\n", (long long)s.st_atim.tv_sec, (long)s.st_atim.tv_nsec, (long long)s.st_mtim.tv_sec, (long)s.st_mtim.tv_nsec);
	TRY(write(fd, "x", 1));
	fstat(fd, &s);
	printf("later %d\n", s.st_mtim.tv_sec > 1200000000);
	TRY(close(fd));
	TRY(utimensat(AT_FDCWD, "missing", t, 0));
}

static void stdio(void) {
	char line[100];
	FILE *f = fopen("text", "w+");
	for (int i = 0; i < 2000; i++)
		fprintf(f, "line %d\n", i);
	rewind(f);
	int n = 0;
	while (fgets(line, sizeof line, f))
		n++;
	printf("%d lines, the last %s", n, line);
	fseek(f, 7, SEEK_SET);
	fgets(line, sizeof line, f);
	printf("%s%ld\n", line, ftell(f));
	fclose(f);
	f = fopen("text", "a");
	fputs("end\n", f);
	fclose(f);
	kind("text", 1);
	TRY(rename("text", "folder/text"));
	TRY(remove("folder/text"));
	TRY(remove("many"));
	TRY(fopen("folder/text", "r") == NULL);
}

static void open_and_gone(void) {
	char b[10] = {0};
	int fd = open("gone", O_RDWR | O_CREAT, 0644);
	TRY(write(fd, "still", 5));
	TRY(unlink("gone"));
	TRY(pread(fd, b, 5, 0));
	printf("%s\n", b);
	struct stat s;
	fstat(fd, &s);
	TRY(s.st_nlink);
	TRY(close(fd));
	TRY(mkdir("empty", 0755));
	fd = open("empty", O_RDONLY | O_DIRECTORY);
	TRY(rmdir("empty"));
	TRY(openat(fd, "x", O_WRONLY | O_CREAT, 0644));
	TRY(close(fd));
	TRY(mkdir("../sibling", 0755));
	TRY(close(open("../sibling/x", O_WRONLY | O_CREAT, 0644)) * 0);
	list("..");
	list("../sibling");
}

int main(void) {
	opening();
	content();
	appending();
	folders();
	names();
	links();
	at();
	times();
	stdio();
	open_and_gone();
	return 0;
}
