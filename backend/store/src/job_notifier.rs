//! Wakes the worker of this node when a job may be due.
//!
//! A wake-up is a hint: whether there is work is decided by the row of the job, and who does it by
//! its lease and fence. A lost wake-up costs at most the worker's poll interval, a spurious one
//! costs a query.

use tokio::sync::Notify;

/// Wake-ups for the one worker of a store. They are not counted: several of them before the worker
/// looks are one.
#[derive(Debug, Default)]
pub struct JobNotifier(Notify);

impl JobNotifier {
    /// Wakes the worker. A busy worker looks again before it sleeps.
    pub fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits for a wake-up and consumes it.
    pub async fn notified(&self) {
        self.0.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn poll(wait: std::pin::Pin<&mut impl Future<Output = ()>>) -> Poll<()> {
        wait.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn wake_ups_of_a_busy_worker_are_kept_as_one() {
        let notifier = JobNotifier::default();
        notifier.notify();
        notifier.notify();
        assert_eq!(poll(pin!(notifier.notified())), Poll::Ready(()));
        let mut wait = pin!(notifier.notified());
        assert_eq!(poll(wait.as_mut()), Poll::Pending);
        notifier.notify();
        assert_eq!(poll(wait.as_mut()), Poll::Ready(()));
    }
}
