//! What stands in for the imports outside of WebAssembly: the host of the test
//! session that calls the guest on this thread. Without one every function is
//! unsupported, and log lines are dropped.

const UNSUPPORTED: i32 = -6;

/// The functions of a host.
pub(crate) trait Host {
    fn log(&mut self, level: u32, text: &[u8]) -> i32;
    fn fail(&mut self, report: &[u8]) -> i32;
    fn blob_len(&mut self, handle: u32) -> i64;
    fn blob_read(&mut self, handle: u32, offset: u64, buffer: &mut [u8]) -> i32;
    fn blob_new(&mut self) -> i32;
    fn blob_write(&mut self, handle: u32, bytes: &[u8]) -> i32;
    fn extension(&mut self, op: u32, argument: &[u8]) -> i64;
}

#[cfg(feature = "std")]
mod current {
    use super::Host;
    use std::cell::RefCell;
    use std::rc::Rc;

    thread_local! {
        static HOST: RefCell<Option<Rc<RefCell<dyn Host>>>> = RefCell::new(None);
    }

    /// Calls `f` with a host in place, also when `f` panics.
    pub(crate) fn with_host<R>(host: Rc<RefCell<dyn Host>>, f: impl FnOnce() -> R) -> R {
        struct Restore(Option<Rc<RefCell<dyn Host>>>);
        impl Drop for Restore {
            fn drop(&mut self) {
                HOST.with(|current| *current.borrow_mut() = self.0.take());
            }
        }
        let _restore = Restore(HOST.with(|current| current.borrow_mut().replace(host)));
        f()
    }

    /// Whether a host is in place.
    pub(crate) fn is_present() -> bool {
        HOST.with(|current| current.borrow().is_some())
    }

    pub(super) fn call<R>(absent: R, f: impl FnOnce(&mut dyn Host) -> R) -> R {
        let host = HOST.with(|current| current.borrow().clone());
        match host {
            Some(host) => f(&mut *host.borrow_mut()),
            None => absent,
        }
    }
}

#[cfg(not(feature = "std"))]
mod current {
    use super::Host;

    pub(super) fn call<R>(absent: R, _: impl FnOnce(&mut dyn Host) -> R) -> R {
        absent
    }
}

use current::call;
#[cfg(feature = "std")]
pub(crate) use current::{is_present, with_host};

pub fn log(level: u32, text: &[u8]) -> i32 {
    call(0, |host| host.log(level, text))
}

pub fn fail(report: &[u8]) -> i32 {
    call(UNSUPPORTED, |host| host.fail(report))
}

pub fn blob_len(handle: u32) -> i64 {
    call(UNSUPPORTED.into(), |host| host.blob_len(handle))
}

pub fn blob_read(handle: u32, offset: u64, buffer: &mut [u8]) -> i32 {
    call(UNSUPPORTED, |host| host.blob_read(handle, offset, buffer))
}

pub fn blob_new() -> i32 {
    call(UNSUPPORTED, |host| host.blob_new())
}

pub fn blob_write(handle: u32, bytes: &[u8]) -> i32 {
    call(UNSUPPORTED, |host| host.blob_write(handle, bytes))
}

pub fn extension(op: u32, argument: &[u8]) -> i64 {
    call(UNSUPPORTED.into(), |host| host.extension(op, argument))
}
