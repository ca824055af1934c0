// Package shell is a small POSIX shell over a workspace and tools: it runs the
// scripts that agents write, and nothing of them reaches the host.
//
// Set the fields of a [Shell] and call [Shell.Run] with an argument list, such as
// sh -lc SCRIPT. Commands are [Tool] functions by name; package
// host/shell/builtin has the utilities that scripts use all the time. Files are
// those of a [workspace.Tree].
//
// The grammar is that of bash, for sh as well, by mvdan.cc/sh. Before a script is
// run it is rewritten, so that what that library would do by the host is done here:
//
//   - The stages of a pipeline run one after the other, each in a subshell, and
//     hand on what they wrote from memory. What is in the background runs at once,
//     to its end. So every run of a script is the same.
//   - $$, $PPID, $RANDOM and the random numbers of tools are the same in every run; time
//     is that of the workspace.
//   - type, command -v, pwd -P, read, umask and more are this package's own.
//   - Process substitution, coprocesses, select, <>, file descriptors above 2, declare with
//     -i, -l or -u, test -N and -ef, and aliases are refused: with a message and exit
//     code 2. So are ${x/#a/b}, ${x/%a/b}, and elements that
//     are assigned to within an expression, except for commands such as ((a[i]++)).
//   - An expansion that fails, such as a division by zero, ends the shell with exit code 1.
//
// A shell without a script that is at a terminal runs what is typed, line by line. It prints
// $PS1 and $PS2 as they are, which are "$ ", or "# " for root, and "> " if they aren't set;
// what is wrong with a line doesn't end it, and neither does ^C, see Process.Interrupts. It
// has no history and no jobs, and neither timeout nor read -t ends what waits for somebody to
// type.
//
// A here-document goes through an anonymous pipe of the operating system, which is the one
// thing of the host that is used.
//
// Not made the same are the process numbers and random numbers that a script gets
// at by names it puts together itself: x=PPID; echo $((x)). In what a statement that
// expands much is made of, such as the branches of a case, $? may be 0 at first.
// Nor are traps at the end of subshells, which don't run, how often a trap for errors runs, the
// exit code of a loop with while or until, which is 0, and empty words between separators of
// IFS that are no spaces. An assignment to a readonly variable fails, but doesn't end the
// script. What follows break or continue in an if, a case or a block still runs if they are in
// the condition of an if, or within eval. Windows isn't supported.
package shell
