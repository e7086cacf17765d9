//! Items over SharePoint REST: one by id, pages of them, and their standard output fields.
//!
//! A page is one request; lookups beyond the site's limit and users come in further ones and are
//! joined by id.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::Ordering;

use serde_json::{Map, Value};
use url::Url;

use super::client::list_path;
use super::json;
use super::query::{self, Selection};
use super::session::RestSession;
use super::values::{self, ReadContext};
use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{FieldValue, SiteFieldType, Zone, utc};
use crate::filter::Criterion;
use crate::item::{SiteItem, StandardFields, first_text};
use crate::odata_url;
use crate::protocol::{ListSchema, Page, PageRequest, Strategy};
use crate::response::SiteResponse;
use crate::user::SiteUserOrGroup;

/// Most items that a site gives in one page.
const PAGE: usize = 5_000;

/// What the values of a page need to know.
struct Context {
    /// Those that the site knows, as callers see them.
    people: HashMap<i64, Value>,
    nobody: Value,
    zone: Zone,
}

impl ReadContext for Context {
    fn person(&self, id: i64) -> Value {
        self.people.get(&id).unwrap_or(&self.nobody).clone()
    }

    fn zone(&self) -> Zone {
        self.zone
    }
}

pub(super) async fn item(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
    id: i64,
) -> Result<(SiteItem, Vec<String>)> {
    let (whole, etag) = match fetch_fields(rest, deadline, list, id).await {
        Err(error) if switch_to_named_columns(rest, &error) => {
            fetch_fields(rest, deadline, list, id).await?
        }
        other => other?,
    };
    let mut page = to_page(rest, deadline, list, vec![Value::Object(whole)]).await?;
    let mut item = page.items.pop().unwrap_or_default();
    item.etag = etag;
    Ok((item, page.warnings))
}

/// An item as the site has it, and its version.
async fn fetch_fields(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
    id: i64,
) -> Result<(Map<String, Value>, Option<String>)> {
    let mut whole = Map::new();
    let mut etag = None;
    for selection in &selections(rest, list) {
        let tail = list_path(&list.info, &format!("/items({id})?{}", to_query(selection)));
        let url = odata_url::api(&rest.client.site, &tail)?;
        let response = rest
            .client
            .get(deadline, url, ErrorKind::ItemNotFound)
            .await?;
        etag = etag.or_else(|| response.header("etag").map(str::to_owned));
        if let Value::Object(parts) = json::entity(&response)? {
            whole.extend(parts);
        }
    }
    Ok((whole, etag))
}

fn selections(rest: &RestSession, list: &ListSchema) -> Vec<Selection> {
    let by_name = list.is_partial || rest.needs_named_columns.load(Ordering::Relaxed);
    query::selections(&list.columns, by_name)
}

/// Whether a refused query is worth another try with every column named.
fn switch_to_named_columns(rest: &RestSession, error: &SiteError) -> bool {
    let refused = error.kind() == ErrorKind::QueryRefused || error.status() == Some(400);
    refused && !rest.needs_named_columns.swap(true, Ordering::Relaxed)
}

pub(super) async fn etag(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
    id: i64,
) -> Result<Option<String>> {
    let url = odata_url::api(
        &rest.client.site,
        &list_path(&list.info, &format!("/items({id})?$select=Id")),
    )?;
    let response = rest
        .client
        .get(deadline, url, ErrorKind::ItemNotFound)
        .await?;
    Ok(response.header("etag").map(str::to_owned))
}

pub(super) async fn highest_id(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
) -> Result<i64> {
    let url = odata_url::api(
        &rest.client.site,
        &list_path(&list.info, "/items?$select=Id&$orderby=Id%20desc&$top=1"),
    )?;
    let response = rest
        .client
        .get(deadline, url, ErrorKind::ListNotFound)
        .await?;
    let found = json::collection(&response)?;
    Ok(found.values.first().and_then(id_of).unwrap_or_default())
}

pub(super) async fn page(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
    page_request: &PageRequest,
) -> Result<Page> {
    match fetch_page(rest, deadline, list, page_request).await {
        // A refused filter is none of the columns' fault.
        Err(error)
            if !matches!(page_request, PageRequest::First { criterion: Some(_), strategy, .. } if *strategy != Strategy::Client)
                && switch_to_named_columns(rest, &error) =>
        {
            fetch_page(rest, deadline, list, page_request).await
        }
        other => other,
    }
}

