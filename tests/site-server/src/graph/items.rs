//! Items: queries and pages, one item, its fields, and every change to them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::call::{Call, select};
use super::error::{Graph, GraphError};
use super::{field_set, people, query};
use crate::clock::written;
use crate::query::{LOOKUPS, Refused, Token, pages};
use crate::request::Answer;
use crate::store::{Item, List};

/// How many rows a page has when nobody says.
pub const USUAL_PAGE: usize = 200;
/// How many it has at most.
const LARGEST_PAGE: usize = 5_000;

/// An item without its fields.
#[must_use]
pub fn written_item(call: &Call<'_>, list: &List, item: &Item) -> Map<String, Value> {
    let etag = item.guid_etag();
    let path = format!("{}/{}", call.site.path_of(list), item.leaf_name());
    let body = json!({"@odata.etag": etag, "createdDateTime": written(item.created),
        "eTag": etag, "id": item.id.to_string(),
        "lastModifiedDateTime": written(item.modified), "webUrl": call.web_url(&path),
        "createdBy": people::identity_set(call, item.author),
        "lastModifiedBy": people::identity_set(call, item.editor),
        "parentReference": {"id": list.id, "siteId": call.site_id()},
        "contentType": {"id": list.content_type_id(), "name": list.content_type_name()}});
    match body {
        Value::Object(body) => body,
        _ => Map::new(),
    }
}

/// Adds the fields of an item, all or those selected.
pub fn add_fields(
    call: &Call<'_>,
    list: &List,
    item: &Item,
    body: &mut Map<String, Value>,
    selected: &[String],
) {
    let address = format!("{}('{}')/fields/$entity", context(call, list), item.id);
    let address = format!("{}/$metadata#{address}", call.base);
    body.insert("fields@odata.context".to_owned(), json!(address));
    let fields = field_set::written(call, list, item, selected);
    body.insert("fields".to_owned(), Value::Object(fields));
}

fn context(call: &Call<'_>, list: &List) -> String {
    let site = call.site_id().replace(',', "%2C");
    format!("sites('{site}')/lists('{}')/items", list.id)
}

/// What `$expand` asks of the fields: nothing, all, or some.
fn expanded(call: &Call<'_>, list: &List) -> Graph<Option<Vec<String>>> {
    let Some(expand) = call.query.lenient_option("expand") else {
        return Ok(None);
    };
    let Some(at) = expand.find("fields") else {
        return Ok(None);
    };
    let inner = expand[at + "fields".len()..].trim_start().strip_prefix('(');
    let inner = inner
        .and_then(|inner| inner.split(')').next())
        .unwrap_or_default();
    let options = inner.split(';').find_map(|option| {
        let option = option.trim().trim_start_matches('$');
        option.strip_prefix("select=")
    });
    let names: Vec<String> = options
        .unwrap_or_default()
        .split(',')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let links = names.iter().filter_map(|name| list.field(name));
    let links =
        links.filter(|field| field.kind.is_person() || (field.kind.is_lookup() && !field.built_in));
    if links.count() > LOOKUPS {
        return Err(GraphError::new(
            500,
            "generalException",
            "The query cannot be completed because the number of lookup columns it contains exceeds the lookup column threshold.",
        ));
    }
    Ok(Some(names))
}

/// Answers for all items: a page of those asked for, or a new one.
///
/// # Errors
/// The query or the body is wrong, or the list refuses.
pub fn collection(call: &mut Call<'_>, id: Uuid) -> Graph<Answer> {
    match call.method() {
        "GET" => page(call, id),
        "POST" => create(call, id),
        _ => Err(GraphError::no_method()),
    }
}

fn page(call: &Call<'_>, id: Uuid) -> Graph<Answer> {
    let list = call.list(id)?;
    let selected = expanded(call, list)?;
    let plan = query::read(call, list)?;
    let top = match call.query.lenient_option("top") {
        Some(text) => match text.trim().parse::<usize>() {
            Ok(top) if top > 0 => top.min(LARGEST_PAGE),
            _ => {
                return Err(GraphError::invalid(format!(
                    "Invalid page size specified: '{text}'"
                )));
            }
        },
        None => USUAL_PAGE,
    };
    let token = match call.query.lenient_option("skiptoken") {
        Some(text) => {
            Some(read_token(text).ok_or_else(|| GraphError::invalid("Invalid skip token"))?)
        }
        None => None,
    };
    let rows = plan
        .rows(call.site, list, call.core.options.threshold)
        .map_err(|refused| match refused {
            Refused::Threshold => GraphError::threshold(),
            Refused::Unanswerable => GraphError::filter(),
        })?;
    let page = pages(&plan, call.site, list, rows, token.as_ref(), top);
    let wanted = call.query.lenient_option("select");
    let all = page.rows.iter().map(|item| {
        let mut body = written_item(call, list, item);
        select(&mut body, wanted, &[]);
        if let Some(selected) = &selected {
            add_fields(call, list, item, &mut body, selected);
        }
        Value::Object(body)
    });
    let next = page.next.map(|token| {
        let token = URL_SAFE_NO_PAD.encode(token.written());
        let query = call.query.with_first("$skiptoken", &token);
        format!("{}{}?{query}", call.incoming.origin(), call.incoming.path)
    });
    Ok(call.answer_all(&context(call, list), all.collect(), next))
}

