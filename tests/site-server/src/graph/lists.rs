//! Lists: all of them, one, and how they are made, renamed and taken away.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::call::{Call, select};
use super::error::{Graph, GraphError};
use super::{columns, items, people};
use crate::clock::written;
use crate::request::Answer;
use crate::store::{List, list, person};

/// A list by its id, its title or its name in addresses.
///
/// # Errors
/// There is none.
pub fn find(call: &Call<'_>, name: &str) -> Graph<Uuid> {
    let by_id = Uuid::parse_str(name.trim_matches(['{', '}'])).ok();
    let by_id = by_id.and_then(|id| call.site.list(id));
    let by_url = || {
        let mut lists = call.site.lists.iter();
        lists.find(|list| list.url_name.eq_ignore_ascii_case(name))
    };
    let found = by_id
        .or_else(|| call.site.list_titled(name))
        .or_else(by_url);
    found.map(|list| list.id).ok_or_else(GraphError::no_list)
}

fn written_list(call: &Call<'_>, list: &List) -> Map<String, Value> {
    let etag = format!("\"{},{}\"", list.id, list.version);
    let template = match list.template {
        list::LIBRARY => "documentLibrary",
        list::PEOPLE => "userInformation",
        _ => "genericList",
    };
    let mut body = json!({"@odata.etag": etag, "createdDateTime": written(list.created),
        "description": list.description, "eTag": etag, "id": list.id,
        "lastModifiedDateTime": written(list.modified), "name": list.url_name,
        "webUrl": call.web_url(&call.site.path_of(list)), "displayName": list.title,
        "createdBy": people::identity_set(call, person::ADMIN),
        "parentReference": {"siteId": call.site_id()},
        "list": {"contentTypesEnabled": false, "hidden": list.hidden, "template": template}});
    if list.template == list::PEOPLE {
        body["system"] = json!({});
    }
    match body {
        Value::Object(body) => body,
        _ => Map::new(),
    }
}

fn shown(call: &Call<'_>, list: &List) -> Graph<Map<String, Value>> {
    let mut body = written_list(call, list);
    let expand = call.query.lenient_option("expand").unwrap_or_default();
    select(&mut body, call.query.lenient_option("select"), &["id"]);
    if expand.contains("columns") {
        let visible = list.fields.iter().filter(|field| !field.hidden);
        let all = visible.map(|field| Value::Object(columns::written_column(field)));
        body.insert("columns".to_owned(), all.collect());
    }
    if expand.contains("items") {
        let nested = expand.split_once("items(").map_or("", |(_, inner)| inner);
        let with_fields = nested.contains("expand=fields");
        let rows = list.items.values().take(items::USUAL_PAGE);
        let rows = rows.map(|item| {
            let mut row = items::written_item(call, list, item);
            if with_fields {
                items::add_fields(call, list, item, &mut row, &[]);
            }
            Value::Object(row)
        });
        body.insert("items".to_owned(), rows.collect());
    }
    Ok(body)
}

fn context(call: &Call<'_>) -> String {
    format!("sites('{}')/lists", call.site_id().replace(',', "%2C"))
}

/// Answers for all lists: shows those that people see, or makes another one.
///
/// # Errors
/// The body is wrong, or a list has that name.
pub fn collection(call: &mut Call<'_>) -> Graph<Answer> {
    match call.method() {
        "GET" => {
            let with_system = call
                .query
                .lenient_option("select")
                .is_some_and(|names| names.split(',').any(|name| name.trim() == "system"));
            let visible = call.site.lists.iter();
            let visible = visible.filter(|list| with_system || !list.hidden);
            let named = named_in_filter(call)?;
            let visible = visible.filter(|list| {
                named
                    .as_ref()
                    .is_none_or(|(member, name)| match member.as_str() {
                        "name" => list.url_name.eq_ignore_ascii_case(name),
                        _ => list.title.eq_ignore_ascii_case(name),
                    })
            });
            let all = visible
                .map(|list| shown(call, list).map(Value::Object))
                .collect::<Graph<Vec<_>>>()?;
            Ok(call.answer_all(&context(call), all, None))
        }
        "POST" => create(call),
        _ => Err(GraphError::no_method()),
    }
}

/// `$filter=displayName eq 'x'` and `name eq 'x'` are what lists can be asked for.
fn named_in_filter(call: &Call<'_>) -> Graph<Option<(String, String)>> {
    use crate::odata::filter::{Comparison, Expression, Operand, parse};
    let Some(text) = call.query.lenient_option("filter") else {
        return Ok(None);
    };
    match parse(text) {
        Ok(Expression::Compare(Operand::Path(path), Comparison::Equal, Operand::Text(name)))
            if matches!(path.join("/").as_str(), "displayName" | "name") =>
        {
            Ok(Some((path.join("/"), name)))
        }
        _ => Err(GraphError::filter()),
    }
}

fn create(call: &mut Call<'_>) -> Graph<Answer> {
    let body = call.body()?;
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
    let template = body.get("list").and_then(|list| list["template"].as_str());
    let template = match template {
        Some("documentLibrary") => list::LIBRARY,
        _ => list::GENERIC,
    };
    // All columns are read before anything is made.
    let wanted = body.get("columns").and_then(Value::as_array);
    let wanted = wanted.into_iter().flatten();
    let fields = wanted
        .map(|column| match column {
            Value::Object(column) => columns::read(column),
            _ => Err(GraphError::bad("A column must be an object.")),
        })
        .collect::<Graph<Vec<_>>>()?;
    let id = call
        .site
        .add_list(text("displayName"), text("description"), template)
        .map_err(|refusal| GraphError::refused(&refusal))?;
    for field in fields {
        if let Err(error) = columns::add(call, id, field) {
            call.site.lists.retain(|list| list.id != id);
            return Err(error);
        }
    }
    let made = written_list(call, call.list(id)?);
    Ok(call.answer(201, &format!("{}/$entity", context(call)), made))
}

/// Answers for one list.
///
/// # Errors
/// The body is wrong, or another list has the name.
pub fn one(call: &mut Call<'_>, id: Uuid) -> Graph<Answer> {
    match call.method() {
        "GET" => {}
        "PATCH" => {
            let body = call.body()?;
            let title = body
                .get("displayName")
                .and_then(Value::as_str)
                .map(str::to_owned);
            if let Some(title) = &title
                && call
                    .site
                    .list_titled(title)
                    .is_some_and(|list| list.id != id)
            {
                return Err(GraphError::refused(&crate::store::Refusal::ListExists));
            }
            let list = call.site.list_mut(id).ok_or_else(GraphError::no_list)?;
            list.title = title.unwrap_or_else(|| list.title.clone());
            if let Some(text) = body.get("description").and_then(Value::as_str) {
                text.clone_into(&mut list.description);
            }
            list.version += 1;
        }
        "DELETE" => {
            call.site.lists.retain(|list| list.id != id);
            return Ok(Answer::empty(204));
        }
        _ => return Err(GraphError::no_method()),
    }
    let body = shown(call, call.list(id)?)?;
    Ok(call.answer(200, &format!("{}/$entity", context(call)), body))
}

/// Answers with what the list's items are.
///
/// # Errors
/// The list is gone.
pub fn content_types(call: &Call<'_>, id: Uuid) -> Graph<Answer> {
    let list = call.list(id)?;
    let one = json!({"id": list.content_type_id(), "name": list.content_type_name(),
        "description": "", "group": "List Content Types", "hidden": false, "readOnly": false,
        "sealed": false});
    Ok(call.answer_all("contentTypes", vec![one], None))
}
