//! Items over Microsoft Graph: one by id, pages of them, and their standard output fields.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::client::JSON;
use super::session::GraphSession;
use super::{query, values};
use crate::client::{Deadline, SiteRequest};
use crate::error::{ErrorKind, Result};
use crate::field::{SiteFieldType, Zone, utc};
use crate::item::{SiteItem, StandardFields, first_text};
use crate::odata_url;
use crate::protocol::{ListSchema, Page, PageRequest, Strategy};
use crate::response::SiteResponse;
use crate::rest::values::{ReadContext, is_rounded};

const PAGE: usize = 1_000;
/// A `Prefer` header: the service may scan all rows.
const TOLERANT: &str = "HonorNonIndexedQueriesWarningMayFailRandomly";

struct Context<'a>(&'a GraphSession);

impl ReadContext for Context<'_> {
    fn person(&self, id: i64) -> Value {
        serde_json::to_value(self.0.users.user(id).unwrap_or_default()).unwrap_or_default()
    }

    fn zone(&self) -> Zone {
        Zone::default()
    }
}

fn items_tail(list: &ListSchema, tail: &str) -> String {
    format!(
        "lists/{}/items{tail}",
        odata_url::percent_encode(&list.info.id)
    )
}

/// `$expand` with what stands inside it left readable.
fn expand(expansion: &str) -> String {
    expansion.replace(' ', "%20")
}

pub(super) async fn item(
    graph: &GraphSession,
    deadline: Deadline,
    list: &ListSchema,
    id: i64,
) -> Result<(SiteItem, Vec<String>)> {
    let mut whole = Value::Null;
    for expansion in query::expansions(&list.columns, list.is_partial) {
        let url = graph
            .client
            .url(
                deadline,
                &items_tail(list, &format!("/{id}?$expand={}", expand(&expansion))),
            )
            .await?;
        let response = graph
            .client
            .get(deadline, url, ErrorKind::ItemNotFound)
            .await?;
        let item = response.json()?;
        if !item.get("fields").is_some_and(Value::is_object) {
            return Err(response.unexpected_error("has no fields"));
        }
        if whole.is_null() {
            whole = item
        } else {
            add_fields(&mut whole, item)
        }
    }
    let mut page = to_page(graph, deadline, list, vec![whole]).await?;
    Ok((page.items.pop().unwrap_or_default(), page.warnings))
}

fn add_fields(whole: &mut Value, mut more: Value) {
    if let (Some(Value::Object(fields)), Some(Value::Object(more))) = (
        whole.get_mut("fields"),
        more.get_mut("fields").map(Value::take),
    ) {
        fields.extend(more.into_iter().filter(|(name, _)| !name.starts_with('@')));
    }
}

pub(super) async fn etag(
    graph: &GraphSession,
    deadline: Deadline,
    list: &ListSchema,
    id: i64,
) -> Result<Option<String>> {
    let url = graph
        .client
        .url(deadline, &items_tail(list, &format!("/{id}?$select=id")))
        .await?;
    let item = graph
        .client
        .get(deadline, url, ErrorKind::ItemNotFound)
        .await?
        .json()?;
    Ok(etag_of(&item))
}

fn etag_of(item: &Value) -> Option<String> {
    let known = item.get("@odata.etag").or_else(|| item.get("eTag"));
    known.and_then(Value::as_str).map(str::to_owned)
}

fn collection(response: &SiteResponse) -> Result<(Vec<Value>, Option<String>)> {
    let mut body = response.json()?;
    let next = body
        .get("@odata.nextLink")
        .and_then(Value::as_str)
        .map(str::to_owned);
    match body.get_mut("value").map(Value::take) {
        Some(Value::Array(all)) => Ok((all, next)),
        _ => Err(response.unexpected_error("is no collection")),
    }
}

pub(super) async fn page(
    graph: &GraphSession,
    deadline: Deadline,
    list: &ListSchema,
    page_request: &PageRequest,
) -> Result<Page> {
    let expansions = query::expansions(&list.columns, list.is_partial);
    let (url, tolerant) = match page_request {
        PageRequest::Next(url) => (url.clone(), true),
        PageRequest::First {
            criterion,
            strategy,
            window: _,
            from,
            top,
        } => {
            let filter = criterion
                .as_deref()
                .filter(|_| *strategy != Strategy::Client)
                .and_then(query::filter);
            let filter = filter
                .map(|filter| format!("&$filter={}", odata_url::in_query(&filter)))
                .unwrap_or_default();
            let size = top.map_or(PAGE, |top| top.min(PAGE));
            let mut tail = format!("?$expand={}{filter}&$top={size}", expand(&expansions[0]));
            if let Some(from) = from {
                tail.push_str(&format!("&$skiptoken={}", odata_url::in_query(from)));
            }
            (
                graph.client.url(deadline, &items_tail(list, &tail)).await?,
                *strategy == Strategy::ServerScan,
            )
        }
    };
    let mut request = SiteRequest::get(url.clone()).with("accept", JSON);
    if tolerant {
        request = request.with("prefer", TOLERANT);
    }
    let response = graph
        .client
        .http
        .send(deadline, &request)
        .await?
        .error_for_status(ErrorKind::ListNotFound)?;
    let (mut items, next) = collection(&response)?;
    if items
        .iter()
        .any(|item| !item.get("fields").is_some_and(Value::is_object))
    {
        return Err(response.unexpected_error("has items without fields"));
    }
    let next = match next {
        Some(link) => Some(
            url.join(&link)
                .map_err(|_| response.unexpected_error("names a next page that is no address"))?,
        ),
        None => None,
    };
    for expansion in &expansions[1..] {
        join(graph, deadline, list, expansion, &mut items).await?;
    }
    let mut page = to_page(graph, deadline, list, items).await?;
    page.next = next;
    Ok(page)
}

