//go:build cgo

#include "bridge.h"
#include "_cgo_export.h"
#include "stack.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
	wasmsandbox_instance shown; // first, so that a pointer to one is a pointer to the other
	wasmtime_store_t *store;
	wasmtime_context_t *context;
	wasmtime_instance_t instance;
	wasmtime_memory_t memory;
	wasmsandbox_failure failure;
	atomic_bool interrupted;
	uintptr_t stack;
	void *thread; // where the stack of the calling thread can go on
} instance;

static instance *of(uintptr_t pointer) { return (instance *)pointer; }

wasm_engine_t *wasmsandbox_engine_new(bool interruptible, bool any_nans) {
	wasm_config_t *c = wasm_config_new();
	wasmtime_config_epoch_interruption_set(c, interruptible);
	wasmtime_config_async_stack_size_set(c, wasmsandbox_stack_size); // a limit of the next
	wasmtime_config_max_wasm_stack_set(c, wasmsandbox_guest_share);
	wasmtime_config_cranelift_nan_canonicalization_set(c, !any_nans);
	// WebAssembly 2.0, and nothing of what came after.
	wasmtime_config_wasm_bulk_memory_set(c, true);
	wasmtime_config_wasm_multi_value_set(c, true);
	wasmtime_config_wasm_reference_types_set(c, true);
	wasmtime_config_wasm_simd_set(c, true);
	wasmtime_config_wasm_relaxed_simd_set(c, false);
	wasmtime_config_wasm_threads_set(c, false);
	wasmtime_config_wasm_tail_call_set(c, false);
	wasmtime_config_wasm_gc_set(c, false);
	wasmtime_config_wasm_function_references_set(c, false);
	wasmtime_config_wasm_multi_memory_set(c, false);
	wasmtime_config_wasm_memory64_set(c, false);
	wasmtime_config_wasm_wide_arithmetic_set(c, false);
	wasmtime_config_wasm_exceptions_set(c, false);
	wasmtime_config_wasm_custom_page_sizes_set(c, false);
	wasmtime_config_wasm_stack_switching_set(c, false);
	return wasm_engine_new_with_config(c);
}

static void valtypes(wasm_valtype_vec_t *out, const uint8_t *kinds, size_t n) {
	wasm_valtype_vec_new_uninitialized(out, n);
	for (size_t i = 0; i < n; i++) {
		out->data[i] = wasm_valtype_new(kinds[i]);
	}
}

// The kinds are those of the parameters, then those of the results.
wasm_functype_t *wasmsandbox_functype_new(const uint8_t *kinds, size_t params, size_t results) {
	wasm_valtype_vec_t p, r;
	valtypes(&p, kinds, params);
	valtypes(&r, kinds + params, results);
	return wasm_functype_new(&p, &r);
}

static void keep_memory(instance *in, const wasmtime_extern_t *item) {
	if (item->kind == WASMTIME_EXTERN_MEMORY) {
		in->memory = item->of.memory;
		in->shown.has_memory = true;
	}
}

// Memory changes while the guest runs, and only then.
static void look_at_memory(instance *in) {
	if (in->shown.has_memory) {
		in->shown.memory = wasmtime_memory_data(in->context, &in->memory);
		in->shown.size = wasmtime_memory_data_size(in->context, &in->memory);
	}
}

typedef struct {
	instance *in;
	uintptr_t index;
	uint64_t *stack;
	size_t n;
	bool goes_on;
} import_call;

static void call_import(void *argument) {
	import_call *c = argument;
	c->goes_on = wasmsandboxHostCall(c->in->shown.handle, c->index, c->stack, c->n);
}

