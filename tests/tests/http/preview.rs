//! The preview as finished HTML: by template and by type, without a list and without a write.
//!
//! How it looks, and that the element draws the same, is tested in the browser.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{
    fragment, in_german, item, percent_encoded, publish, section, under, with,
};
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
    let asked = in_german(item("a", "Ask"), "Fragen");
    publish(&server, &fragment("f", [asked]));
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
fn what_an_item_takes_is_on_pages_and_in_mails_in_the_readers_language() {
    let server = Server::demo();
    let asked = in_german(item("a", "Ask"), "Fragen");
    let taken = json!({ "RequiresEvidence": true, "SecondPerson": true });
    publish(&server, &fragment("f", [with(asked, taken)]));
    let anna = server.as_reader("Anna").on(&incident("1")).reading("de");
    for path in ["Preview/f", "Preview/f?mail=1", "Preview/f?fragment=1"] {
        let page = anna.get(path);
        let html = page.text();
        for words in ["Nachweis", "Vier-Augen-Prinzip"] {
            assert!(html.contains(words), "{path}: {html}");
        }
    }
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

/// A template with a section for mail, and an item for important people in it.
fn with_conditions(server: &Server) {
    let mail = json!({ "When": { "Fact": "Queue", "Is": "Mail" } });
    let vip = json!({ "When": { "Fact": "Vip", "Is": true } });
    let items = [
        item("a", "Always"),
        with(section("s", "Mail"), mail),
        with(under("s", item("b", "Headers")), vip),
    ];
    publish(server, &fragment("f", items));
}

/// Query parameters with these facts.
fn facts_query(facts: &serde_json::Value) -> String {
    let facts = facts.to_string();
    let facts = percent_encoded(&facts);
    format!("Facts={facts}")
}

#[test]
fn without_facts_everything_is_drawn_with_its_condition_and_with_facts_what_applies() {
    let server = Server::demo();
    with_conditions(&server);
    let anna = server.as_reader("Anna").on(&incident("1"));
    for form in ["", "&fragment=1", "&mail=1"] {
        let drawn = |query: &str| {
            let page = anna.get(&format!("Preview/f?{query}{form}"));
            assert_eq!(page.status, 200, "{}", page.text());
            page.text().to_owned()
        };
        let whole = drawn("Language=de");
        assert!(whole.contains("Bedingung: Queue ist „Mail“"), "{whole}");
        assert!(whole.contains("Bedingung: Vip ist ja"), "{whole}");
        let mail = drawn(&facts_query(&json!({ "Queue": "Mail", "Vip": true })));
        assert!(
            mail.contains("Headers") && !mail.contains("Vip is"),
            "{mail}"
        );
        let nothing = drawn(&facts_query(&json!({ "Vip": true })));
        assert!(
            nothing.contains("Always") && !nothing.contains("Headers"),
            "a section takes its items with it: {nothing}"
        );
    }
    let adopted = anna.get(&format!(
        "Preview/f?fragment=1&{}",
        facts_query(&json!({ "A": "\"" }))
    ));
    assert!(
        adopted
            .text()
            .contains("facts=\"{&quot;A&quot;:&quot;\\&quot;&quot;}\""),
        "{}",
        adopted.text()
    );
}

#[test]
fn a_template_in_one_language_says_its_conditions_and_leaves_out_what_does_not_apply() {
    let server = Server::demo();
    with_conditions(&server);
    let anna = server.as_reader("Anna").on(&incident("1"));
    let said = |language: &str| {
        let template = anna.get(&format!("Template/f?Language={language}")).ok();
        template["Items"][1]["WhenText"].clone()
    };
    assert_eq!(
        ["en", "de-AT", "fr", "es", "ar", "it"].map(said),
        [
            "Applies if Queue is “Mail”",
            "Bedingung: Queue ist „Mail“",
            "Condition\u{a0}: Queue est «\u{202f}Mail\u{202f}»",
            "Condición: Queue es «Mail»",
            "الشرط: \u{2068}\u{2068}Queue\u{2069} يساوي \u{2068}«Mail»\u{2069}\u{2069}",
            "Applies if Queue is “Mail”",
        ]
    );
    let query = facts_query(&json!({ "Queue": "Mail" }));
    for form in ["&Language=en", ""] {
        let template = anna.get(&format!("Template/f?{query}{form}")).ok();
        let items = template["Items"].as_array().expect("items").iter();
        let keys: Vec<_> = items.map(|item| &item["Key"]).collect();
        assert_eq!(keys, ["a", "s"]);
    }
}

#[test]
fn facts_that_are_none_are_refused_where_they_stand() {
    let server = Server::demo();
    with_conditions(&server);
    let anna = server.as_reader("Anna").on(&incident("1"));
    for (facts, code, pointer) in [
        ("{", "InvalidRequest", "/Facts"),
        ("[]", "InvalidRequest", "/Facts"),
        ("1", "InvalidRequest", "/Facts"),
        ("{\"A\":null}", "InvalidRequest", "/Facts/A"),
        ("{\"A/B\":[]}", "InvalidRequest", "/Facts/A~1B"),
        ("{\"A\":1,\"A\":2}", "InvalidRequest", "/Facts"),
        ("{\"\":1}", "InvalidRequest", "/Facts/"),
    ] {
        let query = percent_encoded(facts);
        for path in ["Preview/f", "Template/f", "Preview/Type/incident"] {
            let answer = anna.get(&format!("{path}?Facts={query}"));
            let problem = answer.refused(422, code);
            assert_eq!(error_pointers(&problem), [pointer], "{facts}: {problem}");
        }
    }
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
