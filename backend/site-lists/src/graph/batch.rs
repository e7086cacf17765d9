//! `$batch` of Microsoft Graph: JSON requests in, responses in any order, matched by id.
//!
//! Invariant: only throttled parts are sent again.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::{Value, json};

use super::client::{GraphClient, JSON};
use super::request::{build_request, parse_result};
use crate::client::{Deadline, Idempotency};
use crate::error::{ErrorKind, Result};
use crate::odata_url;
use crate::protocol::{ListSchema, PreparedChange, WriteResult};
use crate::rate_limiter;
use crate::response::SiteResponse;
use crate::send_change::{no_response_error, or_unknown, parse_outcome};

/// What the service takes in one batch.
pub(super) const MAX_PARTS: usize = 20;

/// Sends requests (`method`, `url` and perhaps `headers` and `body`), at most [`MAX_PARTS`]; the
/// answers come in the same order, `None` where there is none.
pub(super) async fn send(
    graph: &GraphClient,
    deadline: Deadline,
    requests: Vec<Value>,
    idempotency: Idempotency,
) -> Result<Vec<Option<SiteResponse>>> {
    let count = requests.len();
    let numbered: Vec<Value> = requests
        .into_iter()
        .enumerate()
        .map(|(index, mut request)| {
            request["id"] = json!(index.to_string());
            request
        })
        .collect();
    let url = odata_url::join_path(&graph.root, "$batch")?;
    let response = graph
        .send(
            deadline,
            Method::POST,
            url,
            Some(&json!({"requests": numbered})),
            idempotency,
        )
        .await?
        .error_for_status(ErrorKind::SiteNotFound)?;
    let unreadable = || {
        response.unexpected_error("is no batch").of_kind(
            if idempotency == Idempotency::NonIdempotent {
                ErrorKind::OutcomeUnknown
            } else {
                ErrorKind::UnexpectedResponse
            },
        )
    };
    let body = response.json().map_err(|_| unreadable())?;
    let all = body
        .get("responses")
        .and_then(Value::as_array)
        .ok_or_else(unreadable)?;
    let mut responses: Vec<Option<SiteResponse>> = vec![None; count];
    for entry in all {
        let index = entry
            .get("id")
            .and_then(Value::as_str)
            .and_then(|id| id.parse::<usize>().ok());
        if let Some(place) = index.and_then(|index| responses.get_mut(index)) {
            *place = Some(read(entry));
        }
    }
    Ok(responses)
}

fn read(entry: &Value) -> SiteResponse {
    let headers: HeaderMap = entry
        .get("headers")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
            Some((name, HeaderValue::from_str(value.as_str()?).ok()?))
        })
        .collect();
    let status = entry
        .get("status")
        .and_then(Value::as_u64)
        .and_then(|status| u16::try_from(status).ok());
    let body = match entry.get("body") {
        None | Some(Value::Null) => Bytes::new(),
        Some(body) => Bytes::from(body.to_string()),
    };
    SiteResponse {
        status: status.unwrap_or(500),
        headers,
        body,
    }
}

pub(super) async fn write(
    graph: &GraphClient,
    deadline: Deadline,
    list: &ListSchema,
    changes: &[PreparedChange],
) -> Vec<Result<WriteResult>> {
    let mut outcomes: Vec<Option<Result<WriteResult>>> = changes.iter().map(|_| None).collect();
    let mut waiting: Vec<(usize, Value)> = Vec::with_capacity(changes.len());
    for (index, change) in changes.iter().enumerate() {
        match build_request(graph, deadline, list, change).await {
            Ok(part) => {
                let mut request =
                    json!({"method": part.method.as_str(), "url": format!("/{}", part.path)});
                if let Some(body) = part.body {
                    request["body"] = body;
                    request["headers"] = json!({"Content-Type": JSON});
                }
                if let Some(etag) = part.etag {
                    request["headers"]["If-Match"] = json!(etag);
                }
                waiting.push((index, request));
            }
            Err(error) => outcomes[index] = Some(Err(error)),
        }
    }
    let mut attempt = 0;
    let mut deadline = deadline;
    while !waiting.is_empty() {
        let sent: Vec<(usize, Value)> = waiting.drain(..waiting.len().min(MAX_PARTS)).collect();
        let count = sent.len();
        let requests = sent.iter().map(|(_, request)| request.clone()).collect();
        let responses = match send(graph, deadline, requests, Idempotency::NonIdempotent).await {
            Ok(responses) => responses,
            Err(error) => {
                for (index, _) in &sent {
                    outcomes[*index] = Some(Err(error.clone()));
                }
                let kind = if error.kind() == ErrorKind::OutcomeUnknown {
                    ErrorKind::TimedOut
                } else {
                    error.kind()
                };
                for (index, _) in &waiting {
                    outcomes[*index] = Some(Err(error.clone().of_kind(kind)));
                }
                break;
            }
        };
        let mut backoff = None;
        let mut again = Vec::new();
        for ((index, request), response) in sent.into_iter().zip(responses) {
            outcomes[index] = Some(match response {
                Some(response) if response.is_throttled() => {
                    backoff = backoff.max(Some(rate_limiter::backoff(&response.headers, attempt)));
                    again.push((index, request));
                    Err(response.to_error(ErrorKind::Throttled))
                }
                Some(response) => parse_outcome(&response, &changes[index], parse_result),
                None => Err(no_response_error()),
            });
        }
        if again.len() < count {
            // It goes on: the time for a call is the time for each batch.
            deadline = graph.http.new_deadline();
            attempt = 0;
        }
        let Some(backoff) = backoff else { continue };
        attempt += 1;
        if let Err(error) = graph.http.back_off(deadline, backoff) {
            for (index, _) in &waiting {
                outcomes[*index] = Some(Err(error.clone()));
            }
            break;
        }
        again.append(&mut waiting);
        waiting = again;
    }
    or_unknown(outcomes)
}
