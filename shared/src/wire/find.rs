//! `POST /FindItems`: items across lists, such as all that are open for a person.
//!
//! A list that was never written has no rows, so its items are found once somebody has changed one,
//! or has begun the list.

use serde::{Deserialize, Serialize};

use super::item::ItemView;
use crate::checklist::ListMark;
use crate::context::Context;
use crate::date::Date;
use crate::item::Status;
use crate::names::names;
use crate::permission::Permissions;
use crate::progress::State;
use crate::time::Timestamp;

/// `POST /FindItems`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct FindItems {
    /// Which items; without it all that are open.
    #[serde(default)]
    pub filter: ItemFilter,
    /// In which order; without it `Due` where `Assignee`, `Due` or `Late` is asked for, `Proposed`
    /// where `Proposed` is, else `Object`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<ItemSort>,
    /// How many: 1 to 200, 50 unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 200))]
    pub limit: Option<u32>,
    /// The `Next` of the previous page, of the same question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The reader's language; else Accept-Language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The reader's present day, which decides whether a day is over; else the day in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub today: Option<Date>,
}

/// Which items: those that meet all that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct ItemFilter {
    /// Who should do it: the `Id` of the assignee, or `Me` for the caller's (`sub` of a token).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// The status; `Open` unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// When it is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<DueRange>,
    /// Whether it is overdue; of what is resolved, whether it was when it was resolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<bool>,
    /// Whether somebody proposes a status that nobody has decided on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed: Option<bool>,
    /// Whether it is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Only items of lists of that object type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object_type: Option<String>,
    /// Only items of lists of that purpose; the empty one is the default list of an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Only items of lists that follow that template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The key of the item that it came from, in the template that its list follows. What `ApplyTemplate`
    /// appended has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_key: Option<String>,
    /// Words that all have to stand in its text, in the reader's language, whatever the case of
    /// their letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The state of its list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}

impl ItemFilter {
    /// The `Assignee` that stands for the caller.
    pub const ME: &str = "Me";
}

/// A time that starts with `After` and ends before `Before`. A day ends when it ends in UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct DueRange {
    /// Due at that time or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Timestamp>,
    /// Due earlier than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Timestamp>,
}

names! {
    /// An order of found items.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum ItemSort {
        /// By due date, those without one last. For open items with an assignee or a due date.
        Due,
        /// By the time of the proposal. For items with a proposal to decide on.
        Proposed,
        /// By object id, object type and purpose.
        Object,
    }
}

/// The answer of `FindItems`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct FoundItems {
    /// The items, in the order that was asked for; within a page, those of one list that it does not
    /// tell apart in the order of the list.
    pub items: Vec<FoundItem>,
    /// How many there are at least: those of this page, and one more if the page had no room for it.
    pub at_least: u32,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// An item with what its reader needs of its list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct FoundItem {
    /// Which list.
    #[serde(deserialize_with = "Context::of_answer")]
    pub context: Context,
    /// The list's name in the reader's language, from its template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The state of the list.
    pub state: State,
    /// Set while nobody may change the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<ListMark>,
    /// What the caller may do in the list.
    #[serde(deserialize_with = "Permissions::known_of")]
    pub permissions: Permissions,
    /// The section that holds the item, in the reader's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The item.
    pub item: ItemView,
}
