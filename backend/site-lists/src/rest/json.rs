//! Responses of SharePoint REST in all OData formats: verbose ones lose their wrapping (`d`, `results`,
//! `__metadata`, `__deferred`), so that the rest of `rest` knows one shape.

use serde_json::{Map, Value};

use crate::error::Result;
use crate::response::SiteResponse;

/// The format that is requested.
pub(super) const NO_METADATA: &str = "application/json;odata=nometadata";

/// A collection and the address of its next page.
#[derive(Debug)]
pub(super) struct Collection {
    pub(super) values: Vec<Value>,
    pub(super) next: Option<String>,
}

/// The entity of a response.
///
/// # Errors
/// It is none.
pub(super) fn entity(response: &SiteResponse) -> Result<Value> {
    let value = read(response)?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(response.unexpected_error("is no entity"))
    }
}

/// The collection of a response. A page that is cut off is an error and never an end.
///
/// # Errors
/// It is none.
pub(super) fn collection(response: &SiteResponse) -> Result<Collection> {
    let mut body = read(response)?;
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let next = text(body.get("odata.nextLink"))
        .or_else(|| text(body.get("@odata.nextLink")))
        .or_else(|| text(body.get("__next")));
    let values = match &mut body {
        Value::Array(_) => body.take(),
        Value::Object(parts) => parts.remove("value").unwrap_or_default(),
        _ => Value::Null,
    };
    match values {
        Value::Array(values) => Ok(Collection { values, next }),
        _ => Err(response.unexpected_error("is no collection")),
    }
}

/// The body of a response in the one shape. Only verbose answers are gone through: every part of
/// them stands in a `d`, and a page of another dialect may hold a hundred thousand values.
fn read(response: &SiteResponse) -> Result<Value> {
    let mut body = response.json()?;
    let verbose = match body.get_mut("d") {
        Some(inner) if inner.is_object() || inner.is_array() => inner.take(),
        _ => return Ok(body),
    };
    let Value::Object(mut parts) = verbose else {
        return Ok(plain(verbose));
    };
    // A collection, with the address of its next page beside it.
    if let Some(results) = parts.remove("results") {
        parts.insert("value".to_owned(), results);
    }
    Ok(plain(Value::Object(parts)))
}

/// The same without metadata, deferred links and wrapped arrays.
pub(super) fn plain(value: Value) -> Value {
    match value {
        Value::Array(all) => Value::Array(all.into_iter().map(plain).collect()),
        Value::Object(mut parts) => {
            let wraps = parts.contains_key("results")
                && parts
                    .keys()
                    .all(|key| key == "results" || key.starts_with("__"));
            if wraps && let Some(Value::Array(all)) = parts.remove("results") {
                return Value::Array(all.into_iter().map(plain).collect());
            }
            let kept: Map<String, Value> = parts
                .into_iter()
                .filter(|(key, value)| key != "__metadata" && value.get("__deferred").is_none())
                .map(|(key, value)| (key, plain(value)))
                .collect();
            Value::Object(kept)
        }
        simple => simple,
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;
    use serde_json::json;

    use super::*;

    fn response(body: &Value) -> SiteResponse {
        SiteResponse {
            status: 200,
            headers: HeaderMap::new(),
            body: Bytes::from(body.to_string()),
        }
    }

    #[test]
    fn all_dialects_give_the_same_collection() {
        let verbose = json!({"d": {"results": [{"__metadata": {"type": "x"}, "Id": 1, "Author": {"__deferred": {"uri": "u"}}, "Tags": {"__metadata": {"type": "Collection(Edm.String)"}, "results": ["a"]}}], "__next": "n"}});
        let minimal = json!({"odata.metadata": "m", "value": [{"Id": 1, "Tags": ["a"]}], "odata.nextLink": "n"});
        for body in [verbose, minimal] {
            let read = collection(&response(&body)).expect("a collection");
            assert_eq!(
                (read.values, read.next.as_deref()),
                (vec![json!({"Id": 1, "Tags": ["a"]})], Some("n"))
            );
        }
    }

    #[test]
    fn a_page_without_its_array_is_an_error_and_not_an_empty_list() {
        for body in [
            json!({}),
            json!({"value": null}),
            json!({"d": {}}),
            json!("x"),
            json!({"value": {"a": 1}}),
        ] {
            assert!(collection(&response(&body)).is_err(), "{body}");
        }
        let cut = SiteResponse {
            status: 200,
            headers: HeaderMap::new(),
            body: Bytes::from_static(b"{\"value\":[{\"Id\":1},"),
        };
        assert!(collection(&cut).is_err());
    }
}
