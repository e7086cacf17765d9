//! The client of the web services: one request, its answer or an [`ApiError`].
//!
//! Calls are authenticated by the session's cookie. When the session has ended, a call waits until
//! the person has signed in again and is then repeated, so that no input is lost. A condition that
//! is not met is an error with the status 412.

use std::cell::RefCell;
use std::pin::Pin;

use checklist_control::api::client::API_PATH;
use checklist_shared::phrase::Phrase;
use checklist_shared::wire::access::SignInWays;
use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::{Function, Promise};
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::app::App;
use crate::navigation::base;

/// Why a call gave no answer: what the pages read of a problem (RFC 9457). Codes stay texts, since a
/// gateway before the server has others or none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct ApiError {
    /// The HTTP status; 0 when there was no answer at all.
    #[serde(skip)]
    pub status: u16,
    /// The problem's code; empty when something else than the server has answered.
    pub code: String,
    /// What happened, in the server's words; empty when there was no answer.
    #[serde(rename = "detail")]
    pub detail: String,
    /// The same for every occurrence.
    #[serde(rename = "title")]
    title: String,
    /// What is wrong with single fields.
    pub errors: Vec<FieldError>,
    /// The run that a refusal is about.
    pub run: Option<String>,
    /// How one can sign in, where nobody is signed in.
    pub sign_in: SignInWays,
}

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct FieldError {
    /// JSON pointer into what was sent.
    pub pointer: String,
    /// The code.
    pub code: String,
    /// What is wrong, in the server's words.
    pub detail: String,
    /// The same as a code, where it has one.
    #[serde(default)]
    pub phrase: Option<Phrase>,
}

thread_local! {
    /// Calls that wait for the person to sign in again.
    static WAITING: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
}

/// Repeats the calls that have waited for a session.
pub fn resume_waiting_calls() {
    for resume in WAITING.take() {
        let _ = resume.call0(&JsValue::UNDEFINED);
    }
}

/// The address of a call: one of the checklists' own, or with a `/` before it any below the base
/// URL.
#[must_use]
pub fn address(call: &str) -> String {
    let prefix = if call.starts_with('/') { "" } else { API_PATH };
    [&base(), prefix, call].concat()
}

/// What has to be there for something to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Whatever there is.
    Any,
    /// Nothing yet.
    New,
    /// What was read or written with this tag.
    Seen(String),
}

/// An answer with the tag of the resource; without one where the server gave none.
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged<T> {
    /// The answer.
    pub value: T,
    /// Its tag.
    pub tag: Option<String>,
}

/// Reads something.
pub async fn get<T: DeserializeOwned>(app: App, call: &str) -> Result<T, ApiError> {
    Ok(get_tagged(app, call).await?.value)
}

/// Reads something that is to be written later.
pub async fn get_tagged<T: DeserializeOwned>(app: App, call: &str) -> Result<Tagged<T>, ApiError> {
    decode(exchange(app, Method::GET, address(call), None, Condition::Any).await?)
}

async fn send<T: DeserializeOwned>(
    app: App,
    method: Method,
    call: &str,
    body: &impl Serialize,
) -> Result<T, ApiError> {
    Ok(send_if(app, method, call, body, &Condition::Any)
        .await?
        .value)
}

/// Writes something if what is there is as expected.
pub async fn send_if<T: DeserializeOwned>(
    app: App,
    method: Method,
    call: &str,
    body: &impl Serialize,
    condition: &Condition,
) -> Result<Tagged<T>, ApiError> {
    let body = serde_json::to_string(body).map_err(|error| ApiError {
        detail: error.to_string(),
        ..ApiError::default()
    })?;
    let body = Some(Body::json(&body));
    decode(exchange(app, method, address(call), body, condition.clone()).await?)
}

/// Something that is sent.
#[derive(Clone)]
pub struct Body {
    /// Its media type.
    kind: &'static str,
    /// A text, or a file as it lies there.
    body: JsValue,
}

impl Body {
    /// JSON that is written down already.
    #[must_use]
    pub fn json(text: &str) -> Self {
        Self {
            kind: "application/json",
            body: text.into(),
        }
    }

    /// A table, as a text or as a file, byte by byte.
    #[must_use]
    pub fn csv(body: impl Into<JsValue>) -> Self {
        Self {
            kind: "text/csv",
            body: body.into(),
        }
    }
}

/// Sends something that was not made here.
pub async fn send_as<T: DeserializeOwned>(
    app: App,
    method: Method,
    call: &str,
    body: Body,
) -> Result<T, ApiError> {
    let answer = exchange(app, method, address(call), Some(body), Condition::Any).await?;
    Ok(decode(answer)?.value)
}

