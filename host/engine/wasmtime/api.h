// The part of wasmtime's C API that the adapter uses, as its headers declare it.
// They come with the Go module that brings the library, where cgo doesn't find
// them. Whoever moves to another version compares: a test includes both.
#ifndef WASMSANDBOX_API_H
#define WASMSANDBOX_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wasm_config_t wasm_config_t;
typedef struct wasm_engine_t wasm_engine_t;
typedef struct wasm_valtype_t wasm_valtype_t;
typedef struct wasm_functype_t wasm_functype_t;
typedef struct wasm_globaltype_t wasm_globaltype_t;
typedef struct wasm_frame_t wasm_frame_t;
typedef struct wasm_trap_t wasm_trap_t;
typedef struct wasmtime_error wasmtime_error_t;
typedef struct wasmtime_module wasmtime_module_t;
typedef struct wasmtime_linker wasmtime_linker_t;
typedef struct wasmtime_store wasmtime_store_t;
typedef struct wasmtime_context wasmtime_context_t;
typedef struct wasmtime_caller wasmtime_caller_t;
typedef struct wasmtime_instance_pre wasmtime_instance_pre_t;
typedef uint8_t wasmtime_trap_code_t;
typedef uint8_t wasmtime_update_deadline_kind_t;

#ifndef WASM_H // else the headers of the library define these, and the test compares
typedef struct wasm_byte_vec_t {
	size_t size;
	char *data;
} wasm_byte_vec_t;
typedef wasm_byte_vec_t wasm_name_t;
typedef struct wasm_valtype_vec_t {
	size_t size;
	wasm_valtype_t **data;
} wasm_valtype_vec_t;
typedef struct wasm_frame_vec_t {
	size_t size;
	wasm_frame_t **data;
} wasm_frame_vec_t;
typedef uint8_t wasm_valkind_t;
enum { WASM_I32, WASM_I64, WASM_F32, WASM_F64 };
typedef struct wasmtime_func {
	uint64_t store_id;
	void *__private;
} wasmtime_func_t;
typedef struct wasmtime_memory {
	struct {
		uint64_t store_id;
		uint32_t __private1;
	};
	uint32_t __private2;
} wasmtime_memory_t;
typedef uint8_t wasm_mutability_t;
enum { WASM_CONST, WASM_VAR };
typedef struct wasmtime_global {
	uint64_t store_id;
	uint32_t __private1;
	uint32_t __private2;
	uint32_t __private3;
} wasmtime_global_t;
typedef struct wasmtime_instance {
	uint64_t store_id;
	size_t __private;
} wasmtime_instance_t;
typedef struct wasmtime_extern {
	uint8_t kind;
	union {
		wasmtime_func_t func;
		wasmtime_memory_t memory;
		wasmtime_global_t global;
		uint64_t others[3];
	} of;
} wasmtime_extern_t;
enum { WASMTIME_EXTERN_FUNC = 0, WASMTIME_EXTERN_GLOBAL = 1, WASMTIME_EXTERN_MEMORY = 3 };
enum { WASMTIME_UPDATE_DEADLINE_CONTINUE = 0 };
typedef union wasmtime_val_raw {
	int64_t i64;
	uint8_t v128[16];
} wasmtime_val_raw_t;
typedef struct wasmtime_val {
	uint8_t kind;
	union {
		int32_t i32;
		int64_t i64;
		uint64_t others[3];
	} of;
} wasmtime_val_t;
#endif

typedef wasm_trap_t *(*wasmtime_func_unchecked_callback_t)(
    void *env, wasmtime_caller_t *caller, wasmtime_val_raw_t *args_and_results,
    size_t num_args_and_results);

// Settings.
wasm_config_t *wasm_config_new(void);
void wasmtime_config_epoch_interruption_set(wasm_config_t *, bool);
void wasmtime_config_async_stack_size_set(wasm_config_t *, uint64_t);
void wasmtime_config_max_wasm_stack_set(wasm_config_t *, size_t);
void wasmtime_config_wasm_threads_set(wasm_config_t *, bool);
void wasmtime_config_wasm_tail_call_set(wasm_config_t *, bool);
void wasmtime_config_wasm_reference_types_set(wasm_config_t *, bool);
void wasmtime_config_wasm_function_references_set(wasm_config_t *, bool);
void wasmtime_config_wasm_gc_set(wasm_config_t *, bool);
void wasmtime_config_wasm_simd_set(wasm_config_t *, bool);
void wasmtime_config_wasm_relaxed_simd_set(wasm_config_t *, bool);
void wasmtime_config_wasm_bulk_memory_set(wasm_config_t *, bool);
void wasmtime_config_wasm_multi_value_set(wasm_config_t *, bool);
void wasmtime_config_wasm_multi_memory_set(wasm_config_t *, bool);
void wasmtime_config_wasm_memory64_set(wasm_config_t *, bool);
void wasmtime_config_wasm_wide_arithmetic_set(wasm_config_t *, bool);
void wasmtime_config_wasm_exceptions_set(wasm_config_t *, bool);
void wasmtime_config_wasm_custom_page_sizes_set(wasm_config_t *, bool);
void wasmtime_config_wasm_stack_switching_set(wasm_config_t *, bool);
void wasmtime_config_cranelift_nan_canonicalization_set(wasm_config_t *, bool);

// Engines.
wasm_engine_t *wasm_engine_new_with_config(wasm_config_t *);
void wasm_engine_delete(wasm_engine_t *);
void wasmtime_engine_increment_epoch(wasm_engine_t *engine);

// Modules.
wasmtime_error_t *wasmtime_module_new(wasm_engine_t *engine, const uint8_t *wasm,
                                      size_t wasm_len, wasmtime_module_t **ret);
