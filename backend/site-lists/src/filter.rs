//! The filter of GetSiteItems: one field and the value it is compared with.
//!
//! Built by `read` from what the caller gave; the protocols write it as their query, and where a
//! site cannot filter by it, `matches` decides here, over fields as they were read.

use serde_json::Value;

use crate::error::{ErrorKind, Result, SiteError};
use crate::field::Person;
use crate::field::{Column, FieldValue, FromFieldValue, SiteFieldType, read_date, value};
use crate::item::SiteItem;

/// A column and what it has to hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Criterion {
    pub(crate) column: Column,
    pub(crate) kind: SiteFieldType,
    pub(crate) wanted: FieldValue,
    /// Ids of the people in `wanted`, once they are resolved.
    pub(crate) people: Vec<i64>,
}

impl Criterion {
    /// What `given` means for a column.
    ///
    /// # Errors
    /// The column is of no supported type, or the value is none that it could hold.
    pub(crate) fn new(column: &Column, given: &Value) -> Result<Self> {
        let unfit = |kind, why: String| {
            SiteError::new(kind, format!("The field {} {why}.", column.internal_name))
                .with_field(&column.internal_name)
        };
        let kind = column.field_type.ok_or_else(|| {
            unfit(
                ErrorKind::UnsupportedFieldType,
                format!(
                    "is of the type {}, which is not supported",
                    column.site_type
                ),
            )
        })?;
        // What could not be written may well be looked for: a retired choice, a long text.
        let lenient = Column {
            choices: Vec::new(),
            max_length: None,
            ..column.clone()
        };
        let read_as = match kind {
            SiteFieldType::Counter => SiteFieldType::Integer,
            SiteFieldType::Guid | SiteFieldType::Taxonomy => SiteFieldType::String,
            SiteFieldType::Calculated => match given {
                Value::Number(_) => SiteFieldType::Number,
                Value::Bool(_) => SiteFieldType::Bool,
                _ => SiteFieldType::String,
            },
            // A lookup may be looked for by what it shows.
            SiteFieldType::Lookup | SiteFieldType::LookupMulti
                if given
                    .as_str()
                    .is_some_and(|text| text.parse::<i64>().is_err()) =>
            {
                SiteFieldType::String
            }
            other => other,
        };
        let wanted =
            value(&lenient, read_as, given).map_err(|why| unfit(ErrorKind::InvalidValue, why))?;
        Ok(Self {
            column: column.clone(),
            kind,
            wanted,
            people: Vec::new(),
        })
    }

    /// Whether an item, as it was read, holds what is wanted. Text is compared as sites do:
    /// without regard to case. A column of several values matches where one of them does.
    pub(crate) fn matches(&self, item: &SiteItem) -> bool {
        if self.kind == SiteFieldType::Counter {
            return matches!(&self.wanted, FieldValue::Number(number) if number.as_i64() == Some(item.id()));
        }
        let held = item
            .field(&self.column.internal_name)
            .map(|field| &field.value);
        match held {
            None | Some(Value::Null) => self.wants_nothing(),
            Some(Value::Array(all)) if all.is_empty() => self.wants_nothing(),
            Some(Value::Array(all)) => match &self.wanted {
                FieldValue::Texts(wanted) if wanted.len() != 1 => {
                    let held: Vec<String> = all.iter().filter_map(text).collect();
                    wanted.len() == held.len()
                        && wanted.iter().all(|one| held.iter().any(|it| same(it, one)))
                }
                _ => all.iter().any(|one| self.holds(one)),
            },
            Some(one) => self.holds(one),
        }
    }

    fn wants_nothing(&self) -> bool {
        match &self.wanted {
            FieldValue::Empty => true,
            FieldValue::Text(text) => text.is_empty(),
            FieldValue::Texts(all) => all.is_empty(),
            FieldValue::People(all) => all.is_empty(),
            FieldValue::Items(all) => all.is_empty(),
            _ => false,
        }
    }

