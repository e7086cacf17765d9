//! A field assignment of a caller: the field, and its new value.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::field_type::SiteFieldType;

/// A field and the value it is to hold.
///
/// ```
/// use site_lists::ObjectExpressionParameter;
/// use serde_json::json;
///
/// let title = ObjectExpressionParameter::new("Title", "PC-0815");
/// assert_eq!(serde_json::to_value(&title)?, json!({"Name": "Title", "Value": "PC-0815"}));
/// // Null clears a field.
/// let cleared = ObjectExpressionParameter::new("Owner", json!(null));
/// assert!(cleared.value.is_null());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct ObjectExpressionParameter {
    /// Internal name of the field; its entity name or an unambiguous display name do as well.
    pub name: String,
    /// What it is to hold; null clears it.
    #[serde(default)]
    pub value: Value,
    /// What the caller takes the value for. A column of another type is refused.
    #[serde(default, rename = "Type", skip_serializing_if = "Option::is_none")]
    pub field_type: Option<SiteFieldType>,
}

impl ObjectExpressionParameter {
    /// An assignment without a type.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<Value>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
            field_type: None,
        }
    }
}
