//! Queries over items in SharePoint's dialect of OData: what is selected and expanded, and a
//! criterion as a filter.
//!
//! What cannot be written as a filter is filtered by this crate itself.

use crate::field::{Column, FieldValue, SiteFieldType, Zone, utc};
use crate::filter::Criterion;
use crate::item_query::Operator;

use crate::odata_url::quote_literal;

/// So many lookups are joined in one request. A site refuses one that joins more than twelve, the
/// columns of people in its view among them.
const MAX_LOOKUPS: usize = 8;

/// What a request for items selects and expands.
#[derive(Debug, PartialEq)]
pub(super) struct Selection {
    pub(super) select: String,
    pub(super) expand: String,
}

/// What an item has besides its columns.
const EXTRA_PROPERTIES: [&str; 3] = ["EncodedAbsUrl", "FileLeafRef", "LinkFilename"];

/// The requests that read all columns: the first brings everything but the lookups that had no
/// place in it, the others bring those by id. With `by_name` every column is named, for sites that
/// take no `*` beside others, and nothing that the list does not have.
pub(super) fn selections(columns: &[Column], by_name: bool) -> Vec<Selection> {
    if !by_name {
        return with_lookups(columns, default_names(), true);
    }
    let has = |name: &str| columns.iter().any(|column| column.internal_name == name);
    let mut select = ["Id", "AuthorId", "EditorId"].map(str::to_owned).to_vec();
    select.extend(
        EXTRA_PROPERTIES
            .into_iter()
            .filter(|name| has(name))
            .map(str::to_owned),
    );
    let plain = |column: &&Column| {
        let own = ["ID", "Author", "Editor"].contains(&column.internal_name.as_str());
        column.is_read()
            && !is_lookup(column)
            && !own
            && (!column.built_in || !is_reference(column))
    };
    select.extend(columns.iter().filter(plain).map(payload_name));
    with_lookups(columns, select, false)
}

fn default_names() -> Vec<String> {
    let mut select = vec!["*".to_owned()];
    select.extend(EXTRA_PROPERTIES.map(str::to_owned));
    select
}

/// The selection for a list whose columns are not known yet: what `*` gives.
pub(super) fn default_selection() -> Selection {
    Selection {
        select: default_names().join(","),
        expand: String::new(),
    }
}

/// What the usual response lacks of these columns; nothing for most lists.
pub(super) fn missing_selections(columns: &[Column]) -> Vec<Selection> {
    let mut all = with_lookups(columns, vec!["Id".to_owned()], true);
    if all[0].select == "Id" {
        all.remove(0);
    }
    all
}

/// Author and editor expanded: for accounts without access to the User Information List.
pub(super) fn author_selection() -> Selection {
    Selection {
        select: "Id,Author/Title,Author/EMail,Editor/Title,Editor/EMail".to_owned(),
        expand: "Author,Editor".to_owned(),
    }
}

/// A selection with the columns that do not come unasked: those that somebody hid, where they are
/// wanted, lookups and terms. Lookups that have no place in it come in selections of their own.
fn with_lookups(columns: &[Column], mut select: Vec<String>, with_hidden: bool) -> Vec<Selection> {
    let lookups: Vec<&Column> = columns
        .iter()
        .filter(|column| column.is_read() && is_lookup(column))
        .collect();
    let (first, rest) = lookups.split_at(lookups.len().min(MAX_LOOKUPS));
    if with_hidden {
        let hidden = |column: &&Column| column.hidden && column.is_read() && !is_lookup(column);
        select.extend(columns.iter().filter(hidden).map(payload_name));
    }
    let mut expand = Vec::new();
    add_lookups(first, &mut select, &mut expand);
    add_terms(columns, &mut select, &mut expand);
    let selection = |select: Vec<String>, expand: Vec<String>| Selection {
        select: select.join(","),
        expand: expand.join(","),
    };
    let mut all = vec![selection(select, expand)];
    for group in rest.chunks(MAX_LOOKUPS) {
        let mut select = vec!["Id".to_owned()];
        let mut expand = Vec::new();
        add_lookups(group, &mut select, &mut expand);
        all.push(selection(select, expand));
    }
    all
}

