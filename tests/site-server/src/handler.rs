//! Where requests come in: read whole, answered by the core, with faults before and after.
//!
//! The only place that knows axum's requests; called by the listeners of `server`.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::response::Response;
use futures_util::{StreamExt as _, stream};

use crate::clock;
use crate::core::{Core, Identity};
use crate::faults::{Fault, HEADER, Kind};
use crate::identity::{self, Keys};
use crate::request::{Answer, Incoming};
use crate::wire::Line;

/// The version that answers name, which clients look at.
pub const VERSION: &str = "16.0.26100.12000";

/// Bodies larger than this are not read.
const LARGEST_BODY: usize = 32 * 1024 * 1024;

/// What requests are answered with.
#[derive(Clone, Debug)]
pub struct HandlerState {
    pub core: Arc<Core>,
    pub keys: Arc<Keys>,
}

/// Answers a request.
pub async fn answer(
    State(state): State<HandlerState>,
    ConnectInfo(line): ConnectInfo<Line>,
    request: Request,
) -> Response {
    let mut incoming = match read(&line, request).await {
        Ok(incoming) => incoming,
        Err(answer) => return response(answer, None),
    };
    let core = &state.core;
    for event in core.meanwhile.due() {
        event(&mut core.site());
    }
    if let Some(asked) = incoming.header(HEADER)
        && Fault::read(asked).is_none()
    {
        // A test that misspells its fault is not to pass without one.
        let message = format!("There is no fault {asked:?}; GET /faults lists them.");
        return response(
            Answer::text(400, "text/plain; charset=utf-8", message),
            None,
        );
    }
    let fault = core.faults.take(&incoming, false);
    let answer = match identity::of(core, &state.keys, &incoming).await {
        Ok(identity) => {
            if let Identity::Named(name) = &identity {
                name.clone_into(&mut incoming.user);
            }
            with_fault(core, &identity, &incoming, fault, &line).await
        }
        Err(answer) => answer,
    };
    if !fault.is_some_and(hangs) {
        core.record(&incoming, answer.status, fault.map(|fault| fault.name()));
    }
    let mut answer = dressed(answer);
    if incoming.method == http::Method::HEAD {
        answer.body.clear();
    }
    response(answer, fault)
}

async fn read(line: &Line, request: Request) -> Result<Incoming, Answer> {
    let at = clock::now();
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, LARGEST_BODY)
        .await
        .map_err(|_| Answer::empty(413))?;
    // A client may send the whole address as its target; the path alone counts.
    Ok(Incoming {
        at,
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers,
        body: body.to_vec(),
        secure: line.secure,
        peer: line.peer,
        user: "anonymous".to_owned(),
        in_batch: false,
        digest_shown: false,
    })
}

/// Whether the caller is gone before it is answered, and its request has to be written down first.
fn hangs(fault: Fault) -> bool {
    matches!(fault.kind, Kind::TimeoutBefore | Kind::TimeoutAfter)
}

async fn with_fault(
    core: &Core,
    identity: &Identity,
    incoming: &Incoming,
    fault: Option<Fault>,
    line: &Line,
) -> Answer {
    let Some(fault) = fault else {
        return core.answer(incoming, identity);
    };
    if let Some(answer) = fault.answer(incoming) {
        return answer;
    }
    let pause = Duration::from_secs(fault.seconds);
    match fault.kind {
        Kind::TimeoutBefore => {
            core.record(incoming, 504, Some(fault.name()));
            tokio::time::sleep(pause).await;
            line.reset();
            Answer::empty(504)
        }
        Kind::ResetBefore => {
            line.reset();
            Answer::empty(502)
        }
        kind => {
            let answer = core.answer(incoming, identity);
            match kind {
                Kind::TimeoutAfter => {
                    core.record(incoming, answer.status, Some(fault.name()));
                    tokio::time::sleep(pause).await;
                    line.reset();
                }
                Kind::Slow => tokio::time::sleep(pause).await,
                Kind::ResetAfter => line.reset(),
                _ => {}
            }
            fault.spoilt(answer)
        }
    }
}

/// Puts on what every answer of the service wears.
fn dressed(mut answer: Answer) -> Answer {
    let id = clock::new_id().to_string();
    answer.set("sprequestguid", &id);
    answer.set("request-id", &id);
    answer.set("spclientservicerequestduration", "5");
    answer.set("x-sharepointhealthscore", "0");
    answer.set("x-sp-serverstate", "ReadOnly=0");
    answer.set("microsoftsharepointteamservices", VERSION);
    answer.set("x-content-type-options", "nosniff");
    if !answer.headers.contains_key("cache-control") {
        answer.set("cache-control", "private, max-age=0");
    }
    if answer.status == 429 {
        // Told as the service tells it to whoever has used up its budget.
        let left = answer.headers.get("retry-after").cloned();
        if let Some(left) = left.and_then(|it| it.to_str().ok().map(str::to_owned)) {
            answer.set("ratelimit-limit", "1250");
            answer.set("ratelimit-remaining", "0");
            if left.parse::<u64>().is_ok() {
                answer.set("ratelimit-reset", &left);
            }
        }
    }
    answer
}

fn response(answer: Answer, fault: Option<Fault>) -> Response {
    let half = fault.is_some_and(|fault| fault.kind == Kind::HalfBody);
    let length = answer.body.len();
    let body = if half {
        let first = Bytes::copy_from_slice(&answer.body[..length / 2]);
        let end = async {
            // The first half is to be on its way before the connection ends.
            tokio::time::sleep(Duration::from_millis(50)).await;
            Err(std::io::Error::from(std::io::ErrorKind::ConnectionAborted))
        };
        Body::from_stream(stream::iter([Ok(first)]).chain(stream::once(end)))
    } else {
        Body::from(answer.body)
    };
    let mut response = Response::new(body);
    *response.status_mut() = http::StatusCode::from_u16(answer.status)
        .unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
    *response.headers_mut() = answer.headers;
    if half {
        response
            .headers_mut()
            .insert("content-length", length.into());
    }
    response
}
