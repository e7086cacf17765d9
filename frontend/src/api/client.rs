//! Sends one request and reads one answer.
//!
//! Knows the prefix of the web services, the token and the form of problems; says nothing
//! about retrying, which is `state::policy`'s to judge. Called by `control` and `batch`.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::SyntaxError;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{RequestInit, Response};

use super::error::Failure;
use super::fields::Fields;
use crate::browser::{self, object, settled};
use crate::control::port::{GotToken, TokenReason};
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
pub type Tokens = Rc<dyn Fn(TokenReason, GotToken)>;

/// Who is told of an answer.
pub type Done = Box<dyn FnOnce(Answer)>;

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

/// Makes a call and hands its answer on. Told by callbacks all the way: each function that waits
/// would be a machine of its own in the download.
pub fn call(call: Call, done: Done) {
    let tokens = Rc::clone(&call.tokens);
    tokens(
        call.reason,
        Box::new(move |token| match token {
            Ok(token) => send(call, token, done),
            Err(sentence) => done(Answer {
                result: Err(Failure::token(sentence)),
                token: String::new(),
            }),
        }),
    );
}

fn send(call: Call, token: String, done: Done) {
    let headers = object();
    if !token.is_empty() {
        let value = ["Bearer ", &token].concat();
        browser::set(&headers, "Authorization", &value.into());
    }
    let request = object();
    if let Some(body) = &call.body {
        browser::set(&headers, "Content-Type", &"application/json".into());
        browser::set(&request, "method", &"POST".into());
        browser::set(&request, "body", &body.as_str().into());
    }
    browser::set(&request, "headers", &headers);
    let Some(window) = web_sys::window() else {
        return;
    };
    let request = request.unchecked_ref::<RequestInit>();
    let answered = window.fetch_with_str_and_init(&call.url, request);
    settled(
        &answered,
        Box::new(move |answer| match answer {
            Ok(response) => receive(call, token, response.unchecked_into(), done),
            Err(_) => finish(call, token, Err(Failure::network()), done),
        }),
    );
}

fn receive(call: Call, token: String, response: Response, done: Done) {
    // The browser parses what it has received; a long list never passes through here as a text.
    let value = response.json();
    let told = move |value: Result<JsValue, JsValue>| {
        let result = match value {
            // A body cut off on its way is a network that failed.
            Err(error) if !error.is_instance_of::<SyntaxError>() => Err(Failure::network()),
            value => answer(&response, value.ok()),
        };
        finish(call, token, result, done);
    };
    match value {
        Ok(value) => settled(&value, Box::new(told)),
        Err(thrown) => told(Err(thrown)),
    }
}

/// Hands the answer on, unless its token was refused and another may do.
fn finish(mut call: Call, token: String, result: Result<JsValue, Failure>, done: Done) {
    let code = result.as_ref().err().map(|failure| failure.reply);
    let refused = matches!(code, Some(Reply::Status { code: 401, .. }));
    if refused && call.renews && call.reason == TokenReason::Call {
        call.reason = TokenReason::Renew;
        self::call(call, done);
    } else {
        done(Answer { result, token });
    }
}

/// What a response says; without a value it is no JSON.
fn answer(response: &Response, value: Option<JsValue>) -> Result<JsValue, Failure> {
    let headers = response.headers();
    let number =
        |name: &str| -> Option<u32> { headers.get(name).ok().flatten()?.trim().parse().ok() };
    let code = response.status();
    if let Some(level) = number("Checklist-Api-Level") {
        SERVER_LEVEL.set(level);
    }
    if (200..300).contains(&code) {
        return value.ok_or_else(|| Failure::unreadable("the answer is no JSON"));
    }
    let retry_after = number("Retry-After");
    let value = value.unwrap_or(JsValue::NULL);
    let problem = Fields::of(&value);
    // Nothing of the request was applied; what stood in the way is told item by item, as in an
    // answer of which something was.
    if code == 409 && problem.text("Code").as_deref() == Some("NotApplied") {
        return Ok(value);
    }
    let detail = problem
        .text("detail")
        .or_else(|| problem.text("title"))
        .unwrap_or_default();
    Err(Failure {
        reply: Reply::Status { code, retry_after },
        code: problem.said("Code"),
        detail,
    })
}
