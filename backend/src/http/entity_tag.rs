//! Entity tags of compressed responses: a strong tag identifies bytes, so each coding has its own
//! (RFC 9110, section 8.8.3).
//!
//! Handlers use one tag per content, `"abc"`. A compressed response gets `"abc-gzip"`. In a
//! request, a tag of a coding that the request accepts is replaced with the content's own. A tag of
//! any other coding stays as it is and matches nothing: a cache must not learn that its compressed
//! copy is valid for a client that cannot decompress it. `layers` applies this around compression,
//! so it holds for every response with a tag.

use axum::extract::Request;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

/// The codings of responses, and the suffixes of their tags.
const FORMS: [(&str, &str); 2] = [("br", "-br\""), ("gzip", "-gzip\"")];

/// Reads the tags of a request, and marks the one of its answer.
pub async fn per_coding(mut request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let headers = request.headers_mut();
    let known = plain_tags(headers, &header::IF_NONE_MATCH, reads);
    // Whoever writes names what they have read, in whichever form.
    plain_tags(headers, &header::IF_MATCH, false);
    let mut response = next.run(request).await;
    mark(&mut response, &known);
    response
}

/// Replaces the tags of codings with those of their content. Returns pairs of both.
fn plain_tags(
    headers: &mut HeaderMap,
    name: &HeaderName,
    only_accepted: bool,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if !headers.contains_key(name) {
        return found;
    }
    let mut tags = Vec::new();
    for value in headers.get_all(name) {
        // What is no text is no tag of ours, but a condition all the same.
        let Ok(value) = value.to_str() else {
            return Vec::new();
        };
        for tag in value.split(',').map(str::trim) {
            let form = FORMS.iter().find(|(coding, mark)| {
                tag.ends_with(mark) && (!only_accepted || accepts(headers, coding))
            });
            match form.and_then(|(_, mark)| tag.strip_suffix(mark)) {
                Some(plain) => {
                    let plain = format!("{plain}\"");
                    found.push((plain.clone(), tag.to_owned()));
                    tags.push(plain);
                }
                None => tags.push(tag.to_owned()),
            }
        }
    }
    if !found.is_empty()
        && let Ok(value) = HeaderValue::from_str(&tags.join(", "))
    {
        headers.insert(name, value);
    }
    found
}

fn mark(response: &mut Response, known: &[(String, String)]) {
    let headers = response.headers();
    let Some(tag) = headers
        .get(header::ETAG)
        .and_then(|tag| tag.to_str().ok())
        .filter(|tag| tag.starts_with('"'))
    else {
        return;
    };
    let marked = if response.status() == StatusCode::NOT_MODIFIED {
        let form = known.iter().find(|(plain, _)| plain == tag);
        form.map(|(_, marked)| marked.clone())
    } else {
        let coding = headers.get(header::CONTENT_ENCODING);
        let form = FORMS
            .iter()
            .find(|(name, _)| coding.is_some_and(|coding| coding == name));
        form.and_then(|(_, mark)| Some([tag.strip_suffix('"')?, mark].concat()))
    };
    if let Some(marked) = marked.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
        response.headers_mut().insert(header::ETAG, marked);
    }
}

/// Whether `Accept-Encoding` names the coding, and does not refuse it.
#[must_use]
pub fn accepts(headers: &HeaderMap, wanted: &str) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|entry| {
            let (name, quality) = entry.split_once(';').unwrap_or((entry, "q=1"));
            let refused = quality
                .trim()
                .strip_prefix("q=")
                .and_then(|q| q.parse::<f32>().ok())
                == Some(0.0);
            name.trim().eq_ignore_ascii_case(wanted) && !refused
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect()
    }

    fn answer(status: u16, pairs: &[(HeaderName, &'static str)]) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::from_u16(status).expect("a status");
        *response.headers_mut() = headers(pairs);
        response
    }

    fn tag_of(response: &Response) -> &str {
        response.headers()[header::ETAG].to_str().expect("text")
    }

    #[test]
    fn the_compressed_form_has_a_tag_of_its_own_and_the_plain_one_keeps_its() {
        let tag = (header::ETAG, "\"abc\"");
        let coding = (header::CONTENT_ENCODING, "gzip");
        for (pairs, expected) in [
            (vec![tag.clone()], "\"abc\""),
            (vec![tag, coding.clone()], "\"abc-gzip\""),
            (vec![(header::ETAG, "W/\"abc\""), coding], "W/\"abc\""),
        ] {
            let mut response = answer(200, &pairs);
            mark(&mut response, &[]);
            assert_eq!(tag_of(&response), expected);
        }
    }

    #[test]
    fn a_reader_of_a_form_is_told_that_this_very_form_is_good() {
        let mut asked = headers(&[
            (header::IF_NONE_MATCH, "\"x\", \"abc-gzip\""),
            (header::ACCEPT_ENCODING, "gzip"),
        ]);
        let known = plain_tags(&mut asked, &header::IF_NONE_MATCH, true);
        assert_eq!(asked[header::IF_NONE_MATCH], "\"x\", \"abc\"");
        let mut response = answer(304, &[(header::ETAG, "\"abc\"")]);
        mark(&mut response, &known);
        assert_eq!(tag_of(&response), "\"abc-gzip\"");
    }

    #[test]
    fn a_form_that_the_reader_does_not_take_matches_nothing() {
        let mut asked = headers(&[(header::IF_NONE_MATCH, "\"abc-gzip\"")]);
        assert!(plain_tags(&mut asked, &header::IF_NONE_MATCH, true).is_empty());
        assert_eq!(asked[header::IF_NONE_MATCH], "\"abc-gzip\"");
    }

    #[test]
    fn a_writer_may_have_read_any_form() {
        let mut asked = headers(&[(header::IF_MATCH, "\"abc-gzip\"")]);
        plain_tags(&mut asked, &header::IF_MATCH, false);
        assert_eq!(asked[header::IF_MATCH], "\"abc\"");
    }
}
