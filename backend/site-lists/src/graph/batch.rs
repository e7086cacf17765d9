//! Many requests over Microsoft Graph in one (`$batch`): JSON in, JSON out, answers in any order
//! and matched by id.
//!
//! Only parts that the service had no time for are sent again.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::{Value, json};

use super::client::{GraphClient, JSON};
use super::request::{part, told};
use crate::answer::Answer;
use crate::change::outcome;
use crate::error::{ErrorKind, Result, SiteError};
use crate::gate;
use crate::odata_url;
use crate::protocol::{Change, Done, OpenList};
use crate::wire::{Call, Effect};

/// What the service takes in one batch.
pub(super) const PARTS: usize = 20;

/// Sends requests (`method`, `url` and perhaps `headers` and `body`), at most [`PARTS`]; the
/// answers come in the same order, `None` where there is none.
pub(super) async fn send(
    graph: &GraphClient,
    call: Call,
    requests: Vec<Value>,
    effect: Effect,
) -> Result<Vec<Option<Answer>>> {
    let count = requests.len();
    let numbered: Vec<Value> = requests
        .into_iter()
        .enumerate()
        .map(|(index, mut request)| {
            request["id"] = json!(index.to_string());
            request
        })
        .collect();
    let url = odata_url::joined(&graph.root, "$batch")?;
    let answer = graph
        .send(
            call,
            Method::POST,
            url,
            Some(&json!({"requests": numbered})),
            effect,
        )
        .await?
        .success(ErrorKind::SiteNotFound)?;
    let unreadable = || {
        answer
            .unexpected("is no batch")
            .of_kind(if effect == Effect::Once {
                ErrorKind::OutcomeUnknown
            } else {
                ErrorKind::UnexpectedResponse
            })
    };
    let body = answer.json().map_err(|_| unreadable())?;
    let all = body
        .get("responses")
        .and_then(Value::as_array)
        .ok_or_else(unreadable)?;
    let mut answers: Vec<Option<Answer>> = vec![None; count];
    for response in all {
        let index = response
            .get("id")
            .and_then(Value::as_str)
            .and_then(|id| id.parse::<usize>().ok());
        if let Some(place) = index.and_then(|index| answers.get_mut(index)) {
            *place = Some(read(response));
        }
    }
    Ok(answers)
}

fn read(response: &Value) -> Answer {
    let headers: HeaderMap = response
        .get("headers")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
            Some((name, HeaderValue::from_str(value.as_str()?).ok()?))
        })
        .collect();
    let status = response
        .get("status")
        .and_then(Value::as_u64)
        .and_then(|status| u16::try_from(status).ok());
    let body = match response.get("body") {
        None | Some(Value::Null) => Bytes::new(),
        Some(body) => Bytes::from(body.to_string()),
    };
    Answer {
        status: status.unwrap_or(500),
        headers,
        body,
    }
}

pub(super) async fn write(
    graph: &GraphClient,
    call: Call,
    list: &OpenList,
    changes: &[Change],
) -> Vec<Result<Done>> {
    let mut outcomes: Vec<Option<Result<Done>>> = changes.iter().map(|_| None).collect();
    let mut waiting: Vec<(usize, Value)> = Vec::with_capacity(changes.len());
    for (index, change) in changes.iter().enumerate() {
        match part(graph, call, list, change).await {
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
    let mut call = call;
    while !waiting.is_empty() {
        let sent: Vec<(usize, Value)> = waiting.drain(..waiting.len().min(PARTS)).collect();
        let count = sent.len();
        let requests = sent.iter().map(|(_, request)| request.clone()).collect();
        let answers = match send(graph, call, requests, Effect::Once).await {
            Ok(answers) => answers,
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
        let mut wait = None;
        let mut again = Vec::new();
        for ((index, request), answer) in sent.into_iter().zip(answers) {
            outcomes[index] = Some(match answer {
                Some(answer) if answer.is_throttled() => {
                    wait = wait.max(Some(gate::wait(&answer.headers, attempt)));
                    again.push((index, request));
                    Err(answer.refusal(ErrorKind::Throttled))
                }
                Some(answer) => outcome(&answer, &changes[index], told),
                None => Err(SiteError::new(
                    ErrorKind::OutcomeUnknown,
                    "The site's answer has no part for this change; it may or may not have been made.",
                )),
            });
        }
        if again.len() < count {
            // It goes on: the time for a call is the time for each batch.
            call = graph.wire.call();
            attempt = 0;
        }
        let Some(wait) = wait else { continue };
        attempt += 1;
        // For everybody: who comes next waits at the gate, this batch included.
        graph.wire.close(wait);
        if !call.allows(wait.time) {
            for (index, _) in &waiting {
                outcomes[*index] = Some(Err(SiteError::new(
                    ErrorKind::Throttled,
                    "The site asks to be left alone for longer than this call may take.",
                )
                .with_retry_after(wait.asked)));
            }
            break;
        }
        again.append(&mut waiting);
        waiting = again;
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