// A guest calls an import.
static wasm_trap_t *import(void *env, wasmtime_caller_t *caller, wasmtime_val_raw_t *values, size_t n) {
	instance *in = wasmtime_context_get_data(wasmtime_caller_context(caller));
	wasmtime_extern_t item;
	if (!in->shown.has_memory && // as in its start function
	    wasmtime_caller_export_get(caller, "memory", 6, &item)) {
		keep_memory(in, &item);
	}
	look_at_memory(in);
	uint64_t stack[n + 1];
	for (size_t i = 0; i < n; i++) {
		stack[i] = values[i].i64;
	}
	import_call call = {in, (uintptr_t)env, stack, n, false};
	void *left;
	wasmsandbox_stack_run(in->thread, &left, call_import, &call);
	if (!call.goes_on) {
		return wasmtime_trap_new("host", 4); // Go knows why
	}
	for (size_t i = 0; i < n; i++) {
		values[i].i64 = stack[i];
	}
	return NULL;
}

wasmtime_error_t *wasmsandbox_offer(wasmtime_linker_t *linker, const char *module, size_t module_len,
                                    const char *name, size_t name_len, const wasm_functype_t *type,
                                    uintptr_t index) {
	return wasmtime_linker_define_func_unchecked(linker, module, module_len, name, name_len, type,
	                                             import, (void *)index, NULL);
}

// The engine has asked its guests whether they are to end.
static wasmtime_error_t *deadline(wasmtime_context_t *context, void *data, uint64_t *delta,
                                  wasmtime_update_deadline_kind_t *kind) {
	(void)context;
	instance *in = data;
	if (atomic_load(&in->interrupted)) {
		return wasmtime_error_new("interrupted");
	}
	*delta = 1;
	*kind = WASMTIME_UPDATE_DEADLINE_CONTINUE;
	return NULL;
}

wasmsandbox_instance *wasmsandbox_instance_new(wasm_engine_t *engine, uintptr_t handle,
                                               const wasmsandbox_limits *limits, uintptr_t stack,
                                               bool interruptible) {
	instance *in = calloc(1, sizeof *in);
	if (in == NULL) {
		return NULL;
	}
	in->stack = stack;
	in->shown.handle = handle;
	in->store = wasmtime_store_new(engine, in, NULL);
	in->context = wasmtime_store_context(in->store);
	wasmtime_store_limiter(in->store, limits->memory, limits->table, -1, limits->tables, -1);
	if (interruptible) {
		wasmtime_context_set_epoch_deadline(in->context, 1);
		wasmtime_store_epoch_deadline_callback(in->store, deadline, in, NULL);
	}
	return &in->shown;
}

// Takes what a call gives, and leaves its failure to be asked for.
static void done(instance *in, wasmtime_error_t *error, wasm_trap_t *trap) {
	look_at_memory(in);
	if (error != NULL || trap != NULL) {
		in->failure.error = error;
		in->failure.trap = trap;
		in->shown.has_failed = true;
	}
}

static void run(instance *in, void (*function)(void *), void *argument) {
	wasmsandbox_stack_run(wasmsandbox_stack_top(in->stack), &in->thread, function, argument);
}

typedef struct {
	instance *in;
	const wasmtime_instance_pre_t *pre;
} start_call;

static void start(void *argument) {
	start_call *c = argument;
	instance *in = c->in;
	wasm_trap_t *trap = NULL;
	wasmtime_error_t *error = wasmtime_instance_pre_instantiate(c->pre, in->context, &in->instance, &trap);
	wasmtime_extern_t item;
	if (error == NULL && trap == NULL && !in->shown.has_memory &&
	    wasmtime_instance_export_get(in->context, &in->instance, "memory", 6, &item)) {
		keep_memory(in, &item);
	}
	done(in, error, trap);
}

void wasmsandbox_instance_start(uintptr_t pointer, const wasmtime_instance_pre_t *pre) {
	start_call call = {of(pointer), pre};
	run(call.in, start, &call);
}

bool wasmsandbox_instance_function(uintptr_t pointer, const char *name, size_t name_len,
                                   uint64_t *store, uintptr_t *function) {
	instance *in = of(pointer);
	wasmtime_extern_t item;
	if (!wasmtime_instance_export_get(in->context, &in->instance, name, name_len, &item) ||
	    item.kind != WASMTIME_EXTERN_FUNC) {
		return false;
	}
	*store = item.of.func.store_id;
	*function = (uintptr_t)item.of.func.__private;
	return true;
}

