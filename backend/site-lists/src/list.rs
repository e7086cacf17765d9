//! How a caller names a list: by a bare name, or by title, id or internal name.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A list, by name or by its parts.
///
/// ```
/// use site_lists::SiteList;
///
/// let by_name: SiteList = serde_json::from_str("\"Computers\"")?;
/// assert_eq!(by_name, SiteList::from("Computers"));
/// let by_title: SiteList = serde_json::from_str(r#"{"Title": "Computers"}"#)?;
/// assert_eq!(by_title.to_string(), "Computers");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum SiteList {
    /// Its title, else its id, else its internal name.
    Named(String),
    /// Its parts; the id decides where it is given, then the title, then the internal name.
    Parts(SiteListParts),
}

/// The parts a list is known by; at least one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SiteListParts {
    /// Title, as people see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The last part of its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal_name: Option<String>,
}

impl SiteList {
    /// The keys to try, in this order.
    pub(crate) fn keys(&self) -> Vec<ListKey> {
        match self {
            Self::Named(name) => {
                let mut keys = vec![ListKey::Title(name.clone())];
                keys.extend(Uuid::parse_str(name.trim()).ok().map(ListKey::Id));
                keys.push(ListKey::InternalName(name.clone()));
                keys
            }
            Self::Parts(parts) => {
                let id = parts.id.map(ListKey::Id);
                let title = parts.title.clone().map(ListKey::Title);
                let name = parts.internal_name.clone().map(ListKey::InternalName);
                id.or(title).or(name).into_iter().collect()
            }
        }
    }
}

/// A key by which a list is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListKey {
    Title(String),
    Id(Uuid),
    InternalName(String),
}

impl From<&str> for SiteList {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl fmt::Display for SiteList {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => out.write_str(name),
            Self::Parts(parts) => match (&parts.title, &parts.internal_name, &parts.id) {
                (Some(name), _, _) | (None, Some(name), _) => out.write_str(name),
                (None, None, Some(id)) => write!(out, "{id}"),
                (None, None, None) => out.write_str("(no name)"),
            },
        }
    }
}
