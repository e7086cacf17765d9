//! Rate-limits log lines that unauthenticated clients can cause.
//!
//! At most a fixed number of lines per second is written; the next line reports how many were
//! omitted.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The budget of one kind of log line.
pub struct LogBudget {
    each_second: u32,
    spent: Mutex<BudgetState>,
}

struct BudgetState {
    since: Option<Instant>,
    lines: u32,
    left_out: u64,
}

impl LogBudget {
    /// A budget of this many lines per second.
    #[must_use]
    pub const fn new(each_second: u32) -> Self {
        Self {
            each_second,
            spent: Mutex::new(BudgetState {
                since: None,
                lines: 0,
                left_out: 0,
            }),
        }
    }

    /// Takes a line from the budget. Returns how many lines were omitted before it, or `None` to
    /// omit it.
    pub fn take(&self) -> Option<u64> {
        self.take_at(Instant::now())
    }

    fn take_at(&self, now: Instant) -> Option<u64> {
        // A panic cannot leave plain numbers inconsistent, so the poisoned lock is usable.
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let second = Duration::from_secs(1);
        if spent.since.is_none_or(|since| now - since >= second) {
            spent.since = Some(now);
            spent.lines = 0;
        }
        if spent.lines >= self.each_second {
            spent.left_out += 1;
            return None;
        }
        spent.lines += 1;
        Some(std::mem::take(&mut spent.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_beyond_the_budget_are_counted_and_told_with_the_next() {
        let budget = LogBudget::new(2);
        let now = Instant::now();
        let taken: Vec<_> = (0..5).map(|_| budget.take_at(now)).collect();
        assert_eq!(taken, [Some(0), Some(0), None, None, None]);
        assert_eq!(budget.take_at(now + Duration::from_secs(1)), Some(3));
        assert_eq!(budget.take_at(now + Duration::from_secs(1)), Some(0));
    }
}
