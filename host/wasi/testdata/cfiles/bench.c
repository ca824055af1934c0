// What the benchmarks of files call.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#define EXPORT(name) __attribute__((export_name(name)))

EXPORT("read_files") int read_files(int n) {
	static char content[4096];
	for (int i = 0; i < n; i++) {
		int fd = open("file", O_RDONLY);
		if (read(fd, content, sizeof content) != sizeof content)
			return -1;
		close(fd);
	}
	return 0;
}

EXPORT("write_files") int write_files(int n) {
	static char content[4096];
	for (int i = 0; i < n; i++) {
		int fd = open("written", O_WRONLY | O_CREAT | O_TRUNC, 0644);
		if (write(fd, content, sizeof content) != sizeof content)
			return -1;
		close(fd);
	}
	return 0;
}

EXPORT("list_folder") int list_folder(int n) {
	for (int i = 0; i < n; i++) {
		int entries = 0;
		DIR *d = opendir("many");
		while (d && readdir(d))
			entries++;
		if (!d || entries != 10002)
			return -1;
		closedir(d);
	}
	return 0;
}
