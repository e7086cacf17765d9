//! What the pages are searched for, as it stands in their addresses.
//!
//! Every field is a text, an empty one means anything. The names of the fields are those of the
//! parameters, in calls and in addresses.

use std::collections::BTreeMap;

use checklist_shared::computer::ComputerStatus;
use checklist_shared::permission::Role;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::with_query;

/// What a page is searched for.
pub trait PageSearch: Clone + Default + PartialEq + Serialize + DeserializeOwned {
    /// Clears the fields whose value every call would refuse.
    #[must_use]
    fn drop_unknown_values(self) -> Self {
        self
    }

    /// What is left where nothing narrows the page.
    #[must_use]
    fn cleared(&self) -> Self {
        Self::default()
    }

    /// Whether nothing narrows the page.
    fn is_empty(&self) -> bool {
        *self == self.cleared()
    }

    /// The fields with their names.
    fn fields(&self) -> BTreeMap<String, String> {
        serde_json::to_value(self)
            .and_then(serde_json::from_value)
            .unwrap_or_default()
    }

    /// The call for so many of what it finds, after those before.
    fn call(&self, call: &str, limit: usize, after: Option<&str>) -> String {
        let mut fields = self.fields();
        fields.insert("Limit".to_owned(), limit.to_string());
        fields.extend(after.map(|after| ("After".to_owned(), after.to_owned())));
        with_query(call, fields)
    }

    /// The search with these fields, without spaces around them.
    #[must_use]
    fn of_fields(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        let fields = fields.into_iter();
        let fields = fields.map(|(name, value)| (name, value.trim().into()));
        let search: Option<Self> =
            serde_json::from_value(serde_json::Value::Object(fields.collect())).ok();
        search.unwrap_or_default().drop_unknown_values()
    }

    /// The search of an address.
    #[must_use]
    fn of_query(query: &str) -> Self {
        Self::of_fields(form_urlencoded::parse(query.as_bytes()).into_owned())
    }
}

/// What a log is searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct Search {
    /// Words.
    pub text: String,
    /// Part of a name or an id.
    pub actor: String,
    /// Kind of the actor.
    pub actor_kind: String,
    /// Type of the object.
    pub object_type: String,
    /// Id of the object.
    pub object_id: String,
    /// Purpose of the list.
    pub purpose: String,
    /// Id of an item; of the audit trail only.
    pub item_id: String,
    /// Id of an operation; of the audit trail only.
    pub operation_id: String,
    /// Kind of event.
    pub what: String,
    /// What the rows of the audit trail are about.
    pub category: String,
    /// What an act of administration is about.
    pub subject: String,
    /// First day, as `2026-11-20`.
    pub from: String,
    /// Last day.
    pub to: String,
}

impl PageSearch for Search {}

/// What the checklists are searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct ListSearch {
    /// Type of the object.
    pub object_type: String,
    /// The beginning of the object's id.
    pub object_id: String,
    /// Purpose of the list.
    pub purpose: String,
    /// Id of the template.
    pub template: String,
    /// The name of a state, as on the wire.
    pub state: String,
    /// `true` for lists whose template has a newer version than they follow.
    pub update_offered: String,
}

impl PageSearch for ListSearch {
    fn drop_unknown_values(mut self) -> Self {
        if !LIST_STATES.contains(&self.state.as_str()) {
            self.state.clear();
        }
        if !["true", "false"].contains(&self.update_offered.as_str()) {
            self.update_offered.clear();
        }
        self
    }
}

/// The states that checklists are searched by.
const LIST_STATES: [&str; 4] = ["Open", "Complete", "Waived", "Empty"];

/// Which people are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct UserSearch {
    /// Words of name, subject or issuer.
    pub search: String,
    /// The name of a role, as on the wire.
    pub role: String,
}

impl PageSearch for UserSearch {
    fn drop_unknown_values(mut self) -> Self {
        if serde_json::from_value::<Role>(self.role.as_str().into()).is_err() {
            self.role.clear();
        }
        self
    }
}

/// Which open items are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct ItemSearch {
    /// One of [`ITEM_VIEWS`]; empty for what is assigned to the reader.
    pub view: String,
    /// Words of the item.
    pub text: String,
    /// Type of the object.
    pub object_type: String,
    /// Id of the template.
    pub template: String,
}

impl PageSearch for ItemSearch {
    fn drop_unknown_values(mut self) -> Self {
        if !ITEM_VIEWS.contains(&self.view.as_str()) {
            self.view.clear();
        }
        self
    }

    /// The view stays: it is not narrowed, but another one.
    fn cleared(&self) -> Self {
        Self {
            view: self.view.clone(),
            ..Self::default()
        }
    }
}

/// What else than the assignee open items are chosen by.
pub const ITEM_VIEWS: [&str; 3] = ["Late", "Proposed", "All"];

/// What the inventory of computers is searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct Filter {
    /// Words.
    #[serde(rename = "Search")]
    pub text: String,
    /// The name of a status, as on the wire.
    pub status: String,
}

impl PageSearch for Filter {
    fn drop_unknown_values(mut self) -> Self {
        if ComputerStatus::from_name(&self.status).is_none() {
            self.status.clear();
        }
        self
    }
}
