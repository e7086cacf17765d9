//! SharePoint REST: everything below `{web}/_api/`.
//!
//! `answer` is called by `handler` and by the batch. An address becomes a `node::Target`; reading it
//! is the job of `read`, writing it of `write` and the modules named after what is written.

pub mod attachments;
pub mod batch;
pub mod call;
pub mod caml;
pub mod digest;
pub mod error;
pub mod field_xml;
pub mod fields;
pub mod form_write;
pub mod item_body;
pub mod item_entity;
pub mod item_texts;
pub mod items;
pub mod lists;
pub mod node;
pub mod read;
pub mod shape;
pub mod users;
pub mod web;
pub mod write;

use http::Method;

use crate::core::Core;
use crate::odata::flavour::Flavour;
use crate::odata::path;
use crate::request::{Answer, Incoming};
use crate::store::Site;
use call::Call;
use error::{Rest, RestError};

/// The path below `_api`, in whatever case, and the web before it; `None` for other addresses.
#[must_use]
pub fn split(path: &str) -> Option<(&str, &str)> {
    let lower = path.to_ascii_lowercase();
    ["/_api", "/_vti_bin/client.svc"].iter().find_map(|mark| {
        let at = lower.find(mark)?;
        let rest = &path[at + mark.len()..];
        (rest.is_empty() || rest.starts_with('/')).then(|| (&path[..at], rest))
    })
}

/// Answers a request below `_api`. Nothing has changed unless the status says so.
#[must_use]
pub fn answer(core: &Core, site: &mut Site, user: u32, incoming: &Incoming, rest: &str) -> Answer {
    let flavour = Flavour::accepted(incoming.header("accept"));
    let Some(flavour) = flavour.or_else(|| without_accept(incoming, rest)) else {
        let message = "The HTTP header ACCEPT is missing or its value is invalid.";
        return RestError::new(
            406,
            -1,
            "Microsoft.SharePoint.Client.ClientServiceException",
            message,
        )
        .answer(Flavour::None);
    };
    let mut call = Call::new(core, site, user, incoming, flavour);
    match dispatch(&mut call, rest) {
        Ok(answer) => answer,
        Err(error) => error.answer(flavour),
    }
}

/// Where the answer has no body worth a format, none needs to be asked for.
fn without_accept(incoming: &Incoming, rest: &str) -> Option<Flavour> {
    let is_batch = rest.eq_ignore_ascii_case("/$batch");
    let is_value = rest.to_ascii_lowercase().ends_with("$value");
    let changes = !matches!(incoming.method, Method::GET | Method::HEAD);
    (is_batch || is_value || (changes && incoming.header("accept").is_none_or(|it| it == "*/*")))
        .then_some(Flavour::Minimal)
}

fn dispatch(call: &mut Call<'_>, rest: &str) -> Rest<Answer> {
    let segments = path::segments(rest).ok_or_else(|| RestError::expression(rest))?;
    if let [only] = segments.as_slice()
        && only.is("$batch")
    {
        return batch::answer(call);
    }
    let target = node::resolve(call, &segments)?;
    match write::verb(call.incoming) {
        Method::GET | Method::HEAD => read::answer(call, &target),
        verb => {
            digest::check(call, &target)?;
            write::answer(call, &target, &verb)
        }
    }
}
