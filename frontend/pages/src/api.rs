//! The calls of the pages: one request, its answer or an [`ApiError`]. The exchange itself is the
//! control's.
//!
//! Calls are authenticated by the session's cookie. When the session has ended, a call waits until
//! the person has signed in again and is then repeated, so that no input is lost. A condition that
//! is not met is an error with the status 412.

use std::cell::RefCell;
use std::pin::Pin;

use checklist_control::api::js;
use checklist_control::api::transport::{self, API_PATH, NetworkError, Response};
use checklist_control::model::error::Error;
use checklist_shared::phrase::Phrase;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::access::SignInWays;
use gloo_net::http::{Method, RequestBuilder};
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
    /// `Retry-After` of the answer, in seconds.
    #[serde(skip)]
    pub retry_after: Option<u32>,
    /// The run that a refusal is about.
    pub run: Option<String>,
    /// How many checklists use what cannot be deleted.
    pub lists: Option<u64>,
    /// How one can sign in, where nobody is signed in.
    pub sign_in: SignInWays,
}

impl ApiError {
    /// Whether it is the problem of that code.
    #[must_use]
    pub fn is(&self, code: ProblemCode) -> bool {
        self.code == code.name()
    }

    /// An answer that is not as agreed.
    fn unreadable(detail: impl ToString) -> Self {
        Self {
            detail: detail.to_string(),
            ..Self::default()
        }
    }

    /// The browser cannot or may not do what a call needs; `sentence` is for people.
    #[must_use]
    pub fn of_browser(code: &str, sentence: &str) -> Self {
        Self {
            code: code.to_owned(),
            errors: vec![FieldError {
                pointer: String::new(),
                code: code.to_owned(),
                detail: sentence.to_owned(),
                phrase: None,
            }],
            ..Self::default()
        }
    }
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
    let path = if call.starts_with('/') { "" } else { API_PATH };
    transport::address(&base(), path, call)
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

/// A call, which begins once it is awaited. Of one type for each answer, so that what sends calls is
/// not compiled for each call.
pub type Call<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// Reads something.
pub fn get<T: DeserializeOwned + 'static>(app: App, call: &str) -> Call<T> {
    let answer = get_tagged(app, call);
    Box::pin(async { Ok(answer.await?.value) })
}

/// Reads something that is to be written later.
pub fn get_tagged<T: DeserializeOwned + 'static>(app: App, call: &str) -> Call<Tagged<T>> {
    act_if(app, Method::GET, call, &Condition::Any)
}

/// Reads something as it comes; by a POST if there is a body.
pub fn value_of(app: App, call: &str, body: Option<Body>) -> Call<JsValue> {
    let method = match body {
        Some(_) => Method::POST,
        None => Method::GET,
    };
    let answer = exchange(app, method, address(call), body, Condition::Any);
    Box::pin(async { Ok(answer.await?.value) })
}

/// Does something that needs no body.
pub fn act<T: DeserializeOwned + 'static>(app: App, method: Method, call: &str) -> Call<T> {
    let answer = act_if(app, method, call, &Condition::Any);
    Box::pin(async { Ok(answer.await?.value) })
}

/// Does something that needs no body, if what is there is as expected.
pub fn act_if<T: DeserializeOwned + 'static>(
    app: App,
    method: Method,
    call: &str,
    condition: &Condition,
) -> Call<Tagged<T>> {
    let answer = exchange(app, method, address(call), None, condition.clone());
    Box::pin(async { decode(answer.await?) })
}

/// Deletes something.
pub fn delete(app: App, call: impl AsRef<str>) -> Call<()> {
    let answer = exchange(
        app,
        Method::DELETE,
        address(call.as_ref()),
        None,
        Condition::Any,
    );
    Box::pin(async { answer.await.map(|_| ()) })
}

