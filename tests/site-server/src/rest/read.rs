//! Answers to reads: one thing, several things, one member of something, a number, bare content.

use serde_json::{Value, json};

use super::call::Call;
use super::error::{Rest, RestError};
use super::node::{Node, Target};
use super::{attachments, items, shape, web};
use crate::odata::entity::{Entity, Property, value_of};
use crate::odata::filter::{Cell, Expression, Operand, Row, holds, parse};
use crate::odata::flavour::Flavour;
use crate::odata::projection::Projection;
use crate::request::Answer;

/// Answers a read.
///
/// # Errors
/// What is asked for is not there.
pub fn answer(call: &mut Call<'_>, target: &Target) -> Rest<Answer> {
    match target {
        Target::Node(Node::Root) => Ok(service_document(call)),
        Target::Node(Node::Items(id)) => {
            let (entities, next) = items::query(call, *id)?;
            Ok(several(call, &Node::Items(*id), &entities, next))
        }
        Target::Node(node) if shape::is_collection(node) => {
            let entities = collection(call, node)?;
            Ok(several(call, node, &entities, None))
        }
        Target::Node(node) => Ok(one(
            call,
            200,
            &shape::entity(call, node, &call.projection())?,
        )),
        Target::Property(node, name) => property(call, node, name),
        Target::Count(Node::Items(id)) => {
            let count = call.list(*id)?.items.len();
            Ok(text(count.to_string()))
        }
        Target::Count(node) => Ok(text(shape::members(call, node)?.len().to_string())),
        Target::Content(Node::Attachment(id, number, file), None) => {
            attachments::content(call, *id, *number, file)
        }
        Target::Content(node, Some(name)) => content(call, node, name),
        Target::Content(_, None) => Err(RestError::no_resource("$value")),
        Target::Function(Node::TimeZone, function) => web::converted(call, function),
        Target::Function(_, function) => match function.name.to_ascii_lowercase().as_str() {
            "contextinfo"
            | "ensureuser"
            | "getitems"
            | "recycle"
            | "createfieldasxml"
            | "validateupdatelistitem" => Err(RestError::no_method("GET")),
            _ => Err(RestError::no_resource(&function.name)),
        },
    }
}

fn service_document(call: &Call<'_>) -> Answer {
    let sets = ["web", "site", "contextinfo"].map(|name| json!({"name": name, "url": name}));
    Answer::json(200, call.flavour.media_type(), &json!({"value": sets}))
}

fn text(body: String) -> Answer {
    Answer::text(200, "text/plain;charset=utf-8", body)
}

/// One thing as an answer, with its ETag.
#[must_use]
pub fn one(call: &Call<'_>, status: u16, entity: &Entity) -> Answer {
    let mut out = entity.written(call.flavour);
    let body = match call.flavour {
        Flavour::Verbose => json!({"d": out}),
        Flavour::Minimal => {
            let kind = if entity.kind.starts_with("SP.Data.") {
                format!("{}s", entity.kind.replacen("SP.Data", "SP.ListData", 1))
            } else {
                entity.kind.replacen("SP.", "SP.ApiData.", 1) + "s"
            };
            let metadata = format!("{}/_api/$metadata#{kind}/@Element", call.web);
            out.shift_insert(0, "odata.metadata".to_owned(), json!(metadata));
            Value::Object(out)
        }
        Flavour::None => Value::Object(out),
    };
    let mut answer = Answer::json(status, call.flavour.media_type(), &body);
    if let Some(etag) = &entity.etag {
        answer.set("etag", etag);
    }
    answer
}

/// Several things as an answer, with the address of the next page.
#[must_use]
pub fn several(call: &Call<'_>, node: &Node, entities: &[Entity], next: Option<String>) -> Answer {
    let all: Vec<_> = entities
        .iter()
        .map(|entity| Value::Object(entity.written(call.flavour)))
        .collect();
    let body = match call.flavour {
        Flavour::Verbose => match next {
            Some(next) => json!({"d": {"results": all, "__next": next}}),
            None => json!({"d": {"results": all}}),
        },
        Flavour::Minimal => {
            let kind = shape::collection_kind(call, node);
            let metadata = format!("{}/_api/$metadata#{kind}", call.web);
            with_next(json!({"odata.metadata": metadata, "value": all}), next)
        }
        Flavour::None => with_next(json!({"value": all}), next),
    };
    Answer::json(200, call.flavour.media_type(), &body)
}

fn with_next(mut body: Value, next: Option<String>) -> Value {
    if let Some(next) = next {
        body["odata.nextLink"] = json!(next);
    }
    body
}