    fn holds(&self, held: &Value) -> bool {
        match &self.wanted {
            FieldValue::Empty => held.as_str() == Some(""),
            FieldValue::Text(wanted) => {
                let by_id = held
                    .get("TermGuid")
                    .and_then(text)
                    .is_some_and(|id| same(&id, wanted));
                by_id || text(held).is_some_and(|held| same(&held, wanted))
            }
            FieldValue::Texts(wanted) => {
                text(held).is_some_and(|held| wanted.iter().any(|one| same(&held, one)))
            }
            FieldValue::Number(wanted) => f64::from_field_value(held).ok() == wanted.as_f64(),
            FieldValue::Bool(wanted) => held.as_bool() == Some(*wanted),
            FieldValue::Time(wanted) => jiff::Timestamp::from_field_value(held)
                .is_ok_and(|held| held.as_second() == wanted.as_second()),
            FieldValue::Date(wanted) => held.as_str().and_then(read_date) == Some(*wanted),
            FieldValue::People(wanted) => wanted.iter().any(|person| is_person(held, person)),
            FieldValue::Items(wanted) => {
                let id = held.get("LookupId").and_then(Value::as_i64);
                id.is_some_and(|id| wanted.contains(&id))
            }
            FieldValue::Link(wanted) => held
                .get("Url")
                .and_then(text)
                .is_some_and(|held| same(&held, &wanted.url)),
        }
    }
}

fn is_person(held: &Value, person: &Person) -> bool {
    let Person::Named { name, .. } = person else {
        return false;
    };
    ["Name", "Email", "Title"].iter().any(|part| {
        let known = held.get(part).and_then(text);
        // A login may carry the claim it came with: `i:0#.w|corp\ada`.
        known.is_some_and(|known| {
            same(&known, name)
                || known
                    .rsplit('|')
                    .next()
                    .is_some_and(|bare| same(bare, name))
        })
    })
}

fn text(value: &Value) -> Option<String> {
    String::from_field_value(value).ok()
}

fn same(one: &str, other: &str) -> bool {
    one == other || one.to_lowercase() == other.to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn matches(kind: SiteFieldType, held: Value, wanted: Value) -> bool {
        let column: Column =
            serde_json::from_value(json!({"InternalName": "F", "DisplayName": "F", "Type": kind}))
                .expect("a column");
        let criterion = Criterion::new(&column, &wanted).expect("a criterion");
        let item = SiteItem {
            fields: vec![column.field(kind, held)],
            ..SiteItem::default()
        };
        criterion.matches(&item)
    }

    #[test]
    fn text_is_compared_without_regard_to_case_and_numbers_by_value() {
        use SiteFieldType::*;
        assert!(matches(String, json!("PC-1"), json!("pc-1")));
        assert!(!matches(String, json!("PC-10"), json!("PC-1")));
        assert!(matches(Number, json!(32.0), json!("32")));
        assert!(matches(Bool, json!(true), json!(1)));
        assert!(matches(
            DateTime,
            json!("2026-02-01T08:00:00Z"),
            json!("2026-02-01T09:00:00+01:00")
        ));
    }

    #[test]
    fn one_of_several_values_is_enough() {
        use SiteFieldType::*;
        assert!(matches(MultiChoice, json!(["a", "b"]), json!("B")));
        assert!(!matches(MultiChoice, json!(["a", "b"]), json!("c")));
        assert!(matches(
            LookupMulti,
            json!([{"LookupId": 3, "LookupValue": "Berlin"}]),
            json!(3)
        ));
        assert!(matches(
            LookupMulti,
            json!([{"LookupId": 3, "LookupValue": "Berlin"}]),
            json!("berlin")
        ));
        let ada =
            json!([{"IsGroup": false, "Name": "i:0#.w|corp\\ada", "Email": "ada@corp.example"}]);
        assert!(matches(UserMulti, ada.clone(), json!("CORP\\Ada")));
        assert!(matches(UserMulti, ada.clone(), json!("ada@corp.example")));
        assert!(!matches(UserMulti, ada, json!("bob")));
    }

    #[test]
    fn nothing_is_found_by_null_and_by_nothing_else() {
        use SiteFieldType::*;
        assert!(matches(Number, json!(null), json!(null)));
        assert!(matches(MultiChoice, json!([]), json!(null)));
        assert!(matches(String, json!(null), json!("")));
        assert!(!matches(Number, json!(0), json!(null)));
        assert!(!matches(Number, json!(null), json!(0)));
        assert!(!matches(String, json!("x"), json!(null)));
    }
}
