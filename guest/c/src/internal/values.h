/* Values: making them, finding them, and checking those that are sent. */
#ifndef WASMSANDBOX_VALUES_H
#define WASMSANDBOX_VALUES_H

#include "decode.h"
#include "text.h"

__attribute__((noinline)) wasmsandbox_value *wasmsandbox_map_place(wasmsandbox_map *map, const char *key, size_t length) {
	size_t at = map->count;
	while (at > 0) {
		const wasmsandbox_slice *other = &map->items[at - 1].key;
		int order = wasmsandbox_compare_bytes(other->data, other->length, key, length);
		if (order == 0) {
			return &map->items[at - 1].value;
		}
		if (order < 0) {
			break;
		}
		at--;
	}
	map->items = arena_extend(&guest.scratch, map->items, map->count, sizeof *map->items);
	for (size_t i = map->count++; i > at; i--) {
		map->items[i] = map->items[i - 1];
	}
	map->items[at].key.data = key;
	map->items[at].key.length = length;
	return &map->items[at].value;
}

const wasmsandbox_value *wasmsandbox_map_find(const wasmsandbox_map *map, const char *key, size_t length) {
	for (size_t i = map->count; i-- > 0;) {
		if (wasmsandbox_equal_bytes(map->items[i].key.data, map->items[i].key.length, key, length)) {
			return &map->items[i].value;
		}
	}
	return NULL;
}

static const char *check_map(const wasmsandbox_map *map, unsigned depth);

/* Why a value can't be sent, or NULL. `depth` is how many values are around it. */
static const char *check_value(const wasmsandbox_value *value, unsigned depth) {
	const char *problem = NULL;
	if (depth >= MAX_DEPTH) {
		return "the context nests more than 64 deep";
	}
	switch (value->kind) {
	case WASMSANDBOX_LIST:
		for (size_t i = 0; i < value->as.list.count && problem == NULL; i++) {
			problem = check_value(&value->as.list.items[i], depth + 1);
		}
		return problem;
	case WASMSANDBOX_MAP:
		return check_map(&value->as.map, depth + 1);
	case WASMSANDBOX_NULL:
	case WASMSANDBOX_BOOL:
	case WASMSANDBOX_INT:
	case WASMSANDBOX_STRING:
	case WASMSANDBOX_BYTES:
		return NULL;
	}
	return "the context has a value of an unknown kind";
}

static const char *check_map(const wasmsandbox_map *map, unsigned depth) {
	const char *problem = NULL;
	for (size_t i = 0; i < map->count && problem == NULL; i++) {
		wasmsandbox_slice key = map->items[i].key;
		if (utf8_valid_prefix(key.data, key.length) != key.length) {
			return "the context has a key that isn't UTF-8";
		}
		if (i > 0 && wasmsandbox_compare(map->items[i - 1].key, key) >= 0) {
			return "the context has keys that don't ascend";
		}
		problem = check_value(&map->items[i].value, depth);
	}
	return problem;
}

const wasmsandbox_value *wasmsandbox_setting(const char *key, size_t length, wasmsandbox_value_kind kind) {
	const wasmsandbox_value *value = wasmsandbox_map_find(&guest.session.config, key, length);
	if (value == NULL || value->kind == WASMSANDBOX_NULL) {
		return NULL;
	}
	if (value->kind != kind) {
		const char *want = kind == WASMSANDBOX_STRING ? "a text" : kind == WASMSANDBOX_INT ? "an integer" : "true or false";
		guest.bad_setting = WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("config: "), ((wasmsandbox_slice){key, length}),
		                                     WASMSANDBOX_TEXT(" must be "), wasmsandbox_text(want));
		return NULL;
	}
	return value;
}

#endif
