//! When an item is announced as due or overdue, once for all readers.
//!
//! Each due date of an item is announced as due at most once, and as overdue at most once; never as
//! due after it was announced as overdue. A day ends when it ends in UTC ([`Due::end`]).

use serde::{Deserialize, Serialize};

use crate::due::Due;
use crate::time::Timestamp;

/// What an item can be announced as, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DueEvent {
    /// It will be overdue before long.
    Due,
    /// It is open although its due date is over.
    Overdue,
}

/// What is to be announced of an open item now, and when to look at it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// What is to be announced now.
    pub announce: Option<DueEvent>,
    /// When the next announcement is due, if the item is still open then; `None` if nothing is left
    /// to announce for this due date.
    pub next: Option<Timestamp>,
}

/// The outlook of an open item. `notice` is how long before the end of its due date it is announced as
/// due, in milliseconds; `announced` is the last that was announced for this very due date.
#[must_use]
pub fn outlook(
    due: Due,
    notice: Option<i64>,
    announced: Option<DueEvent>,
    now: Timestamp,
) -> Outlook {
    let end = due.end();
    let overdue_at = Timestamp::from_millis(end.as_millis().saturating_add(1));
    if announced == Some(DueEvent::Overdue) || overdue_at <= now {
        let is_news = announced != Some(DueEvent::Overdue);
        return Outlook {
            announce: is_news.then_some(DueEvent::Overdue),
            next: None,
        };
    }
    let due_at = notice.filter(|_| announced.is_none());
    let due_at = due_at.map(|notice| end.as_millis().saturating_sub(notice));
    match due_at.map(Timestamp::from_millis) {
        Some(due_at) if now < due_at => Outlook {
            announce: None,
            next: Some(due_at),
        },
        due_at => Outlook {
            announce: due_at.map(|_| DueEvent::Due),
            next: Some(overdue_at),
        },
    }
}
