//! The site, by its id or by its path, and the search for it.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::call::{Call, decoded, select};
use super::error::{Graph, GraphError};
use crate::clock::written;
use crate::request::Answer;

/// What an address below `/sites` is about.
#[derive(Debug, PartialEq)]
pub enum Below {
    /// All sites.
    Search,
    /// The site, and what lies below it, still encoded.
    Site(String),
}

/// Finds the site of an address: `{id}/…`, `root/…`, `{host}:/{path}`, `{host}:/{path}:/…`.
///
/// # Errors
/// There is none.
pub fn find(call: &Call<'_>, below: &str) -> Graph<Below> {
    if below.is_empty() {
        return Ok(Below::Search);
    }
    // Some clients encode the whole `{host}:/{path}` as if it were one id.
    let (first, rest) = below.split_once('/').unwrap_or((below, ""));
    let whole = decoded(first);
    let plain = match whole.split_once(":/") {
        Some(_) if rest.is_empty() => whole,
        Some(_) => format!("{}:/{rest}", whole.trim_end_matches(':')),
        None => below.replacen("%3A", ":", 2).replacen("%3a", ":", 2),
    };
    if let Some((_, rest)) = plain.split_once(":/") {
        let (path, below) = rest.split_once(':').unwrap_or((rest, ""));
        let path = format!("/{}", decoded(path).trim_matches('/'));
        return if path.eq_ignore_ascii_case(&call.site.path) {
            Ok(Below::Site(below.to_owned()))
        } else {
            Err(GraphError::no_site())
        };
    }
    let (id, rest) = below.split_once('/').unwrap_or((below, ""));
    let id = decoded(id);
    let ours = |part: &str| {
        let id = Uuid::parse_str(part).ok();
        id.is_some_and(|id| id == call.site.id || id == call.site.collection_id)
    };
    let parts: Vec<&str> = id.split(',').collect();
    let known = match parts.as_slice() {
        ["root"] => true,
        [one] => ours(one),
        [_, rest @ ..] => !rest.is_empty() && rest.iter().all(|part| ours(part)),
        [] => false,
    };
    if known {
        Ok(Below::Site(rest.to_owned()))
    } else {
        Err(GraphError::no_site())
    }
}

fn written_site(call: &Call<'_>) -> Map<String, Value> {
    let site = &*call.site;
    let body = json!({"createdDateTime": written(site.created), "description": "",
        "id": call.site_id(), "lastModifiedDateTime": written(site.created),
        "name": site.path.rsplit('/').next(), "webUrl": call.web_url(&site.path),
        "displayName": site.title, "root": {},
        "siteCollection": {"hostname": call.incoming.header("host").unwrap_or_default()}});
    match body {
        Value::Object(body) => body,
        _ => Map::new(),
    }
}

/// Answers with the site.
///
/// # Errors
/// The method changes something.
pub fn one(call: &Call<'_>) -> Graph<Answer> {
    if call.method() != "GET" {
        return Err(GraphError::no_method());
    }
    let mut body = written_site(call);
    select(&mut body, call.query.lenient_option("select"), &["id"]);
    Ok(call.answer(200, "sites/$entity", body))
}

/// Answers `?search=` with the one site there is, when its name holds the words.
///
/// # Errors
/// The method changes something.
pub fn search(call: &Call<'_>) -> Graph<Answer> {
    if call.method() != "GET" {
        return Err(GraphError::no_method());
    }
    let words = call.query.get("search").unwrap_or_default().to_lowercase();
    let found = words.is_empty()
        || words == "*"
        || call.site.title.to_lowercase().contains(&words)
        || call.site.path.to_lowercase().contains(&words);
    let all = if found {
        vec![Value::Object(written_site(call))]
    } else {
        Vec::new()
    };
    Ok(call.answer_all("sites", all, None))
}
