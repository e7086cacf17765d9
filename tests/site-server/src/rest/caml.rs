//! CAML: a query in XML, as `GetItems` brings it. Read into the same plan as `$filter`.

use jiff::civil::Date;
use roxmltree::Node as Xml;
use serde_json::Value;
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::write::all_items;
use crate::odata::entity::Entity;
use crate::odata::filter::{Comparison, Expression, Operand};
use crate::query::row::Column;
use crate::query::{Order, Plan, Refused, pages};
use crate::store::List;

/// The rows of a body `{"query": {"ViewXml": "…"}}`.
///
/// # Errors
/// The XML is no query, or may not be asked.
pub fn query(call: &Call<'_>, id: Uuid) -> Rest<Vec<Entity>> {
    let body = call.body()?;
    let wrapper = body.get("query").or_else(|| body.get("parameters"));
    let xml = wrapper
        .and_then(|query| query.get("ViewXml"))
        .and_then(Value::as_str);
    let list = call.list(id)?;
    let asker = Asker {
        user: call.user,
        today: crate::clock::now().to_zoned(call.site.time_zone()).date(),
    };
    let (plan, limit) = read(list, xml.unwrap_or_default(), &asker)?;
    let rows = plan
        .rows(call.site, list, call.core.options.threshold)
        .map_err(|refused| match refused {
            Refused::Threshold => RestError::threshold(),
            Refused::Unanswerable => malformed(),
        })?;
    let limit = limit.unwrap_or(call.core.options.threshold);
    let page = pages(&plan, call.site, list, rows, None, limit);
    let numbers: Vec<u32> = page.rows.iter().map(|item| item.id).collect();
    all_items(call, id, &numbers)
}

/// Who asks, and on which day: what `<UserID/>` and `<Today/>` stand for.
struct Asker {
    user: u32,
    today: Date,
}

fn malformed() -> RestError {
    RestError::new(
        500,
        -2_130_575_340,
        "Microsoft.SharePoint.SPException",
        "Cannot complete this action.\n\nPlease try again.",
    )
}

fn read(list: &List, xml: &str, asker: &Asker) -> Rest<(Plan, Option<usize>)> {
    let mut plan = Plan::default();
    if xml.trim().is_empty() {
        return Ok((plan, None));
    }
    let document = roxmltree::Document::parse(xml).map_err(|_| malformed())?;
    let root = document.root_element();
    let named = |name: &'static str| root.descendants().find(move |node| node.has_tag_name(name));
    if let Some(condition) = named("Where").and_then(|node| node.first_element_child()) {
        plan.filter = Some(expression(list, condition, asker, &mut plan.columns, 0)?);
    }
    let order = named("OrderBy")
        .into_iter()
        .flat_map(|node| node.children());
    for field in order.filter(Xml::is_element) {
        let (name, column) = column(list, field)?;
        let ascending = field.attribute("Ascending").unwrap_or("TRUE");
        plan.order.push(Order {
            name,
            column,
            descending: ascending.eq_ignore_ascii_case("false"),
        });
    }
    let limit = named("RowLimit").and_then(|node| node.text());
    Ok((plan, limit.and_then(|text| text.trim().parse().ok())))
}

fn column(list: &List, field: Xml<'_, '_>) -> Rest<(String, Column)> {
    let name = field.attribute("Name").unwrap_or_default();
    let found = list.field(name).ok_or_else(|| {
        RestError::new(
            500,
            -2_147_467_259,
            "Microsoft.SharePoint.SPException",
            "One or more field types are not installed properly. Go to the list settings page to delete these fields.",
        )
    })?;
    let linked = found.kind.is_person() || (found.kind.is_lookup() && !found.built_in);
    let by_id = field
        .attribute("LookupId")
        .is_some_and(|flag| flag.eq_ignore_ascii_case("true"));
    let column = match (linked, by_id) {
        (true, true) => Column::Number(found.clone()),
        (true, false) => Column::Behind(found.clone(), found.target_field().to_owned()),
        _ => Column::Own(found.clone()),
    };
    Ok((name.to_owned(), column))
}

type Columns = Vec<(Vec<String>, Column)>;

