//! The state of reading: which load counts, and who waits for it.

use super::message::WaiterId;
use super::operation::Operation;

/// Whether a read of what has changed is on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Refresh {
    /// No read is in flight.
    #[default]
    Idle,
    /// A read is in flight.
    Running,
    /// Yes, and another one has to follow: it may have passed already what that is about.
    RunningTwice,
}

/// The state of reading.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadState {
    /// The number of the load; outdated answers are dropped.
    pub(super) load: u32,
    pub(super) refresh: Refresh,
    /// When the last read ended.
    pub(super) at: i64,
    /// How many loads in a row have failed, and which timer leads to the next.
    pub(super) failed: u32,
    pub(super) retry: u32,
    pub(super) waiters: Vec<WaiterId>,
    /// The undo or refresh that is said once the list was read.
    pub(super) step: Option<Operation>,
}

impl ReadState {
    /// Another load begins; the answers of those before are not taken in any more.
    pub(super) const fn begin(&mut self) -> u32 {
        self.load = self.load.wrapping_add(1);
        self.load
    }

    pub(super) const fn is_current(&self, load: u32) -> bool {
        self.load == load
    }

    pub(super) const fn finish(&mut self, now: i64) {
        self.at = now;
    }
}
