/* The handlers of the kitchen-sink guest. */
#include "check.h"
#include "wasmsandbox_testing.h"

static wasmsandbox_call write_call(const char *path, wasmsandbox_content content, uint64_t position) {
	return (wasmsandbox_call){
		.method = WASMSANDBOX_METHOD_WRITE,
		.request.write = {.path = wasmsandbox_text(path), .data = {.content = content, .position = position}}};
}

static wasmsandbox_call read_call(const char *path) {
	return (wasmsandbox_call){.method = WASMSANDBOX_METHOD_READ, .request.read.path = wasmsandbox_text(path)};
}

static void check_store(void) {
	wasmsandbox_call call = read_call("a");
	wasmsandbox_tested got = wasmsandbox_testing_respond("store", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_ERROR && got.context.count == 1, "a file that isn't there");
	CHECK_TEXT(got.code, "workspace_read_not_found");
	CHECK_TEXT(got.context.items[0].key, "path");
	CHECK_TEXT(got.context.items[0].value.as.string, "a");

	const char *const paths[] = {"b", "a", "c", "a"};
	for (size_t i = 0; i < 4; i++) {
		call = write_call(paths[i], wasmsandbox_inline(WASMSANDBOX_TEXT("hello")), i);
		CHECK(wasmsandbox_testing_respond("store", &call).kind == WASMSANDBOX_TESTED_RESULT, "a file is written");
	}
	call = (wasmsandbox_call){.method = WASMSANDBOX_METHOD_RM, .request.rm.path = WASMSANDBOX_TEXT("b")};
	for (int i = 0; i < 2; i++) {
		CHECK(wasmsandbox_testing_respond("store", &call).kind == WASMSANDBOX_TESTED_RESULT, "a file is removed");
	}
	call = (wasmsandbox_call){.method = WASMSANDBOX_METHOD_LS};
	got = wasmsandbox_testing_respond("store", &call);
	CHECK(got.result.ls.count == 2, "two files are left");
	CHECK_TEXT(got.result.ls.items[0].path, "a");
	CHECK(got.result.ls.items[0].size == 2 && got.result.ls.items[0].permissions == 0644, "an entry");
	call = read_call("a");
	got = wasmsandbox_testing_respond("store", &call);
	CHECK_TEXT(wasmsandbox_testing_bytes(&got.result.read.content), "lo");

	call = (wasmsandbox_call){.method = WASMSANDBOX_METHOD_MKDIR};
	CHECK_TEXT(wasmsandbox_testing_respond("store", &call).code, "workspace_archive_write_error");
	call = wasmsandbox_testing_exec((const char *[]){"x", NULL});
	got = wasmsandbox_testing_respond("store", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_FAILED && got.failure == 5, "a method that isn't served");
	CHECK_TEXT(got.message, "the responder store doesn't serve exec");
}

