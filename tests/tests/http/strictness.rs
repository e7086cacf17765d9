//! What a request says wrongly is told at its place, and not taken for something else.
//!
//! Languages, durations, stars, sizes of pages, compressed bodies, and tags of compressed answers.

use checklist_tests::client::{field_errors, json as with_json, send};
use checklist_tests::template::{author, fragment, item, with};
use checklist_tests::{Answer, Place, Server, incident};
use reqwest::Method;
use serde_json::{Value, json};

/// That a request is refused for this one field.
#[track_caller]
fn refused_at(answer: &Answer, pointer: &str) {
    let problem = answer.refused(422, "InvalidRequest");
    let errors = field_errors(&problem);
    assert_eq!(
        errors,
        [(pointer.to_owned(), "Invalid".to_owned())],
        "{problem}"
    );
    let detail = problem["Errors"][0]["Detail"].as_str().unwrap();
    assert!(detail.ends_with('.'), "{detail:?} is no sentence");
}

#[test]
fn a_due_offset_of_5_days_in_words_and_a_language_named_klingon_with_a_mark_are_refused() {
    let server = Server::demo();
    let author = author(&server);
    let put = |template: &Value| author.put("Templates/f", template);
    for wrong in ["5 days", "P", "p2d", "-P2D", "P2D tomorrow", "PT"] {
        let late = with(item("a", "Ask"), json!({ "DueOffset": wrong }));
        refused_at(&put(&fragment("f", [late])), "/Items/0/DueOffset");
    }
    for good in ["P5D", "PT4H", "P1W", "P1DT12H"] {
        let late = with(item("a", "Ask"), json!({ "DueOffset": good }));
        put(&fragment("f", [late])).ok();
    }
    let text = json!({ "en": "Ask", "klingon!": "tlhob" });
    let strange = with(item("a", "Ask"), json!({ "Text": text }));
    refused_at(&put(&fragment("f", [strange])), "/Items/0/Text/klingon!");
    let mut named = fragment("f", [item("a", "Ask")]);
    named["Name"] = json!({ "en/x": "Name" });
    refused_at(&put(&named), "/Name/en~1x");
}

#[test]
fn a_language_that_is_asked_for_is_a_language_tag() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    let context = json!({ "ObjectType": "incident", "ObjectId": "1", "Purpose": "" });
    let asked = |call: &str, body: Value| refused_at(&admin.send(call, &body), "/Language");
    asked(
        "GetItems",
        json!({ "Context": context, "Language": "klingon!" }),
    );
    asked(
        "Render",
        json!({ "Context": context, "Language": "klingon!" }),
    );
    asked(
        "Events",
        json!({ "Contexts": [context], "Language": "klingon!" }),
    );
    for path in [
        "Template/onboarding?Language=klingon!",
        "Preview/onboarding?Language=klingon!",
    ] {
        refused_at(&admin.get(path), "/Language");
    }
    admin.get("Template/onboarding?Language=tlh-x-home").ok();
    admin.get("Template/onboarding?Language=").ok();
}

#[test]
fn the_star_of_tokens_names_no_object() {
    let server = Server::demo();
    for (kind, id, purpose, field) in [
        ("incident", "*", "", "ObjectId"),
        ("*", "1", "", "ObjectType"),
        ("incident", "1", "*", "Purpose"),
    ] {
        let place = Place::new(kind, id).for_purpose(purpose);
        let admin = server.as_admin().on(&place);
        let wish = json!({ "Items": [{ "Text": "For everybody" }] });
        refused_at(&admin.call("AddItems", wish), &format!("/Context/{field}"));
        refused_at(
            &admin.call("GetItems", json!({})),
            &format!("/Context/{field}"),
        );
    }
}

#[test]
fn a_page_of_0_or_of_more_than_there_may_be_is_refused_and_not_cut() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    for list in [
        "Journal",
        "Audit",
        "Users",
        "ApiKeys",
        "EmbedKeys",
        "Types",
        "Templates",
    ] {
        for limit in ["0", "501"] {
            refused_at(&admin.get(&format!("{list}?Limit={limit}")), "/Limit");
        }
        admin.get(&format!("{list}?Limit=500")).ok();
    }
    let deliveries = admin.about_deliveries();
    for path in ["?Limit=0", "?Limit=201"] {
        refused_at(&deliveries.get(path), "/Limit");
    }
}

#[test]
fn a_compressed_body_is_refused_by_its_coding_and_not_taken_for_bad_json() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    let gzip = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0];
    for call in ["GetItems", "AddItems"] {
        let request = admin
            .request(Method::POST, call)
            .header("content-type", "application/json")
            .header("content-encoding", "gzip")
            .body(gzip.to_vec());
        let answer = send(request);
        let problem = answer.refused(415, "UnsupportedContentCoding");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("Content-Encoding: gzip"), "{detail}");
        assert_eq!(answer.header("accept-encoding"), "identity");
    }
    // Of another media type it is not a matter of codings.
    let request = admin
        .request(Method::POST, "GetItems")
        .header("content-type", "text/plain")
        .body("x");
    let answer = send(request);
    answer.refused(415, "UnsupportedMediaType");
    assert_eq!(answer.header("accept-encoding"), "");
    let plain = admin
        .request(Method::POST, "GetItems")
        .header("content-encoding", "identity");
    let context = json!({ "ObjectType": "incident", "ObjectId": "1" });
    send(with_json(plain, &json!({ "Context": context }))).ok();
}

#[test]
fn the_compressed_form_of_an_answer_has_a_tag_of_its_own() {
    let server = Server::demo();
    let author = author(&server);
    let get = |path: &str, coding: &str, known: &str| {
        let request = author
            .request(Method::GET, path)
            .header("accept-encoding", coding);
        send(match known {
            "" => request,
            known => request.header("if-none-match", known),
        })
    };
    let path = "Template/onboarding";
    let (plain, small) = (get(path, "identity", ""), get(path, "gzip", ""));
    assert_eq!(small.header("content-encoding"), "gzip");
    let (plain_tag, small_tag) = (plain.header("etag"), small.header("etag"));
    assert_ne!(plain_tag, small_tag);
    assert!(plain_tag.starts_with('"') && small_tag.starts_with('"'));

    let again = get(path, "gzip", small_tag);
    assert_eq!((again.status, again.header("etag")), (304, small_tag));
    let again = get(path, "identity", plain_tag);
    assert_eq!((again.status, again.header("etag")), (304, plain_tag));
    let other = get(path, "identity", small_tag);
    assert_eq!(other.status, 200, "the compressed bytes are not these");

    // Whoever writes may have read either form.
    let read = get("Templates/onboarding", "gzip", "");
    assert_eq!(read.header("content-encoding"), "gzip");
    let request = author
        .request(Method::PUT, "Templates/onboarding")
        .header("if-match", read.header("etag"));
    send(with_json(
        request,
        &fragment("onboarding", [item("a", "Ask")]),
    ))
    .ok();
}
