//! The wire format of `$batch`: HTTP requests as parts of a multipart body, and the responses in it.
//!
//! Invariant: the parts of a response come back in order, nested change sets in their place; a body
//! that is no batch is `None` and never an empty batch.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use url::Url;

use super::json::NO_METADATA;
use crate::client::{Idempotency, SiteRequest};
use crate::error::Result;
use crate::odata_url;
use crate::response::SiteResponse;

/// The parts that a site takes in one batch.
pub(super) const MAX_PARTS: usize = 100;

/// A change, or a read, as a request: its verb, its address, its body, and the version it is about.
pub(super) struct BatchPart {
    pub(super) method: &'static str,
    pub(super) url: Url,
    pub(super) body: Option<String>,
    pub(super) etag: Option<String>,
}

/// The request that carries a batch, whose parts are separated by `boundary`.
pub(super) fn to_request(
    site: &Url,
    boundary: &str,
    body: String,
    idempotency: Idempotency,
) -> Result<SiteRequest> {
    let url = odata_url::api(site, "$batch")?;
    let media_type = format!("multipart/mixed; boundary={boundary}");
    Ok(
        SiteRequest::new(Method::POST, url, Bytes::from(body), idempotency)
            .with("content-type", &media_type),
    )
}

/// A request as a part of a batch.
pub(super) fn to_multipart(part: &BatchPart) -> String {
    let mut text = format!(
        "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n{} {} HTTP/1.1\r\n",
        part.method, part.url
    );
    let mut header = |name: &str, value: &str| {
        text.push_str(&format!("{name}: {value}\r\n"));
    };
    header("Accept", NO_METADATA);
    if part.body.is_some() {
        header("Content-Type", NO_METADATA);
    }
    if let Some(etag) = &part.etag {
        header("If-Match", etag);
    }
    text.push_str("\r\n");
    text.push_str(part.body.as_deref().unwrap_or_default());
    text.push_str("\r\n");
    text
}

/// The parts of a batch's response, in order; those of a nested set of changes in its place.
pub(crate) fn read(response: &SiteResponse) -> Option<Vec<SiteResponse>> {
    let kind = response.header("content-type")?;
    let body = String::from_utf8_lossy(&response.body);
    parts(kind, &body)
}

fn parts(kind: &str, body: &str) -> Option<Vec<SiteResponse>> {
    let boundary = boundary(kind)?;
    let mut found = Vec::new();
    for piece in pieces(body, boundary) {
        let (head, inner) = head_and_body(piece.trim_start_matches(['\r', '\n']));
        let headers = headers(head);
        let kind = headers
            .get("content-type")
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default();
        if kind.starts_with("multipart/") {
            found.extend(parts(kind, inner)?);
        } else {
            found.push(http_answer(inner)?);
        }
    }
    Some(found)
}

/// What stands between the lines that are the boundary, up to the closing one. A boundary may be
/// the beginning of another.
fn pieces<'a>(body: &'a str, boundary: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut begin = None;
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let mark = line
            .trim_end()
            .strip_prefix("--")
            .and_then(|rest| rest.strip_prefix(boundary));
        if matches!(mark, Some("" | "--")) {
            found.extend(begin.map(|begin| &body[begin..at]));
            begin = (mark == Some("")).then_some(at + line.len());
            if begin.is_none() {
                return found;
            }
        }
        at += line.len();
    }
    found
}

fn boundary(kind: &str) -> Option<&str> {
    let (_, rest) = kind.split_once("boundary=")?;
    let value = rest.split(';').next()?.trim().trim_matches('"');
    (!value.is_empty()).then_some(value)
}

/// Splits at the first empty line, with either kind of line end.
fn head_and_body(text: &str) -> (&str, &str) {
    let windows = text.find("\r\n\r\n").map(|at| (at, 4));
    let unix = text.find("\n\n").map(|at| (at, 2));
    let first = [windows, unix].into_iter().flatten().min();
    first.map_or((text, ""), |(at, length)| {
        (&text[..at], &text[at + length..])
    })
}

fn headers(head: &str) -> HeaderMap {
    head.lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            let name = HeaderName::from_bytes(name.trim().as_bytes()).ok()?;
            Some((name, HeaderValue::from_str(value.trim()).ok()?))
        })
        .collect()
}

fn http_answer(text: &str) -> Option<SiteResponse> {
    let (head, body) = head_and_body(text.trim_start_matches(['\r', '\n']));
    let mut lines = head.splitn(2, '\n');
    let status = lines.next()?.split_whitespace().nth(1)?.parse().ok()?;
    let headers = headers(lines.next().unwrap_or_default());
    let body = body.trim_end_matches(['\r', '\n']);
    Some(SiteResponse {
        status,
        headers,
        body: Bytes::copy_from_slice(body.as_bytes()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    const RECORDED: &str = "--batchresponse_G\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 204 No Content\r\nCONTENT-TYPE: application/json;odata=nometadata;streaming=true;charset=utf-8\r\nETAG: \"2\"\r\n\r\n\r\n--batchresponse_G\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 404 Not Found\r\nCONTENT-TYPE: application/json\r\n\r\n{\"odata.error\":{\"code\":\"-2130575338, System.ArgumentException\",\"message\":{\"value\":\"gone\"}}}\r\n--batchresponse_G--\r\n";

    #[test]
    fn a_flat_answer_is_read_in_order() {
        let all = parts("multipart/mixed; boundary=batchresponse_G", RECORDED).expect("a batch");
        assert_eq!(
            all.iter()
                .map(|response| response.status)
                .collect::<Vec<_>>(),
            [204, 404]
        );
        assert_eq!(all[0].header("etag"), Some("\"2\""));
        assert_eq!(
            all[1].to_error(ErrorKind::Rejected).kind(),
            ErrorKind::ItemNotFound
        );
    }

    #[test]
    fn other_line_ends_quoted_boundaries_and_nested_changes_are_read_alike() {
        let unix = RECORDED.replace("\r\n", "\n");
        let all = parts("multipart/mixed; boundary=\"batchresponse_G\"", &unix).expect("a batch");
        assert_eq!(all.len(), 2);
        let nested = format!(
            "--b\r\nContent-Type: multipart/mixed; boundary=batchresponse_G\r\n\r\n{RECORDED}\r\n--b--\r\n"
        );
        assert_eq!(
            parts("multipart/mixed; boundary=b", &nested)
                .expect("a batch")
                .len(),
            2
        );
    }

    #[test]
    fn what_is_no_batch_is_told_and_not_taken_for_an_empty_one() {
        assert!(parts("text/html", "<html>").is_none());
        assert!(
            parts(
                "multipart/mixed; boundary=b",
                "--b\r\nA: b\r\n\r\nno HTTP\r\n--b--"
            )
            .is_none()
        );
    }
}
