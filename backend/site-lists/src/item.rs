//! An item as it was read: its fields by name, the twelve standard keys, and the contract's dictionary
//! of both.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::field::SiteItemField;

/// The keys that every item carries besides its fields, in the order of the contract.
pub const STANDARD_KEYS: [&str; 12] = [
    "_createdBy_email",
    "_createdBy_id",
    "_createdBy_displayName",
    "_lastModifiedBy_email",
    "_lastModifiedBy_id",
    "_lastModifiedBy_displayName",
    "_createdDateTime",
    "_lastModifiedDateTime",
    "_id",
    "_webUrl",
    "_name",
    "_title",
];

/// The twelve standard output fields. All of them are always there; what the site does not say
/// is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StandardFields {
    /// E-mail address of the creator.
    #[serde(rename = "_createdBy_email")]
    pub created_by_email: Option<String>,
    /// Id of the creator.
    #[serde(rename = "_createdBy_id")]
    pub created_by_id: Option<String>,
    /// Display name of the creator.
    #[serde(rename = "_createdBy_displayName")]
    pub created_by_display_name: Option<String>,
    /// E-mail address of the last editor.
    #[serde(rename = "_lastModifiedBy_email")]
    pub last_modified_by_email: Option<String>,
    /// Id of the last editor.
    #[serde(rename = "_lastModifiedBy_id")]
    pub last_modified_by_id: Option<String>,
    /// Display name of the last editor.
    #[serde(rename = "_lastModifiedBy_displayName")]
    pub last_modified_by_display_name: Option<String>,
    /// Creation date, RFC 3339 UTC.
    #[serde(rename = "_createdDateTime")]
    pub created_date_time: Option<String>,
    /// Date of the last modification, RFC 3339 UTC.
    #[serde(rename = "_lastModifiedDateTime")]
    pub last_modified_date_time: Option<String>,
    /// Id of the item.
    #[serde(rename = "_id")]
    pub id: i64,
    /// URL of the item.
    #[serde(rename = "_webUrl")]
    pub web_url: Option<String>,
    /// Name of the item: the first there is of name, FileLeafRef, LinkFilename and Title.
    #[serde(rename = "_name")]
    pub name: Option<String>,
    /// Title of the item.
    #[serde(rename = "_title")]
    pub title: Option<String>,
}

/// One item of a list.
///
/// Serialised, it is the dictionary of the contract: field names with [`SiteItemField`] objects,
/// and the standard keys with plain values.
///
/// ```
/// use site_lists::{STANDARD_KEYS, SiteItem};
///
/// let dictionary = SiteItem::default().dictionary();
/// assert!(STANDARD_KEYS.iter().all(|key| dictionary.contains_key(*key)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteItem {
    /// The standard output fields.
    pub standard: StandardFields,
    /// The fields, in the order of the list's columns.
    pub fields: Vec<SiteItemField>,
    /// The version that was read, opaque and with its quotes, where the protocol tells it.
    pub etag: Option<String>,
}

impl SiteItem {
    /// The id of the item.
    #[must_use]
    pub fn id(&self) -> i64 {
        self.standard.id
    }

    /// A field by its internal name.
    #[must_use]
    pub fn field(&self, internal_name: &str) -> Option<&SiteItemField> {
        self.fields
            .iter()
            .find(|field| field.internal_name == internal_name)
    }

    /// The dictionary of the contract.
    #[must_use]
    pub fn dictionary(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }
}

impl Serialize for SiteItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len() + STANDARD_KEYS.len()))?;
        for field in &self.fields {
            map.serialize_entry(&field.internal_name, field)?;
        }
        if let Ok(Value::Object(standard)) = serde_json::to_value(&self.standard) {
            for (key, value) in &standard {
                map.serialize_entry(key, value)?;
            }
        }
        map.end()
    }
}

/// The first of several texts that says something.
pub(crate) fn first_text<'a>(
    candidates: impl IntoIterator<Item = Option<&'a Value>>,
) -> Option<String> {
    candidates
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_carries_the_twelve_keys_even_where_nothing_is_known() {
        let dictionary = SiteItem::default().dictionary();
        let keys: Vec<&str> = dictionary.keys().map(String::as_str).collect();
        assert_eq!(keys, STANDARD_KEYS);
    }
}
