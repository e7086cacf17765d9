//! The filter of GetSiteItems: a column, an operator and the value that the column is compared with.
//!
//! Invariant: a query of either protocol and `matches`, which filters here where a site cannot, find
//! the same items, as written down at [`Operator`].

use std::cmp::Ordering;

use serde_json::Value;

use crate::error::{ErrorKind, Result, SiteError};
use crate::field::Person;
use crate::field::{Column, FieldValue, FromFieldValue, SiteFieldType, read_date, to_field_value};
use crate::item::SiteItem;
use crate::item_query::Operator;

/// A column and what it has to hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Criterion {
    pub(crate) column: Column,
    pub(crate) kind: SiteFieldType,
    pub(crate) operator: Operator,
    pub(crate) expected: FieldValue,
    /// Ids of the people in `expected`, once they are resolved.
    pub(crate) people: Vec<i64>,
    /// The same people as items show them.
    pub(crate) people_values: Vec<Value>,
}

impl Criterion {
    /// What `given` means for a column that has to hold it.
    ///
    /// # Errors
    /// The column is of no supported type, or the value is none that it could hold.
    #[cfg(any(test, feature = "fuzzed"))]
    pub(crate) fn equal_to(column: &Column, given: &Value) -> Result<Self> {
        Self::new(column, Operator::Equals, given)
    }

