//! Callers that wait for the queue: a form that is submitted, a host that calls `flush`.

use super::message::WaiterId;
use crate::port::ErrorDetail;

/// Callers that wait until the queue is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Flush {
    pub(super) waiters: Vec<WaiterId>,
    /// The first error since the first of them started to wait.
    pub(super) failed: Option<ErrorDetail>,
    /// In form mode: whether the host has asked to send what waits.
    pub(super) released: bool,
    /// The number of the timeout's timer.
    pub(super) timer: u32,
    /// Whether a form has waited so long that a notice is shown.
    pub(super) submitting: bool,
}
