// What Go calls, over wasmtime's API: steps that are cheaper in one crossing, and
// those that C does without Go.
#ifndef WASMSANDBOX_BRIDGE_H
#define WASMSANDBOX_BRIDGE_H

#include "api.h"
#include "stack.h"

// An instance with its store. Go reads the fields; all but handle change in calls.
typedef struct wasmsandbox_instance {
	uint8_t *memory; // of the memory exported as "memory", as it was at the last crossing
	size_t size;
	bool has_memory;
	bool has_failed; // the last call has left a failure
	uintptr_t handle; // what Go finds the instance by
} wasmsandbox_instance;

// How a call ended early. One of both is set, the other NULL.
typedef struct wasmsandbox_failure {
	wasmtime_error_t *error;
	wasm_trap_t *trap;
} wasmsandbox_failure;

typedef struct wasmsandbox_limits {
	int64_t memory; // bytes of a memory
	int64_t table;  // entries of a table
	int64_t tables;
} wasmsandbox_limits;

wasm_engine_t *wasmsandbox_engine_new(bool interruptible, bool any_nans);

wasm_functype_t *wasmsandbox_functype_new(const uint8_t *kinds, size_t params, size_t results);
wasmtime_error_t *wasmsandbox_offer(wasmtime_linker_t *linker, const char *module, size_t module_len,
                                    const char *name, size_t name_len, const wasm_functype_t *type,
                                    uintptr_t index);

wasmsandbox_instance *wasmsandbox_instance_new(wasm_engine_t *engine, uintptr_t handle,
                                               const wasmsandbox_limits *limits, uintptr_t stack,
                                               bool interruptible);
void wasmsandbox_instance_start(uintptr_t instance, const wasmtime_instance_pre_t *pre);
bool wasmsandbox_instance_function(uintptr_t instance, const char *name, size_t name_len,
                                   uint64_t *store, uintptr_t *function);

// wasmsandbox_instance_grow adds pages to the memory.
bool wasmsandbox_instance_grow(uintptr_t instance, uint32_t pages);

// A global of a number type.
typedef struct wasmsandbox_global {
	wasmtime_global_t global;
	wasm_valkind_t kind;
	bool is_mutable;
} wasmsandbox_global;

bool wasmsandbox_instance_global(uintptr_t instance, const char *name, size_t name_len,
                                 wasmsandbox_global *out);
uint64_t wasmsandbox_instance_global_get(uintptr_t instance, const wasmsandbox_global *global);
void wasmsandbox_instance_global_set(uintptr_t instance, const wasmsandbox_global *global,
                                     uint64_t bits);

void wasmsandbox_instance_call(uintptr_t instance, uint64_t store, uintptr_t function,
                               uint64_t *stack, size_t params, size_t results);
void wasmsandbox_instance_interrupt(uintptr_t instance, bool interrupted);
wasmsandbox_failure wasmsandbox_instance_failure(uintptr_t instance);
void wasmsandbox_instance_delete(uintptr_t instance);

#endif
