//! Writes over Microsoft Graph: single ones, batches, and over SharePoint REST what Graph cannot write
//! where the caller allows it.

use serde_json::Value;

use super::batch;
use super::client::JSON;
use super::request::{build_request, parse_result};
use super::session::GraphSession;
use crate::client::{Deadline, SiteRequest};
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::SiteFieldType;
use crate::list::ListKey;
use crate::odata_url;
use crate::protocol::{ListProtocol, ListSchema, PreparedChange, WriteResult};
use crate::send_change::{or_unknown, send_change};

pub(super) async fn write(
    graph: &GraphSession,
    deadline: Deadline,
    list: &ListSchema,
    changes: &[PreparedChange],
) -> Vec<Result<WriteResult>> {
    let (rest_fallback, here): (Vec<_>, Vec<_>) = changes
        .iter()
        .enumerate()
        .partition(|(_, change)| has_links(change));
    let mut outcomes: Vec<Option<Result<WriteResult>>> = changes.iter().map(|_| None).collect();
    let sent: Vec<PreparedChange> = here.iter().map(|(_, change)| (*change).clone()).collect();
    let done = match sent.as_slice() {
        [] => Vec::new(),
        [one] => vec![self::one(graph, deadline, list, one).await],
        several => batch::write(&graph.client, deadline, list, several).await,
    };
    for ((index, _), done) in here.iter().zip(done) {
        outcomes[*index] = Some(done);
    }
    let sent: Vec<PreparedChange> = rest_fallback
        .iter()
        .map(|(_, change)| (*change).clone())
        .collect();
    let done = over_rest(graph, deadline, list, sent).await;
    for ((index, _), done) in rest_fallback.iter().zip(done) {
        outcomes[*index] = Some(done);
    }
    or_unknown(outcomes)
}

fn has_links(change: &PreparedChange) -> bool {
    change
        .fields
        .iter()
        .any(|(column, _)| column.field_type == Some(SiteFieldType::Url))
}

/// The same changes over SharePoint REST, whose columns go by the same internal names.
async fn over_rest(
    graph: &GraphSession,
    deadline: Deadline,
    list: &ListSchema,
    changes: Vec<PreparedChange>,
) -> Vec<Result<WriteResult>> {
    if changes.is_empty() {
        return Vec::new();
    }
    let load_list = async {
        let Some(rest) = graph.rest_fallback(deadline).await? else {
            return Ok(None);
        };
        let id =
            list.info.id.parse().map_err(|_| {
                SiteError::new(ErrorKind::UnexpectedResponse, "The list's id is none.")
            })?;
        let found = rest.list(deadline, &ListKey::Id(id)).await?;
        let found = found.ok_or_else(|| {
            SiteError::new(
                ErrorKind::ListNotFound,
                format!("The site has no list {}.", list.info.title),
            )
        })?;
        let info = found.info;
        let columns = match found.columns {
            Some(columns) => columns,
            None => rest.columns(deadline, &info).await?,
        };
        Ok(Some((rest, ListSchema::complete(info, columns))))
    };
    match load_list.await {
        Err(error) => changes
            .iter()
            .map(|_| Err(SiteError::clone(&error)))
            .collect(),
        Ok(None) => changes
            .iter()
            .map(|change| Err(cannot_write_links(change)))
            .collect(),
        Ok(Some((rest, open))) => {
            let theirs: Vec<PreparedChange> = changes
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
            rest.write(deadline, &open, &theirs).await
        }
    }
}

fn cannot_write_links(change: &PreparedChange) -> SiteError {
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

async fn one(
    graph: &GraphSession,
    deadline: Deadline,
    list: &ListSchema,
    change: &PreparedChange,
) -> Result<WriteResult> {
    let part = build_request(&graph.client, deadline, list, change).await?;
    let url = odata_url::join_path(&graph.client.root, &part.path)?;
    let bytes = part.body.as_ref().map(Value::to_string).unwrap_or_default();
    let mut request =
        SiteRequest::new(part.method, url, bytes.into(), change.idempotency()).with("accept", JSON);
    if part.body.is_some() {
        request = request.with("content-type", JSON);
    }
    if let Some(etag) = &part.etag {
        request = request.with("if-match", etag);
    }
    send_change(
        change,
        || graph.client.http.send(deadline, &request),
        parse_result,
    )
    .await
}
