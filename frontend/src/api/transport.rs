//! One HTTP exchange of JSON: the address of a call, the answer, or the problem in its place.
//!
//! For the control and for the built-in pages. It neither retries nor knows who calls.

use gloo_net::http::Request;
use js_sys::Reflect;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::js;

/// Where the web services live below the base URL.
pub const API_PATH: &str = "/api/Vendor/ChecklistControl/";

/// The address of a call. A trailing slash of the base URL does not matter.
#[must_use]
pub fn address(base_url: &str, path: &str, call: &str) -> String {
    [base_url.trim_end_matches('/'), path, call].concat()
}

/// The request could not be sent, or its answer broke off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkError;

/// An answer, whatever its status.
pub struct Response {
    head: web_sys::Response,
    /// The body; none where it is no JSON.
    pub body: Option<JsValue>,
}

/// Sends a request and receives its answer.
///
/// # Errors
/// [`NetworkError`].
pub async fn send(request: Result<Request, gloo_net::Error>) -> Result<Response, NetworkError> {
    let request = request.map_err(|_| NetworkError)?;
    let head = request.send().await.map_err(|_| NetworkError)?;
    let head = web_sys::Response::from(head);
    // The browser parses what it has received; a long list never passes through here as a text.
    let parsed = match head.json() {
        Ok(parsed) => JsFuture::from(parsed).await,
        Err(thrown) => Err(thrown),
    };
    match parsed {
        // A body cut off on its way is a network that failed.
        Err(error) if !is_syntax_error(&error) => Err(NetworkError),
        parsed => Ok(Response {
            head,
            body: parsed.ok(),
        }),
    }
}

/// Whether a body was there and was no JSON. By the name alone: in WebKit the error is a `DOMException`.
fn is_syntax_error(error: &JsValue) -> bool {
    Reflect::get(error, &"name".into()).is_ok_and(|name| name == "SyntaxError")
}

impl Response {
    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.head.status()
    }

    /// Whether the status is one of success.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.head.ok()
    }

    /// A header; none where it is not there or may not be read.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        self.head.headers().get(name).ok().flatten()
    }

    /// `Retry-After`, in seconds.
    #[must_use]
    pub fn retry_after(&self) -> Option<u32> {
        self.header("Retry-After")?.trim().parse().ok()
    }

    /// What the body says of the problem (RFC 9457); nothing where something else than the server
    /// has answered.
    #[must_use]
    pub fn problem<P: DeserializeOwned + Default>(&self) -> P {
        let body = self.body.clone().unwrap_or_default();
        js::read(body).unwrap_or_default()
    }
}