void wasmtime_module_delete(wasmtime_module_t *m);
wasmtime_error_t *wasmtime_module_serialize(wasmtime_module_t *module,
                                            wasm_byte_vec_t *ret);
wasmtime_error_t *wasmtime_module_deserialize(wasm_engine_t *engine,
                                              const uint8_t *bytes, size_t bytes_len,
                                              wasmtime_module_t **ret);

// Imports.
wasm_valtype_t *wasm_valtype_new(wasm_valkind_t);
void wasm_valtype_vec_new_uninitialized(wasm_valtype_vec_t *out, size_t);
wasm_functype_t *wasm_functype_new(wasm_valtype_vec_t *params,
                                   wasm_valtype_vec_t *results);
void wasm_functype_delete(wasm_functype_t *);
wasmtime_linker_t *wasmtime_linker_new(wasm_engine_t *engine);
void wasmtime_linker_delete(wasmtime_linker_t *linker);
wasmtime_error_t *wasmtime_linker_define_func_unchecked(
    wasmtime_linker_t *linker, const char *module, size_t module_len,
    const char *name, size_t name_len, const wasm_functype_t *ty,
    wasmtime_func_unchecked_callback_t cb, void *data, void (*finalizer)(void *));
wasmtime_error_t *
wasmtime_linker_instantiate_pre(const wasmtime_linker_t *linker,
                                const wasmtime_module_t *module,
                                wasmtime_instance_pre_t **instance_pre);

// Instances.
wasmtime_store_t *wasmtime_store_new(wasm_engine_t *engine, void *data,
                                     void (*finalizer)(void *));
void wasmtime_store_delete(wasmtime_store_t *store);
wasmtime_context_t *wasmtime_store_context(wasmtime_store_t *store);
void wasmtime_store_limiter(wasmtime_store_t *store, int64_t memory_size,
                            int64_t table_elements, int64_t instances,
                            int64_t tables, int64_t memories);
void wasmtime_store_epoch_deadline_callback(
    wasmtime_store_t *store,
    wasmtime_error_t *(*func)(wasmtime_context_t *context, void *data,
                              uint64_t *epoch_deadline_delta,
                              wasmtime_update_deadline_kind_t *update_kind),
    void *data, void (*finalizer)(void *));
void *wasmtime_context_get_data(const wasmtime_context_t *context);
void wasmtime_context_set_epoch_deadline(wasmtime_context_t *context,
                                         uint64_t ticks_beyond_current);
void wasmtime_instance_pre_delete(wasmtime_instance_pre_t *instance_pre);
wasmtime_error_t *
wasmtime_instance_pre_instantiate(const wasmtime_instance_pre_t *instance_pre,
                                  wasmtime_context_t *store,
                                  wasmtime_instance_t *instance,
                                  wasm_trap_t **trap_ptr);
bool wasmtime_instance_export_get(wasmtime_context_t *store,
                                  const wasmtime_instance_t *instance,
                                  const char *name, size_t name_len,
                                  wasmtime_extern_t *item);

// Calls.
wasmtime_error_t *wasmtime_func_call_unchecked(wasmtime_context_t *store,
                                               const wasmtime_func_t *func,
                                               wasmtime_val_raw_t *args_and_results,
                                               size_t args_and_results_len,
                                               wasm_trap_t **trap);
wasmtime_context_t *wasmtime_caller_context(wasmtime_caller_t *caller);
bool wasmtime_caller_export_get(wasmtime_caller_t *caller, const char *name,
                                size_t name_len, wasmtime_extern_t *item);
uint8_t *wasmtime_memory_data(const wasmtime_context_t *store,
                              const wasmtime_memory_t *memory);
size_t wasmtime_memory_data_size(const wasmtime_context_t *store,
                                 const wasmtime_memory_t *memory);
wasmtime_error_t *wasmtime_memory_grow(wasmtime_context_t *store,
                                       const wasmtime_memory_t *memory, uint64_t delta,
                                       uint64_t *prev_size);

// Globals.
wasm_globaltype_t *wasmtime_global_type(const wasmtime_context_t *store,
                                        const wasmtime_global_t *global);
void wasm_globaltype_delete(wasm_globaltype_t *);
const wasm_valtype_t *wasm_globaltype_content(const wasm_globaltype_t *);
wasm_mutability_t wasm_globaltype_mutability(const wasm_globaltype_t *);
wasm_valkind_t wasm_valtype_kind(const wasm_valtype_t *);
void wasmtime_global_get(wasmtime_context_t *store, const wasmtime_global_t *global,
                         wasmtime_val_t *out);
wasmtime_error_t *wasmtime_global_set(wasmtime_context_t *store,
                                      const wasmtime_global_t *global,
                                      const wasmtime_val_t *val);

// Failures.
void wasm_byte_vec_delete(wasm_byte_vec_t *);
wasmtime_error_t *wasmtime_error_new(const char *);
void wasmtime_error_message(const wasmtime_error_t *error, wasm_name_t *message);
void wasmtime_error_wasm_trace(const wasmtime_error_t *, wasm_frame_vec_t *out);
void wasmtime_error_delete(wasmtime_error_t *error);
wasm_trap_t *wasmtime_trap_new(const char *msg, size_t msg_len);
bool wasmtime_trap_code(const wasm_trap_t *, wasmtime_trap_code_t *code);
void wasm_trap_message(const wasm_trap_t *, wasm_byte_vec_t *out);
void wasm_trap_trace(const wasm_trap_t *, wasm_frame_vec_t *out);
void wasm_trap_delete(wasm_trap_t *);
uint32_t wasm_frame_func_index(const wasm_frame_t *);
const wasm_name_t *wasmtime_frame_func_name(const wasm_frame_t *);
void wasm_frame_vec_delete(wasm_frame_vec_t *);

#endif
