//! The stored names of enum values.

use checklist_shared::item::{Kind, Origin, Status};
use checklist_shared::template::CompletionRule;
use checklist_shared::wire::apply::{ApplyOutcome, TemplateRunState};
use checklist_shared::wire::webhooks::{DeliveryState, WebhookEvent};
use checklist_shared::wire::workflow::{Outcome, PlannedAction, RunState};

/// An enum that is stored under names.
pub(super) trait ColumnName: Sized {
    /// The value with that name; `None` if the name is unknown.
    fn by_name(name: &str) -> Option<Self>;

    /// The name of the value.
    fn name(&self) -> &'static str;
}

/// Implements [`ColumnName`] for enums that have `from_name`.
macro_rules! names {
    ($($type:ty),+) => {$(
        impl ColumnName for $type {
            fn by_name(name: &str) -> Option<Self> {
                <$type>::from_name(name)
            }

            fn name(&self) -> &'static str {
                <$type>::name(*self)
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
    TemplateRunState,
    ApplyOutcome,
    DeliveryState,
    WebhookEvent
);
