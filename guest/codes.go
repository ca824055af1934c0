package guest

import "github.com/wasmsandbox/wasmsandbox/abi"

// The codes, in the order of their families: configuration, runtime, artifact,
// snapshot.
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
