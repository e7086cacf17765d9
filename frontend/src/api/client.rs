//! Sends one request and reads one answer.
//!
//! Knows the prefix of the web services, the token and the form of problems; says nothing
//! about retrying, which is `state::policy`'s to judge. Called by `control` and `batch`.

use std::cell::Cell;
use std::rc::Rc;

use checklist_shared::Context;
use gloo_net::http::{Request, RequestBuilder, Response};
use js_sys::JSON;
use wasm_bindgen::JsValue;

use super::error::Failure;
use super::read::Fields;
use crate::control::port::{Host, LocalFuture, TokenReason};
use crate::state::policy::Reply;

/// The level of the web services that this control was written for.
const LEVEL: u32 = 1;

thread_local! {
    /// The level that the server told last. Requests of level 1 are understood by every server;
    /// what a later control adds is sent only when the server's level has it.
    static SERVER_LEVEL: Cell<u32> = const { Cell::new(LEVEL) };
}

/// Whether the server understands what came with `level`.
#[must_use]
pub fn understands(level: u32) -> bool {
    SERVER_LEVEL.get() >= level
}

/// The address of a call below the prefix. A trailing slash at the base does not matter.
#[must_use]
pub fn address(base_url: &str, call: &str) -> String {
    let base = base_url.trim_end_matches('/');
    let mut url = String::with_capacity(base.len() + call.len() + 30);
    url.push_str(base);
    url.push_str("/api/Vendor/ChecklistControl/");
    url.push_str(call);
    url
}

/// Asks something that changes nothing, with a body or without; a token that has ended is
/// renewed once. Boxed, because many ask and each would hold a copy of all this.
///
/// # Errors
/// Why there is no answer that could be used.
pub fn ask(
    host: Rc<dyn Host>,
    contexts: Vec<Context>,
    url: String,
    body: Option<String>,
) -> LocalFuture<Result<JsValue, Failure>> {
    Box::pin(async move {
        let mut reason = TokenReason::Call;
        loop {
            let token = host.token(contexts.clone(), reason).await.map_err(Failure::token)?;
            let answer = match &body {
                Some(body) => post(&url, &token, body).await,
                None => get(&url, &token).await,
            };
            match answer {
                Err(Failure { reply: Reply::Status { code: 401, .. }, .. }) if reason == TokenReason::Call => {
                    reason = TokenReason::Renew;
                }
                answer => return answer,
            }
        }
    })
}

/// Posts a body and gives the answer.
///
/// # Errors
/// Why there is no answer that could be used.
pub async fn post(url: &str, token: &str, body: &str) -> Result<JsValue, Failure> {
    let request = signed(Request::post(url), token).header("Content-Type", "application/json").body(body);
    let request = request.map_err(|_| Failure::network())?;
    answer(request.send().await.map_err(|_| Failure::network())?).await
}

/// Gets an answer.
///
/// # Errors
/// Why there is no answer that could be used.
pub async fn get(url: &str, token: &str) -> Result<JsValue, Failure> {
    answer(signed(Request::get(url), token).send().await.map_err(|_| Failure::network())?).await
}

fn signed(request: RequestBuilder, token: &str) -> RequestBuilder {
    if token.is_empty() {
        return request;
    }
    let mut value = String::with_capacity(token.len() + 7);
    value.push_str("Bearer ");
    value.push_str(token);
    request.header("Authorization", &value)
}

async fn answer(response: Response) -> Result<JsValue, Failure> {
    let headers = response.headers();
    if let Some(level) = headers.get("Checklist-Api-Level").and_then(|level| level.parse().ok()) {
        SERVER_LEVEL.set(level);
    }
    let code = response.status();
    // A body cut off on its way is a network that failed.
    let text = response.text().await.map_err(|_| Failure::network())?;
    let value = JSON::parse(&text);
    if response.ok() {
        return value.map_err(|_| Failure::unreadable("the answer is no JSON"));
    }
    let retry_after = headers.get("Retry-After").and_then(|seconds| seconds.trim().parse().ok());
    let problem = Fields::of(&value.unwrap_or(JsValue::NULL));
    let detail = problem.text("detail").or_else(|| problem.text("title")).unwrap_or_default();
    Err(Failure {
        reply: Reply::Status { code, retry_after },
        code: problem.text("Code").unwrap_or_default(),
        detail,
    })
}