fn add_terms(columns: &[Column], select: &mut Vec<String>, expand: &mut Vec<String>) {
    let has_term = |column: &Column| {
        column.field_type == Some(SiteFieldType::Taxonomy) && !column.multiple && column.is_read()
    };
    if columns.iter().any(has_term) {
        // A term's own label is not in its column, which has a number for it: it stands in the
        // list of all terms of the item, or else among the item's texts.
        let catch_all = columns
            .iter()
            .any(|column| column.internal_name == "TaxCatchAll");
        if catch_all {
            select.extend(["TaxCatchAll/ID".to_owned(), "TaxCatchAll/Term".to_owned()]);
            // A list may show it as a column of its own, which is expanded already.
            if !expand.iter().any(|name| name == "TaxCatchAll") {
                expand.push("TaxCatchAll".to_owned());
            }
        } else {
            select.push("FieldValuesAsText".to_owned());
            expand.push("FieldValuesAsText".to_owned());
        }
    }
}

/// Whether a column's text stands in another list. Built-in ones (paths, ids of files) are
/// called lookups too, and are none.
fn is_lookup(column: &Column) -> bool {
    matches!(
        column.field_type,
        Some(SiteFieldType::Lookup | SiteFieldType::LookupMulti)
    ) && column.lookup.is_some()
        && !column.built_in
}

fn add_lookups(columns: &[&Column], select: &mut Vec<String>, expand: &mut Vec<String>) {
    for column in columns {
        let name = column.entity_name();
        select.push(format!("{name}/Id"));
        if let Some(target) = &column.lookup
            && !target.field.eq_ignore_ascii_case("id")
        {
            select.push(format!("{name}/{}", target.field));
        }
        expand.push(name.to_owned());
    }
}

fn is_reference(column: &Column) -> bool {
    use SiteFieldType::{Lookup, LookupMulti, User, UserMulti};
    matches!(
        column.field_type,
        Some(User | UserMulti | Lookup | LookupMulti)
    )
}

/// The name of a column in payloads where it is not expanded.
pub(super) fn payload_name(column: &Column) -> String {
    use SiteFieldType::{Lookup, LookupMulti, User, UserMulti};
    let name = column.entity_name();
    match column.field_type {
        Some(User | UserMulti | Lookup | LookupMulti) => format!("{name}Id"),
        _ => name.to_owned(),
    }
}

/// A criterion as a filter; `None` where the site has none for it.
pub(super) fn filter(criterion: &Criterion, zone: Zone) -> Option<String> {
    use SiteFieldType as Kind;
    let name = match criterion.kind {
        Kind::Note | Kind::Url | Kind::Taxonomy | Kind::UserMulti | Kind::LookupMulti => {
            return None;
        }
        Kind::Counter => "Id".to_owned(),
        _ => payload_name(&criterion.column),
    };
    match criterion.operator {
        Operator::Equals => equals(criterion, &name, zone),
        Operator::NotEquals => not_equals(criterion, &name, zone),
        Operator::StartsWith | Operator::Contains => text_match(criterion, &name),
        ordered => compare(criterion, ordered, &name, zone),
    }
}

fn equals(criterion: &Criterion, name: &str, zone: Zone) -> Option<String> {
    match &criterion.expected {
        FieldValue::Empty if is_text(criterion.kind) => {
            Some(format!("({name} eq null or {name} eq '')"))
        }
        FieldValue::Empty => Some(format!("{name} eq null")),
        FieldValue::Date(date) => {
            let (from, to) = day(*date, zone)?;
            Some(format!("({name} ge {from} and {name} le {to})"))
        }
        FieldValue::Texts(several) => {
            let each: Vec<String> = several
                .iter()
                .map(|text| {
                    (!text.is_empty()).then(|| format!("{name} eq {}", quote_literal(text)))
                })
                .collect::<Option<_>>()?;
            match each.as_slice() {
                [] => None,
                [one] => Some(one.clone()),
                several => Some(format!("({})", several.join(" or "))),
            }
        }
        _ => Some(format!("{name} eq {}", literal(criterion)?)),
    }
}

