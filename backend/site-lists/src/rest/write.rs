//! One write over SharePoint REST: an item added, edited, deleted or recycled, in invariant culture.

use bytes::Bytes;
use http::Method;
use serde_json::Value;

use super::client::{RestClient, list_path};
use super::json::{self, NO_METADATA};
use super::multipart::BatchPart;
use super::values;
use crate::client::{Deadline, SiteRequest};
use crate::error::Result;
use crate::odata_url;
use crate::protocol::{ListSchema, PreparedChange, WriteAction, WriteResult};
use crate::response::SiteResponse;
use crate::send_change::send_change;

/// The request that carries a change out.
pub(super) fn build_request(
    client: &RestClient,
    list: &ListSchema,
    change: &PreparedChange,
) -> Result<BatchPart> {
    let url = |tail: String| odata_url::api(&client.site, &list_path(&list.info, &tail));
    let body = || Some(Value::Object(values::write(&change.fields)).to_string());
    let version = |etag: &Option<String>| Some(etag.clone().unwrap_or_else(|| "*".to_owned()));
    Ok(match &change.action {
        WriteAction::Add => BatchPart {
            method: "POST",
            url: url("/items".to_owned())?,
            body: body(),
            etag: None,
        },
        WriteAction::Edit { id, etag } => BatchPart {
            method: "MERGE",
            url: url(format!("/items({id})"))?,
            body: body(),
            etag: version(etag),
        },
        WriteAction::Delete { id, etag } => BatchPart {
            method: "DELETE",
            url: url(format!("/items({id})"))?,
            body: None,
            etag: version(etag),
        },
        WriteAction::Recycle { id } => BatchPart {
            method: "POST",
            url: url(format!("/items({id})/recycle"))?,
            body: None,
            etag: None,
        },
    })
}

pub(super) async fn one(
    client: &RestClient,
    deadline: Deadline,
    list: &ListSchema,
    change: &PreparedChange,
) -> Result<WriteResult> {
    let part = build_request(client, list, change)?;
    let body = Bytes::from(part.body.clone().unwrap_or_default());
    let mut request = SiteRequest::new(Method::POST, part.url, body, change.idempotency());
    if part.body.is_some() {
        request = request.with("content-type", NO_METADATA);
    }
    if part.method != "POST" {
        request = request.with("x-http-method", part.method);
    }
    if let Some(etag) = &part.etag {
        request = request.with("if-match", etag);
    }
    send_change(
        change,
        || client.post(deadline, request.clone()),
        parse_result,
    )
    .await
}

/// The id and version in the response to a change.
pub(super) fn parse_result(response: &SiteResponse) -> WriteResult {
    let item = json::entity(response).ok();
    let id = item
        .as_ref()
        .and_then(|item| item.get("Id").or_else(|| item.get("ID")))
        .and_then(Value::as_i64);
    let etag = response.header("etag").map(str::to_owned);
    WriteResult { id, etag }
}