/// Answers with the result of a function that gives a bare value.
#[must_use]
pub fn bare(call: &Call<'_>, name: &str, kind: &str, value: &Value) -> Answer {
    let body = match call.flavour {
        Flavour::Verbose => json!({"d": {name: value}}),
        Flavour::Minimal => json!({
            "odata.metadata": format!("{}/_api/$metadata#{kind}", call.web), "value": value}),
        Flavour::None => json!({"value": value}),
    };
    Answer::json(200, call.flavour.media_type(), &body)
}

/// A collection with `$filter`, `$orderby` and `$top` applied to what its members show.
fn collection(call: &Call<'_>, node: &Node) -> Rest<Vec<Entity>> {
    let projection = call.projection();
    let nodes = shape::members(call, node)?;
    let filter = match call.query.option("filter") {
        Some(text) => Some((text, parse(text).map_err(|_| RestError::expression(text))?)),
        None => None,
    };
    let mut entities = Vec::new();
    for node in &nodes {
        if let Some((text, filter)) = &filter {
            let whole = shape::entity(call, node, &everything_in(filter))?;
            let row = Members(&whole, call.site.time_zone());
            if !holds(filter, &row).map_err(|_| RestError::expression(text))? {
                continue;
            }
        }
        entities.push(shape::entity(call, node, &projection)?);
    }
    if let Some(order) = call.query.option("orderby") {
        sort(call, order, &mut entities);
    }
    let number = |name: &str| call.query.option(name).and_then(|text| text.parse().ok());
    let skipped = entities.into_iter().skip(number("skip").unwrap_or(0));
    Ok(skipped.take(number("top").unwrap_or(usize::MAX)).collect())
}

fn sort(call: &Call<'_>, order: &str, entities: &mut [Entity]) {
    let zone = call.site.time_zone();
    let mut words = order.split([',', ' ']).filter(|word| !word.is_empty());
    let path = vec![words.next().unwrap_or_default().to_owned()];
    let descending = words.next() == Some("desc");
    entities.sort_by(|one, other| {
        let one = Members(one, zone.clone()).cell(&path);
        let other = Members(other, zone.clone()).cell(&path);
        let order = crate::odata::filter::compare(&one, &other, &zone);
        let order = order.unwrap_or(std::cmp::Ordering::Equal);
        if descending { order.reverse() } else { order }
    });
}

/// A filter may ask for members that are not shown by themselves.
fn everything_in(filter: &Expression) -> Projection {
    let mut projection = Projection {
        star: true,
        ..Projection::default()
    };
    filter.visit(&mut |operand| {
        if let Operand::Path(path) = operand
            && path.len() == 1
        {
            projection.select.push(path[0].clone());
        }
    });
    projection
}

/// The members of an entity as cells.
struct Members<'a>(&'a Entity, jiff::tz::TimeZone);

impl Row for Members<'_> {
    fn cell(&self, path: &[String]) -> Cell {
        let name = path.first().map_or("", String::as_str);
        let found = self.0.properties.iter();
        let found = found.filter(|(own, _)| own.eq_ignore_ascii_case(name));
        match found.map(|(_, property)| property).next() {
            Some(Property::Plain(Value::String(text))) => Cell::Text(text.clone()),
            Some(Property::Plain(Value::Bool(flag))) => Cell::Flag(*flag),
            Some(Property::Plain(Value::Number(number))) => {
                Cell::Number(number.as_f64().unwrap_or(0.0))
            }
            _ => Cell::Null,
        }
    }

    fn zone(&self) -> &jiff::tz::TimeZone {
        &self.1
    }
}

fn member(call: &Call<'_>, node: &Node, name: &str) -> Rest<(String, Property)> {
    let projection = Projection::read(Some(name), None);
    let entity = shape::entity(call, node, &projection).map_err(|error| match error.status {
        400 => RestError::no_resource(name),
        _ => error,
    })?;
    let found = entity.properties.into_iter();
    let mut found = found.filter(|(own, _)| own.eq_ignore_ascii_case(name));
    found.next().ok_or_else(|| RestError::no_resource(name))
}

fn property(call: &Call<'_>, node: &Node, name: &str) -> Rest<Answer> {
    let (own, property) = member(call, node, name)?;
    let value = value_of(&property, call.flavour);
    let body = match (call.flavour, &property) {
        (Flavour::Verbose, _) => json!({"d": {own: value}}),
        // An object is answered with its members, a missing value as such.
        (_, Property::Complex(..)) => value,
        (_, Property::Plain(Value::Null)) => json!({"odata.null": true}),
        _ => json!({"value": value}),
    };
    Ok(Answer::json(200, call.flavour.media_type(), &body))
}

fn content(call: &Call<'_>, node: &Node, name: &str) -> Rest<Answer> {
    let (_, property) = member(call, node, name)?;
    let value = value_of(&property, Flavour::None);
    Ok(text(match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    }))
}
