//! The columns of a list as both protocols describe them, and how a caller's name finds one.
//!
//! Invariant: a name that fits several columns is an error and never a guess.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::field_type::SiteFieldType;
use super::item_field::SiteItemField;
use crate::error::{ErrorKind, Result, SiteError};

/// A column of a list.
///
/// ```
/// use site_lists::{Column, SiteFieldType};
///
/// let column: Column = serde_json::from_str(
///     r#"{"InternalName": "_Special", "EntityName": "OData__Special", "DisplayName": "Special", "Type": "String"}"#,
/// )?;
/// assert_eq!(column.entity_name(), "OData__Special");
/// assert_eq!(column.field_type, Some(SiteFieldType::String));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Column {
    /// Internal name: `Serial_x0020_number`.
    pub internal_name: String,
    /// Name in the payloads of SharePoint REST, where it differs: `OData__Special`.
    #[serde(default)]
    pub entity_name: Option<String>,
    /// Name that people see: `Serial number`.
    pub display_name: String,
    /// Its type; `None` for one that this crate neither reads nor writes.
    #[serde(rename = "Type")]
    pub field_type: Option<SiteFieldType>,
    /// The site's own name for its type.
    #[serde(default)]
    pub site_type: String,
    /// Whether it is read-only on the site.
    #[serde(default)]
    pub read_only: bool,
    /// Whether it is hidden from people.
    #[serde(default)]
    pub hidden: bool,
    /// Whether the list cannot do without a value in it.
    #[serde(default)]
    pub required: bool,
    /// Whether the site keeps an index of it.
    #[serde(default)]
    pub indexed: bool,
    /// Whether no two items may hold the same value.
    #[serde(default)]
    pub unique: bool,
    /// Whether every list has it (`Created`, `Author`, …).
    #[serde(default)]
    pub built_in: bool,
    /// Most characters of a text.
    #[serde(default)]
    pub max_length: Option<u32>,
    /// The smallest number that a number column takes.
    #[serde(default)]
    pub minimum: Option<f64>,
    /// The largest number that a number column takes.
    #[serde(default)]
    pub maximum: Option<f64>,
    /// Whether a column of people takes no groups.
    #[serde(default)]
    pub people_only: bool,
    /// Whether a new item that says nothing about it gets a value all the same.
    #[serde(default)]
    pub has_default: bool,
    /// The choices of a choice column.
    #[serde(default)]
    pub choices: Vec<String>,
    /// Whether other texts than the choices are taken.
    #[serde(default)]
    pub fill_in: bool,
    /// Whether a date column holds dates without a time.
    #[serde(default)]
    pub date_only: bool,
    /// Whether it holds several values.
    #[serde(default)]
    pub multiple: bool,
    /// What a lookup column shows of the other list's items.
    #[serde(default)]
    pub(crate) lookup: Option<LookupTarget>,
}

/// Where a lookup column looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct LookupTarget {
    /// The column of the other list.
    pub(crate) field: String,
}

/// A column that is to be made.
///
/// ```
/// use site_lists::{NewColumn, SiteFieldType};
///
/// // The key by which an export knows its own entries again.
/// let key = NewColumn {
///     internal_name: "SyncKey".into(),
///     display_name: "Sync key".into(),
///     field_type: SiteFieldType::String,
///     hidden: true,
///     indexed: true,
///     unique: true,
/// };
/// assert!(key.unique);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewColumn {
    /// Internal name: letters, digits and `_`, not a digit first.
    pub internal_name: String,
    /// Name that people see.
    pub display_name: String,
    /// Its type; `String`, `Note`, `Number`, `Bool` and `DateTime` can be made.
    pub field_type: SiteFieldType,
    /// Whether people see it.
    pub hidden: bool,
    /// Whether the site is to keep an index of it.
    pub indexed: bool,
    /// Whether no two items may hold the same value; needs the index.
    pub unique: bool,
}

impl Column {
    /// Name in the payloads of SharePoint REST.
    #[must_use]
    pub fn entity_name(&self) -> &str {
        self.entity_name.as_deref().unwrap_or(&self.internal_name)
    }

    /// The column that goes by a name: its internal name, its name in payloads, or the name that
    /// people see where only one column has it.
    ///
    /// # Errors
    /// No column goes by that name, or several do.
    pub fn by_name<'a>(columns: &'a [Self], name: &str) -> Result<&'a Self> {
        find_column(columns, name)
    }

    /// Whether items can be given a value in it.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.writable_type().is_ok()
    }

    /// Whether it is worth choosing from. What every list has, what nobody sees and what is of
    /// no supported type is each shown by itself, but not where two of these come together.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        let several = [self.built_in, self.hidden, self.field_type.is_none()];
        several.into_iter().filter(|against| *against).count() < 2
    }

    /// Whether it is part of an item that is read: of a known type, and either visible or one
    /// that somebody added to the list and hid.
    pub(crate) fn is_read(&self) -> bool {
        self.field_type.is_some() && !(self.hidden && self.built_in)
    }

    /// The type, for a column that is to be written.
    ///
    /// # Errors
    /// Columns of its type cannot be written, or this one cannot.
    pub(crate) fn writable_type(&self) -> Result<SiteFieldType> {
        let refused = |message: String| {
            SiteError::new(ErrorKind::UnsupportedFieldType, message)
                .with_field(&self.internal_name)
                .with_hint("Nothing was sent. Leave the field out.")
        };
        match self.field_type {
            Some(kind) if !kind.is_writable() => Err(refused(format!(
                "The field {} is of the type {kind}, which can only be read.",
                self.internal_name
            ))),
            Some(_) if self.read_only => Err(refused(format!(
                "The field {} is read-only on the site.",
                self.internal_name
            ))),
            Some(kind) => Ok(kind),
            None => Err(refused(format!(
                "The field {} is of the type {}, which is not supported.",
                self.internal_name, self.site_type
            ))),
        }
    }

    /// A field of an item, with this value.
    pub(crate) fn field(&self, kind: SiteFieldType, value: Value) -> SiteItemField {
        SiteItemField {
            internal_name: self.internal_name.clone(),
            display_name: self.display_name.clone(),
            field_type: kind,
            value,
        }
    }
}

