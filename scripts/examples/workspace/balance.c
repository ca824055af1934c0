// balance checks a ledger: a file of lines such as "2026-01-31 cash 12.50", in which
// all amounts of a day have to add up to nothing. It prints the balance of each
// account, and fails if a day doesn't add up.
//
// It is an ordinary program: it opens the files that its arguments name.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 256, NAME_SIZE = 32 };

struct sums {
	char names[MAX_NAMES][NAME_SIZE];
	int64_t cents[MAX_NAMES];
	int count;
};

static int64_t *sum_of(struct sums *sums, const char *name) {
	for (int i = 0; i < sums->count; i++) {
		if (strcmp(sums->names[i], name) == 0) {
			return &sums->cents[i];
		}
	}
	if (sums->count == MAX_NAMES) {
		return NULL;
	}
	strcpy(sums->names[sums->count], name);
	sums->cents[sums->count] = 0;
	return &sums->cents[sums->count++];
}

// parse_cents reads an amount such as -12.50.
static int parse_cents(const char *text, int64_t *cents) {
	char *end;
	int64_t whole = strtoimax(text, &end, 10);
	if (end == text || end[0] != '.' || strlen(end) != 3) {
		return 0;
	}
	int64_t part = strtoimax(end + 1, &end, 10);
	*cents = whole * 100 + (text[0] == '-' ? -part : part);
	return *end == '\0';
}

static void print_cents(const char *name, int64_t cents) {
	printf("%-10s %s%" PRId64 ".%02" PRId64 "\n", name, cents < 0 ? "-" : "", llabs(cents) / 100, llabs(cents) % 100);
}

static int check(const char *path) {
	static struct sums accounts, days;
	FILE *file = fopen(path, "r");
	if (file == NULL) {
		perror(path);
		return 2;
	}
	char line[256], day[NAME_SIZE], account[NAME_SIZE], amount[NAME_SIZE];
	for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
		if (line[0] == '#' || line[0] == '\n') {
			continue;
		}
		int64_t cents, *of_account, *of_day;
		if (sscanf(line, "%31s %31s %31s", day, account, amount) != 3 || !parse_cents(amount, &cents) ||
		    (of_account = sum_of(&accounts, account)) == NULL || (of_day = sum_of(&days, day)) == NULL) {
			fprintf(stderr, "%s:%d: not a posting\n", path, number);
			fclose(file);
			return 2;
		}
		*of_account += cents;
		*of_day += cents;
	}
	fclose(file);
	for (int i = 0; i < accounts.count; i++) {
		print_cents(accounts.names[i], accounts.cents[i]);
	}
	int status = 0;
	for (int i = 0; i < days.count; i++) {
		if (days.cents[i] != 0) {
			fprintf(stderr, "%s: %s doesn't add up\n", path, days.names[i]);
			status = 1;
		}
	}
	return status;
}

int main(int argc, char **argv) {
	if (argc != 2) {
		fprintf(stderr, "usage: balance FILE\n");
		return 2;
	}
	return check(argv[1]);
}
