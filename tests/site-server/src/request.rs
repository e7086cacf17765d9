//! A request as the protocols see it, and the answer that they give: whole, without streams, so
//! that the parts of a batch are requests like any other.
//!
//! Made by `handler` from what came over the wire, and by `batch` from what came inside.

use std::net::IpAddr;

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use jiff::Timestamp;
use serde_json::Value;

use crate::odata::query::Query;

/// A request.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// When it came in; parts of a batch came with it.
    pub at: Timestamp,
    pub method: Method,
    /// The path as it came, still encoded.
    pub path: String,
    /// What stands behind the question mark, as it came.
    pub query: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    pub secure: bool,
    pub peer: IpAddr,
    /// The name that its sender signed in with, or `anonymous`.
    pub user: String,
    /// Whether it came inside a batch.
    pub in_batch: bool,
    /// Whether that batch showed a form digest, which then holds for its parts.
    pub digest_shown: bool,
}

impl Incoming {
    /// A header as text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Scheme, host and port as the caller addressed them.
    #[must_use]
    pub fn origin(&self) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{}", self.header("host").unwrap_or("localhost"))
    }

    /// The query, taken apart.
    #[must_use]
    pub fn read_query(&self) -> Query {
        Query::read(&self.query)
    }

    /// Path and query as they came.
    #[must_use]
    pub fn target(&self) -> String {
        if self.query.is_empty() {
            self.path.clone()
        } else {
            format!("{}?{}", self.path, self.query)
        }
    }

    /// A request inside this one: a batch's part, with its own address and headers.
    #[must_use]
    pub fn part(&self, method: Method, target: &str, headers: HeaderMap, body: Vec<u8>) -> Self {
        let target = target
            .strip_prefix(&self.origin())
            .unwrap_or(target)
            .to_owned();
        let target = match target.split_once("://") {
            // Another name for this same server, as a proxy's client knows it.
            Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]).to_owned(),
            None => target,
        };
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let mut all = headers;
        for name in ["host", "authorization", "cookie", "x-remote-user"] {
            if let (false, Some(value)) = (all.contains_key(name), self.headers.get(name)) {
                all.insert(HeaderName::from_static(name), value.clone());
            }
        }
        Self {
            at: self.at,
            method,
            path: path.to_owned(),
            query: query.to_owned(),
            headers: all,
            body,
            secure: self.secure,
            peer: self.peer,
            user: self.user.clone(),
            in_batch: true,
            digest_shown: self.digest_shown,
        }
    }
}

/// An answer.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// An answer without a body.
    #[must_use]
    pub fn empty(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// An answer in JSON.
    #[must_use]
    pub fn json(status: u16, media_type: &str, body: &Value) -> Self {
        Self::text(status, media_type, body.to_string())
    }

    /// An answer of any text.
    #[must_use]
    pub fn text(status: u16, media_type: &str, body: String) -> Self {
        let mut answer = Self::empty(status);
        answer.body = body.into_bytes();
        answer.with("content-type", media_type)
    }

    /// The same answer with a header; what cannot stand in one is left out.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a header.
    pub fn set(&mut self, name: &str, value: &str) {
        let name = HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(value)) {
            self.headers.insert(name, value);
        }
    }

    /// The body as JSON, where it is.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }
}
