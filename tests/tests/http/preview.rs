//! The preview as finished HTML: by template and by type, without a list and without a write.
//!
//! How it looks, and that the element draws the same, is tested in the browser.

use checklist_tests::template::{fragment, item, publish, section, under, with};
use checklist_tests::{Server, incident};
use serde_json::json;

#[test]
fn a_template_is_shown_as_a_whole_styled_page_without_script() {
    let server = Server::demo();
    publish(
        &server,
        &fragment(
            "f",
            [
                section("s", "Before"),
                under("s", item("a", "Ask <the> owner & \"friends\"")),
            ],
        ),
    );
    let anna = server.as_reader("Anna").on(&incident("1"));
    let page = anna.get("Preview/f");
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.header("content-type").starts_with("text/html"));
    let cache = page.header("cache-control");
    assert!(
        cache.contains("private") && cache.contains("no-store"),
        "{cache}"
    );
    let html = page.text();
    assert!(html.contains("Before"));
    assert!(
        html.contains("Ask &lt;the&gt; owner &amp;"),
        "texts are escaped: {html}"
    );
    assert!(!html.contains("<script"), "a preview runs nothing");
    assert!(html.contains("<!DOCTYPE html>") || html.contains("<!doctype html>"));
    let policy = page.header("content-security-policy");
    let (_, nonce) = policy.split_once("'nonce-").expect("a nonce");
    let (nonce, _) = nonce.split_once('\'').expect("its end");
    assert!(
        html.contains(&format!("<style nonce=\"{nonce}\">")) && !html.contains("<link"),
        "it is styled and loads nothing: {html}"
    );
    let again = anna.get("Preview/f");
    assert!(!again.text().contains(nonce), "a nonce is used once");
}

#[test]
fn a_type_shows_the_template_of_the_purpose() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1")).reading("en");
    let standard = anna.list();
    let page = anna.get("Preview/Type/incident");
    assert!(
        page.text().contains(&escaped(standard.texts()[1])),
        "{}",
        page.text()
    );
    let handover = anna.at(&incident("1").for_purpose("handover-demo")).list();
    let page = anna.get("Preview/Type/incident?Purpose=handover-demo");
    assert!(
        page.text().contains(&escaped(handover.texts()[0])),
        "{}",
        page.text()
    );
}

#[test]
fn a_preview_speaks_the_readers_language() {
    let server = Server::demo();
    publish(
        &server,
        &fragment(
            "f",
            [with(
                item("a", ""),
                json!({ "Text": { "en": "Ask", "de": "Fragen" } }),
            )],
        ),
    );
    let anna = server.as_reader("Anna").on(&incident("1"));
    assert!(
        anna.reading("de")
            .get("Preview/f")
            .text()
            .contains("Fragen")
    );
    assert!(anna.reading("en").get("Preview/f").text().contains("Ask"));
}

#[test]
fn a_fragment_is_declarative_shadow_dom_for_an_element_to_adopt() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1"));
    let page = anna.get("Preview/onboarding?fragment=1");
    assert!(
        page.text().contains("shadowrootmode=\"open\""),
        "{}",
        page.text()
    );
    assert!(!page.text().to_lowercase().contains("<html"));
    assert!(page.text().contains("<link rel=\"stylesheet\""));
    let inside = anna.get("Preview/onboarding?fragment=1&Styles=Inline&StyleNonce=r4nd0m");
    let html = inside.text();
    assert!(html.contains("<style nonce=\"r4nd0m\">"), "{html}");
    assert!(!html.contains("<link"), "{html}");
}

#[test]
fn styles_are_chosen_for_fragments_alone_and_a_nonce_goes_with_styles_inside() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1"));
    for (query, pointer) in [
        ("Styles=Inline", "/Styles"),
        ("mail=1&Styles=Inline", "/Styles"),
        ("fragment=1&Styles=inside", "/Styles"),
        ("fragment=1&StyleNonce=a", "/StyleNonce"),
        ("fragment=1&Styles=Inline&StyleNonce=%27", "/StyleNonce"),
    ] {
        for path in ["Preview/onboarding", "Preview/Type/incident"] {
            let problem = anna
                .get(&format!("{path}?{query}"))
                .refused(422, "InvalidRequest");
            assert_eq!(problem["Errors"][0]["Pointer"], pointer, "{query}");
        }
    }
}

#[test]
fn what_goes_into_a_mail_brings_its_styles_and_loads_nothing() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1"));
    let page = anna.get("Preview/incident-standard?mail=1&Language=de");
    assert_eq!(page.status, 200, "{}", page.text());
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains("style-src 'unsafe-inline'") && policy.contains("default-src 'none'"),
        "{policy}"
    );
    let html = page.text();
    assert!(
        html.contains("<table") && html.contains(" style=\""),
        "{html}"
    );
    for absent in ["<script", "<link", "<style", "<img", "class=", "<template"] {
        assert!(!html.contains(absent), "{absent} in {html}");
    }
    assert!(html.contains("Vorschau"), "the reader's language: {html}");
    let ordinary = anna.get("Preview/incident-standard");
    let policy = ordinary.header("content-security-policy");
    assert!(!policy.contains("unsafe-inline"), "{policy}");
}

#[test]
fn what_is_not_there_is_told_so() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1"));
    anna.get("Preview/no-such-template")
        .refused(404, "TemplateNotFound");
    anna.get("Preview/Type/no-such-type")
        .refused(404, "TypeNotFound");
}

#[test]
fn a_preview_writes_nothing() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    assert_eq!(admin.get("Preview/incident-standard").status, 200);
    assert_eq!(admin.get("Preview/Type/incident").status, 200);
    let trail = admin.get("Audit?Category=Checklist").ok();
    assert_eq!(trail["Rows"], serde_json::json!([]));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
