//! One request on its way through `rest`: the site, who asks, and how the answer is to look.
//!
//! Made in `rest::answer`, handed to everything below it.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::error::{Rest, RestError};
use crate::core::Core;
use crate::odata::flavour::Flavour;
use crate::odata::path::Segment;
use crate::odata::projection::Projection;
use crate::odata::query::Query;
use crate::request::Incoming;
use crate::store::{List, Site};

/// A request with everything that answering it takes.
pub struct Call<'a> {
    pub core: &'a Core,
    pub site: &'a mut Site,
    /// Who asks.
    pub user: u32,
    pub incoming: &'a Incoming,
    pub flavour: Flavour,
    pub query: Query,
    /// The absolute address of the web.
    pub web: String,
}

impl<'a> Call<'a> {
    /// A request, with its query read.
    #[must_use]
    pub fn new(
        core: &'a Core,
        site: &'a mut Site,
        user: u32,
        incoming: &'a Incoming,
        flavour: Flavour,
    ) -> Self {
        let web = format!("{}{}", incoming.origin(), site.path);
        Self {
            core,
            site,
            user,
            incoming,
            flavour,
            query: incoming.read_query(),
            web,
        }
    }

    /// An absolute address below `_api`.
    #[must_use]
    pub fn uri(&self, rest: &str) -> String {
        format!("{}/_api/{rest}", self.web)
    }

    /// What the caller wants to see.
    #[must_use]
    pub fn projection(&self) -> Projection {
        Projection::read(self.query.option("select"), self.query.option("expand"))
    }

    /// A list that is known to be there.
    ///
    /// # Errors
    /// It is gone.
    pub fn list(&self, id: Uuid) -> Rest<&List> {
        self.site.list(id).ok_or_else(RestError::no_list_with_id)
    }

    /// The first argument of a part of the address.
    #[must_use]
    pub fn argument(&self, segment: &Segment) -> Option<String> {
        segment.argument(|name| self.query.get(name).map(str::to_owned))
    }

    /// The body as an object; an empty body is an empty object.
    ///
    /// # Errors
    /// It is something else.
    pub fn body(&self) -> Rest<Map<String, Value>> {
        if self.incoming.body.iter().all(u8::is_ascii_whitespace) {
            return Ok(Map::new());
        }
        match serde_json::from_slice(&self.incoming.body) {
            Ok(Value::Object(body)) => Ok(body),
            Ok(_) => Err(RestError::query(
                "An unexpected node was found when reading from the JSON reader. A 'StartObject' node was expected.",
            )),
            Err(error) => Err(RestError::query(format!(
                "Invalid JSON. A token was not recognized in the JSON content. {error}"
            ))),
        }
    }

    /// The flavour that the body is written in.
    #[must_use]
    pub fn body_flavour(&self) -> Flavour {
        Flavour::of_body(self.incoming.header("content-type"))
    }
}
