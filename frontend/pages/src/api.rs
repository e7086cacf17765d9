//! Asking the server: one request, one answer, or a failure that can be shown.
//!
//! The session's cookie signs every call. When it has ended, a call waits until the person has
//! signed in again and is then made once more, so that nothing typed is lost. Called by pages.

use std::cell::RefCell;

use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::{Function, Promise};
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::app::App;
use crate::navigation::base;

/// Where the web services live below the base URL.
const PREFIX: &str = "/api/Vendor/ChecklistControl/";

/// Why a call gave no answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The HTTP status; 0 when there was no answer at all.
    pub status: u16,
    /// The problem's code; empty when it is none of ours.
    pub code: String,
    /// What happened, in the server's words; empty when there was no answer.
    pub detail: String,
    /// What is wrong with single fields.
    pub errors: Vec<Fault>,
}

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Fault {
    /// JSON pointer into what was sent.
    pub pointer: String,
    /// The code.
    pub code: String,
    /// What is wrong, in the server's words.
    pub detail: String,
}

#[derive(Deserialize)]
struct Problem {
    #[serde(default)]
    title: String,
    detail: Option<String>,
    #[serde(rename = "Code", default)]
    code: String,
    #[serde(rename = "Errors", default)]
    errors: Vec<Fault>,
}

thread_local! {
    /// Calls that wait for the person to sign in again.
    static WAITING: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
}

/// Lets the calls go on that have waited for a session.
pub fn signed_in_again() {
    for go_on in WAITING.take() {
        let _ = go_on.call0(&JsValue::UNDEFINED);
    }
}

/// The address of a call.
#[must_use]
pub fn address(call: &str) -> String {
    [&base(), PREFIX, call].concat()
}

/// Reads something.
///
/// # Errors
/// Why there is no answer.
pub async fn get<T: DeserializeOwned>(app: App, call: &str) -> Result<T, Failure> {
    exchange(app, Method::GET, &address(call), None).await
}

/// Writes something; the answer may be empty.
///
/// # Errors
/// Why there is no answer.
pub async fn send<T: DeserializeOwned>(
    app: App,
    method: Method,
    call: &str,
    body: &impl Serialize,
) -> Result<T, Failure> {
    let body = serde_json::to_string(body).map_err(|error| Failure {
        detail: error.to_string(),
        ..Failure::default()
    })?;
    exchange(app, method, &address(call), Some(body)).await
}

/// Does something that needs no body.
///
/// # Errors
/// Why it was not done.
pub async fn act<T: DeserializeOwned>(app: App, method: Method, call: &str) -> Result<T, Failure> {
    exchange(app, method, &address(call), None).await
}

async fn exchange<T: DeserializeOwned>(
    app: App,
    method: Method,
    url: &str,
    body: Option<String>,
) -> Result<T, Failure> {
    loop {
        match once(method.clone(), url, body.as_deref()).await {
            Err(failure) if failure.status == 401 => {
                app.ended.set(true);
                let again = Promise::new(&mut |resolve, _| {
                    WAITING.with_borrow_mut(|waiting| waiting.push(resolve))
                });
                // Nothing rejects it; whoever never signs in again never gets an answer.
                let _ = JsFuture::from(again).await;
            }
            answer => return answer,
        }
    }
}

/// Makes a call once, whatever comes of it.
///
/// # Errors
/// Why there is no answer.
pub async fn once<T: DeserializeOwned>(
    method: Method,
    url: &str,
    body: Option<&str>,
) -> Result<T, Failure> {
    let request = RequestBuilder::new(url)
        .method(method)
        .header("Accept", "application/json");
    let sent = match body {
        Some(body) => match request
            .header("Content-Type", "application/json")
            .body(body)
        {
            Ok(request) => request.send().await,
            Err(error) => Err(error),
        },
        None => request.send().await,
    };
    let response = sent.map_err(|_| Failure::default())?;
    let text = response.text().await.map_err(|_| Failure::default())?;
    if !response.ok() {
        return Err(refused(&response, &text));
    }
    let text = if text.trim().is_empty() {
        "null"
    } else {
        &text
    };
    serde_json::from_str(text).map_err(|error| Failure {
        status: response.status(),
        detail: error.to_string(),
        ..Failure::default()
    })
}

fn refused(response: &Response, text: &str) -> Failure {
    let status = response.status();
    match serde_json::from_str::<Problem>(text) {
        Ok(problem) => Failure {
            status,
            code: problem.code,
            detail: problem.detail.unwrap_or(problem.title),
            errors: problem.errors,
        },
        Err(_) => Failure {
            status,
            detail: response.status_text(),
            ..Failure::default()
        },
    }
}
