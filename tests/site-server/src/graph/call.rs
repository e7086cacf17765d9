//! One request on its way through `graph`.
//!
//! Made in `graph::answer`, handed to everything below it.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::error::{Graph, GraphError};
use crate::core::Core;
use crate::odata::query::Query;
use crate::request::{Answer, Incoming};
use crate::store::{List, Site};

/// A request with everything that answering it takes.
pub struct Call<'a> {
    pub core: &'a Core,
    pub site: &'a mut Site,
    /// Who asks.
    pub user: u32,
    pub incoming: &'a Incoming,
    pub query: Query,
    /// The address of the version, e.g. `https://localhost:8443/v1.0`.
    pub base: String,
}

/// The media type of answers.
pub const JSON: &str = "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8";

impl<'a> Call<'a> {
    /// A request, with its query read.
    #[must_use]
    pub fn new(core: &'a Core, site: &'a mut Site, user: u32, incoming: &'a Incoming) -> Self {
        let version = incoming.path.get(1..5).unwrap_or("v1.0");
        Self {
            core,
            site,
            user,
            incoming,
            query: incoming.read_query(),
            base: format!("{}/{version}", incoming.origin()),
        }
    }

    /// What is to be done.
    #[must_use]
    pub fn method(&self) -> &str {
        self.incoming.method.as_str()
    }

    /// The site's three-part id: host, site collection, web.
    #[must_use]
    pub fn site_id(&self) -> String {
        let host = self.incoming.header("host").unwrap_or("localhost");
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        format!("{name},{},{}", self.site.collection_id, self.site.id)
    }

    /// The absolute address of something below the server's root, for people.
    #[must_use]
    pub fn web_url(&self, path: &str) -> String {
        format!("{}{}", self.incoming.origin(), path.replace(' ', "%20"))
    }

    /// A list that is known to be there.
    ///
    /// # Errors
    /// It is gone.
    pub fn list(&self, id: Uuid) -> Graph<&List> {
        self.site.list(id).ok_or_else(GraphError::no_list)
    }

    /// The body as an object.
    ///
    /// # Errors
    /// It is something else.
    pub fn body(&self) -> Graph<Map<String, Value>> {
        match serde_json::from_slice(&self.incoming.body) {
            Ok(Value::Object(body)) => Ok(body),
            _ => Err(GraphError::bad(
                "Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.",
            )),
        }
    }

    /// An answer with its context.
    #[must_use]
    pub fn answer(&self, status: u16, context: &str, body: Map<String, Value>) -> Answer {
        let context = format!("{}/$metadata#{context}", self.base);
        let mut whole = Map::new();
        whole.insert("@odata.context".to_owned(), context.into());
        let etag = body.get("eTag").or_else(|| body.get("@odata.etag"));
        let etag = etag.and_then(Value::as_str).map(str::to_owned);
        whole.extend(body);
        let mut answer = Answer::json(status, JSON, &Value::Object(whole));
        if let Some(etag) = etag {
            answer.set("etag", &etag);
        }
        answer
    }

    /// An answer with several things, and the address of the next page.
    #[must_use]
    pub fn answer_all(&self, context: &str, all: Vec<Value>, next: Option<String>) -> Answer {
        let mut body = Map::new();
        if let Some(next) = next {
            body.insert("@odata.nextLink".to_owned(), next.into());
        }
        body.insert("value".to_owned(), Value::Array(all));
        self.answer(200, context, body)
    }
}

/// Text of an address as it was before it was encoded.
#[must_use]
pub fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Keeps the members that `$select` names, and those that belong to all.
pub fn select(body: &mut Map<String, Value>, wanted: Option<&str>, always: &[&str]) {
    let Some(wanted) = wanted else { return };
    let names: Vec<&str> = wanted.split(',').map(str::trim).collect();
    if names.contains(&"*") {
        return;
    }
    body.retain(|name, _| {
        name.starts_with('@') || always.contains(&name.as_str()) || names.contains(&name.as_str())
    });
}
