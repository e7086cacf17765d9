//! How often this node has tried to send webhooks, by what became of it. For metrics.

use std::sync::atomic::{AtomicU64, Ordering};

use checklist_shared::wire::webhooks::DeliveryState;

/// Counts attempts since the start.
#[derive(Debug, Default)]
pub struct AttemptCounts {
    delivered: AtomicU64,
    retried: AtomicU64,
    failed: AtomicU64,
}

impl AttemptCounts {
    /// Counts an attempt after which the delivery is in that state.
    pub(super) fn record(&self, state: DeliveryState) {
        let count = match state {
            DeliveryState::Delivered => &self.delivered,
            DeliveryState::Pending => &self.retried,
            DeliveryState::Failed => &self.failed,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// The attempts by outcome: taken, to be tried again, given up.
    #[must_use]
    pub fn by_outcome(&self) -> [(&'static str, u64); 3] {
        [
            ("delivered", &self.delivered),
            ("retry", &self.retried),
            ("failed", &self.failed),
        ]
        .map(|(outcome, count)| (outcome, count.load(Ordering::Relaxed)))
    }
}
