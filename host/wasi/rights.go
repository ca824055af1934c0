package wasi

// What a descriptor may be used for, in the order of the specification.
const (
	rightFdDatasync = 1 << iota
	rightFdRead
	rightFdSeek
	rightFdSetFlags
	rightFdSync
	rightFdTell
	rightFdWrite
	rightFdAdvise
	rightFdAllocate
	rightCreateDirectory
	rightCreateFile
	rightLinkSource
	rightLinkTarget
	rightOpen
	rightReaddir
	rightReadlink
	rightRenameSource
	rightRenameTarget
	rightFilestatGet
	rightSetSize
	rightSetTimes
	rightFdFilestatGet
	rightFdSetSize
	rightFdSetTimes
	rightSymlink
	rightRemoveDirectory
	rightUnlink
	rightPoll
	rightSockShutdown
	rightSockAccept
)

const (
	// Whatever is open may be looked at.
	rightsAlways = rightFdSetFlags | rightFdFilestatGet | rightPoll

	rightsFile = rightsAlways | rightFdSeek | rightFdTell | rightFdSync | rightFdDatasync | rightFdAdvise | rightFdSetTimes
	rightsRead = rightFdRead
	// All that changes the content.
	rightsWrite = rightFdWrite | rightFdAllocate | rightFdSetSize

	rightsFolder = rightsAlways | rightFdSync | rightFdDatasync | rightFdSetTimes | rightCreateDirectory | rightCreateFile |
		rightLinkSource | rightLinkTarget | rightOpen | rightReaddir | rightReadlink | rightRenameSource |
		rightRenameTarget | rightFilestatGet | rightSetSize | rightSetTimes | rightSymlink |
		rightRemoveDirectory | rightUnlink

	// What can be asked of a file or folder that is opened in a folder.
	rightsInFolder = rightsFolder | rightsFile | rightsRead | rightsWrite
)

// grant says what a file or folder can be used for that is opened in a folder with
// those rights to pass on. What programs ask for is up to their libraries, and says
// little, other than whether they want to read and write: what they are to pass on
// themselves isn't looked at. But what was taken away from a folder stays away from
// all that is opened in it.
func grant(asked, inheriting uint64, folder bool) uint64 {
	rights := uint64(rightsFile)
	if asked&rightFdRead != 0 {
		rights |= rightsRead
	}
	if asked&rightFdWrite != 0 {
		rights |= rightsWrite
	}
	if folder {
		rights = rightsFolder
	}
	return rights & inheriting
}
