//! One field of an item as callers see it: its names, its type and its value.
//!
//! Invariant: the JSON names are the contract's; `get_value` converts without losing anything.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::convert::{ConversionError, FromFieldValue};
use super::field_type::SiteFieldType;

/// One field of an item that was read.
///
/// ```
/// use site_lists::{SiteItemField, SiteUserOrGroup};
///
/// let field: SiteItemField = serde_json::from_str(
///     r#"{"InternalName": "Owner", "DisplayName": "Owner", "Type": "User",
///         "Value": {"IsGroup": false, "Title": "Ada"}}"#,
/// )?;
/// let owner: SiteUserOrGroup = field.get_value()?;
/// assert_eq!(owner.title.as_deref(), Some("Ada"));
/// assert_eq!(field.get_value::<String>()?, "Ada");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SiteItemField {
    /// Internal field name.
    pub internal_name: String,
    /// Display name of the field.
    pub display_name: String,
    /// Field type (for example String, Number, Bool, User).
    #[serde(rename = "Type")]
    pub field_type: SiteFieldType,
    /// Field value, null where it is empty; has the shape of `SiteUserOrGroup` where `Type` is User.
    #[serde(default)]
    pub value: Value,
}

impl SiteItemField {
    /// The value as the requested type, converted where that is possible without a guess.
    ///
    /// An empty field is `None` for `Option`, an empty `Vec`, and an error for everything else.
    ///
    /// ```
    /// use serde_json::json;
    /// use site_lists::{SiteFieldType, SiteItemField};
    ///
    /// let memory = SiteItemField {
    ///     internal_name: "Memory".into(),
    ///     display_name: "Memory (GB)".into(),
    ///     field_type: SiteFieldType::Number,
    ///     value: json!(32.0),
    /// };
    /// assert_eq!(memory.get_value::<u32>()?, 32);
    /// assert_eq!(memory.get_value::<String>()?, "32");
    /// assert_eq!(memory.get_value::<Option<f64>>()?, Some(32.0));
    /// assert!(memory.get_value::<bool>().is_err());
    /// # Ok::<(), site_lists::ConversionError>(())
    /// ```
    ///
    /// # Errors
    /// The value cannot be read as that type.
    pub fn get_value<T: FromFieldValue>(&self) -> Result<T, ConversionError> {
        T::from_field_value(&self.value)
            .map_err(|error| error.in_field(&self.internal_name, self.field_type))
    }
}
