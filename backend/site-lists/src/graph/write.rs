//! Writes over Microsoft Graph: an item made, changed or deleted. What Graph cannot write goes
//! over SharePoint REST where the caller allows it, and is refused with the reason where not.
//!
//! Called through `Graph`; `batch` sends the same requests as parts of one.

use http::Method;
use serde_json::{Value, json};

use super::{Graph, batch, values};
use crate::answer::Answer;
use crate::change::carried_out;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::SiteFieldType;
use crate::list::Way;
use crate::protocol::{Act, Change, Done, ListProtocol, OpenList};
use crate::rest::address;
use crate::wire::{Call, Outgoing};

/// A change as a request.
pub(super) struct Part {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) etag: Option<String>,
}

pub(super) async fn write(
    graph: &Graph,
    call: Call,
    list: &OpenList,
    changes: &[Change],
) -> Vec<Result<Done>> {
    let (beside, here): (Vec<_>, Vec<_>) = changes
        .iter()
        .enumerate()
        .partition(|(_, change)| has_links(change));
    let mut outcomes: Vec<Option<Result<Done>>> = changes.iter().map(|_| None).collect();
    let sent: Vec<Change> = here.iter().map(|(_, change)| (*change).clone()).collect();
    let done = match sent.as_slice() {
        [] => Vec::new(),
        [one] => vec![self::one(graph, call, list, one).await],
        several => batch::write(graph, call, list, several).await,
    };
    for ((index, _), done) in here.iter().zip(done) {
        outcomes[*index] = Some(done);
    }
    let sent: Vec<Change> = beside.iter().map(|(_, change)| (*change).clone()).collect();
    let done = over_rest(graph, call, list, sent).await;
    for ((index, _), done) in beside.iter().zip(done) {
        outcomes[*index] = Some(done);
    }
    let lost = || {
        Err(SiteError::new(
            ErrorKind::OutcomeUnknown,
            "The site said nothing about this change.",
        ))
    };
    outcomes
        .into_iter()
        .map(|outcome| outcome.unwrap_or_else(lost))
        .collect()
}

fn has_links(change: &Change) -> bool {
    change
        .fields
        .iter()
        .any(|(column, _)| column.field_type == Some(SiteFieldType::Url))
}

/// The same changes over SharePoint REST, whose columns go by the same internal names.
async fn over_rest(
    graph: &Graph,
    call: Call,
    list: &OpenList,
    changes: Vec<Change>,
) -> Vec<Result<Done>> {
    if changes.is_empty() {
        return Vec::new();
    }
    let opened = async {
        let Some(rest) = graph.beside(call).await? else {
            return Ok(None);
        };
        let id =
            list.facts.id.parse().map_err(|_| {
                SiteError::new(ErrorKind::UnexpectedAnswer, "The list's id is none.")
            })?;
        let found = rest.list(call, &Way::Id(id)).await?;
        let found = found.ok_or_else(|| {
            SiteError::new(
                ErrorKind::ListNotFound,
                format!("The site has no list {}.", list.facts.title),
            )
        })?;
        let facts = found.facts;
        let columns = match found.columns {
            Some(columns) => columns,
            None => rest.columns(call, &facts).await?,
        };
        Ok(Some((rest, OpenList::whole(facts, columns))))
    };
    match opened.await {
        Err(error) => changes
            .iter()
            .map(|_| Err(SiteError::clone(&error)))
            .collect(),
        Ok(None) => changes
            .iter()
            .map(|change| Err(cannot_write_links(change)))
            .collect(),
        Ok(Some((rest, open))) => {
            let theirs: Vec<Change> = changes
                .into_iter()
                .map(|mut change| {
                    for (column, _) in &mut change.fields {
                        if let Some(known) = open
                            .columns
                            .iter()
                            .find(|known| known.internal_name == column.internal_name)
                        {
                            *column = known.clone();
                        }
                    }
                    change
                })
                .collect();
            rest.write(call, &open, &theirs).await
        }
    }
}

fn cannot_write_links(change: &Change) -> SiteError {
    let field = change
        .fields
        .iter()
        .find(|(column, _)| column.field_type == Some(SiteFieldType::Url));
    let name = field
        .map(|(column, _)| column.internal_name.clone())
        .unwrap_or_default();
    SiteError::new(ErrorKind::NotSupported, format!("Microsoft Graph cannot write the field {name}: it is a link."))
        .with_field(name)
        .with_hint("Nothing was sent. Use a service connection that may also use SharePoint REST, or leave the field out.")
}

/// The request that carries a change out.
pub(super) async fn part(
    graph: &Graph,
    call: Call,
    list: &OpenList,
    change: &Change,
) -> Result<Part> {
    let items = format!("lists/{}/items", address::encoded(&list.facts.id));
    let fields = || Value::Object(values::write(&change.fields));
    let (method, tail, body, etag) = match &change.act {
        Act::Add => (Method::POST, items, Some(json!({"fields": fields()})), None),
        Act::Edit { id, etag } => (
            Method::PATCH,
            format!("{items}/{id}/fields"),
            Some(fields()),
            etag.clone(),
        ),
        Act::Delete { id, etag } => (Method::DELETE, format!("{items}/{id}"), None, etag.clone()),
        // What Graph deletes goes to the bin.
        Act::Recycle { id } => (Method::DELETE, format!("{items}/{id}"), None, None),
    };
    Ok(Part {
        method,
        path: graph.path(call, &tail).await?,
        body,
        etag,
    })
}

async fn one(graph: &Graph, call: Call, list: &OpenList, change: &Change) -> Result<Done> {
    let part = part(graph, call, list, change).await?;
    let url = address::joined(&graph.root, &part.path)?;
    let bytes = part.body.as_ref().map(Value::to_string).unwrap_or_default();
    let mut outgoing =
        Outgoing::new(part.method, url, bytes.into(), change.effect()).with("accept", super::JSON);
    if part.body.is_some() {
        outgoing = outgoing.with("content-type", super::JSON);
    }
    if let Some(etag) = &part.etag {
        outgoing = outgoing.with("if-match", etag);
    }
    carried_out(change, || graph.wire.send(call, &outgoing), told).await
}

/// What the answer to a change tells of the item.
pub(super) fn told(answer: &Answer) -> Done {
    let body = answer.json().ok();
    let text = |name: &str| body.as_ref()?.get(name)?.as_str().map(str::to_owned);
    Done {
        id: text("id").and_then(|id| id.parse().ok()),
        etag: text("@odata.etag").or_else(|| text("eTag")),
    }
}
