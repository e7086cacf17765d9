//! Graph's `$batch`: requests in JSON, at most twenty, some of them waiting for others.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::{Map, Value, json};

use super::call::{Call, JSON};
use super::error::{Graph, GraphError};
use crate::request::{Answer, Incoming};

/// More requests than this are not taken.
const LARGEST: usize = 20;

/// Answers a batch.
///
/// # Errors
/// It is none, or too large. What is wrong with a part is in its answer.
pub fn answer(call: &mut Call<'_>) -> Graph<Answer> {
    if call.method() != "POST" || call.incoming.in_batch {
        return Err(GraphError::no_method());
    }
    let body = call.body()?;
    let requests = body.get("requests").and_then(Value::as_array);
    let requests = requests.ok_or_else(|| GraphError::bad("Invalid batch payload format."))?;
    if requests.len() > LARGEST {
        return Err(GraphError::bad(format!(
            "Number of batch request steps exceeds the maximum value of {LARGEST}."
        )));
    }
    let mut done: BTreeMap<String, u16> = BTreeMap::new();
    let mut answers = Vec::new();
    for request in requests {
        let id = request
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if id.is_empty() || done.contains_key(id) {
            return Err(GraphError::bad(
                "Every request of a batch needs an id of its own.",
            ));
        }
        let needed = request.get("dependsOn").and_then(Value::as_array);
        let needed = needed.into_iter().flatten().filter_map(Value::as_str);
        let failed = needed.map(|id| done.get(id).copied().unwrap_or(424));
        let answer = if failed.into_iter().any(|status| status >= 400) {
            GraphError::new(
                424,
                "FailedDependency",
                "A request that this one depends on has failed.",
            )
            .answer()
        } else {
            part(call, request)
        };
        done.insert(id.to_owned(), answer.status);
        answers.push(written(id, &answer));
    }
    let mut out = Map::new();
    out.insert("responses".to_owned(), Value::Array(answers));
    Ok(Answer::json(200, JSON, &Value::Object(out)))
}

fn part(call: &mut Call<'_>, request: &Value) -> Answer {
    let Some(inner) = read(call, request) else {
        return GraphError::bad("The request of the batch cannot be read.").answer();
    };
    call.core.part(call.site, &inner, |site, core| {
        match super::split(&inner.path) {
            Some(rest) => super::answer(core, site, call.user, &inner, rest),
            None => GraphError::no_segment(&inner.path).answer(),
        }
    })
}

fn read(call: &Call<'_>, request: &Value) -> Option<Incoming> {
    let method = request.get("method")?.as_str()?.to_ascii_uppercase();
    let method = Method::from_bytes(method.as_bytes()).ok()?;
    let url = request.get("url")?.as_str()?;
    let version = call.incoming.path.get(..5).unwrap_or("/v1.0");
    // Some writers leave the version in, most do not, and a few forget the slash.
    let target = match url {
        url if super::split(url).is_some() => url.to_owned(),
        url if url.starts_with('/') => format!("{version}{url}"),
        url => format!("{version}/{url}"),
    };
    let mut headers = HeaderMap::new();
    let given = request.get("headers").and_then(Value::as_object);
    for (name, value) in given.into_iter().flatten() {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        headers.insert(name, HeaderValue::from_str(value.as_str()?).ok()?);
    }
    let body = match request.get("body") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(text)) => STANDARD.decode(text).ok()?,
        Some(body) => body.to_string().into_bytes(),
    };
    Some(call.incoming.part(method, &target, headers, body))
}

fn written(id: &str, answer: &Answer) -> Value {
    let headers = answer.headers.iter().map(|(name, value)| {
        // `retry-after` as `Retry-After`, as clients look for it.
        let mut parts = name.as_str().split('-').map(|part| {
            let mut letters = part.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        });
        let first = parts.next().unwrap_or_default();
        let name = parts.fold(first, |name, part| format!("{name}-{part}"));
        (name, json!(value.to_str().unwrap_or_default()))
    });
    let headers: Map<String, Value> = headers.collect();
    let mut out = json!({"id": id, "status": answer.status, "headers": headers});
    if let Some(body) = answer.value() {
        out["body"] = body;
    }
    out
}
