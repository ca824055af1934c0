package host

import (
	"maps"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// The codes of sandbox errors, by family (S7.3).
const (
	CodeInvalidManifestPath      = abi.CodeInvalidManifestPath
	CodeInvalidCompressionScheme = abi.CodeInvalidCompressionScheme
	CodeApplyPatchInvalidPath    = abi.CodeApplyPatchInvalidPath
	CodeApplyPatchInvalidDiff    = abi.CodeApplyPatchInvalidDiff
	CodeSkillsConfigInvalid      = abi.CodeSkillsConfigInvalid
	CodeSandboxConfigInvalid     = abi.CodeSandboxConfigInvalid

	CodeExposedPortUnavailable = abi.CodeExposedPortUnavailable
	CodeExecNonZero            = abi.CodeExecNonZero
	CodeExecTimeout            = abi.CodeExecTimeout
	CodeExecTransport          = abi.CodeExecTransport
	CodePTYSessionNotFound     = abi.CodePTYSessionNotFound
	CodeApplyPatchFileNotFound = abi.CodeApplyPatchFileNotFound
	CodeApplyPatchDecode       = abi.CodeApplyPatchDecode
	CodeWorkspaceReadNotFound  = abi.CodeWorkspaceReadNotFound
	CodeWorkspaceArchiveRead   = abi.CodeWorkspaceArchiveRead
	CodeWorkspaceArchiveWrite  = abi.CodeWorkspaceArchiveWrite
	CodeWorkspaceWriteType     = abi.CodeWorkspaceWriteType
	CodeWorkspaceStop          = abi.CodeWorkspaceStop
	CodeWorkspaceStart         = abi.CodeWorkspaceStart
	CodeWorkspaceRootNotFound  = abi.CodeWorkspaceRootNotFound

	CodeLocalFileRead    = abi.CodeLocalFileRead
	CodeLocalDirRead     = abi.CodeLocalDirRead
	CodeLocalChecksum    = abi.CodeLocalChecksum
	CodeGitMissing       = abi.CodeGitMissing
	CodeGitClone         = abi.CodeGitClone
	CodeGitSubpath       = abi.CodeGitSubpath
	CodeGitCopy          = abi.CodeGitCopy
	CodeMountMissingTool = abi.CodeMountMissingTool
	CodeMountConfig      = abi.CodeMountConfig
	CodeMountFailed      = abi.CodeMountFailed

	CodeSnapshotPersist       = abi.CodeSnapshotPersist
	CodeSnapshotRestore       = abi.CodeSnapshotRestore
	CodeSnapshotNotRestorable = abi.CodeSnapshotNotRestorable
)

// codes is the table of S7.3.
var codes = map[Code]struct {
	op        Op
	retryable Retryable
	message   string
}{
	CodeInvalidManifestPath:      {OpMaterialize, RetryableNo, "the manifest path is invalid"},
	CodeInvalidCompressionScheme: {OpWrite, RetryableNo, "the compression scheme is invalid"},
	CodeApplyPatchInvalidPath:    {OpApplyPatch, RetryableNo, "the patch has an invalid path"},
	CodeApplyPatchInvalidDiff:    {OpApplyPatch, RetryableNo, "the patch has an invalid diff"},
	CodeSkillsConfigInvalid:      {OpMaterialize, RetryableNo, "the skills' configuration is invalid"},
	CodeSandboxConfigInvalid:     {"", RetryableUnknown, "the sandbox's configuration is invalid"},

	CodeExposedPortUnavailable: {OpResolveExposedPort, RetryableUnknown, "the exposed port is unavailable"},
	CodeExecNonZero:            {OpExec, RetryableNo, "the command exited with a non-zero code"},
	CodeExecTimeout:            {OpExec, RetryableNo, "the command timed out"},
	CodeExecTransport:          {OpExec, RetryableUnknown, "the command could not be delivered"},
	CodePTYSessionNotFound:     {OpExec, RetryableNo, "there is no such terminal session"},
	CodeApplyPatchFileNotFound: {OpApplyPatch, RetryableNo, "the file to patch doesn't exist"},
	CodeApplyPatchDecode:       {OpApplyPatch, RetryableNo, "the file to patch isn't UTF-8"},
	CodeWorkspaceReadNotFound:  {OpRead, RetryableNo, "the file to read doesn't exist"},
	CodeWorkspaceArchiveRead:   {OpRead, RetryableUnknown, "the workspace can't be read"},
	CodeWorkspaceArchiveWrite:  {OpWrite, RetryableUnknown, "the workspace can't be written"},
	CodeWorkspaceWriteType:     {OpWrite, RetryableNo, "the data to write isn't bytes"},
	CodeWorkspaceStop:          {OpStop, RetryableUnknown, "the workspace can't be stopped"},
	CodeWorkspaceStart:         {OpStart, RetryableUnknown, "the workspace can't be started"},
	CodeWorkspaceRootNotFound:  {OpExec, RetryableNo, "the workspace's root doesn't exist"},

	CodeLocalFileRead:    {OpMaterialize, RetryableNo, "a local file can't be read"},
	CodeLocalDirRead:     {OpMaterialize, RetryableNo, "a local folder can't be read"},
	CodeLocalChecksum:    {OpMaterialize, RetryableNo, "a local file's checksum can't be made"},
	CodeGitMissing:       {OpMaterialize, RetryableNo, "git is missing in the image"},
	CodeGitClone:         {OpMaterialize, RetryableUnknown, "the repository can't be cloned"},
	CodeGitSubpath:       {OpMaterialize, RetryableNo, "the path in the repository is invalid"},
	CodeGitCopy:          {OpMaterialize, RetryableUnknown, "the repository can't be copied"},
	CodeMountMissingTool: {OpMaterialize, RetryableNo, "a tool for the mount is missing"},
	CodeMountConfig:      {OpMaterialize, RetryableNo, "the mount's configuration is invalid"},
	CodeMountFailed:      {OpMaterialize, RetryableNo, "the mount failed"},

	CodeSnapshotPersist:       {OpSnapshotPersist, RetryableUnknown, "the snapshot can't be persisted"},
	CodeSnapshotRestore:       {OpSnapshotRestore, RetryableUnknown, "the snapshot can't be restored"},
	CodeSnapshotNotRestorable: {OpSnapshotRestore, RetryableNo, "the snapshot can't be restored from"},
}

// Codes lists all 33 codes in alphabetical order. The caller owns the slice.
func Codes() []Code { return slices.Sorted(maps.Keys(codes)) }
