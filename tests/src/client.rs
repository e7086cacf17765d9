//! A small HTTP client: one request, one whole answer, nothing followed and nothing retried.

use std::net::IpAddr;

use crate::list::Written;
use reqwest::Certificate;
use reqwest::Method;
use reqwest::blocking::{Body, Client, ClientBuilder, RequestBuilder};
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use serde_json::Value;

use crate::wait::PATIENCE;

/// Requests to one server.
#[derive(Clone)]
pub struct Http {
    client: Client,
    base: String,
}

/// An answer with everything in it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body as it came, still encoded.
    pub body: Vec<u8>,
}

fn plain() -> ClientBuilder {
    crate::tls::provide();
    Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .timeout(PATIENCE)
}

impl Http {
    /// Requests to the server whose base URL is `base`.
    #[must_use]
    pub fn to(base: &str) -> Self {
        // A restarted server must not be met over a connection to the one before it.
        Self::of(plain().pool_max_idle_per_host(0), base)
    }

    /// Requests to a proxy that shows this certificate (PEM); connections are kept, and made from
    /// `caller`, an address of this machine.
    ///
    /// # Panics
    /// When it is no certificate.
    #[must_use]
    pub fn trusting(base: &str, certificate: &str, caller: IpAddr) -> Self {
        let certificate = Certificate::from_pem(certificate.as_bytes()).expect("a certificate");
        let client = plain().tls_certs_only([certificate]).local_address(caller);
        Self::of(client, base)
    }

    fn of(client: ClientBuilder, base: &str) -> Self {
        Self {
            client: client.build().expect("a client needs nothing from outside"),
            base: base.to_owned(),
        }
    }

    /// A request to a path below the base URL, to be filled and sent.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// `GET` without credentials.
    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path))
    }

    /// `POST` of JSON without credentials.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        send(json(self.request(Method::POST, path), body))
    }
}

/// The request with a JSON body.
pub fn json(request: RequestBuilder, body: &Value) -> RequestBuilder {
    request
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
}

/// Sends a request.
///
/// # Panics
/// When there is no answer at all.
#[track_caller]
pub fn send(request: RequestBuilder) -> Answer {
    match try_send(request) {
        Ok(answer) => answer,
        Err(error) => panic!("the server gave no answer: {error:?}"),
    }
}

/// Sends a request that may find nobody at home.
///
/// # Errors
/// When there is no whole answer.
pub fn try_send(request: RequestBuilder) -> Result<Answer, reqwest::Error> {
    let response = request.send()?;
    Ok(Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: response.bytes()?.to_vec(),
    })
}

impl Answer {
    /// The body as text.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is text")
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => panic!(
                "{} with a body that is no JSON ({error}): {}",
                self.status,
                self.text()
            ),
        }
    }

    /// A header field, empty when it is not there.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or("")
    }

    /// The JSON of an answer that has to be a success.
    ///
    /// # Panics
    /// When it is none; the message shows the problem.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!(
            (200..300).contains(&self.status),
            "expected success, got {}: {}",
            self.status,
            self.text()
        );
        if self.body.is_empty() {
            Value::Null
        } else {
            self.json()
        }
    }

    /// What became of each item of a writing call: of one of which something was applied, or of one
    /// of which nothing could be (409 `NotApplied`).
    ///
    /// # Panics
    /// When the answer is anything else.
    #[must_use]
    #[track_caller]
    pub fn written(&self) -> Written {
        if self.status == 409 {
            Written(self.refused(409, "NotApplied"))
        } else {
            Written(self.ok())
        }
    }

    /// The problem of an answer that has to be refused with that status and code, after checking
    /// that it is a complete problem document (RFC 9457).
    ///
    /// # Panics
    /// When the answer is anything else.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(
            self.status,
            status,
            "expected {status} {code}: {}",
            self.text()
        );
        let kind = self.header("content-type");
        assert!(
            kind.starts_with("application/problem+json"),
            "a problem came as {kind:?}"
        );
        let problem = self.json();
        assert_eq!(problem["Code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        for member in ["type", "title"] {
            assert!(
                problem[member].is_string(),
                "a problem without {member}: {problem}"
            );
        }
        problem
    }
}

/// The pointers and codes of a problem's field errors, sorted.
#[must_use]
pub fn field_errors(problem: &Value) -> Vec<(String, String)> {
    let mut errors: Vec<_> = problem["Errors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|error| {
            let text = |key: &str| error[key].as_str().unwrap_or("").to_owned();
            (text("Pointer"), text("Code"))
        })
        .collect();
    errors.sort();
    errors
}

/// The pointers alone.
#[must_use]
pub fn error_pointers(problem: &Value) -> Vec<String> {
    let errors = field_errors(problem).into_iter();
    errors.map(|(pointer, _)| pointer).collect()
}
