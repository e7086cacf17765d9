//! Users and groups of a site, as person columns hold them and callers write them.

use serde::{Deserialize, Serialize};

/// A user or a group.
///
/// ```
/// use site_lists::SiteUserOrGroup;
///
/// let user: SiteUserOrGroup = serde_json::from_str(
///     r#"{"IsGroup": false, "Name": "i:0#.f|membership|ada@corp.example", "Title": "Ada"}"#,
/// )?;
/// assert_eq!(user.title.as_deref(), Some("Ada"));
/// assert_eq!(user.email, None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SiteUserOrGroup {
    /// True when the entry is a group.
    pub is_group: bool,
    /// Login name of the user or group.
    #[serde(default)]
    pub name: Option<String>,
    /// Display name.
    #[serde(default)]
    pub title: Option<String>,
    /// E-mail address.
    #[serde(default)]
    pub email: Option<String>,
    /// First name.
    #[serde(default)]
    pub first_name: Option<String>,
    /// Last name.
    #[serde(default)]
    pub last_name: Option<String>,
    /// Whether the user is site administrator, where the site says.
    #[serde(default)]
    pub is_site_admin: Option<bool>,
}

impl SiteUserOrGroup {
    /// The name by which a user is resolved: the login name, else the e-mail address, else the
    /// display name.
    #[must_use]
    pub fn handle(&self) -> Option<&str> {
        [&self.name, &self.email, &self.title]
            .into_iter()
            .filter_map(Option::as_deref)
            .map(str::trim)
            .find(|text| !text.is_empty())
    }
}
