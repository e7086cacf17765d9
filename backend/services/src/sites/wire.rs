//! Requests and responses of the activities, with the names of the contract.
//!
//! The types of single values are those of `site_lists`.

use checklist_shared::time::Timestamp;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use site_lists::{
    AuthenticationType, ObjectExpressionParameter, Operator, SiteConnection, SiteItemField,
    SiteList,
};
use utoipa::ToSchema;

/// The connection of a call: a `SiteConnection` of the contract, or the handle that
/// `EstablishSiteConnection` gave for one.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct ConnectionArgument {
    /// What `EstablishSiteConnection` gave; the other members then only have to agree with it.
    #[serde(default)]
    pub handle: Option<String>,
    /// Until when the handle holds. Told by the server, and not looked at.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub expires_at: Option<Timestamp>,
    /// Base URL of the site.
    #[serde(default)]
    pub url: Option<String>,
    /// User name for authentication.
    #[serde(default)]
    pub username: Option<String>,
    /// Password for authentication.
    #[serde(default)]
    #[schema(value_type = Option<String>, write_only)]
    pub password: Option<SecretString>,
    /// Domain of the user.
    #[serde(default)]
    pub domain: Option<String>,
    /// Authentication method.
    #[serde(default)]
    pub authentication_type: Option<AuthenticationType>,
    /// Seconds for one attempt, 1 to 600; 30 without.
    #[serde(default)]
    pub timeout: Option<u32>,
    /// The id of a service connection, if one is used.
    #[serde(default)]
    pub service_connection: Option<String>,
}

/// A connection as it is given back: without anything that authenticates, with a handle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ConnectionAnswer {
    /// Base URL of the site.
    pub url: String,
    /// User name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// Domain of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Authentication method.
    pub authentication_type: AuthenticationType,
    /// Seconds for one attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u32>,
    /// The service connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_connection: Option<String>,
    /// What later calls send instead of credentials. Only for the caller who got it.
    pub handle: String,
    /// Until when the handle holds.
    #[schema(value_type = String)]
    pub expires_at: Timestamp,
}

/// `POST /EstablishSiteConnection`: exactly one of the two.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct EstablishSiteConnection {
    /// The id of a service connection.
    #[serde(default)]
    pub service_connection: Option<String>,
    /// Authentication and connection data.
    #[serde(default)]
    #[schema(value_type = Option<SiteConnection>)]
    pub credentials: Option<ConnectionArgument>,
}

/// The initialised connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Established {
    /// The connection.
    pub connection: ConnectionAnswer,
}

/// `POST /AddSiteItem`.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct AddSiteItem {
    /// The connection.
    pub connection: ConnectionArgument,
    /// The list: its name, or `{Title?, Id?, InternalName?}`.
    pub list: SiteList,
    /// Field assignments: `{Name, Value, Type?}`.
    pub fields: Vec<ObjectExpressionParameter>,
}

/// The new item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ItemAdded {
    /// Its id.
    pub item_id: i64,
    /// Its version, where the site tells it.
    #[serde(rename = "ETag", default, skip_serializing_if = "Option::is_none")]
    pub e_tag: Option<String>,
}

/// `POST /EditSiteItem`.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct EditSiteItem {
    /// The connection.
    pub connection: ConnectionArgument,
    /// The list: its name, or `{Title?, Id?, InternalName?}`.
    pub list: SiteList,
    /// The item.
    pub item_id: i64,
    /// Field values to update: `{Name, Value, Type?}`.
    pub fields: Vec<ObjectExpressionParameter>,
    /// The version that was read; another one refuses the change. Any without.
    #[serde(rename = "ETag", default)]
    pub e_tag: Option<String>,
}

/// `POST /DeleteSiteItem`.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct DeleteSiteItem {
    /// The connection.
    pub connection: ConnectionArgument,
    /// The list: its name, or `{Title?, Id?, InternalName?}`.
    pub list: SiteList,
    /// The item.
    pub item_id: i64,
    /// The version that was read; another one refuses it. Any without.
    #[serde(rename = "ETag", default)]
    pub e_tag: Option<String>,
}

/// What became of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ItemChanged {
    /// Its version by now, where the site tells it.
    #[serde(rename = "ETag", default, skip_serializing_if = "Option::is_none")]
    pub e_tag: Option<String>,
}

/// `POST /GetSiteItem`.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct GetSiteItem {
    /// The connection.
    pub connection: ConnectionArgument,
    /// The list: its name, or `{Title?, Id?, InternalName?}`.
    pub list: SiteList,
    /// The item.
    pub item_id: i64,
}

/// An item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ItemRead {
    /// Field names with `{InternalName, DisplayName, Type, Value}`, and the twelve standard keys.
    #[schema(value_type = HashMap<String, ResultEntry>)]
    pub result: Map<String, Value>,
    /// Its version, where the site tells it.
    #[serde(rename = "ETag", default, skip_serializing_if = "Option::is_none")]
    pub e_tag: Option<String>,
    /// What was done otherwise than asked, and columns that could not be read.
    pub warnings: Vec<String>,
}

/// An entry of a `Result`: a field, or under one of the twelve standard keys a plain value.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(
    dead_code,
    reason = "the document's name for what a map holds, never built"
)]
enum ResultEntry {
    /// A field of the list.
    Field(SiteItemField),
    /// A standard key: a text, or null where the site does not tell it.
    Text(Option<String>),
    /// A standard key with a number: `_id`.
    Number(i64),
}

/// `POST /GetSiteItems`.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct GetSiteItems {
    /// The connection.
    pub connection: ConnectionArgument,
    /// The list: its name, or `{Title?, Id?, InternalName?}`.
    pub list: SiteList,
    /// Field to filter on. When empty, all items are loaded.
    #[serde(default)]
    pub field: Option<String>,
    /// Comparison value for `Field`. In a column of several values one of them is enough, and
    /// several values look for items with one of these.
    #[serde(default)]
    pub value: Value,
    /// How `Field` is compared with `Value`: Equals (as without it), NotEquals, Less,
    /// LessOrEquals, Greater, GreaterOrEquals (numbers and times), StartsWith, Contains (texts).
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub operator: Option<Operator>,
    /// The fields that are wanted; all of them without. The standard keys are always there.
    #[serde(default)]
    pub select: Vec<String>,
    /// How many items at most, 1 to 5000; 1000 without.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 5000)]
    pub top: Option<usize>,
    /// Where the part before this one ended: its `Next`.
    #[serde(default)]
    pub after: Option<String>,
}

/// The items that were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ItemsRead {
    /// Each as `GetSiteItem` gives it.
    #[schema(value_type = Vec<HashMap<String, ResultEntry>>)]
    pub result: Vec<Map<String, Value>>,
    /// What to send as `After` for the part that follows; absent at the end. It may lead to a part
    /// without items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// What was done otherwise than asked.
    pub warnings: Vec<String>,
}