fn read_token(text: &str) -> Option<Token> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    Token::read(&String::from_utf8(bytes).ok()?)
}

/// Answers with the number of items.
///
/// # Errors
/// The list is gone.
pub fn count(call: &Call<'_>, id: Uuid) -> Graph<Answer> {
    let count = call.list(id)?.items.len();
    Ok(Answer::text(200, "text/plain", count.to_string()))
}

fn create(call: &mut Call<'_>, id: Uuid) -> Graph<Answer> {
    let body = call.body()?;
    let list = call.list(id)?;
    let none = Map::new();
    let fields = match body.get("fields") {
        Some(Value::Object(fields)) => fields,
        None => &none,
        Some(_) => return Err(GraphError::bad("The property 'fields' must be an object.")),
    };
    let values = field_set::read(call, list, fields)?;
    let user = call.user;
    let list = call.site.list_mut(id).ok_or_else(GraphError::no_list)?;
    let number = list
        .add(values, user)
        .map_err(|refusal| GraphError::refused(&refusal))?
        .id;
    answer_one(call, id, number, 201, &[])
}

fn answer_one(
    call: &Call<'_>,
    id: Uuid,
    number: u32,
    status: u16,
    selected: &[String],
) -> Graph<Answer> {
    let list = call.list(id)?;
    let item = list.items.get(&number).ok_or_else(GraphError::no_item)?;
    let mut body = written_item(call, list, item);
    select(&mut body, call.query.lenient_option("select"), &[]);
    add_fields(call, list, item, &mut body, selected);
    Ok(call.answer(status, &format!("{}/$entity", context(call, list)), body))
}

/// Answers for one item.
///
/// # Errors
/// It is not there, of another version, or the list refuses the change.
pub fn one(call: &mut Call<'_>, id: Uuid, number: u32) -> Graph<Answer> {
    let list = call.list(id)?;
    let item = list.items.get(&number).ok_or_else(GraphError::no_item)?;
    match call.method() {
        "GET" => {
            let selected = expanded(call, list)?.unwrap_or_default();
            answer_one(call, id, number, 200, &selected)
        }
        "PATCH" => {
            let body = call.body()?;
            let fields = body.get("fields").and_then(Value::as_object).cloned();
            update(call, id, number, &fields.unwrap_or_default())?;
            answer_one(call, id, number, 200, &[])
        }
        "DELETE" => {
            let if_match = call.incoming.header("if-match");
            crate::store::list::expect_version(item, if_match)
                .map_err(|refusal| GraphError::refused(&refusal))?;
            let user = call.user;
            call.site.remove_item(id, number, user, true);
            Ok(Answer::empty(204))
        }
        _ => Err(GraphError::no_method()),
    }
}

/// Answers for the fields of one item.
///
/// # Errors
/// As for the item.
pub fn fields(call: &mut Call<'_>, id: Uuid, number: u32) -> Graph<Answer> {
    match call.method() {
        "GET" => {}
        "PATCH" => {
            let body = call.body()?;
            update(call, id, number, &body)?;
        }
        _ => return Err(GraphError::no_method()),
    }
    let list = call.list(id)?;
    let item = list.items.get(&number).ok_or_else(GraphError::no_item)?;
    let wanted = call.query.lenient_option("select").unwrap_or_default();
    let selected: Vec<String> = wanted
        .split(',')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let body = field_set::written(call, list, item, &selected);
    let context = format!("{}('{number}')/fields/$entity", context(call, list));
    Ok(call.answer(200, &context, body))
}

fn update(call: &mut Call<'_>, id: Uuid, number: u32, body: &Map<String, Value>) -> Graph<()> {
    let list = call.list(id)?;
    let item = list.items.get(&number).ok_or_else(GraphError::no_item)?;
    let if_match = call.incoming.header("if-match").map(str::to_owned);
    let refused = |refusal| GraphError::refused(&refusal);
    crate::store::list::expect_version(item, if_match.as_deref()).map_err(refused)?;
    let values = field_set::read(call, list, body)?;
    let user = call.user;
    let list = call.site.list_mut(id).ok_or_else(GraphError::no_list)?;
    let updated = list
        .update(number, values, if_match.as_deref(), user)
        .map_err(refused)?;
    updated.map(|_| ()).ok_or_else(GraphError::no_item)
}