/// Everything but what is equal, and what holds nothing is not equal to anything.
fn not_equals(criterion: &Criterion, name: &str, zone: Zone) -> Option<String> {
    match &criterion.expected {
        FieldValue::Empty if is_text(criterion.kind) => {
            Some(format!("({name} ne null and {name} ne '')"))
        }
        FieldValue::Empty => Some(format!("{name} ne null")),
        FieldValue::Date(date) => {
            let (from, to) = day(*date, zone)?;
            Some(format!(
                "({name} lt {from} or {name} gt {to} or {name} eq null)"
            ))
        }
        // Of several values, one may be another one.
        FieldValue::Texts(_) => None,
        _ => {
            let literal = literal(criterion)?;
            Some(format!("({name} ne {literal} or {name} eq null)"))
        }
    }
}

fn compare(criterion: &Criterion, operator: Operator, name: &str, zone: Zone) -> Option<String> {
    let sign = match operator {
        Operator::Less => "lt",
        Operator::LessOrEquals => "le",
        Operator::Greater => "gt",
        _ => "ge",
    };
    let literal = match &criterion.expected {
        FieldValue::Date(date) => {
            let (from, to) = day(*date, zone)?;
            match operator {
                Operator::Less | Operator::GreaterOrEquals => from,
                _ => to,
            }
        }
        _ => literal(criterion)?,
    };
    Some(format!("{name} {sign} {literal}"))
}

fn text_match(criterion: &Criterion, name: &str) -> Option<String> {
    let FieldValue::Text(text) = &criterion.expected else {
        return None;
    };
    if !is_text(criterion.kind) {
        return None;
    }
    let text = quote_literal(text);
    Some(if criterion.operator == Operator::StartsWith {
        format!("startswith({name},{text})")
    } else {
        format!("substringof({text},{name})")
    })
}

fn is_text(kind: SiteFieldType) -> bool {
    matches!(kind, SiteFieldType::String | SiteFieldType::Choice)
}

/// The one value that is compared with, as the site reads it.
fn literal(criterion: &Criterion) -> Option<String> {
    match &criterion.expected {
        // What a lookup shows is compared here: its column may be of any type.
        FieldValue::Text(_) if criterion.kind == SiteFieldType::Lookup => None,
        FieldValue::Text(text) => Some(quote_literal(text)),
        FieldValue::Number(number) => Some(number.to_string()),
        FieldValue::Bool(flag) => Some(if *flag { "1" } else { "0" }.to_owned()),
        FieldValue::Time(time) => Some(format!("datetime'{}'", utc(*time))),
        FieldValue::Items(all) => one(all),
        FieldValue::People(_) => one(&criterion.people),
        _ => None,
    }
}

fn one(ids: &[i64]) -> Option<String> {
    match ids {
        [one] => Some(one.to_string()),
        _ => None,
    }
}

/// The points in time between which a date begins on the site. Summer time moves a midnight by an
/// hour: everything that begins that day.
fn day(date: jiff::civil::Date, zone: Zone) -> Option<(String, String)> {
    let midnight = zone.midnight(date)?;
    let hours = |hours: i64| {
        let time = midnight.saturating_add(jiff::SignedDuration::from_hours(hours));
        format!("datetime'{}'", utc(time.unwrap_or(midnight)))
    };
    Some((hours(-2), hours(2)))
}