static void check_content(void) {
	static char large[70000];
	memset(large, 'x', sizeof large);
	wasmsandbox_slice bytes = {large, sizeof large};
	wasmsandbox_call call = write_call("a", wasmsandbox_testing_blob(bytes), 3);
	CHECK_TEXT(wasmsandbox_testing_respond("blob_len", &call).log, "70000\n");
	call = write_call("a", wasmsandbox_testing_blob(bytes), 3);
	CHECK_TEXT(wasmsandbox_testing_respond("checksum", &call).log, "size=70000 position=3 text=0 fnv=3718630277\n");
	call = write_call("a", wasmsandbox_inline(WASMSANDBOX_TEXT("")), 0);
	CHECK_TEXT(wasmsandbox_testing_respond("checksum", &call).log, "size=0 position=0 text=0 fnv=2166136261\n");

	call = read_call("12");
	wasmsandbox_tested got = wasmsandbox_testing_respond("generate", &call);
	CHECK(got.result.read.content.kind == WASMSANDBOX_CONTENT_INLINE, "little stays inline");
	CHECK_TEXT(wasmsandbox_testing_bytes(&got.result.read.content), "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n");
	call = read_call("20000");
	got = wasmsandbox_testing_respond("generate", &call);
	CHECK(got.result.read.content.kind == WASMSANDBOX_CONTENT_BLOB, "much goes to the host");
	wasmsandbox_slice all = wasmsandbox_testing_bytes(&got.result.read.content);
	CHECK(all.length == 108890 && memcmp(all.data + all.length - 6, "19999\n", 6) == 0, "all lines are there");

	call = wasmsandbox_testing_exec((const char *[]){"70000", "3", "4", NULL});
	got = wasmsandbox_testing_respond("big", &call);
	CHECK(got.result.exec.out.kind == WASMSANDBOX_CONTENT_BLOB && got.result.exec.exit_code == 4, "large output");
	CHECK(wasmsandbox_testing_bytes(&got.result.exec.out).length == 70000, "large output");
	CHECK_TEXT(wasmsandbox_testing_bytes(&got.result.exec.err), "abc");

	wasmsandbox_testing_limit_blobs(1000);
	got = wasmsandbox_testing_respond("big", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_FAILED && got.failure == 1, "no room for a blob");
	CHECK_TEXT(got.message, "blob_write: a limit of the host is reached");
	call = read_call("20000");
	CHECK(wasmsandbox_testing_respond("generate", &call).kind == WASMSANDBOX_TESTED_FAILED, "no room for a writer");
	wasmsandbox_testing_limit_blobs(SIZE_MAX);
}

static void check_render(void) {
	wasmsandbox_call call = wasmsandbox_testing_exec((const char *[]){"git", "status", NULL});
	wasmsandbox_slice argv = WASMSANDBOX_TEXT("bash");
	call.index = 3;
	call.time_ns = 1700000003000000000;
	call.request.exec.shell = (wasmsandbox_shell){WASMSANDBOX_SHELL_ARGV, {&argv, 1}};
	call.request.exec.user = WASMSANDBOX_TEXT("root");
	wasmsandbox_tested got = wasmsandbox_testing_respond("render", &call);
	const char *want = "method=exec\nindex=3\ntime_ns=1700000003000000000\ncommand[0]=git\ncommand[1]=status\n"
	                   "timeout_ns=0\nshell.mode=2\nshell.argv[0]=bash\nuser=root\n";
	CHECK_TEXT(wasmsandbox_testing_bytes(&got.result.exec.out), want);

	wasmsandbox_patch_operation operation = {
		.type = WASMSANDBOX_TEXT("update_file"), .path = WASMSANDBOX_TEXT("a.txt"), .has_diff = true};
	call = (wasmsandbox_call){.method = WASMSANDBOX_METHOD_APPLY_PATCH};
	call.request.apply_patch.operations.items = &operation;
	call.request.apply_patch.operations.count = 1;
	got = wasmsandbox_testing_respond("render", &call);
	CHECK_TEXT(got.log, "method=apply_patch\nindex=0\ntime_ns=0\noperations[0].type=update_file\n"
	                    "operations[0].path=a.txt\noperations[0].diff=\npatch_format=\n\n");
	CHECK_TEXT(wasmsandbox_testing_respond("results", &call).result.apply_patch, "patched 1");
}

static void check_raise(void) {
	wasmsandbox_call call = wasmsandbox_testing_exec((const char *[]){"c", "o", "m", "no", "full", NULL});
	wasmsandbox_tested got = wasmsandbox_testing_respond("raise", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_ERROR && got.retryable == 0 && got.context.count == 9, "a full error");
	CHECK_TEXT(got.op, "o");
	CHECK_TEXT(got.message, "m");
	CHECK_TEXT(got.context.items[8].value.as.string, "\xc3\xa9");
	CHECK(got.context.items[6].value.as.integer == INT64_MIN, "the smallest number");
	call = wasmsandbox_testing_exec((const char *[]){"", "", "", "unknown", "none", NULL});
	got = wasmsandbox_testing_respond("raise", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_FAILED && got.failure == 1, "an error without a code");
}

