//! The names of the rules' values in the columns of a row.
//!
//! Called by every implementation of the store: a database of one kind can be read by the other's
//! eyes.

use checklist_shared::item::{Kind, Origin, Status};
use checklist_shared::template::CompletionRule;
use checklist_shared::wire::webhooks::{DeliveryState, WebhookEvent};
use checklist_shared::wire::workflow::{Outcome, PlannedAction, RunState};

/// A value with a name of its own in a column.
pub(super) trait Named: Sized {
    /// The name.
    fn name(self) -> &'static str;
    /// The value of that name; `None` for none of ours.
    fn by_name(name: &str) -> Option<Self>;
}

/// One table for both directions.
macro_rules! names {
    ($type:ty, $($value:path => $text:literal),+) => {
        impl Named for $type {
            fn name(self) -> &'static str {
                match self { $($value => $text),+ }
            }

            fn by_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some($value),)+
                    _ => None,
                }
            }
        }
    };
}

names!(Origin, Origin::Template => "Template", Origin::Local => "Local", Origin::Api => "Api");
names!(Kind, Kind::Item => "Item", Kind::Section => "Section", Kind::Info => "Info");
names!(Status, Status::Open => "Open", Status::Done => "Done", Status::NotApplicable => "NotApplicable");
names!(CompletionRule, CompletionRule::All => "All", CompletionRule::Required => "Required");

/// The same for values that know their names themselves.
macro_rules! own_names {
    ($($type:ty),+) => {$(
        impl Named for $type {
            fn name(self) -> &'static str {
                <$type>::name(self)
            }

            fn by_name(name: &str) -> Option<Self> {
                <$type>::from_name(name)
            }
        }
    )+};
}

own_names!(
    RunState,
    Outcome,
    PlannedAction,
    DeliveryState,
    WebhookEvent
);
