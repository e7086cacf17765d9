//! CAML: a query in XML, as `GetItems` brings it. Read into the same plan as `$filter`.
//!
//! Called by `write`, since it comes as a POST although it changes nothing.

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
    let (plan, limit) = read(list, xml.unwrap_or_default())?;
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

fn malformed() -> RestError {
    RestError::new(
        500,
        -2_130_575_340,
        "Microsoft.SharePoint.SPException",
        "Cannot complete this action.\n\nPlease try again.",
    )
}

fn read(list: &List, xml: &str) -> Rest<(Plan, Option<usize>)> {
    let mut plan = Plan::default();
    if xml.trim().is_empty() {
        return Ok((plan, None));
    }
    let document = roxmltree::Document::parse(xml).map_err(|_| malformed())?;
    let root = document.root_element();
    let named = |name: &'static str| root.descendants().find(move |node| node.has_tag_name(name));
    if let Some(condition) = named("Where").and_then(|node| node.first_element_child()) {
        plan.filter = Some(expression(list, condition, &mut plan.columns, 0)?);
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
    columns: &mut Columns,
    depth: usize,
) -> Rest<Expression> {
    if depth > 200 {
        return Err(malformed());
    }
    let children: Vec<_> = node.children().filter(Xml::is_element).collect();
    let name = node.tag_name().name();
    if let ("And" | "Or", [left, right]) = (name, children.as_slice()) {
        let left = Box::new(expression(list, *left, columns, depth + 1)?);
        let right = Box::new(expression(list, *right, columns, depth + 1)?);
        return Ok(if name == "And" {
            Expression::And(left, right)
        } else {
            Expression::Or(left, right)
        });
    }
    let field = children.iter().find(|child| child.has_tag_name("FieldRef"));
    let (name_of, column) = column(list, *field.ok_or_else(malformed)?)?;
    // A key of its own: one column may be asked by its number and by what is behind it.
    let key = vec![format!("{name_of}#{}", columns.len())];
    columns.push((key.clone(), column));
    let path = Operand::Path(key);
    let values: Vec<_> = node
        .descendants()
        .filter(|child| child.has_tag_name("Value"))
        .map(operand)
        .collect();
    let first = || values.first().cloned().ok_or_else(malformed);
    let compare = |comparison: Comparison, value: Operand| {
        Expression::Compare(path.clone(), comparison, value)
    };
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

fn operand(value: Xml<'_, '_>) -> Operand {
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
