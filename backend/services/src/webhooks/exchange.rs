//! What is kept of an attempt's request and response, for administrators who look for an error.
//!
//! Invariant: nothing that authenticates anybody is kept, neither our signature nor what a receiver
//! sets or asks for.

use checklist_shared::wire::webhooks::{HeaderField, WebhookRequest, WebhookResponse};
use http::{HeaderMap, Request, Response};

/// What stands for a value that is not kept.
const REDACTED: &str = "[redacted]";
/// The most headers of a response, and the most characters of a value.
const HEADERS: usize = 50;
const VALUE: usize = 500;
/// The most characters of a response's body.
const BODY: usize = 2_048;
/// Words in the names of headers whose values authenticate somebody.
const SECRET: [&str; 9] = [
    "auth",
    "cookie",
    "token",
    "secret",
    "signature",
    "password",
    "credential",
    "session",
    "key",
];

/// What is kept of a request. Its body is the delivery's.
pub(super) fn request(sent: &Request<Vec<u8>>) -> WebhookRequest {
    WebhookRequest {
        url: sent.uri().to_string(),
        headers: headers(sent.headers()),
    }
}

/// What is kept of a response.
pub(super) fn response(answer: &Response<Vec<u8>>) -> WebhookResponse {
    let text = String::from_utf8_lossy(answer.body());
    // PostgreSQL stores no U+0000.
    let text = text.replace('\0', "\u{FFFD}");
    WebhookResponse {
        headers: headers(answer.headers()),
        body: text.chars().take(BODY).collect(),
        is_cut: text.chars().nth(BODY).is_some(),
    }
}

fn headers(headers: &HeaderMap) -> Vec<HeaderField> {
    let kept = headers.iter().take(HEADERS).map(|(name, value)| {
        let is_secret = SECRET.iter().any(|word| name.as_str().contains(word));
        let value = match value.to_str() {
            _ if is_secret => REDACTED.to_owned(),
            Ok(value) => value.chars().take(VALUE).collect(),
            Err(_) => String::from_utf8_lossy(value.as_bytes())
                .chars()
                .take(VALUE)
                .collect(),
        };
        HeaderField {
            name: name.as_str().to_owned(),
            value,
        }
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(fields: &'a [HeaderField], name: &str) -> Option<&'a str> {
        let found = fields.iter().find(|field| field.name == name);
        found.map(|field| field.value.as_str())
    }

    #[test]
    fn what_authenticates_is_not_kept() {
        let sent = Request::post("https://desk.example/hooks?x=1")
            .header("webhook-id", "msg_1")
            .header("webhook-signature", "v1,c2VjcmV0")
            .body(b"{}".to_vec())
            .expect("a request");
        let kept = request(&sent);
        assert_eq!(kept.url, "https://desk.example/hooks?x=1");
        assert_eq!(value(&kept.headers, "webhook-id"), Some("msg_1"));
        assert_eq!(value(&kept.headers, "webhook-signature"), Some(REDACTED));
        let answer = Response::builder()
            .header("set-cookie", "sid=secret")
            .header("x-api-key", "secret")
            .header("www-authenticate", "Bearer secret")
            .header("server", "desk")
            .body(Vec::new())
            .expect("a response");
        let kept = response(&answer);
        assert!(!format!("{kept:?}").contains("secret"), "{kept:?}");
        assert_eq!(value(&kept.headers, "server"), Some("desk"));
    }

    #[test]
    fn the_start_of_a_body_is_kept_whatever_its_bytes_are() {
        let of = |body: Vec<u8>| response(&Response::new(body));
        let short = of(b"ok \0 \xff".to_vec());
        assert_eq!(
            (short.body.as_str(), short.is_cut),
            ("ok \u{FFFD} \u{FFFD}", false)
        );
        let exact = of("\u{e4}".repeat(BODY).into_bytes());
        assert_eq!((exact.body.chars().count(), exact.is_cut), (BODY, false));
        let long = of("\u{e4}".repeat(BODY + 1).into_bytes());
        assert_eq!((long.body.chars().count(), long.is_cut), (BODY, true));
    }
}
