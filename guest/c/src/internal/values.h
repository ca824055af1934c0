/* Values: making them, finding them, and checking those that are sent. */
#ifndef WASMSANDBOX_VALUES_H
#define WASMSANDBOX_VALUES_H

#include "decode.h"
#include "text.h"

wasmsandbox_value wasmsandbox_null(void) { return (wasmsandbox_value){.kind = WASMSANDBOX_NULL}; }

wasmsandbox_value wasmsandbox_bool(bool boolean) {
	return (wasmsandbox_value){.kind = WASMSANDBOX_BOOL, .as.boolean = boolean};
}

wasmsandbox_value wasmsandbox_int(int64_t integer) {
	return (wasmsandbox_value){.kind = WASMSANDBOX_INT, .as.integer = integer};
}

wasmsandbox_value wasmsandbox_string(wasmsandbox_slice string) {
	return (wasmsandbox_value){.kind = WASMSANDBOX_STRING, .as.string = string};
}

wasmsandbox_value wasmsandbox_bytes(wasmsandbox_slice bytes) {
	return (wasmsandbox_value){.kind = WASMSANDBOX_BYTES, .as.bytes = bytes};
}

wasmsandbox_value wasmsandbox_list_of(wasmsandbox_value *items, size_t count) {
	return (wasmsandbox_value){.kind = WASMSANDBOX_LIST, .as.list = {items, count}};
}

wasmsandbox_value wasmsandbox_map_value(wasmsandbox_map map) {
	return (wasmsandbox_value){.kind = WASMSANDBOX_MAP, .as.map = map};
}

void wasmsandbox_map_set(wasmsandbox_map *map, const char *name, wasmsandbox_value value) {
	wasmsandbox_slice key = wasmsandbox_text(name);
	size_t at = map->count;
	while (at > 0 && wasmsandbox_compare(map->items[at - 1].key, key) >= 0) {
		at--;
	}
	if (at == map->count || !wasmsandbox_equal(map->items[at].key, key)) {
		map->items = arena_extend(&guest.scratch, map->items, map->count, sizeof *map->items);
		for (size_t i = map->count++; i > at; i--) {
			map->items[i] = map->items[i - 1];
		}
	}
	map->items[at] = (wasmsandbox_entry){key, value};
}

const wasmsandbox_value *wasmsandbox_map_get(const wasmsandbox_map *map, wasmsandbox_slice key) {
	for (size_t i = map->count; i-- > 0;) {
		if (wasmsandbox_equal(map->items[i].key, key)) {
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
		return "the error's context nests more than 64 deep";
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
	return "the error's context has a value of an unknown kind";
}

static const char *check_map(const wasmsandbox_map *map, unsigned depth) {
	const char *problem = NULL;
	for (size_t i = 0; i < map->count && problem == NULL; i++) {
		wasmsandbox_slice key = map->items[i].key;
		if (utf8_valid_prefix(key) != key.length) {
			return "the error's context has a key that isn't UTF-8";
		}
		if (i > 0 && wasmsandbox_compare(map->items[i - 1].key, key) >= 0) {
			return "the error's context has keys that don't ascend";
		}
		problem = check_value(&map->items[i].value, depth);
	}
	return problem;
}

/* A setting of the kind wanted, or NULL if it is missing, null, or of another. */
static const wasmsandbox_value *setting(wasmsandbox_slice key, wasmsandbox_value_kind kind, wasmsandbox_slice want) {
	const wasmsandbox_value *value = wasmsandbox_map_get(&guest.session.config, key);
	if (value == NULL || value->kind == WASMSANDBOX_NULL) {
		return NULL;
	}
	if (value->kind != kind) {
		guest.bad_setting = WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("config: "), key, WASMSANDBOX_TEXT(" must be "), want);
		return NULL;
	}
	return value;
}

wasmsandbox_slice wasmsandbox_setting_text(wasmsandbox_slice key, wasmsandbox_slice fallback) {
	const wasmsandbox_value *value = setting(key, WASMSANDBOX_STRING, WASMSANDBOX_TEXT("a text"));
	return value == NULL ? fallback : value->as.string;
}

int64_t wasmsandbox_setting_int(wasmsandbox_slice key, int64_t fallback) {
	const wasmsandbox_value *value = setting(key, WASMSANDBOX_INT, WASMSANDBOX_TEXT("an integer"));
	return value == NULL ? fallback : value->as.integer;
}

bool wasmsandbox_setting_bool(wasmsandbox_slice key, bool fallback) {
	const wasmsandbox_value *value = setting(key, WASMSANDBOX_BOOL, WASMSANDBOX_TEXT("true or false"));
	return value == NULL ? fallback : value->as.boolean;
}

#endif
