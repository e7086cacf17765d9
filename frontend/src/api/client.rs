//! Sends one request and reads one answer.
//!
//! Knows the prefix of the web services, the token and the form of problems; says nothing
//! about retrying, which is `state::policy`'s to judge. Called by `control` and `batch`.

use std::cell::Cell;

use gloo_net::http::{Headers, Request, RequestBuilder};
use js_sys::JSON;
use wasm_bindgen::JsValue;

use super::error::Failure;
use super::read::Fields;
use crate::control::port::{LocalFuture, TokenReason};
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

/// Gives a token, or a sentence why there is none.
pub type Tokens = Box<dyn Fn(TokenReason) -> LocalFuture<Result<String, String>>>;

/// A call that is going to be made.
pub struct Call {
    /// Where tokens come from.
    pub tokens: Tokens,
    /// The address.
    pub url: String,
    /// What is posted; without it the call gets.
    pub body: Option<String>,
    /// Whether the first token has to be a new one.
    pub reason: TokenReason,
    /// Whether a token that was refused is renewed once, here; a queue judges that itself.
    pub renews: bool,
}

/// What came back from a call.
pub struct Answer {
    /// The answer, or why there is none.
    pub result: Result<JsValue, Failure>,
    /// The token that was used; it says who we are.
    pub token: String,
}

/// Makes a call and hands its answer on. The only place that waits for the network: everything
/// else is told, because each function that waits is a machine of its own in the download.
pub fn call(call: Call, done: Box<dyn FnOnce(Answer)>) {
    let running: LocalFuture<()> = Box::pin(async move {
        let mut reason = call.reason;
        let answer = loop {
            let token = match (call.tokens)(reason).await {
                Ok(token) => token,
                Err(sentence) => {
                    break Answer {
                        result: Err(Failure::token(sentence)),
                        token: String::new(),
                    };
                }
            };
            let result = exchange(&call.url, &token, call.body.as_deref()).await;
            let refused = matches!(
                &result,
                Err(Failure {
                    reply: Reply::Status { code: 401, .. },
                    ..
                })
            );
            if !(refused && call.renews && reason == TokenReason::Call) {
                break Answer { result, token };
            }
            reason = TokenReason::Renew;
        };
        done(answer);
    });
    wasm_bindgen_futures::spawn_local(running);
}

async fn exchange(url: &str, token: &str, body: Option<&str>) -> Result<JsValue, Failure> {
    let request = match body {
        Some(body) => {
            let request =
                signed(Request::post(url), token).header("Content-Type", "application/json");
            request
                .body(body)
                .map_err(|_| Failure::network())?
                .send()
                .await
        }
        None => signed(Request::get(url), token).send().await,
    };
    let response = request.map_err(|_| Failure::network())?;
    let headers = response.headers();
    // A body cut off on its way is a network that failed.
    let text = response.text().await.map_err(|_| Failure::network())?;
    answer(&headers, response.status(), &text)
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

fn answer(headers: &Headers, code: u16, text: &str) -> Result<JsValue, Failure> {
    if let Some(level) = headers
        .get("Checklist-Api-Level")
        .and_then(|level| level.parse().ok())
    {
        SERVER_LEVEL.set(level);
    }
    let value = JSON::parse(text);
    if (200..300).contains(&code) {
        return value.map_err(|_| Failure::unreadable("the answer is no JSON"));
    }
    let retry_after = headers
        .get("Retry-After")
        .and_then(|seconds| seconds.trim().parse().ok());
    let problem = Fields::of(&value.unwrap_or(JsValue::NULL));
    let detail = problem
        .text("detail")
        .or_else(|| problem.text("title"))
        .unwrap_or_default();
    Err(Failure {
        reply: Reply::Status { code, retry_after },
        code: problem.text("Code").unwrap_or_default(),
        detail,
    })
}
