//! One write over SharePoint REST: an item made, changed, deleted or recycled. What is sent is
//! free of culture: names of properties and JSON.
//!
//! Called through `Rest`; `batch` sends the same requests as parts of one.

use bytes::Bytes;
use http::Method;
use serde_json::Value;
use url::Url;

use super::lists::list_tail;
use super::values;
use super::{NO_METADATA, Rest, address, json};
use crate::answer::Answer;
use crate::error::{ErrorKind, Result};
use crate::protocol::{Act, Change, Done, OpenList};
use crate::wire::{Call, Effect, Outgoing};

/// How often a change is repeated that met another one on the site.
const CONFLICTS: u32 = 3;

/// A change as a request: its verb, its address, its body, and the version it is about.
pub(super) struct Part {
    pub(super) method: &'static str,
    pub(super) url: Url,
    pub(super) body: Option<String>,
    pub(super) etag: Option<String>,
}

/// The request that carries a change out.
pub(super) fn part(rest: &Rest, list: &OpenList, change: &Change) -> Result<Part> {
    let url = |tail: String| address::api(&rest.site, &list_tail(&list.facts, &tail));
    let body = || Some(Value::Object(values::write(&change.fields)).to_string());
    let version = |etag: &Option<String>| Some(etag.clone().unwrap_or_else(|| "*".to_owned()));
    Ok(match &change.act {
        Act::Add => Part {
            method: "POST",
            url: url("/items".to_owned())?,
            body: body(),
            etag: None,
        },
        Act::Edit { id, etag } => Part {
            method: "MERGE",
            url: url(format!("/items({id})"))?,
            body: body(),
            etag: version(etag),
        },
        Act::Delete { id, etag } => Part {
            method: "DELETE",
            url: url(format!("/items({id})"))?,
            body: None,
            etag: version(etag),
        },
        Act::Recycle { id } => Part {
            method: "POST",
            url: url(format!("/items({id})/recycle"))?,
            body: None,
            etag: None,
        },
    })
}

pub(super) async fn one(rest: &Rest, call: Call, list: &OpenList, change: &Change) -> Result<Done> {
    let part = part(rest, list, change)?;
    // Setting the same fields twice sets them once; with a version the second would be refused.
    let effect = match &change.act {
        Act::Edit { etag: None, .. } => Effect::Harmless,
        _ => Effect::Once,
    };
    let mut conflicts = 0;
    loop {
        let mut outgoing = Outgoing::new(
            Method::POST,
            part.url.clone(),
            Bytes::from(part.body.clone().unwrap_or_default()),
            effect,
        );
        if part.body.is_some() {
            outgoing = outgoing.with("content-type", NO_METADATA);
        }
        if part.method != "POST" {
            outgoing = outgoing.with("x-http-method", part.method);
        }
        if let Some(etag) = &part.etag {
            outgoing = outgoing.with("if-match", etag);
        }
        let answer = rest.post(call, outgoing).await?;
        if answer.is_save_conflict()
            && conflicts < CONFLICTS
            && matches!(change.act, Act::Edit { etag: None, .. })
        {
            conflicts += 1;
            continue;
        }
        return outcome(&answer, change);
    }
}

/// What the answer to a change says.
pub(super) fn outcome(answer: &Answer, change: &Change) -> Result<Done> {
    if !answer.is_success() {
        let missing = if change.act == Act::Add {
            ErrorKind::ListNotFound
        } else {
            ErrorKind::ItemNotFound
        };
        return Err(answer.refusal(missing));
    }
    let etag = answer.header("etag").map(str::to_owned);
    match change.act.id() {
        Some(id) => Ok(Done { id: Some(id), etag }),
        None => {
            let made = json::entity(answer).ok();
            let id = made
                .as_ref()
                .and_then(|item| item.get("Id").or_else(|| item.get("ID")))
                .and_then(Value::as_i64);
            // It was made, and there is no telling which one it is.
            let id = id.ok_or_else(|| {
                answer
                    .unexpected("names no id of the new item")
                    .of_kind(ErrorKind::OutcomeUnknown)
            })?;
            Ok(Done { id: Some(id), etag })
        }
    }
}
