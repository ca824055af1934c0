use wasmsandbox::{
    codes, Call, FileEntry, LsRequest, Method, MkdirRequest, ReadRequest, Responder, Result,
    RmRequest, SandboxError, Stream, WriteRequest,
};

/// Files in memory.
#[derive(Default)]
pub struct Store {
    files: Vec<File>, // ascending by path
}

struct File {
    path: Vec<u8>,
    data: Vec<u8>,
}

impl Store {
    /// Where the file with a path is, or belongs.
    fn find(&self, path: &[u8]) -> std::result::Result<usize, usize> {
        self.files
            .binary_search_by(|file| file.path.as_slice().cmp(path))
    }
}

impl Responder for Store {
    const METHODS: &'static [Method] = &[
        Method::Ls,
        Method::Mkdir,
        Method::Read,
        Method::Rm,
        Method::Write,
    ];

    fn read(&mut self, _: &Call, req: &ReadRequest) -> Result<Stream<'static>> {
        match self.find(req.path) {
            Ok(i) => Ok(Stream::bytes(self.files[i].data.clone())),
            Err(_) => Err(SandboxError::new(codes::WORKSPACE_READ_NOT_FOUND)
                .with("path", &*String::from_utf8_lossy(req.path))
                .into()),
        }
    }

    fn write(&mut self, _: &Call, req: &WriteRequest) -> Result<()> {
        let data = req.data.to_vec()?;
        match self.find(req.path) {
            Ok(i) => self.files[i].data = data,
            Err(i) => self.files.insert(
                i,
                File {
                    path: req.path.to_vec(),
                    data,
                },
            ),
        }
        Ok(())
    }

    fn rm(&mut self, _: &Call, req: &RmRequest) -> Result<()> {
        if let Ok(i) = self.find(req.path) {
            self.files.remove(i);
        }
        Ok(())
    }

    fn ls(&mut self, _: &Call, _: &LsRequest) -> Result<Vec<FileEntry>> {
        let entry = |file: &File| FileEntry {
            path: file.path.clone(),
            size: file.data.len() as u64,
            permissions: 0o644,
            ..FileEntry::default()
        };
        Ok(self.files.iter().map(entry).collect())
    }

    fn mkdir(&mut self, _: &Call, _: &MkdirRequest) -> Result<()> {
        Err(SandboxError::new(codes::WORKSPACE_ARCHIVE_WRITE).into())
    }
}