fn expression(
    list: &List,
    node: Xml<'_, '_>,
    asker: &Asker,
    columns: &mut Columns,
    depth: usize,
) -> Rest<Expression> {
    if depth > 200 {
        return Err(malformed());
    }
    let children: Vec<_> = node.children().filter(Xml::is_element).collect();
    let name = node.tag_name().name();
    if let ("And" | "Or", [left, right]) = (name, children.as_slice()) {
        let left = Box::new(expression(list, *left, asker, columns, depth + 1)?);
        let right = Box::new(expression(list, *right, asker, columns, depth + 1)?);
        return Ok(if name == "And" {
            Expression::And(left, right)
        } else {
            Expression::Or(left, right)
        });
    }
    let field = children.iter().find(|child| child.has_tag_name("FieldRef"));
    let (name_of, column) = column(list, *field.ok_or_else(malformed)?)?;
    let has = |name: &'static str| {
        node.descendants()
            .find(move |child| child.has_tag_name(name))
    };
    let column = match column {
        // Whoever asks is a number, also where no number is asked for.
        Column::Behind(person, _) if has("UserID").is_some() => Column::Number(person),
        other => other,
    };
    // A key of its own: one column may be asked by its number and by what is behind it.
    let key = vec![format!("{name_of}#{}", columns.len())];
    columns.push((key.clone(), column));
    let path = Operand::Path(key);
    let values: Vec<_> = node
        .descendants()
        .filter(|child| child.has_tag_name("Value"))
        .map(|value| operand(value, asker))
        .collect();
    let first = || values.first().cloned().ok_or_else(malformed);
    let compare = |comparison: Comparison, value: Operand| {
        Expression::Compare(path.clone(), comparison, value)
    };
    if let Some(today) = has("Today") {
        let offset = today.attribute("OffsetDays").unwrap_or("0").trim();
        let offset = offset.parse::<i64>().map_err(|_| malformed())?;
        let of = |days: i64| {
            let day = asker.today.checked_add(jiff::Span::new().days(days));
            day.map(|day| Operand::Date(day.to_string()))
                .map_err(|_| malformed())
        };
        let (begin, end) = (of(offset)?, of(offset + 1)?);
        let is = |comparison: Comparison, day: &Operand| compare(comparison, day.clone());
        let both = |left, right| (Box::new(left), Box::new(right));
        return Ok(match name {
            "Eq" => {
                let (from, to) = both(
                    is(Comparison::GreaterOrEqual, &begin),
                    is(Comparison::Less, &end),
                );
                Expression::And(from, to)
            }
            "Neq" => {
                let (before, after) = both(
                    is(Comparison::Less, &begin),
                    is(Comparison::GreaterOrEqual, &end),
                );
                Expression::Or(before, after)
            }
            "Lt" => is(Comparison::Less, &begin),
            "Leq" => is(Comparison::Less, &end),
            "Gt" => is(Comparison::GreaterOrEqual, &end),
            "Geq" => is(Comparison::GreaterOrEqual, &begin),
            _ => return Err(malformed()),
        });
    }
    Ok(match name {
        "Eq" => compare(Comparison::Equal, first()?),
        "Neq" => compare(Comparison::NotEqual, first()?),
        "Lt" => compare(Comparison::Less, first()?),
        "Leq" => compare(Comparison::LessOrEqual, first()?),
        "Gt" => compare(Comparison::Greater, first()?),
        "Geq" => compare(Comparison::GreaterOrEqual, first()?),
        "Includes" => compare(Comparison::Equal, first()?),
        "IsNull" => compare(Comparison::Equal, Operand::Null),
        "IsNotNull" => compare(Comparison::NotEqual, Operand::Null),
        "BeginsWith" => Expression::Test(Operand::Call(
            "startswith".to_owned(),
            vec![path.clone(), first()?],
        )),
        "Contains" => Expression::Test(Operand::Call(
            "contains".to_owned(),
            vec![path.clone(), first()?],
        )),
        "In" => {
            let mut all = values
                .iter()
                .map(|value| compare(Comparison::Equal, value.clone()));
            let first = all.next().ok_or_else(malformed)?;
            all.fold(first, |left, right| {
                Expression::Or(Box::new(left), Box::new(right))
            })
        }
        _ => return Err(malformed()),
    })
}

fn operand(value: Xml<'_, '_>, asker: &Asker) -> Operand {
    if value.children().any(|child| child.has_tag_name("UserID")) {
        return Operand::Number(f64::from(asker.user));
    }
    let text = value.text().unwrap_or_default();
    match value.attribute("Type").unwrap_or("Text") {
        "Number" | "Integer" | "Counter" | "Currency" | "Lookup" | "User" => text
            .trim()
            .parse()
            .map_or_else(|_| Operand::Text(text.to_owned()), Operand::Number),
        "Boolean" => Operand::Flag(matches!(text.trim(), "1" | "TRUE" | "true")),
        "DateTime" => Operand::Date(text.trim().to_owned()),
        _ => Operand::Text(text.to_owned()),
    }
}