/// The choices of a column, from the array that both protocols list them in.
pub(crate) fn choices(array: Option<&Value>) -> Vec<String> {
    let all = array.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The column that goes by a name: its internal name, its entity name (also with the `Id` behind
/// it, as in payloads of users and lookups), or its display name where only one column has it.
///
/// # Errors
/// No column goes by that name, or several do.
pub(crate) fn find_column<'a>(columns: &'a [Column], name: &str) -> Result<&'a Column> {
    let by = |test: &dyn Fn(&Column) -> bool| columns.iter().find(|column| test(column));
    let is_reference = |column: &Column| {
        use SiteFieldType::{Lookup, LookupMulti, User, UserMulti};
        matches!(
            column.field_type,
            Some(User | UserMulti | Lookup | LookupMulti)
        )
    };
    let exact = by(&|column| column.internal_name == name)
        .or_else(|| by(&|column| column.entity_name() == name));
    if let Some(column) = exact {
        return Ok(column);
    }
    let by_display_name = |same: &dyn Fn(&str) -> bool| -> Vec<&'a Column> {
        let all: Vec<&Column> = columns
            .iter()
            .filter(|column| same(&column.display_name))
            .collect();
        let visible: Vec<&Column> = all
            .iter()
            .copied()
            .filter(|column| !column.hidden && column.field_type.is_some())
            .collect();
        // A hidden or computed twin of a visible column is not what anybody means.
        if visible.is_empty() { all } else { visible }
    };
    let mut found = by_display_name(&|title| title == name);
    if found.is_empty() {
        found.extend(by(&|column| {
            is_reference(column)
                && ["Id", "LookupId"].iter().any(|end| {
                    name.strip_suffix(end)
                        .is_some_and(|start| start == column.entity_name())
                })
        }));
    }
    if found.is_empty() {
        let folded = name.to_lowercase();
        found.extend(by(&|column| column.internal_name.to_lowercase() == folded));
        if found.is_empty() {
            found = by_display_name(&|title| title.to_lowercase() == folded);
        }
    }
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(SiteError::new(
            ErrorKind::FieldNotFound,
            format!("The list has no field {name:?}."),
        )
        .with_field(name)
        .with_hint("Use the internal name, as the address of the column's settings page shows it (Field=…).")),
        several => Err(SiteError::new(
            ErrorKind::AmbiguousField,
            format!("{} fields of the list are shown as {name:?}.", several.len()),
        )
        .with_field(name)
        .with_names(several.iter().map(|column| column.internal_name.clone()).collect())
        .with_hint(format!(
            "Use one of the internal names: {}.",
            several.iter().map(|column| column.internal_name.as_str()).collect::<Vec<_>>().join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(internal: &str, display: &str) -> Column {
        let text = format!(
            r#"{{"InternalName": {internal:?}, "DisplayName": {display:?}, "Type": "String"}}"#
        );
        serde_json::from_str(&text).expect("a column")
    }

    #[test]
    fn an_internal_name_wins_over_a_display_name() {
        let columns = [column("Status0", "Status"), column("Status", "Old status")];
        assert_eq!(
            find_column(&columns, "Status").expect("one").internal_name,
            "Status"
        );
        assert_eq!(
            find_column(&columns, "old STATUS")
                .expect("one")
                .internal_name,
            "Status"
        );
    }

    #[test]
    fn a_display_name_that_two_columns_share_is_an_error_that_names_both() {
        let columns = [column("A", "Owner"), column("B", "Owner")];
        let error = find_column(&columns, "Owner").expect_err("two");
        assert_eq!(error.kind(), ErrorKind::AmbiguousField);
        assert_eq!(error.names(), ["A", "B"]);
    }

    #[test]
    fn encoded_and_entity_names_find_their_column() {
        let mut special = column("_Special", "Special");
        special.entity_name = Some("OData__Special".to_owned());
        let mut owner = column("Owner", "Besitzer");
        owner.field_type = Some(SiteFieldType::User);
        let columns = [special, column("With_x0020_Space", "With Space"), owner];
        for (name, internal) in [
            ("OData__Special", "_Special"),
            ("With Space", "With_x0020_Space"),
            ("With_x0020_Space", "With_x0020_Space"),
            ("OwnerId", "Owner"),
            ("OwnerLookupId", "Owner"),
        ] {
            assert_eq!(
                find_column(&columns, name).expect(name).internal_name,
                internal
            );
        }
        let error = find_column(&columns, "Nothing").expect_err("none");
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::FieldNotFound, Some("Nothing"))
        );
    }
}
