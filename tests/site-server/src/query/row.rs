//! The names by which a query reaches into an item: columns, their numbers (`AuthorId`), and what
//! lies behind people and look-ups (`Author/Title`).
//!
//! Names are resolved once for a query and then read from every row; used by filters and sorting.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::odata::filter::{Cell, Row};
use crate::store::{Field, FieldKind, Item, List, Site, item};

/// Where the cells of a name come from.
#[derive(Clone, Debug)]
pub enum Column {
    /// The column's own value.
    Own(Field),
    /// Its number: `FId`, or `Id` itself.
    Number(Field),
    /// What its number stands for.
    Behind(Field, String),
    /// 0 for rows, 1 for folders.
    ObjectType,
}

impl Column {
    /// The column that a name means.
    #[must_use]
    pub fn named(list: &List, path: &[String]) -> Option<Self> {
        match path {
            [name] if name.eq_ignore_ascii_case("id") => list.field("ID").cloned().map(Self::Own),
            [name] if name == "FileSystemObjectType" => Some(Self::ObjectType),
            [name] => match list.field(name) {
                Some(field) => Some(Self::Own(field.clone())),
                None => {
                    let bare = name.strip_suffix("StringId").or(name.strip_suffix("Id"))?;
                    let field = list.field(bare)?;
                    let numbered = field.kind.is_person() || field.kind.is_lookup();
                    numbered.then(|| Self::Number(field.clone()))
                }
            },
            [name, behind] => {
                let field = list.field(name)?;
                let linked = field.kind.is_person() || field.kind.is_lookup();
                linked.then(|| Self::Behind(field.clone(), behind.clone()))
            }
            _ => None,
        }
    }

    /// The list's column behind the name.
    #[must_use]
    pub fn field(&self) -> Option<&Field> {
        match self {
            Self::Own(field) | Self::Number(field) | Self::Behind(field, _) => Some(field),
            Self::ObjectType => None,
        }
    }

    /// What it holds in a row.
    #[must_use]
    pub fn cell(&self, site: &Site, list: &List, item: &Item) -> Cell {
        match self {
            Self::ObjectType => Cell::Number(f64::from(u8::from(item.is_folder))),
            Self::Own(field) => typed(field, &item::value(site, list, item, field)),
            Self::Number(field) => numbers(&item::value(site, list, item, field)),
            Self::Behind(field, name) => match item::value(site, list, item, field) {
                Value::Array(all) => Cell::Several(
                    all.iter()
                        .map(|one| cell_behind(site, field, one, name))
                        .collect(),
                ),
                one => cell_behind(site, field, &one, name),
            },
        }
    }
}

fn typed(field: &Field, value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(flag) => Cell::Flag(*flag),
        Value::Number(number) => Cell::Number(number.as_f64().unwrap_or(0.0)),
        Value::String(text) if field.kind == FieldKind::DateTime => text
            .parse::<Timestamp>()
            .map_or_else(|_| Cell::Text(text.clone()), Cell::Instant),
        Value::String(text) => Cell::Text(text.clone()),
        Value::Array(all) => Cell::Several(all.iter().map(|one| typed(field, one)).collect()),
        Value::Object(members) => members
            .get("Url")
            .or_else(|| members.get("Label"))
            .and_then(Value::as_str)
            .map_or(Cell::Null, |text| Cell::Text(text.to_owned())),
    }
}

fn numbers(value: &Value) -> Cell {
    match value {
        Value::Array(all) => Cell::Several(all.iter().map(numbers).collect()),
        other => other.as_f64().map_or(Cell::Null, Cell::Number),
    }
}

fn cell_behind(site: &Site, field: &Field, number: &Value, name: &str) -> Cell {
    match behind(site, field, number, name) {
        Some((Some(column), value)) => typed(&column, &value),
        Some((None, Value::String(text))) => Cell::Text(text),
        Some((None, Value::Bool(flag))) => Cell::Flag(flag),
        Some((None, value)) => numbers(&value),
        None => Cell::Null,
    }
}

/// What a person's or an item's number stands for, under a name; with the column that it is in.
#[must_use]
pub fn behind(
    site: &Site,
    field: &Field,
    number: &Value,
    name: &str,
) -> Option<(Option<Field>, Value)> {
    let id = u32::try_from(number.as_u64()?).ok()?;
    if name.eq_ignore_ascii_case("id") {
        return Some((None, number.clone()));
    }
    let target = if field.kind.is_person() {
        let mut lists = site.lists.iter();
        lists.find(|list| list.template == crate::store::list::PEOPLE)?
    } else {
        site.list(field.target_list()?)?
    };
    let item = target.items.get(&id)?;
    let column = target.field(name)?;
    Some((
        Some(column.clone()),
        item::value(site, target, item, column),
    ))
}

/// The names of a query with their columns, and the row that they are read from.
pub struct Asked<'a> {
    pub site: &'a Site,
    pub list: &'a List,
    pub item: &'a Item,
    pub columns: &'a [(Vec<String>, Column)],
    pub zone: &'a TimeZone,
}

impl Row for Asked<'_> {
    fn cell(&self, path: &[String]) -> Cell {
        let found = self.columns.iter().find(|(name, _)| name == path);
        found.map_or(Cell::Null, |(_, column)| {
            column.cell(self.site, self.list, self.item)
        })
    }

    fn zone(&self) -> &TimeZone {
        self.zone
    }
}
