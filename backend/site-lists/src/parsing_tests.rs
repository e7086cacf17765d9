//! Properties of everything that reads what a site sends, or writes what a person typed into an
//! address: nothing panics, and what is encoded comes out again.
//! Run with the crate's own tests, for what they read is not public; `fuzzed` hands a part of it to
//! libFuzzer.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use proptest::prelude::*;

use crate::error::ErrorKind;
use crate::odata_url::{in_query, literal, percent_encode, quote_literal};
use crate::rate_limiter;
use crate::response::SiteResponse;

/// What a server makes of a literal in a path: decoded, then its quotes undone.
fn understood(literal: &str) -> String {
    let text = percent_encoding::percent_decode_str(literal)
        .decode_utf8()
        .expect("UTF-8")
        .into_owned();
    let inner = text
        .strip_prefix('\'')
        .and_then(|text| text.strip_suffix('\''))
        .expect("quotes");
    assert!(
        !inner.replace("''", "").contains('\''),
        "a lone quote ends the literal: {inner}"
    );
    inner.replace("''", "'")
}

proptest! {
    #[test]
    fn a_title_comes_out_of_its_address_as_it_went_in(title in "\\PC{0,80}") {
        prop_assert_eq!(understood(&literal(&title)), title.clone());
        prop_assert_eq!(understood(&in_query(&quote_literal(&title))), title.clone());
        for text in [literal(&title), in_query(&quote_literal(&title)), percent_encode(&title)] {
            prop_assert!(!text.contains(['?', '#', '&', ' ', '+', '"', '<', '>', '\\']), "{}", text);
        }
    }

    #[test]
    fn no_title_leads_out_of_the_site(title in "[./\\\\%a-z?#@:]{0,40}") {
        let site = url::Url::parse("https://a.example/sites/it").expect("a URL");
        let url = crate::odata_url::api(&site, &format!("web/lists/GetByTitle({})", literal(&title)));
        let url = url.expect("inside");
        prop_assert_eq!(url.host_str(), Some("a.example"));
        prop_assert!(url.path().starts_with("/sites/it/_api/web/lists/GetByTitle("), "{}", url);
    }

    #[test]
    fn no_answer_whatever_makes_its_reading_panic(status in 100_u16..600, body in prop::collection::vec(any::<u8>(), 0..300), kind in "\\PC{0,60}") {
        let mut headers = HeaderMap::new();
        if let Ok(kind) = HeaderValue::from_str(&kind) {
            headers.insert("content-type", kind.clone());
            headers.insert("retry-after", kind.clone());
            headers.insert("ratelimit-remaining", kind.clone());
            headers.insert("ratelimit-reset", kind);
        }
        let response = SiteResponse { status, headers: headers.clone(), body: Bytes::from(body) };
        let _ = (response.is_throttled(), response.rejects_digest(), response.is_save_conflict());
        let error = response.to_error(ErrorKind::ItemNotFound);
        prop_assert_eq!(error.status(), Some(status));
        let _ = response.json();
        let _ = crate::rest::multipart::read(&response);
        let limiter = rate_limiter::RateLimiter::default();
        limiter.update_pace(&headers);
        let _ = rate_limiter::backoff(&headers, u32::from(status));
    }

    #[test]
    fn no_batch_whatever_makes_its_reading_panic(pieces in prop::collection::vec(prop::sample::select(vec!["--b", "--b--", "\r\n", "\n", "HTTP/1.1 200 OK", "Content-Type: multipart/mixed; boundary=b", "Content-Type: application/http", ": ", "é", "{}"]), 0..40)) {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("multipart/mixed; boundary=b"));
        let response = SiteResponse { status: 200, headers, body: Bytes::from(pieces.concat()) };
        let _ = crate::rest::multipart::read(&response);
    }

    #[test]
    fn a_wait_is_as_long_as_the_site_asks_and_never_more_than_a_day(seconds in 0_u64..1_000_000) {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", HeaderValue::from(seconds));
        let backoff = rate_limiter::backoff(&headers, 0).delay.as_secs();
        prop_assert!(backoff >= seconds.min(86_400) && backoff <= 86_402);
    }
}