/// Brings the lookups that had no place in the first request, item by item in batches.
async fn join(
    graph: &GraphSession,
    deadline: Deadline,
    list: &ListSchema,
    expansion: &str,
    items: &mut [Value],
) -> Result<()> {
    let ids: Vec<String> = items
        .iter()
        .filter_map(|item| item.get("id").and_then(Value::as_str))
        .map(str::to_owned)
        .collect();
    let mut parts: HashMap<String, Value> = HashMap::new();
    for some in ids.chunks(super::batch::MAX_PARTS) {
        let mut requests = Vec::with_capacity(some.len());
        for id in some {
            let path = graph
                .client
                .path(
                    deadline,
                    &items_tail(
                        list,
                        &format!(
                            "/{}?$expand={}",
                            odata_url::percent_encode(id),
                            expand(expansion)
                        ),
                    ),
                )
                .await?;
            requests.push(serde_json::json!({"method": "GET", "url": format!("/{path}")}));
        }
        let responses = super::batch::send(
            &graph.client,
            deadline,
            requests,
            crate::client::Idempotency::Idempotent,
        )
        .await?;
        for (id, response) in some.iter().zip(responses) {
            let response = response.ok_or_else(|| {
                crate::error::SiteError::new(
                    ErrorKind::UnexpectedResponse,
                    "The site's batch lacks an answer.",
                )
            })?;
            parts.insert(
                id.clone(),
                response.error_for_status(ErrorKind::ItemNotFound)?.json()?,
            );
        }
    }
    for item in items {
        let id = item
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        if let Some(part) = parts.remove(&id) {
            add_fields(item, part);
        }
    }
    Ok(())
}

async fn to_page(
    graph: &GraphSession,
    deadline: Deadline,
    list: &ListSchema,
    items: Vec<Value>,
) -> Result<Page> {
    let (read, people) = (list.read_columns(), list.person_columns());
    let untyped = list.columns.iter();
    let untyped: Vec<_> = untyped
        .filter(|column| super::columns::has_untold_type(column))
        .collect();
    let nothing = Value::Object(Map::new());
    let mut ids: Vec<i64> = Vec::new();
    for item in &items {
        let fields_json = item.get("fields").unwrap_or(&nothing);
        ids.extend(
            people
                .iter()
                .flat_map(|column| values::ids(fields_json, column)),
        );
    }
    graph.users.prefetch(&graph.client, deadline, &ids).await?;
    let mut warnings: Vec<String> = Vec::new();
    let mut items_read = Vec::with_capacity(items.len());
    for item in &items {
        let fields_json = item.get("fields").unwrap_or(&nothing);
        let mut fields = Vec::with_capacity(read.len());
        for (column, kind) in &read {
            let value = values::read(column, *kind, fields_json, &Context(graph));
            if matches!(kind, SiteFieldType::Number | SiteFieldType::Currency) && is_rounded(&value)
            {
                let text = format!(
                    "The field {} holds numbers of more than 15 digits, which lists round.",
                    column.internal_name
                );
                if !warnings.contains(&text) {
                    warnings.push(text);
                }
            }
            fields.push(column.field(*kind, value));
        }
        for column in &untyped {
            let value = fields_json
                .get(&column.internal_name)
                .unwrap_or(&Value::Null);
            if value.is_null() {
                continue;
            }
            if let Some(kind) = values::shown_type(value) {
                let value = values::read(column, kind, fields_json, &Context(graph));
                fields.push(column.field(kind, value));
                continue;
            }
            let text = format!(
                "Graph does not tell of what type the field {} is: it was left out.",
                column.internal_name
            );
            if !warnings.contains(&text) {
                warnings.push(text);
            }
        }
        for id in people
            .iter()
            .flat_map(|column| values::ids(fields_json, column))
        {
            let text = format!("The site does not know user {id} any more.");
            if graph.users.user(id).is_none() && !warnings.contains(&text) {
                warnings.push(text);
            }
        }
        items_read.push(SiteItem {
            standard: standard_fields(item, fields_json),
            fields,
            etag: etag_of(item),
        });
    }
    Ok(Page {
        items: items_read,
        next: None,
        warnings,
    })
}

fn standard_fields(item: &Value, fields: &Value) -> StandardFields {
    let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let of = |who: &str, part: &str| {
        item.get(who)?
            .get("user")?
            .get(part)?
            .as_str()
            .map(str::to_owned)
    };
    let time = |name: &str| text(name).map(|text| text.parse().map_or(text, utc));
    StandardFields {
        created_by_email: of("createdBy", "email"),
        created_by_id: of("createdBy", "id"),
        created_by_display_name: of("createdBy", "displayName"),
        last_modified_by_email: of("lastModifiedBy", "email"),
        last_modified_by_id: of("lastModifiedBy", "id"),
        last_modified_by_display_name: of("lastModifiedBy", "displayName"),
        created_date_time: time("createdDateTime"),
        last_modified_date_time: time("lastModifiedDateTime"),
        id: text("id")
            .and_then(|id| id.parse().ok())
            .unwrap_or_default(),
        web_url: text("webUrl"),
        name: first_text([
            item.get("name"),
            fields.get("FileLeafRef"),
            fields.get("LinkFilename"),
            fields.get("Title"),
        ]),
        title: fields
            .get("Title")
            .and_then(Value::as_str)
            .map(str::to_owned),
    }
}
