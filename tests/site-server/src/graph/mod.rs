//! Microsoft Graph: sites, lists, columns and items below `/v1.0` (and `/beta`).
//!
//! `answer` is called by `core` and by the batch; the modules are named after what they answer.

pub mod batch;
pub mod call;
pub mod columns;
pub mod error;
pub mod field_set;
pub mod items;
pub mod lists;
pub mod people;
pub mod query;
pub mod sites;

use uuid::Uuid;

use crate::core::Core;
use crate::request::{Answer, Incoming};
use crate::store::Site;
use call::{Call, decoded};
use error::{Graph, GraphError};

/// The path below the version, in whatever case; `None` for other addresses.
#[must_use]
pub fn split(path: &str) -> Option<&str> {
    let lower = path.to_ascii_lowercase();
    let version = ["/v1.0", "/beta"]
        .iter()
        .find(|it| lower.starts_with(**it))?;
    let rest = &path[version.len()..];
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Answers a request below the version.
#[must_use]
pub fn answer(core: &Core, site: &mut Site, user: u32, incoming: &Incoming, rest: &str) -> Answer {
    let mut call = Call::new(core, site, user, incoming);
    let answer = dispatch(&mut call, rest);
    answer.unwrap_or_else(|error| error.answer())
}

fn dispatch(call: &mut Call<'_>, rest: &str) -> Graph<Answer> {
    let rest = rest.trim_matches('/');
    if rest.eq_ignore_ascii_case("$batch") {
        return batch::answer(call);
    }
    let (first, below) = rest.split_once('/').unwrap_or((rest, ""));
    match first.to_ascii_lowercase().as_str() {
        "me" | "users" => people::answer(call, first, below),
        "sites" => {
            let below = sites::find(call, below)?;
            of_site(call, below)
        }
        _ => Err(GraphError::no_segment(first)),
    }
}

/// What lies below a site: an address whose parts are separated by slashes, each still encoded.
fn of_site(call: &mut Call<'_>, below: sites::Below) -> Graph<Answer> {
    let sites::Below::Site(path) = below else {
        return sites::search(call);
    };
    let parts: Vec<String> = path
        .split('/')
        .filter(|part| !part.is_empty())
        .map(decoded)
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match parts.as_slice() {
        [] => sites::one(call),
        ["lists"] => lists::collection(call),
        ["lists", list, rest @ ..] => {
            let id = lists::find(call, list)?;
            of_list(call, id, rest)
        }
        [first, ..] => Err(GraphError::no_segment(first)),
    }
}

fn of_list(call: &mut Call<'_>, id: Uuid, parts: &[&str]) -> Graph<Answer> {
    match parts {
        [] => lists::one(call, id),
        ["columns"] => columns::collection(call, id),
        ["columns", column] => columns::one(call, id, column),
        ["contenttypes" | "contentTypes"] => lists::content_types(call, id),
        ["items"] => items::collection(call, id),
        ["items", "$count"] => items::count(call, id),
        ["items", item, rest @ ..] => {
            let number = item.parse().map_err(|_| GraphError::no_item())?;
            match rest {
                [] => items::one(call, id, number),
                ["fields"] => items::fields(call, id, number),
                [other, ..] => Err(GraphError::no_segment(other)),
            }
        }
        [first, ..] => Err(GraphError::no_segment(first)),
    }
}
