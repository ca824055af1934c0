/* The kitchen-sink guest: one guest that uses all of the ABI, for the conformance
 * suite. guest/kitchen/README.md says what each handler does. */
#ifndef KITCHEN_H
#define KITCHEN_H

#include "wasmsandbox.h"

/* render.c: text that is made line by line. */
void line_text(wasmsandbox_builder *b, const char *name, const wasmsandbox_slice *value);
void line_int(wasmsandbox_builder *b, const char *name, int64_t value);
void line_uint(wasmsandbox_builder *b, const char *name, uint64_t value);
void render_value(wasmsandbox_builder *b, const wasmsandbox_value *value);
wasmsandbox_error *render(const wasmsandbox_call *call, wasmsandbox_result *result);

/* results.c */
wasmsandbox_error *results(const wasmsandbox_call *call, wasmsandbox_result *result);
wasmsandbox_error *empty(const wasmsandbox_call *call, wasmsandbox_result *result);
wasmsandbox_error *raise_error(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                               wasmsandbox_exec_result *result);
wasmsandbox_error *shell_start(const wasmsandbox_call *call, const wasmsandbox_pty_exec_start_request *request,
                               wasmsandbox_pty_update *result);
wasmsandbox_error *shell_write(const wasmsandbox_call *call, const wasmsandbox_pty_write_stdin_request *request,
                               wasmsandbox_pty_update *result);

/* store.c: what the guest remembers. */
wasmsandbox_error *store_read(const wasmsandbox_call *call, const wasmsandbox_read_request *request,
                              wasmsandbox_stream *result);
wasmsandbox_error *store_write(const wasmsandbox_call *call, const wasmsandbox_write_request *request);
wasmsandbox_error *store_rm(const wasmsandbox_call *call, const wasmsandbox_rm_request *request);
wasmsandbox_error *store_ls(const wasmsandbox_call *call, const wasmsandbox_ls_request *request,
                            wasmsandbox_listing *result);
wasmsandbox_error *store_mkdir(const wasmsandbox_call *call, const wasmsandbox_mkdir_request *request);
wasmsandbox_error *count(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                         wasmsandbox_exec_result *result);

/* content.c */
wasmsandbox_error *checksum(const wasmsandbox_call *call, const wasmsandbox_write_request *request);
wasmsandbox_error *generate(const wasmsandbox_call *call, const wasmsandbox_read_request *request,
                            wasmsandbox_stream *result);
wasmsandbox_error *big(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                       wasmsandbox_exec_result *result);
wasmsandbox_error *blob_len(const wasmsandbox_call *call, const wasmsandbox_write_request *request);

/* session.c */
/* The command's parts, of which there are at least `count`, or a panic. */
const wasmsandbox_slice *command_parts(const wasmsandbox_exec_request *request, size_t count);
wasmsandbox_error *log_parts(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                             wasmsandbox_exec_result *result);
wasmsandbox_error *config(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                          wasmsandbox_exec_result *result);
wasmsandbox_error *setting(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                           wasmsandbox_exec_result *result);
wasmsandbox_error *session(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                           wasmsandbox_exec_result *result);
wasmsandbox_error *extension(const wasmsandbox_call *call, const wasmsandbox_exec_request *request,
                             wasmsandbox_exec_result *result);

/* matchers.c */
wasmsandbox_error *match_accept(const wasmsandbox_call *call, wasmsandbox_verdict *verdict);
wasmsandbox_error *match_undecided(const wasmsandbox_call *call, wasmsandbox_verdict *verdict);
wasmsandbox_error *match_only_git(const wasmsandbox_call *call, wasmsandbox_verdict *verdict);
wasmsandbox_error *match_differ(const wasmsandbox_call *call, wasmsandbox_verdict *verdict);
wasmsandbox_error *match_digest(const wasmsandbox_call *call, wasmsandbox_verdict *verdict);
wasmsandbox_error *match_broken(const wasmsandbox_call *call, wasmsandbox_verdict *verdict);
wasmsandbox_error *match_panic(const wasmsandbox_call *call, wasmsandbox_verdict *verdict);

#endif
