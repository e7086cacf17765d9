//! Form digests: who changes something without a token has to show one that has not ended.
//!
//! What real clients rely on, asked over a real connection.

use reqwest::blocking::Client;
use serde_json::{Value, json};

use crate::caller::{Caller, send, with_json};

const ITEMS: &str = "/_api/web/lists/getByTitle('Computers')/items";

fn post(site: &Caller, path: &str, digest: Option<&str>) -> crate::caller::Answer {
    let url = format!("{}{path}", site.server.site_url());
    let request = Client::new()
        .post(url)
        .header("accept", "application/json;odata=nometadata");
    let request = match digest {
        Some(digest) => request.header("x-requestdigest", digest),
        None => request,
    };
    send(with_json(request, &json!({"Title": "x"})))
}

fn digest_of(info: &Value) -> String {
    info["FormDigestValue"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_change_without_a_token_needs_a_digest() {
    let site = Caller::new();
    let refused = post(&site, ITEMS, None).expect(403);
    assert_eq!(refused.error_number(), "-2130575251");
    post(&site, ITEMS, Some("0x00,01 Jan 2026 00:00:00 -0000")).expect(403);
    let info = post(&site, "/_api/contextinfo", None).expect(200).json();
    assert_eq!(info["FormDigestTimeoutSeconds"], 1_800);
    let digest = digest_of(&info);
    assert!(
        digest.starts_with("0x") && digest.ends_with(" -0000"),
        "{digest}"
    );
    assert_eq!(digest.find(',').map(|at| at - 2), Some(128));
    let made = post(&site, ITEMS, Some(&digest)).expect(201).json();
    assert_eq!(made["AuthorId"], 8, "nobody has signed in");
    site.server.end_digests();
    post(&site, ITEMS, Some(&digest)).expect(403);
}

#[test]
fn a_token_takes_the_place_of_a_digest() {
    let site = Caller::new();
    site.post(ITEMS, &json!({"Title": "x"})).expect(201);
}

#[test]
fn a_verbose_digest_is_wrapped_as_the_service_wraps_it() {
    let site = Caller::new();
    let url = format!("{}/_api/contextInfo", site.server.site_url());
    let request = Client::new()
        .post(url)
        .header("accept", "application/json;odata=verbose");
    let info = send(request).expect(200).json();
    let info = &info["d"]["GetContextWebInformation"];
    assert_eq!(info["__metadata"]["type"], "SP.ContextWebInformation");
    assert_eq!(
        info["SupportedSchemaVersions"]["results"],
        json!(["14.0.0.0", "15.0.0.0"])
    );
}