bool wasmsandbox_instance_grow(uintptr_t pointer, uint32_t pages) {
	instance *in = of(pointer);
	if (!in->shown.has_memory) {
		return false;
	}
	uint64_t before;
	wasmtime_error_t *error = wasmtime_memory_grow(in->context, &in->memory, pages, &before);
	look_at_memory(in);
	if (error != NULL) {
		wasmtime_error_delete(error);
	}
	return error == NULL;
}

bool wasmsandbox_instance_global(uintptr_t pointer, const char *name, size_t name_len,
                                 wasmsandbox_global *out) {
	instance *in = of(pointer);
	wasmtime_extern_t item;
	if (in->instance.store_id == 0 || // its start function runs
	    !wasmtime_instance_export_get(in->context, &in->instance, name, name_len, &item) ||
	    item.kind != WASMTIME_EXTERN_GLOBAL) {
		return false;
	}
	out->global = item.of.global;
	wasm_globaltype_t *type = wasmtime_global_type(in->context, &out->global);
	out->kind = wasm_valtype_kind(wasm_globaltype_content(type));
	out->is_mutable = wasm_globaltype_mutability(type) == WASM_VAR;
	wasm_globaltype_delete(type);
	return out->kind <= WASM_F64;
}

static bool is_wide(const wasmsandbox_global *global) {
	return global->kind == WASM_I64 || global->kind == WASM_F64;
}

uint64_t wasmsandbox_instance_global_get(uintptr_t pointer, const wasmsandbox_global *global) {
	wasmtime_val_t value;
	wasmtime_global_get(of(pointer)->context, &global->global, &value);
	return is_wide(global) ? (uint64_t)value.of.i64 : (uint32_t)value.of.i32;
}

void wasmsandbox_instance_global_set(uintptr_t pointer, const wasmsandbox_global *global,
                                     uint64_t bits) {
	wasmtime_val_t value = {.kind = global->kind};
	if (is_wide(global)) {
		value.of.i64 = (int64_t)bits;
	} else {
		value.of.i32 = (int32_t)bits;
	}
	wasmtime_error_t *error = wasmtime_global_set(of(pointer)->context, &global->global, &value);
	if (error != NULL) { // its type and its mutability are right
		wasmtime_error_delete(error);
	}
}

typedef struct {
	instance *in;
	wasmtime_func_t function;
	uint64_t *stack;
	size_t params, results;
} function_call;

static void call_function(void *argument) {
	function_call *c = argument;
	size_t n = c->params > c->results ? c->params : c->results;
	wasmtime_val_raw_t values[n + 1];
	for (size_t i = 0; i < c->params; i++) {
		values[i].i64 = c->stack[i];
	}
	wasm_trap_t *trap = NULL;
	wasmtime_error_t *error = wasmtime_func_call_unchecked(c->in->context, &c->function, values, n, &trap);
	done(c->in, error, trap);
	if (!c->in->shown.has_failed) {
		for (size_t i = 0; i < c->results; i++) {
			c->stack[i] = values[i].i64;
		}
	}
}

void wasmsandbox_instance_call(uintptr_t pointer, uint64_t store, uintptr_t function,
                               uint64_t *stack, size_t params, size_t results) {
	function_call call = {of(pointer), {store, (void *)function}, stack, params, results};
	run(call.in, call_function, &call);
}

void wasmsandbox_instance_interrupt(uintptr_t pointer, bool interrupted) {
	atomic_store(&of(pointer)->interrupted, interrupted);
}

wasmsandbox_failure wasmsandbox_instance_failure(uintptr_t pointer) {
	instance *in = of(pointer);
	wasmsandbox_failure failure = in->failure;
	in->failure = (wasmsandbox_failure){NULL, NULL};
	in->shown.has_failed = false;
	return failure;
}

void wasmsandbox_instance_delete(uintptr_t pointer) {
	instance *in = of(pointer);
	wasmtime_store_delete(in->store);
	free(in);
}
