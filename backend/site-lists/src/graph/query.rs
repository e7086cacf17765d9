//! Queries over items in Graph's dialect of OData: which fields come along, and a criterion as a
//! filter over them.
//!
//! What cannot be written as a filter is filtered by this crate itself.

use crate::field::{Column, FieldValue, SiteFieldType, utc};
use crate::filter::Criterion;
use crate::item_query::Operator;
use crate::odata_url::quote_literal;

/// Lookups whose text comes along in one request; a site joins no more than twelve.
const MAX_LOOKUPS: usize = 10;

/// The values of `$expand` that read all columns: the first brings everything but the lookups
/// that had no place in it.
pub(super) fn expansions(columns: &[Column], is_partial: bool) -> Vec<String> {
    let lookups: Vec<&Column> = columns
        .iter()
        .filter(|column| column.is_read() && !column.built_in && is_lookup(column))
        .collect();
    let hidden = columns
        .iter()
        .any(|column| column.is_read() && column.hidden);
    if lookups.is_empty() && !hidden && !is_partial {
        return vec!["fields".to_owned()];
    }
    // Whoever selects one field has to select them all.
    let mut names: Vec<String> = columns
        .iter()
        .filter(|column| column.is_read())
        .map(payload_name)
        .collect();
    names.extend(
        columns
            .iter()
            .filter(|column| {
                ["FileLeafRef", "LinkFilename"].contains(&column.internal_name.as_str())
                    && !column.is_read()
            })
            .map(|column| column.internal_name.clone()),
    );
    let untyped = columns
        .iter()
        .filter(|column| super::columns::has_untold_type(column));
    names.extend(untyped.map(|column| column.internal_name.clone()));
    names.dedup();
    let mut groups = lookups.chunks(MAX_LOOKUPS);
    let mut all = Vec::new();
    let of = |group: &[&Column]| {
        group
            .iter()
            .map(|column| column.internal_name.clone())
            .collect::<Vec<_>>()
    };
    names.extend(groups.next().map(of).unwrap_or_default());
    all.push(format!("fields($select={})", names.join(",")));
    all.extend(groups.map(|group| format!("fields($select=id,{})", of(group).join(","))));
    all
}

/// Whether items have more than the id of this column only where it is selected.
fn is_lookup(column: &Column) -> bool {
    use SiteFieldType::{Lookup, LookupMulti, UserMulti};
    matches!(column.field_type, Some(Lookup | LookupMulti | UserMulti))
}

/// The name of a column in payloads where it is not selected.
pub(super) fn payload_name(column: &Column) -> String {
    use SiteFieldType::{Lookup, LookupMulti, User, UserMulti};
    match column.field_type {
        Some(User | UserMulti | Lookup | LookupMulti) => {
            format!("{}LookupId", column.internal_name)
        }
        Some(SiteFieldType::Counter) => "id".to_owned(),
        _ => column.internal_name.clone(),
    }
}

/// A criterion as a filter; `None` where Graph has none for it.
pub(super) fn filter(criterion: &Criterion) -> Option<String> {
    use SiteFieldType as Kind;
    match criterion.kind {
        Kind::Note
        | Kind::Url
        | Kind::Taxonomy
        | Kind::UserMulti
        | Kind::LookupMulti
        | Kind::MultiChoice
        | Kind::Counter => return None,
        _ => {}
    }
    let name = format!("fields/{}", payload_name(&criterion.column));
    let sign = match criterion.operator {
        Operator::Equals => "eq",
        Operator::Less => "lt",
        Operator::LessOrEquals => "le",
        Operator::Greater => "gt",
        Operator::GreaterOrEquals => "ge",
        Operator::StartsWith => {
            let is_text = matches!(criterion.kind, Kind::String | Kind::Choice);
            return match &criterion.expected {
                FieldValue::Text(text) if is_text => {
                    Some(format!("startswith({name},{})", quote_literal(text)))
                }
                _ => None,
            };
        }
        // What Graph makes of items without a value is not documented; what it cannot search for
        // is.
        Operator::NotEquals | Operator::Contains => return None,
    };
    let compare = |literal: &str| Some(format!("{name} {sign} {literal}"));
    match &criterion.expected {
        FieldValue::Empty if matches!(criterion.kind, Kind::String | Kind::Choice) => {
            Some(format!("({name} eq null or {name} eq '')"))
        }
        FieldValue::Empty => compare("null"),
        FieldValue::Text(_) if criterion.kind == Kind::Lookup => None,
        FieldValue::Text(text) => compare(&quote_literal(text)),
        FieldValue::Number(number) => compare(&number.to_string()),
        FieldValue::Bool(flag) => compare(if *flag { "true" } else { "false" }),
        FieldValue::Time(time) => compare(&quote_literal(&utc(*time))),
        FieldValue::Items(all) => match all.as_slice() {
            [one] => compare(&one.to_string()),
            _ => None,
        },
        FieldValue::People(_) => match criterion.people.as_slice() {
            [one] => compare(&one.to_string()),
            _ => None,
        },
        // Graph does not say in which time zone a date begins.
        FieldValue::Date(_) | FieldValue::Texts(_) | FieldValue::Link(_) => None,
    }
}
