//! One list: its columns and rows, and every change to them.
//!
//! A change is checked first and done whole or not at all; both protocols call it through the site.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::{Field, FieldKind, Item, Refusal, builtin, calculated, field};
use crate::clock;

/// A generic list.
pub const GENERIC: u32 = 100;
/// A library of documents.
pub const LIBRARY: u32 = 101;
/// The hidden list of the site's people.
pub const PEOPLE: u32 = 112;

/// A list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct List {
    pub id: Uuid,
    pub web: Uuid,
    pub title: String,
    /// The name in addresses; it stays when the title changes.
    pub url_name: String,
    pub description: String,
    pub template: u32,
    pub hidden: bool,
    pub created: Timestamp,
    /// When a row was last written, and when one was last taken away.
    pub modified: Timestamp,
    pub deleted: Timestamp,
    /// Counts the changes to the list itself.
    pub version: u32,
    #[serde(default)]
    pub versioning: bool,
    #[serde(default)]
    pub validation_formula: Option<String>,
    #[serde(default)]
    pub validation_message: Option<String>,
    pub fields: Vec<Field>,
    pub items: BTreeMap<u32, Item>,
    pub last_item: u32,
}

impl List {
    /// An empty list with the columns that every list has.
    #[must_use]
    pub fn new(web: Uuid, title: &str, template: u32) -> Self {
        let now = clock::now();
        let forbidden = [
            '/', '\\', ':', '*', '?', '"', '<', '>', '|', '#', '%', '\'', '&',
        ];
        let mut fields = builtin::fields();
        if template == PEOPLE {
            let text = |name: &str| Field::new(name, name, FieldKind::Text);
            let names = ["Name", "EMail", "FirstName", "LastName", "UserName"];
            fields.extend(names.into_iter().map(text));
            fields.extend(["JobTitle", "Department", "ContentTypeDisp"].map(text));
            let flag = |name: &str| Field::new(name, name, FieldKind::Boolean);
            fields.extend(["IsSiteAdmin", "IsActive", "Deleted"].map(flag));
        }
        Self {
            id: clock::new_id(),
            web,
            title: title.to_owned(),
            url_name: title.replace(forbidden, "").trim().to_owned(),
            description: String::new(),
            template,
            hidden: false,
            created: now,
            modified: now,
            deleted: now,
            version: 0,
            versioning: true,
            validation_formula: None,
            validation_message: None,
            fields,
            items: BTreeMap::new(),
            last_item: 0,
        }
    }

    /// Says that rows were written, or taken away.
    pub fn changed(&mut self, deleted: bool) {
        self.modified = clock::now();
        if deleted {
            self.deleted = self.modified;
        }
    }

