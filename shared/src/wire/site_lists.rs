//! What a site offers to choose from: its lists, and the columns of a list.

use serde::{Deserialize, Serialize};

/// `GET /ServiceConnections/{id}/Lists`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SiteLists {
    /// The lists that people keep items in, by title. Hidden lists and libraries are left out.
    pub lists: Vec<SiteListFacts>,
}

/// A list of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SiteListFacts {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How many items it says it has, folders included; unknown over Graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_count: Option<u64>,
    /// Its address, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
}

/// `GET /ServiceConnections/{id}/Lists/{list}/Columns`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SiteColumns {
    /// The list that they belong to.
    pub list: SiteListFacts,
    /// Its columns, in the site's order: those that were added, hidden ones too, and those that
    /// every list has and people see.
    pub columns: Vec<SiteColumn>,
}

/// A column of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SiteColumn {
    /// Internal name: `Serial_x0020_number`.
    pub internal_name: String,
    /// Name that people see: `Serial number`.
    pub display_name: String,
    /// Its type (`String`, `Number`, `Bool`, `User`, …); none for one that is not supported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// The site's own word for its type.
    pub site_type: String,
    /// Whether it is hidden from people.
    pub hidden: bool,
    /// Whether the site lets nobody write it.
    pub read_only: bool,
    /// Whether an item cannot do without a value in it.
    pub required: bool,
    /// Whether the site keeps an index of it.
    pub indexed: bool,
    /// Whether no two items may hold the same value.
    pub unique: bool,
    /// Whether it holds several values.
    pub multiple: bool,
    /// Whether items can be given a value in it from here.
    pub writable: bool,
    /// Most characters of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// The choices of a choice column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Whether a choice column takes other texts than its choices.
    #[serde(default)]
    pub fill_in: bool,
}