async fn fetch_page(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
    page_request: &PageRequest,
) -> Result<Page> {
    let selections = selections(rest, list);
    let url = match page_request {
        PageRequest::Next(url) => url.clone(),
        PageRequest::First {
            criterion,
            strategy,
            window,
            from,
            top,
        } => {
            let by_date = |criterion: &Criterion| matches!(criterion.expected, FieldValue::Date(_));
            if criterion.as_deref().is_some_and(by_date) {
                rest.zone.get(&rest.client, deadline).await?;
            }
            let filter = criterion
                .as_deref()
                .filter(|_| *strategy != Strategy::Client)
                .and_then(|criterion| query::filter(criterion, rest.zone.cached_bias()));
            let filter = query::within_ids(filter.as_deref(), *window);
            let filter = filter.map(|filter| format!("&$filter={}", odata_url::in_query(&filter)));
            let mut more = filter.unwrap_or_default();
            if let Some(from) = from {
                more.push_str(&format!("&$skiptoken={}", odata_url::in_query(from)));
            }
            let size = top.map_or(PAGE, |top| top.min(PAGE));
            let tail = page_of(&selections[0], &more, size);
            odata_url::api(&rest.client.site, &list_path(&list.info, &tail))?
        }
    };
    let response = rest
        .client
        .get(deadline, url.clone(), ErrorKind::ListNotFound)
        .await?;
    page_from_response(rest, deadline, list, (&url, &response), &selections[1..]).await
}

/// A page from the response to a request for it, and what was not asked for there.
pub(super) async fn page_from_response(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
    (url, response): (&Url, &SiteResponse),
    missing: &[Selection],
) -> Result<Page> {
    let found = json::collection(response)?;
    let next = match found.next {
        Some(link) => Some(
            url.join(&link)
                .map_err(|_| response.unexpected_error("names a next page that is no address"))?,
        ),
        None => None,
    };
    if next.as_ref() == Some(url) {
        return Err(response.unexpected_error("names itself as its next page"));
    }
    let mut items = found.values;
    for selection in missing {
        join(rest, deadline, list, selection, &mut items).await?;
    }
    let mut page = to_page(rest, deadline, list, items).await?;
    page.next = next;
    Ok(page)
}

/// What follows the address of a list to ask for a page of its items.
pub(super) fn page_tail(selection: &Selection, filter: &str) -> String {
    page_of(selection, filter, PAGE)
}

fn page_of(selection: &Selection, more: &str, size: usize) -> String {
    format!("/items?{}{more}&$top={size}", to_query(selection))
}

fn to_query(selection: &Selection) -> String {
    let select = format!("$select={}", odata_url::in_query(&selection.select));
    if selection.expand.is_empty() {
        return select;
    }
    format!(
        "{select}&$expand={}",
        odata_url::in_query(&selection.expand)
    )
}

/// Brings the lookups that had no place in the first request, for the ids of a page.
async fn join(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
    selection: &Selection,
    items: &mut [Value],
) -> Result<()> {
    let ids: Vec<i64> = items.iter().filter_map(id_of).collect();
    let (Some(from), Some(to)) = (ids.iter().min(), ids.iter().max()) else {
        return Ok(());
    };
    let filter = odata_url::in_query(&format!("Id ge {from} and Id le {to}"));
    let tail = format!(
        "/items?{}&$filter={filter}&$top={PAGE}",
        to_query(selection)
    );
    let mut next = Some(odata_url::api(
        &rest.client.site,
        &list_path(&list.info, &tail),
    )?);
    let mut parts: HashMap<i64, Map<String, Value>> = HashMap::new();
    while let Some(url) = next {
        let response = rest
            .client
            .get(deadline, url.clone(), ErrorKind::ListNotFound)
            .await?;
        let found = json::collection(&response)?;
        for part in found.values {
            if let (Some(id), Value::Object(part)) = (id_of(&part), part) {
                parts.insert(id, part);
            }
        }
        next = found
            .next
            .and_then(|link| url.join(&link).ok())
            .filter(|link| *link != url);
    }
    for item in items {
        if let (Some(id), Value::Object(whole)) = (id_of(item), item)
            && let Some(part) = parts.remove(&id)
        {
            whole.extend(
                part.into_iter()
                    .filter(|(name, _)| !["Id", "ID"].contains(&name.as_str())),
            );
        }
    }
    Ok(())
}