    /// A column by its internal name, its name in payloads, or its id.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        let by_name = |field: &&Field| field.internal == name;
        let by_entity = |field: &&Field| field.entity_name() == name;
        let found = self.fields.iter().find(by_name);
        found.or_else(|| self.fields.iter().find(by_entity))
    }

    /// A column by its internal name or its title.
    #[must_use]
    pub fn field_called(&self, name: &str) -> Option<&Field> {
        let called = |field: &&Field| field.title == name;
        self.field(name).or_else(|| {
            let mut titled = self.fields.iter().filter(called);
            titled.find(|field| field.kind != FieldKind::Computed)
        })
    }

    /// A column by its id.
    #[must_use]
    pub fn field_with_id(&self, id: Uuid) -> Option<&Field> {
        self.fields.iter().find(|field| field.id == id)
    }

    /// The columns that people made.
    pub fn custom_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.built_in)
    }

    /// The id of what its rows are.
    #[must_use]
    pub fn content_type_id(&self) -> String {
        let own = self.id.simple().to_string().to_uppercase();
        match self.template {
            LIBRARY => format!("0x010100{own}"),
            PEOPLE => format!("0x010A00{own}"),
            _ => format!("0x0100{own}"),
        }
    }

    /// What its rows are called.
    #[must_use]
    pub fn content_type_name(&self) -> &'static str {
        match self.template {
            LIBRARY => "Document",
            PEOPLE => "Person",
            _ => "Item",
        }
    }

    /// Its name as a type, e.g. `ComputersList`.
    #[must_use]
    pub fn entity_type_name(&self) -> String {
        let name = field::type_name(&self.url_name);
        match self.template {
            LIBRARY => name,
            PEOPLE => "UserInfo".to_owned(),
            _ => format!("{name}List"),
        }
    }

    /// The type of its rows, e.g. `SP.Data.ComputersListItem`.
    #[must_use]
    pub fn item_type_name(&self) -> String {
        let name = field::type_name(&self.url_name);
        match self.template {
            LIBRARY => format!("SP.Data.{name}Item"),
            PEOPLE => "SP.Data.UserInfoItem".to_owned(),
            _ => format!("SP.Data.{name}ListItem"),
        }
    }

    /// Adds a column; its internal name is made from `field.internal`, or its title where that is
    /// empty, and counted on where another has it.
    ///
    /// # Errors
    /// It has no title, or it is to be unique and cannot be.
    pub fn add_field(&mut self, mut field: Field) -> Result<&Field, Refusal> {
        if field.title.trim().is_empty() {
            return Err(Refusal::Empty("Title"));
        }
        let wanted = if field.internal.is_empty() {
            field::internal_name(&field.title)
        } else {
            field.internal.clone()
        };
        let taken = |list: &Self, name: &str| {
            let same = |other: &Field| other.internal.eq_ignore_ascii_case(name);
            list.fields.iter().any(same)
        };
        let mut name = wanted.clone();
        let mut number = 0;
        while taken(self, &name) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        field.internal = name;
        if field.unique && !field.kind.can_be_unique() {
            return Err(Refusal::CannotBeUnique(field.internal));
        }
        // A unique column is held apart by its index, as the service holds it.
        field.indexed |= field.unique;
        self.version += 1;
        self.fields.push(field);
        Ok(&self.fields[self.fields.len() - 1])
    }

    /// Changes a column; `change` sees it and may refuse.
    ///
    /// # Errors
    /// `change` refused, or it was made unique and its rows are not.
    pub fn change_field(
        &mut self,
        id: Uuid,
        change: impl FnOnce(&mut Field) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Some(at) = self.fields.iter().position(|field| field.id == id) else {
            return Ok(());
        };
        let mut field = self.fields[at].clone();
        change(&mut field)?;
        if field.unique && !self.fields[at].unique {
            let name = || Refusal::CannotBeUnique(field.internal.clone());
            if !field.kind.can_be_unique() {
                return Err(name());
            }
            let mut seen = std::collections::HashSet::new();
            let held = self.items.values();
            for value in held.filter_map(|item| item.values.get(&field.internal)) {
                if !seen.insert(value.to_string().to_lowercase()) {
                    return Err(name());
                }
            }
            field.indexed = true;
        }
        self.version += 1;
        self.fields[at] = field;
        Ok(())
    }

    /// Takes a column away, with what it holds.
    ///
    /// # Errors
    /// Every list has it.
    pub fn remove_field(&mut self, id: Uuid) -> Result<(), Refusal> {
        let Some(at) = self.fields.iter().position(|field| field.id == id) else {
            return Ok(());
        };
        if self.fields[at].built_in {
            return Err(Refusal::FieldStays(self.fields[at].internal.clone()));
        }
        let field = self.fields.remove(at);
        for item in self.items.values_mut() {
            item.values.remove(&field.internal);
        }
        self.version += 1;
        Ok(())
    }

    /// Writes a new row.
    ///
    /// # Errors
    /// A unique column holds one of the values already, or a formula does not hold.
    pub fn add(&mut self, values: BTreeMap<String, Value>, by: u32) -> Result<&Item, Refusal> {
        let mut item = Item::new(self.last_item + 1, by);
        for field in self.custom_fields() {
            if let Some(default) = field.default.as_deref()
                && !values.contains_key(&field.internal)
            {
                let value = super::value::of_default(field, default);
                item.values.insert(field.internal.clone(), value);
            }
        }
        item.values.extend(values);
        item.values.retain(|_, value| !value.is_null());
        self.check(&item)?;
        let id = item.id;
        self.last_item = id;
        self.changed(false);
        Ok(self.items.entry(id).or_insert(item))
    }

    /// Writes some columns of a row; the others stay.
    ///
    /// # Errors
    /// The row is of another version, or as for `add`. `None` when there is no such row.
    pub fn update(
        &mut self,
        id: u32,
        values: BTreeMap<String, Value>,
        if_match: Option<&str>,
        by: u32,
    ) -> Result<Option<&Item>, Refusal> {
        let Some(mut item) = self.items.get(&id).cloned() else {
            return Ok(None);
        };
        expect_version(&item, if_match)?;
        item.values.extend(values);
        item.values.retain(|_, value| !value.is_null());
        item.version += 1;
        item.editor = by;
        item.modified = clock::now();
        self.check(&item)?;
        self.changed(false);
        self.items.insert(id, item);
        Ok(self.items.get(&id))
    }

    /// Takes a row away.
    pub fn remove(&mut self, id: u32) -> Option<Item> {
        let item = self.items.remove(&id)?;
        self.changed(true);
        Some(item)
    }

    fn check(&self, item: &Item) -> Result<(), Refusal> {
        for field in self.fields.iter().filter(|field| field.unique) {
            let Some(value) = item.values.get(&field.internal) else {
                continue;
            };
            let taken = |other: &Item| {
                let theirs = other.values.get(&field.internal);
                other.id != item.id && theirs.is_some_and(|theirs| are_same(theirs, value))
            };
            if self.items.values().any(taken) {
                return Err(Refusal::Duplicate(field.internal.clone()));
            }
        }
        calculated::validate(self, item)
    }
}

/// Whether a row may be written by who read `if_match`.
///
/// # Errors
/// It is of another version.
pub fn expect_version(item: &Item, if_match: Option<&str>) -> Result<(), Refusal> {
    match if_match {
        Some(given) if !item.matches(given) => Err(Refusal::Stale {
            given: given.to_owned(),
            current: item.guid_etag(),
        }),
        _ => Ok(()),
    }
}

/// Whether a unique column takes two values for the same: text in whatever case.
fn are_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) if one.is_ascii() && other.is_ascii() => {
            one.eq_ignore_ascii_case(other)
        }
        (Value::String(one), Value::String(other)) => one.to_lowercase() == other.to_lowercase(),
        _ => one == other,
    }
}
