//! The names of the rules' values in the columns of a row.

use checklist_shared::item::{Kind, Origin, Status};
use checklist_shared::template::CompletionRule;
use checklist_shared::wire::webhooks::{DeliveryState, WebhookEvent};
use checklist_shared::wire::workflow::{Outcome, PlannedAction, RunState};

/// A value with a name of its own in a column.
pub(super) trait ColumnName: Sized {
    /// The value of that name; `None` for none of ours.
    fn by_name(name: &str) -> Option<Self>;
}

/// For values that know their names themselves.
macro_rules! names {
    ($($type:ty),+) => {$(
        impl ColumnName for $type {
            fn by_name(name: &str) -> Option<Self> {
                <$type>::from_name(name)
            }
        }
    )+};
}

names!(
    Origin,
    Kind,
    Status,
    CompletionRule,
    RunState,
    Outcome,
    PlannedAction,
    DeliveryState,
    WebhookEvent
);
