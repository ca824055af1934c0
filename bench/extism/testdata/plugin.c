// A plug-in that gives back its input. It goes through the host for memory, eight bytes
// at a time, as Extism's own kit for C does.
#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("extism:host/env"), import_name(name)))

IMPORT("input_length") uint64_t input_length(void);
IMPORT("input_load_u8") uint32_t input_load_u8(uint64_t offset);
IMPORT("input_load_u64") uint64_t input_load_u64(uint64_t offset);
IMPORT("alloc") uint64_t alloc(uint64_t length);
IMPORT("store_u8") void store_u8(uint64_t address, uint32_t value);
IMPORT("store_u64") void store_u64(uint64_t address, uint64_t value);
IMPORT("output_set") void output_set(uint64_t address, uint64_t length);

// What the plug-in was asked is in its own memory before it is answered.
static union {
	uint8_t bytes[1 << 16];
	uint64_t words[1 << 13];
} text;

__attribute__((export_name("echo"))) int32_t echo(void) {
	uint64_t length = input_length();
	if (length > sizeof text)
		return 1;
	uint64_t whole = length & ~7ull;
	for (uint64_t at = 0; at < whole; at += 8)
		text.words[at / 8] = input_load_u64(at);
	for (uint64_t at = whole; at < length; at++)
		text.bytes[at] = (uint8_t)input_load_u8(at);

	uint64_t address = alloc(length);
	for (uint64_t at = 0; at < whole; at += 8)
		store_u64(address + at, text.words[at / 8]);
	for (uint64_t at = whole; at < length; at++)
		store_u8(address + at, text.bytes[at]);
	output_set(address, length);
	return 0;
}
