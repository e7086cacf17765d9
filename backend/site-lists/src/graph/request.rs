//! A change as a request to Microsoft Graph, and what its response says of the item.
//!
//! Invariant: the same request is sent by itself and as a part of a batch.

use http::Method;
use serde_json::{Value, json};

use super::client::GraphClient;
use super::values;
use crate::client::Deadline;
use crate::error::Result;
use crate::odata_url;
use crate::protocol::{ListSchema, PreparedChange, WriteAction, WriteResult};
use crate::response::SiteResponse;

/// A change as a request.
pub(super) struct ItemRequest {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) etag: Option<String>,
}

/// The request that carries a change out.
pub(super) async fn build_request(
    graph: &GraphClient,
    deadline: Deadline,
    list: &ListSchema,
    change: &PreparedChange,
) -> Result<ItemRequest> {
    let items = format!("lists/{}/items", odata_url::percent_encode(&list.info.id));
    let fields = || Value::Object(values::write(&change.fields));
    let (method, tail, body, etag) = match &change.action {
        WriteAction::Add => (Method::POST, items, Some(json!({"fields": fields()})), None),
        WriteAction::Edit { id, etag } => (
            Method::PATCH,
            format!("{items}/{id}/fields"),
            Some(fields()),
            etag.clone(),
        ),
        WriteAction::Delete { id, etag } => {
            (Method::DELETE, format!("{items}/{id}"), None, etag.clone())
        }
        // What Graph deletes goes to the bin.
        WriteAction::Recycle { id } => (Method::DELETE, format!("{items}/{id}"), None, None),
    };
    Ok(ItemRequest {
        method,
        path: graph.path(deadline, &tail).await?,
        body,
        etag,
    })
}

/// The id and version in the response to a change.
pub(super) fn parse_result(response: &SiteResponse) -> WriteResult {
    let body = response.json().ok();
    let text = |name: &str| body.as_ref()?.get(name)?.as_str().map(str::to_owned);
    WriteResult {
        id: text("id").and_then(|id| id.parse().ok()),
        etag: text("@odata.etag").or_else(|| text("eTag")),
    }
}