/// A filter within a window of ids, which the site always has an index of.
pub(super) fn within_ids(filter: Option<&str>, window: Option<(i64, i64)>) -> Option<String> {
    let Some((from, to)) = window else {
        return filter.map(str::to_owned);
    };
    let ids = format!("Id ge {from} and Id le {to}");
    Some(filter.map_or_else(|| ids.clone(), |filter| format!("{ids} and ({filter})")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn column(kind: SiteFieldType) -> Column {
        serde_json::from_value(json!({"InternalName": "F", "DisplayName": "F", "Type": kind}))
            .expect("a column")
    }

    fn written(kind: SiteFieldType, wanted: Value) -> Option<String> {
        filter(
            &Criterion::equal_to(&column(kind), &wanted).expect("a criterion"),
            Zone { bias: Some(480) },
        )
    }

    #[test]
    fn values_are_written_as_their_column_is_compared() {
        use SiteFieldType::*;
        assert_eq!(
            written(String, json!("it's")).as_deref(),
            Some("F eq 'it''s'")
        );
        assert_eq!(written(Number, json!(3.5)).as_deref(), Some("F eq 3.5"));
        assert_eq!(written(Bool, json!(true)).as_deref(), Some("F eq 1"));
        assert_eq!(
            written(DateTime, json!("2026-01-02T03:04:05+01:00")).as_deref(),
            Some("F eq datetime'2026-01-02T02:04:05Z'")
        );
        assert_eq!(written(Lookup, json!(7)).as_deref(), Some("FId eq 7"));
        assert_eq!(
            written(Choice, json!(null)).as_deref(),
            Some("(F eq null or F eq '')")
        );
        assert_eq!(written(Number, json!(null)).as_deref(), Some("F eq null"));
        assert_eq!(
            written(MultiChoice, json!(["a", "b"])).as_deref(),
            Some("(F eq 'a' or F eq 'b')")
        );
        assert_eq!(written(Calculated, json!("x")).as_deref(), Some("F eq 'x'"));
    }

    #[test]
    fn what_a_site_cannot_filter_by_is_left_to_us() {
        use SiteFieldType::*;
        for kind in [Note, Url, Taxonomy, LookupMulti] {
            assert_eq!(written(kind, json!(null)), None, "{kind}");
        }
        assert_eq!(written(Lookup, json!("Berlin")), None);
    }

    #[test]
    fn operators_are_written_with_what_holds_nothing_in_mind() {
        use SiteFieldType::*;
        let written = |kind: SiteFieldType, operator: Operator, wanted: Value| {
            let criterion = Criterion::new(&column(kind), operator, &wanted).expect("a criterion");
            filter(&criterion, Zone { bias: Some(480) })
        };
        for (kind, operator, wanted, text) in [
            (
                Number,
                Operator::NotEquals,
                json!(3),
                Some("(F ne 3 or F eq null)"),
            ),
            (Number, Operator::GreaterOrEquals, json!(3), Some("F ge 3")),
            (Counter, Operator::Less, json!(3), Some("Id lt 3")),
            (
                String,
                Operator::NotEquals,
                json!(null),
                Some("(F ne null and F ne '')"),
            ),
            (
                String,
                Operator::StartsWith,
                json!("it's"),
                Some("startswith(F,'it''s')"),
            ),
            (
                String,
                Operator::Contains,
                json!("a"),
                Some("substringof('a',F)"),
            ),
            (MultiChoice, Operator::NotEquals, json!("a"), None),
            (Note, Operator::Contains, json!("a"), None),
        ] {
            assert_eq!(
                written(kind, operator, wanted).as_deref(),
                text,
                "{kind} {operator}"
            );
        }
    }

    #[test]
    fn the_list_of_all_terms_is_joined_once_where_it_is_a_column_too() {
        let columns: Vec<Column> = [
            json!({"InternalName": "Term", "DisplayName": "Term", "Type": "Taxonomy"}),
            json!({"InternalName": "TaxCatchAll", "DisplayName": "All", "Type": "LookupMulti",
                "Hidden": true, "Lookup": {"Field": "CatchAllData"}}),
        ]
        .into_iter()
        .map(|column| serde_json::from_value(column).expect("a column"))
        .collect();
        let all = selections(&columns, false);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].expand, "TaxCatchAll");
        let selected: Vec<&str> = all[0].select.split(',').collect();
        assert!(selected.contains(&"TaxCatchAll/Term"), "{selected:?}");
    }

    #[test]
    fn a_window_comes_first_because_it_has_an_index() {
        assert_eq!(
            within_ids(Some("A eq 1 or B eq 2"), Some((1, 5000))).as_deref(),
            Some("Id ge 1 and Id le 5000 and (A eq 1 or B eq 2)")
        );
        assert_eq!(within_ids(None, None), None);
    }

    #[test]
    fn twenty_lookups_are_read_in_requests_that_join_less_than_twelve() {
        let columns: Vec<Column> = (0..20)
            .map(|number| {
                serde_json::from_value(json!({"InternalName": format!("L{number}"), "DisplayName": "L", "Type": "Lookup", "Lookup": {"Field": "Title"}})).expect("a column")
            })
            .collect();
        let all = selections(&columns, false);
        let lookups: Vec<usize> = all
            .iter()
            .map(|one| one.expand.split(',').count())
            .collect();
        assert_eq!(lookups, [8, 8, 4]);
        for number in 0..20 {
            let name = format!("L{number}/Title");
            assert_eq!(
                all.iter()
                    .filter(|one| one.select.split(',').any(|part| part == name))
                    .count(),
                1
            );
        }
    }
}