static void check_matchers(void) {
	wasmsandbox_call git = wasmsandbox_testing_exec((const char *[]){"git", NULL});
	wasmsandbox_call ls = wasmsandbox_testing_exec((const char *[]){"ls", NULL});
	CHECK(wasmsandbox_testing_match("only_git", &git).verdict.answer == WASMSANDBOX_ACCEPT, "git");
	wasmsandbox_tested got = wasmsandbox_testing_match("only_git", &ls);
	CHECK(got.verdict.answer == WASMSANDBOX_REJECT && got.verdict.differences.count == 1, "not git");
	CHECK_TEXT(got.verdict.reason, "not git");
	CHECK_TEXT(got.verdict.differences.items[0].actual, "ls");
	CHECK(wasmsandbox_testing_match("undecided", &git).verdict.answer == WASMSANDBOX_NO_ANSWER, "undecided");
	got = wasmsandbox_testing_match("broken", &git);
	CHECK(got.kind == WASMSANDBOX_TESTED_FAILED && got.failure == 1, "broken");
	CHECK_TEXT(got.message, "it's broken");
}

static void check_panics(void) {
	wasmsandbox_call call = wasmsandbox_testing_exec((const char *[]){"x", NULL});
	wasmsandbox_tested got = wasmsandbox_testing_respond("panic", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_PANIC && got.line > 0, "a panic");
	CHECK_TEXT(got.message, "deliberate panic");
	CHECK_TEXT(got.file, "main.c");
	got = wasmsandbox_testing_respond("raise", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_PANIC, "a failed assertion");
	CHECK_TEXT(got.message, "assertion failed: request->command.count >= count");
}

static void check_session(void) {
	wasmsandbox_entry config[] = {{WASMSANDBOX_TEXT("branch"), wasmsandbox_string(WASMSANDBOX_TEXT("trunk"))},
	                              {WASMSANDBOX_TEXT("depth"), wasmsandbox_int(10)}};
	wasmsandbox_session session = {.config = {config, 2}, .seed = 7};
	wasmsandbox_tested got = wasmsandbox_testing_open(&session);
	CHECK(got.kind == WASMSANDBOX_TESTED_FAILED && got.failure == 4, "a configuration that is refused");
	CHECK_TEXT(got.message, "depth is at most 9");
	config[1].value.as.integer = 9;
	CHECK(wasmsandbox_testing_open(&session).kind == WASMSANDBOX_TESTED_DONE, "a configuration that is taken");

	wasmsandbox_call call = wasmsandbox_testing_exec((const char *[]){"branch", NULL});
	got = wasmsandbox_testing_respond("setting", &call);
	CHECK_TEXT(wasmsandbox_testing_bytes(&got.result.exec.out), "trunk");
	call = wasmsandbox_testing_exec((const char *[]){"missing", NULL});
	got = wasmsandbox_testing_respond("setting", &call);
	CHECK_TEXT(wasmsandbox_testing_bytes(&got.result.exec.out), "main");
	call = wasmsandbox_testing_exec((const char *[]){"depth", NULL});
	got = wasmsandbox_testing_respond("setting", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_FAILED && got.failure == 4, "a setting of another type");
	CHECK_TEXT(got.message, "config: depth must be a text");
	got = wasmsandbox_testing_respond("config", &call);
	CHECK_TEXT(wasmsandbox_testing_bytes(&got.result.exec.out), "branch=\"trunk\"\ndepth=9\n");

	session.limits.reply_bytes = 60;
	CHECK(wasmsandbox_testing_open(&session).kind == WASMSANDBOX_TESTED_DONE, "small replies");
	got = wasmsandbox_testing_respond("session", &call);
	CHECK(got.kind == WASMSANDBOX_TESTED_LIMIT && got.reply_size > 60, "a reply over the limit");
	CHECK(wasmsandbox_testing_close().kind == WASMSANDBOX_TESTED_DONE, "close");
}

int main(void) {
	CHECK(wasmsandbox_testing_open(NULL).kind == WASMSANDBOX_TESTED_DONE, "open");
	check_store();
	check_content();
	check_render();
	check_raise();
	check_matchers();
	check_panics();
	check_session();
	return check_result("kitchen_test");
}