/// Does something that needs no body.
pub async fn act<T: DeserializeOwned>(app: App, method: Method, call: &str) -> Result<T, ApiError> {
    Ok(act_if(app, method, call, &Condition::Any).await?.value)
}

/// Deletes something.
pub async fn delete(app: App, call: String) -> Result<(), ApiError> {
    act::<serde::de::IgnoredAny>(app, Method::DELETE, &call)
        .await
        .map(|_| ())
}

/// Sends JSON with POST.
pub async fn post<T: DeserializeOwned>(
    app: App,
    call: impl AsRef<str>,
    body: impl Serialize,
) -> Result<T, ApiError> {
    send(app, Method::POST, call.as_ref(), &body).await
}

/// Sends JSON with PUT.
pub async fn put<T: DeserializeOwned>(
    app: App,
    call: impl AsRef<str>,
    body: impl Serialize,
) -> Result<T, ApiError> {
    send(app, Method::PUT, call.as_ref(), &body).await
}

/// Does something that needs no body, if what is there is as expected.
pub async fn act_if<T: DeserializeOwned>(
    app: App,
    method: Method,
    call: &str,
    condition: &Condition,
) -> Result<Tagged<T>, ApiError> {
    decode(exchange(app, method, address(call), None, condition.clone()).await?)
}

/// A call that has begun. Boxed, and its answer still a text: so there is one state machine for all
/// calls instead of one for each type of answer, which would be a third of the download.
type Exchange = Pin<Box<dyn Future<Output = Result<Tagged<String>, ApiError>>>>;

/// Makes a call, and makes it again after a new sign-in where the session has ended.
fn exchange(
    app: App,
    method: Method,
    url: String,
    body: Option<Body>,
    condition: Condition,
) -> Exchange {
    Box::pin(async move {
        loop {
            match send_once(&method, &url, body.clone(), &condition).await {
                Err(failure) if failure.status == 401 => {
                    app.has_session_ended.set(true);
                    let again = Promise::new(&mut |resolve, _| {
                        WAITING.with_borrow_mut(|waiting| waiting.push(resolve))
                    });
                    // Nothing rejects it; whoever never signs in again never gets an answer.
                    let _ = JsFuture::from(again).await;
                }
                answer => return answer,
            }
        }
    })
}

/// Makes a call once, whatever comes of it.
pub async fn once<T: DeserializeOwned>(
    method: Method,
    url: &str,
    body: Option<&str>,
) -> Result<T, ApiError> {
    let answer = send_once(&method, url, body.map(Body::json), &Condition::Any).await;
    Ok(decode(answer?)?.value)
}

async fn send_once(
    method: &Method,
    url: &str,
    body: Option<Body>,
    condition: &Condition,
) -> Result<Tagged<String>, ApiError> {
    let request = RequestBuilder::new(url)
        .method(method.clone())
        .header("Accept", "application/json");
    let request = match condition {
        Condition::Any => request,
        Condition::New => request.header("If-None-Match", "*"),
        Condition::Seen(tag) => request.header("If-Match", tag),
    };
    let sent = match body {
        Some(sent) => match request.header("Content-Type", sent.kind).body(sent.body) {
            Ok(request) => request.send().await,
            Err(error) => Err(error),
        },
        None => request.send().await,
    };
    let response = sent.map_err(|_| ApiError::default())?;
    let tag = response.headers().get("ETag");
    let value = response.text().await.map_err(|_| ApiError::default())?;
    if response.ok() {
        Ok(Tagged { value, tag })
    } else {
        Err(parse_problem(&response, &value))
    }
}

/// Reads the JSON of an answer; without a body it is `null`.
fn decode<T: DeserializeOwned>(answer: Tagged<String>) -> Result<Tagged<T>, ApiError> {
    let text = match answer.value.trim() {
        "" => "null",
        text => text,
    };
    let value = serde_json::from_str(text).map_err(|error| ApiError {
        detail: error.to_string(),
        ..ApiError::default()
    })?;
    let tag = answer.tag;
    Ok(Tagged { value, tag })
}

fn parse_problem(response: &Response, text: &str) -> ApiError {
    let mut error = serde_json::from_str(text).unwrap_or_else(|_| ApiError {
        title: response.status_text(),
        ..ApiError::default()
    });
    error.status = response.status();
    if error.detail.is_empty() {
        error.detail = std::mem::take(&mut error.title);
    }
    error
}