/// Sends JSON with POST.
pub fn post<T: DeserializeOwned + 'static>(
    app: App,
    call: impl AsRef<str>,
    body: impl Serialize,
) -> Call<T> {
    send_as(app, Method::POST, call.as_ref(), Body::of(&body))
}

/// Sends JSON with PUT.
pub fn put<T: DeserializeOwned + 'static>(
    app: App,
    call: impl AsRef<str>,
    body: impl Serialize,
) -> Call<T> {
    send_as(app, Method::PUT, call.as_ref(), Body::of(&body))
}

/// Sends JSON with PUT if what is there is as expected.
pub fn put_if<T: DeserializeOwned + 'static>(
    app: App,
    call: &str,
    body: &impl Serialize,
    condition: &Condition,
) -> Call<Tagged<T>> {
    let body = Some(Body::of(body));
    let answer = exchange(app, Method::PUT, address(call), body, condition.clone());
    Box::pin(async { decode(answer.await?) })
}

/// Sends something as it is.
pub fn send_as<T: DeserializeOwned + 'static>(
    app: App,
    method: Method,
    call: &str,
    body: Body,
) -> Call<T> {
    let answer = exchange(app, method, address(call), Some(body), Condition::Any);
    Box::pin(async { Ok(decode(answer.await?)?.value) })
}

/// Reads a value of an answer.
pub fn read<T: DeserializeOwned>(value: JsValue) -> Result<T, ApiError> {
    js::read(value).map_err(|error| match error {
        Error::Unreadable(detail) => ApiError::unreadable(detail),
        _ => ApiError::default(),
    })
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
    /// A value as JSON. By way of a JSON value, which drafts are anyway: so each type is written by
    /// one serializer.
    #[must_use]
    pub fn of(value: &impl Serialize) -> Self {
        let value = serde_json::to_value(value).unwrap_or_default();
        Self::json(&value.to_string())
    }

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
        Self::file("text/csv", body)
    }

    /// A file of that media type, byte by byte.
    #[must_use]
    pub fn file(kind: &'static str, body: impl Into<JsValue>) -> Self {
        Self {
            kind,
            body: body.into(),
        }
    }
}

/// Makes a call, and makes it again after a new sign-in where the session has ended.
fn exchange(
    app: App,
    method: Method,
    url: String,
    body: Option<Body>,
    condition: Condition,
) -> Call<Tagged<JsValue>> {
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
) -> Result<Tagged<JsValue>, ApiError> {
    let request = RequestBuilder::new(url)
        .method(method.clone())
        .header("Accept", "application/json");
    let request = match condition {
        Condition::Any => request,
        Condition::New => request.header("If-None-Match", "*"),
        Condition::Seen(tag) => request.header("If-Match", tag),
    };
    let request = match body {
        Some(sent) => request.header("Content-Type", sent.kind).body(sent.body),
        None => request.build(),
    };
    let response = transport::send(request).await;
    judge(response.map_err(|NetworkError| ApiError::default())?)
}

fn judge(response: Response) -> Result<Tagged<JsValue>, ApiError> {
    if !response.is_success() {
        let mut error = ApiError {
            status: response.status(),
            retry_after: response.retry_after(),
            ..response.problem()
        };
        if error.detail.is_empty() {
            error.detail = std::mem::take(&mut error.title);
        }
        // Something else than the server has answered.
        if error.detail.is_empty() {
            error.detail = ["HTTP ", &error.status.to_string()].concat();
        }
        return Err(error);
    }
    let tag = response.header("ETag");
    let value = match response.body {
        Some(value) => value,
        // There is none to read.
        None if response.status() == 204 => JsValue::NULL,
        None => return Err(ApiError::unreadable("no JSON")),
    };
    Ok(Tagged { value, tag })
}

fn decode<T: DeserializeOwned>(answer: Tagged<JsValue>) -> Result<Tagged<T>, ApiError> {
    let (value, tag) = (read(answer.value)?, answer.tag);
    Ok(Tagged { value, tag })
}
