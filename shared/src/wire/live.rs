//! Events: the request of a live stream, and the data of each of its events.
//!
//! For each list, a stream first sends its state and then every change; a change ends with its
//! `list` event.

use serde::{Deserialize, Serialize};

use super::item::ItemView;
use super::list::{ListAnswer, TemplateUpdate};
use crate::checklist::ListMark;
use crate::context::Context;
use crate::id::ItemId;
use crate::problem::Problem;
use crate::time::Timestamp;

/// `POST /Events`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct OpenEvents {
    /// The lists to follow, 1 to 200.
    pub contexts: Vec<Context>,
    /// The last `id` that was received: changes after it come first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_event_id: Option<String>,
    /// The reader's language; else the token's, else Accept-Language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// The name of an event (its `event:` line), which says what its data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventName {
    /// [`ListChanged`].
    List,
    /// [`ItemsChanged`].
    Items,
    /// [`ItemsRemoved`].
    Removed,
    /// [`TemplateChanged`].
    Template,
    /// [`LockChanged`].
    Locked,
    /// [`WaiverChanged`].
    Waived,
    /// [`PresenceChanged`].
    Presence,
    /// [`ReadAgain`].
    Reset,
    /// [`NotFollowed`].
    Problem,
    /// [`SignInAgain`].
    Reauth,
}

impl EventName {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Items => "items",
            Self::Removed => "removed",
            Self::Template => "template",
            Self::Locked => "locked",
            Self::Waived => "waived",
            Self::Presence => "presence",
            Self::Reset => "reset",
            Self::Problem => "problem",
            Self::Reauth => "reauth",
        }
    }
}

/// `list`: the list as it is now, like GetItems with `View: Summary`. Sent for each list when the
/// stream begins, and as the end of each change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ListChanged {
    /// The list.
    #[serde(flatten)]
    pub list: ListAnswer,
    /// The operation that made the change, when it was a single one with a name: whoever sent it
    /// knows its effect already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
}

/// `items`: what GetItems answers with that `SinceRevision`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ItemsChanged {
    /// Which list.
    pub context: Context,
    /// The revision that a reader has to have, at least.
    pub since: u64,
    /// The revision that it is brought to.
    pub revision: u64,
    /// The items that changed, in display order.
    pub items: Vec<ItemView>,
}

/// `removed`: the items that are gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ItemsRemoved {
    /// Which list.
    pub context: Context,
    /// The revision that a reader has to have, at least.
    pub since: u64,
    /// The revision that it is brought to.
    pub revision: u64,
    /// The ids of the items.
    pub removed: Vec<ItemId>,
}

/// `template`: a newer version of the list's template was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TemplateChanged {
    /// Which list.
    pub context: Context,
    /// The template.
    pub template_id: String,
    /// What the newer version would bring.
    pub template_update: TemplateUpdate,
}

/// `locked`: the list was locked, or unlocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct LockChanged {
    /// Which list.
    pub context: Context,
    /// The lock; `null` when there is none any more.
    pub locked: Option<ListMark>,
}

/// `waived`: the list was waived, or its waiver revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WaiverChanged {
    /// Which list.
    pub context: Context,
    /// The waiver; `null` when there is none any more.
    pub waived: Option<ListMark>,
}

/// `presence`: who else is on the list, everybody each time. Sent to people who are seen
/// themselves, at most once a second for a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct PresenceChanged {
    /// Which list.
    #[serde(deserialize_with = "Context::of_answer")]
    pub context: Context,
    /// The others, in the order in which they came, the first 20; nobody twice.
    pub people: Vec<PersonPresent>,
    /// How many more there are.
    pub others: u32,
}

/// Somebody who is on a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct PersonPresent {
    /// The person's id, as in `StatusBy` of items.
    pub id: String,
    /// The name.
    pub name: String,
}

/// `reset`: the changes are no longer known one by one; the list has to be read whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ReadAgain {
    /// Which list.
    pub context: Context,
}

/// `problem`: this list is not followed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct NotFollowed {
    /// Which list.
    pub context: Context,
    /// What GetItems would answer for it.
    pub problem: Problem,
}

/// `reauth`: the credential ends soon, and the stream with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SignInAgain {
    /// When the stream ends.
    pub expires_at: Timestamp,
}
