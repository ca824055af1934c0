// wordcount [-l] [-w] [-c] [TEXT...] counts lines, words and characters: of its
// arguments, each a line of its own, or without any of standard input. It knows
// nothing of sessions.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
	unsigned long lines, words, characters;
	bool in_word;
} counts;

static void count(counts *c, int byte) {
	c->lines += byte == '\n';
	c->characters += (byte & 0xc0) != 0x80; // in UTF-8 these continue a character
	bool space = byte == ' ' || (byte >= '\t' && byte <= '\r');
	c->words += !space && !c->in_word;
	c->in_word = !space;
}

static int usage(const char *name, const char *flag) {
	fprintf(stderr, "%s: unknown flag %s\nusage: %s [-l] [-w] [-c] [TEXT...]\n", name, flag, name);
	return 2;
}

int main(int argc, char **argv) {
	bool lines = false, words = false, characters = false;
	int i = 1;
	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		for (const char *flag = argv[i] + 1; *flag; flag++) {
			switch (*flag) {
			case 'l': lines = true; break;
			case 'w': words = true; break;
			case 'c': characters = true; break;
			default: return usage(argv[0], argv[i]);
			}
		}
	}
	if (!lines && !words && !characters)
		lines = words = characters = true;

	counts c = {0};
	if (i == argc)
		for (int byte; (byte = getchar()) != EOF;)
			count(&c, byte);
	for (; i < argc; i++) {
		for (const char *p = argv[i]; *p; p++)
			count(&c, (unsigned char)*p);
		count(&c, '\n');
	}
	const char *separator = "";
	if (lines)
		printf("%lu", c.lines), separator = " ";
	if (words)
		printf("%s%lu", separator, c.words), separator = " ";
	if (characters)
		printf("%s%lu", separator, c.characters);
	putchar('\n');
	return 0;
}