fn id_of(item: &Value) -> Option<i64> {
    item.get("Id")
        .or_else(|| item.get("ID"))
        .and_then(Value::as_i64)
}

/// Items as callers see them.
async fn to_page(
    rest: &RestSession,
    deadline: Deadline,
    list: &ListSchema,
    mut items: Vec<Value>,
) -> Result<Page> {
    let (read, people) = (list.read_columns(), list.person_columns());
    let makers = |item: &Value| ["AuthorId", "EditorId"].map(|name| number(item, name));
    let mut ids: BTreeSet<i64> = items
        .iter()
        .flat_map(|item| people.iter().flat_map(|column| values::ids(item, column)))
        .collect();
    ids.extend(items.iter().flat_map(makers).flatten());
    rest.users.prefetch(&rest.client, deadline, &ids).await?;
    let is_unknown = |id: &i64| rest.users.user(*id).is_none();
    if items
        .iter()
        .flat_map(makers)
        .flatten()
        .any(|id| is_unknown(&id))
    {
        join(rest, deadline, list, &query::author_selection(), &mut items).await?;
    }
    let mut warnings: Vec<String> = Vec::new();
    let mut warn = |text: String| {
        if !warnings.contains(&text) {
            warnings.push(text);
        }
    };
    let holds_date = |item: &Value| {
        let mut dates = read.iter().filter(|(column, _)| column.date_only);
        dates.any(|(column, _)| item.get(column.entity_name()).is_some_and(Value::is_string))
    };
    let zone = if items.iter().any(holds_date) {
        rest.zone.get(&rest.client, deadline).await?
    } else {
        Zone::default()
    };
    let mut context = Context {
        people: HashMap::new(),
        nobody: to_json(&SiteUserOrGroup::default()),
        zone,
    };
    for id in ids {
        match rest.users.user(id) {
            Some(person) => drop(context.people.insert(id, to_json(&person))),
            None => warn(format!("The site does not know user {id} any more.")),
        }
    }
    let mut items_read = Vec::with_capacity(items.len());
    // One by one, so that a long page is not in memory twice.
    for item in items {
        let item = &item;
        let mut fields = Vec::with_capacity(read.len());
        for (column, kind) in &read {
            let value = values::read(column, *kind, item, &context);
            if matches!(kind, SiteFieldType::Number | SiteFieldType::Currency)
                && values::is_rounded(&value)
            {
                warn(format!(
                    "The field {} holds numbers of more than 15 digits, which lists round.",
                    column.internal_name
                ));
            }
            fields.push(column.field(*kind, value));
        }
        items_read.push(SiteItem {
            standard: standard_fields(item, &context),
            fields,
            etag: item
                .get("odata.etag")
                .and_then(Value::as_str)
                .map(str::to_owned),
        });
    }
    Ok(Page {
        items: items_read,
        next: None,
        warnings,
    })
}

fn to_json(person: &SiteUserOrGroup) -> Value {
    serde_json::to_value(person).unwrap_or_default()
}

fn number(item: &Value, name: &str) -> Option<i64> {
    item.get(name).and_then(Value::as_i64)
}

fn standard_fields(item: &Value, known: &Context) -> StandardFields {
    let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let of = |who: &str, part: &str| {
        let person = number(item, &format!("{who}Id")).and_then(|id| known.people.get(&id));
        // From the User Information List, or else from the item itself.
        let property = person
            .and_then(|person| person.get(if part == "EMail" { "Email" } else { part }))
            .or_else(|| item.get(who).and_then(|who| who.get(part)));
        property
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let id = |name: &str| number(item, name).map(|id| id.to_string());
    let time = |name: &str| text(name).map(|text| text.parse().map_or(text, utc));
    StandardFields {
        created_by_email: of("Author", "EMail"),
        created_by_id: id("AuthorId"),
        created_by_display_name: of("Author", "Title"),
        last_modified_by_email: of("Editor", "EMail"),
        last_modified_by_id: id("EditorId"),
        last_modified_by_display_name: of("Editor", "Title"),
        created_date_time: time("Created"),
        last_modified_date_time: time("Modified"),
        id: id_of(item).unwrap_or_default(),
        web_url: text("EncodedAbsUrl"),
        name: first_text(
            ["name", "FileLeafRef", "LinkFilename", "Title"].map(|name| item.get(name)),
        ),
        title: text("Title"),
    }
}