    /// What an operator and `given` mean for a column.
    ///
    /// # Errors
    /// The column is of no supported type, the value is none that it could hold, or it knows no
    /// such operator.
    pub(crate) fn new(column: &Column, operator: Operator, given: &Value) -> Result<Self> {
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
        if operator.searches() {
            return text_search(column, kind, operator, given)
                .map_err(|why| unfit(ErrorKind::InvalidValue, why));
        }
        let read_as = match kind {
            SiteFieldType::Calculated if operator.orders() => match ordered_type(given) {
                Some(kind) => kind,
                None => SiteFieldType::String,
            },
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
        let expected = to_field_value(&lenient, read_as, given)
            .map_err(|why| unfit(ErrorKind::InvalidValue, why))?;
        let has_order = matches!(
            expected,
            FieldValue::Number(_) | FieldValue::Time(_) | FieldValue::Date(_)
        );
        if operator.orders() && !has_order {
            let why = if expected == FieldValue::Empty {
                format!("needs a value for the operator {operator}")
            } else {
                format!("is of the type {kind}; the operator {operator} is for numbers and times")
            };
            return Err(unfit(ErrorKind::InvalidValue, why));
        }
        // No text and nothing are the same to a list.
        let expected = match expected {
            FieldValue::Text(text) if text.is_empty() => FieldValue::Empty,
            other => other,
        };
        Ok(Self {
            column: column.clone(),
            kind,
            operator,
            expected,
            people: Vec::new(),
            people_values: Vec::new(),
        })
    }

    /// Whether an item, as it was read, is one that is looked for. Text is compared as sites do:
    /// without regard to case. A column of several values holds something where one of them does.
    pub(crate) fn matches(&self, item: &SiteItem) -> bool {
        let number;
        let actual = if self.kind == SiteFieldType::Counter {
            number = Value::from(item.id());
            Some(&number)
        } else {
            item.field(&self.column.internal_name)
                .map(|field| &field.value)
        };
        let values = match actual {
            None | Some(Value::Null) => &[],
            Some(Value::Array(all)) => all.as_slice(),
            Some(one) => std::slice::from_ref(one),
        };
        let any_value = |test: &dyn Fn(&Value) -> bool| values.iter().any(test);
        let equals = || match values {
            [] => self.is_for_empty(),
            _ => any_value(&|actual| self.equals_value(actual)),
        };
        match self.operator {
            Operator::Equals => equals(),
            Operator::NotEquals => !equals(),
            Operator::StartsWith => {
                any_value(&|actual| self.matches_text(actual, |text, part| text.starts_with(part)))
            }
            Operator::Contains => {
                any_value(&|actual| self.matches_text(actual, |text, part| text.contains(part)))
            }
            Operator::Less => any_value(&|actual| self.order(actual).is_some_and(Ordering::is_lt)),
            Operator::LessOrEquals => {
                any_value(&|actual| self.order(actual).is_some_and(Ordering::is_le))
            }
            Operator::Greater => {
                any_value(&|actual| self.order(actual).is_some_and(Ordering::is_gt))
            }
            Operator::GreaterOrEquals => {
                any_value(&|actual| self.order(actual).is_some_and(Ordering::is_ge))
            }
        }
    }

    /// The order of an item's value and the expected one.
    fn order(&self, actual: &Value) -> Option<Ordering> {
        match &self.expected {
            FieldValue::Number(expected) => {
                let actual = f64::from_field_value(actual).ok()?;
                actual.partial_cmp(&expected.as_f64()?)
            }
            FieldValue::Time(expected) => {
                let actual = jiff::Timestamp::from_field_value(actual).ok()?;
                Some(actual.as_second().cmp(&expected.as_second()))
            }
            FieldValue::Date(expected) => Some(read_date(actual.as_str()?)?.cmp(expected)),
            _ => None,
        }
    }

    /// Whether a text of a value passes a test with the expected text, both in lower case.
    fn matches_text(&self, actual: &Value, test: fn(&str, &str) -> bool) -> bool {
        let FieldValue::Text(expected) = &self.expected else {
            return false;
        };
        let part = expected.to_lowercase();
        let texts = match self.kind {
            SiteFieldType::User | SiteFieldType::UserMulti => ["Title", "Name", "Email"]
                .iter()
                .filter_map(|name| actual.get(name).and_then(text))
                .collect(),
            _ => Vec::from_iter(text(actual)),
        };
        texts.iter().any(|text| test(&text.to_lowercase(), &part))
    }

    fn is_for_empty(&self) -> bool {
        match &self.expected {
            FieldValue::Empty => true,
            FieldValue::Text(text) => text.is_empty(),
            FieldValue::Texts(all) => all.is_empty(),
            FieldValue::People(all) => all.is_empty(),
            FieldValue::Items(all) => all.is_empty(),
            _ => false,
        }
    }

    fn equals_value(&self, actual: &Value) -> bool {
        match &self.expected {
            FieldValue::Empty => actual.as_str() == Some(""),
            FieldValue::Text(expected) => {
                let by_id = actual
                    .get("TermGuid")
                    .and_then(text)
                    .is_some_and(|id| same(&id, expected));
                by_id || text(actual).is_some_and(|actual| same(&actual, expected))
            }
            FieldValue::Texts(expected) => {
                text(actual).is_some_and(|actual| expected.iter().any(|one| same(&actual, one)))
            }
            FieldValue::Number(expected) => f64::from_field_value(actual).ok() == expected.as_f64(),
            FieldValue::Bool(expected) => actual.as_bool() == Some(*expected),
            FieldValue::Time(expected) => jiff::Timestamp::from_field_value(actual)
                .is_ok_and(|actual| actual.as_second() == expected.as_second()),
            FieldValue::Date(expected) => actual.as_str().and_then(read_date) == Some(*expected),
            FieldValue::People(expected) => {
                self.people_values.contains(actual)
                    || expected.iter().any(|person| is_person(actual, person))
            }
            FieldValue::Items(expected) => {
                let id = actual.get("LookupId").and_then(Value::as_i64);
                id.is_some_and(|id| expected.contains(&id))
            }
            FieldValue::Link(expected) => actual
                .get("Url")
                .and_then(text)
                .is_some_and(|actual| same(&actual, &expected.url)),
        }
    }
}

/// A criterion that looks for a part of a text.
fn text_search(
    column: &Column,
    kind: SiteFieldType,
    operator: Operator,
    given: &Value,
) -> std::result::Result<Criterion, String> {
    use SiteFieldType as Kind;
    if matches!(
        kind,
        Kind::Number | Kind::Currency | Kind::Integer | Kind::Counter | Kind::Bool | Kind::DateTime
    ) {
        return Err(format!(
            "is of the type {kind}; the operator {operator} is for texts"
        ));
    }
    let part = match given {
        Value::String(_) | Value::Number(_) | Value::Bool(_) => text(given),
        _ => None,
    };
    let part = part.filter(|part| !part.is_empty());
    let part = part.ok_or_else(|| format!("needs a text for the operator {operator}"))?;
    Ok(Criterion {
        column: column.clone(),
        kind,
        operator,
        expected: FieldValue::Text(part),
        people: Vec::new(),
        people_values: Vec::new(),
    })
}

/// What a calculated column is compared as: the value says it.
fn ordered_type(given: &Value) -> Option<SiteFieldType> {
    if f64::from_field_value(given).is_ok() {
        return Some(SiteFieldType::Number);
    }
    jiff::Timestamp::from_field_value(given)
        .ok()
        .map(|_| SiteFieldType::DateTime)
}

fn is_person(actual: &Value, person: &Person) -> bool {
    let Person::Named { name, .. } = person else {
        return false;
    };
    ["Name", "Email", "Title"].iter().any(|part| {
        let known = actual.get(part).and_then(text);
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

    fn matches(kind: SiteFieldType, actual: Value, expected: Value) -> bool {
        matches_by(Operator::Equals, kind, actual, expected)
    }

    fn matches_by(operator: Operator, kind: SiteFieldType, actual: Value, expected: Value) -> bool {
        let column: Column =
            serde_json::from_value(json!({"InternalName": "F", "DisplayName": "F", "Type": kind}))
                .expect("a column");
        let criterion = Criterion::new(&column, operator, &expected).expect("a criterion");
        let item = SiteItem {
            fields: vec![column.field(kind, actual)],
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

    #[test]
    fn several_values_are_looked_for_as_one_of_them() {
        use SiteFieldType::*;
        let actual = json!(["a", "b"]);
        assert!(matches(MultiChoice, actual.clone(), json!(["b", "c"])));
        assert!(!matches(MultiChoice, actual.clone(), json!(["c", "d"])));
        let not = |actual, expected| matches_by(Operator::NotEquals, MultiChoice, actual, expected);
        assert!(!not(actual.clone(), json!(["b", "c"])));
        assert!(not(actual, json!("c")));
        assert!(not(json!([]), json!("a")));
        let actual = json!([{"LookupId": 3, "LookupValue": "Berlin"}]);
        assert!(matches(LookupMulti, actual.clone(), json!([2, 3])));
        assert!(!matches(LookupMulti, actual, json!([2, 4])));
    }

    #[test]
    fn operators_compare_by_value_and_find_nothing_in_nothing() {
        use Operator::{Contains, Greater, GreaterOrEquals, Less, LessOrEquals, StartsWith};
        use SiteFieldType::*;
        assert!(matches_by(Less, Number, json!(9), json!("10")));
        assert!(!matches_by(Less, Number, json!(10), json!(10)));
        assert!(matches_by(LessOrEquals, Number, json!(10), json!(10)));
        assert!(matches_by(Greater, Calculated, json!(85), json!("9")));
        assert!(!matches_by(Less, Number, json!(null), json!(10)));
        assert!(!matches_by(GreaterOrEquals, Number, json!(null), json!(0)));
        let (time, later) = (
            json!("2026-02-01T08:00:00Z"),
            json!("2026-02-01T10:00:00+01:00"),
        );
        assert!(matches_by(Less, DateTime, time.clone(), later.clone()));
        assert!(matches_by(GreaterOrEquals, DateTime, later, time));
        assert!(matches_by(
            StartsWith,
            String,
            json!("PC-0815"),
            json!("pc-")
        ));
        assert!(!matches_by(
            StartsWith,
            String,
            json!("A PC-0815"),
            json!("pc-")
        ));
        assert!(matches_by(Contains, Note, json!("a PC"), json!("PC")));
        assert!(matches_by(
            Contains,
            MultiChoice,
            json!(["one", "two"]),
            json!("w")
        ));
        assert!(!matches_by(Contains, String, json!(null), json!("x")));
        let ada = json!({"IsGroup": false, "Title": "Ada Lovelace", "Email": "ada@corp.example"});
        assert!(matches_by(Contains, User, ada.clone(), json!("lovelace")));
        assert!(matches_by(StartsWith, User, ada, json!("ada@")));
    }

    #[test]
    fn an_operator_that_a_column_does_not_know_is_refused() {
        use SiteFieldType::*;
        for (kind, operator, expected, why) in [
            (String, Operator::Less, json!("a"), "numbers and times"),
            (Number, Operator::Less, json!(null), "needs a value"),
            (Number, Operator::Contains, json!(1), "texts"),
            (String, Operator::StartsWith, json!(null), "needs a text"),
            (String, Operator::Contains, json!(""), "needs a text"),
            (
                Calculated,
                Operator::Greater,
                json!("x"),
                "numbers and times",
            ),
        ] {
            let column: Column = serde_json::from_value(
                json!({"InternalName": "F", "DisplayName": "F", "Type": kind}),
            )
            .expect("a column");
            let error = Criterion::new(&column, operator, &expected).expect_err("refused");
            assert_eq!(error.kind(), ErrorKind::InvalidValue, "{kind} {operator}");
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
