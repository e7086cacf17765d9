//! Wakes the worker of this node when a job may be due.
//!
//! A wake-up means "look", never "do": the row of a job says whether there is work, and its lease
//! and fence say whose it is. A wake-up that is lost costs at most the worker's poll interval, one
//! too many costs a query.

use tokio::sync::Notify;

/// Wake-ups for the one worker of a store. They are not counted: any number of them before the
/// worker looks are one.
#[derive(Debug, Default)]
pub struct JobNotifier(Notify);

impl JobNotifier {
    /// Wakes the worker; one that is busy looks again before it sleeps.
    pub fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits for a wake-up, and takes it.
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
