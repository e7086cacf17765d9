//! Lists as finished HTML for a host's page: who gets them, in which words, and what is in them.
//!
//! How they look and how the element takes them over is tested in the browser (`first_paint`).

use std::process::Command;

use checklist_tests::template::{fragment, in_german, item, publish};
use checklist_tests::{Answer, Person, Server, incident};
use serde_json::{Value, json};

fn server() -> Server {
    let server = Server::demo();
    publish(
        &server,
        &fragment(
            "f",
            [
                in_german(item("a", "Ask <the> \"owner\""), "Fragen"),
                item("b", "Build"),
            ],
        ),
    );
    server
}

fn on(person: &Person, more: Value) -> Answer {
    let mut wish = json!({ "Context": incident("1").from_template("f").context() });
    for (name, value) in more.as_object().expect("fields") {
        wish[name] = value.clone();
    }
    person.send("Render", &wish)
}

#[test]
fn a_list_is_drawn_with_its_rows_boxes_and_counts() {
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    bob.tick("Build");
    let answer = on(&bob, json!({ "Language": "en" }));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let html = answer.text();
    assert!(html.starts_with("<checklist-control "), "{html}");
    assert!(
        html.contains("<template shadowrootmode=\"open\">"),
        "{html}"
    );
    assert!(html.contains("Ask &lt;the&gt;"), "{html}");
    assert!(html.contains("1 of 2 done"), "{html}");
    assert!(
        html.contains("object-type=\"incident\" object-id=\"1\""),
        "{html}"
    );
    assert_eq!(html.matches(" checked ").count(), 1, "{html}");
    assert_eq!(html.matches("type=\"checkbox\"").count(), 2, "{html}");
    assert!(html.contains("data-state=\"Done\"") && html.contains("data-state=\"Open\""));
    let sheet = format!("href=\"{}/control/", server.base_url());
    assert!(html.contains(&sheet), "the sheet of another origin: {html}");
}

#[test]
fn what_is_drawn_is_nobody_elses_and_runs_nothing() {
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    let answer = on(&bob, json!({}));
    assert!(answer.header("content-type").starts_with("text/html"));
    let cache = answer.header("cache-control");
    assert!(
        cache.contains("private") && cache.contains("no-store"),
        "{cache}"
    );
    assert!(
        answer
            .header("content-security-policy")
            .contains("default-src 'none'")
    );
    let html = answer.text();
    for refused in ["<script", " style=", " onclick", "javascript:"] {
        assert!(!html.contains(refused), "{refused} in {html}");
    }
}

#[test]
fn the_list_that_it_was_drawn_from_is_what_get_items_answers_without_what_the_element_can_compute()
{
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    bob.tick("Build");
    let html = on(&bob, json!({ "Language": "en" })).text().to_owned();
    let after = html.split(" value='{").nth(1).expect("the data");
    let data = after.split("}'").next().expect("its end");
    let data = format!("{{{data}}}")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    let drawn: Value = serde_json::from_str(&data).expect("JSON");
    let wish = json!({ "Context": incident("1").from_template("f").context(), "Language": "en" });
    let mut answer = bob.send("GetItems", &wish).ok();
    assert!(!answer["Blockers"].as_array().expect("blockers").is_empty());
    answer["Blockers"] = json!([]);
    for item in answer["Items"].as_array_mut().expect("items") {
        let hash = item.as_object_mut().expect("an item").remove("TextHash");
        assert!(hash.is_some());
    }
    assert_eq!(drawn, answer);
}

#[test]
fn a_hosts_server_asks_with_its_key_and_a_page_with_its_token() {
    let server = server();
    let wish = json!({
        "Name": "Portal", "Roles": ["reader"],
        "Contexts": [{ "ObjectType": "incident", "ObjectId": "1", "Purpose": "*" }],
    });
    let made = server
        .as_admin()
        .on(&incident("1"))
        .send("ApiKeys", &wish)
        .ok();
    let secret = made["Secret"].as_str().expect("a secret");
    let portal = server.as_admin().on(&incident("1")).with_token(secret);
    assert_eq!(on(&portal, json!({})).status, 200);
    let elsewhere = json!({ "Context": incident("2").from_template("f").context() });
    portal
        .send("Render", &elsewhere)
        .refused(404, "ContextNotFound");
    let reader = server.as_reader("Anna").on(&incident("1"));
    assert_eq!(on(&reader, json!({})).status, 200);
    let nobody = reader.with_token("nobody's");
    on(&nobody, json!({})).refused(401, "Unauthenticated");
    let auditor = server.as_somebody_who_may(&["Audit"]).on(&incident("1"));
    on(&auditor, json!({})).refused(403, "PermissionDenied");
}

#[test]
fn many_lists_are_answered_in_order_a_problem_each_where_there_is_none() {
    let server = server();
    let anna = server
        .as_reader("Anna")
        .only_for(&[incident("1"), incident("3")]);
    let anna = anna.on(&incident("1"));
    let contexts: Vec<Value> = ["3", "2", "1"]
        .iter()
        .map(|id| incident(id).from_template("f").context())
        .collect();
    let answer = anna.send("Render", &json!({ "Contexts": contexts }));
    let cache = answer.header("cache-control").to_owned();
    assert!(cache.contains("no-store"), "{cache}");
    let results = answer.ok();
    assert_eq!(results["Results"][0]["Context"]["ObjectId"], "3");
    let html = results["Results"][0]["Html"].as_str().expect("HTML");
    assert!(
        html.contains("object-id=\"3\"") && html.contains("Build"),
        "{html}"
    );
    assert_eq!(results["Results"][1]["Code"], "ContextNotFound");
    assert_eq!(results["Results"][2]["Revision"], 0);
}

#[test]
fn two_hundred_lists_come_at_once_and_more_do_not() {
    let server = server();
    let anna = server.as_reader("Anna").on(&incident("1"));
    let contexts = |count: usize| -> Vec<Value> {
        let place = |n: usize| incident(&n.to_string()).from_template("f").context();
        (0..count).map(place).collect()
    };
    let answer = anna
        .send("Render", &json!({ "Contexts": contexts(200) }))
        .ok();
    assert_eq!(answer["Results"].as_array().map(Vec::len), Some(200));
    anna.send("Render", &json!({ "Contexts": contexts(201) }))
        .refused(422, "LimitExceeded");
}

#[test]
fn it_speaks_the_readers_language_and_tells_the_readers_time() {
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    let due = json!({ "Due": "2031-02-03T22:30:00Z" });
    bob.change("Build", due);
    let german = on(
        &bob,
        json!({ "Language": "de", "TimeZone": "Europe/Berlin" }),
    );
    let html = german.text();
    assert!(
        html.contains("Fragen") && html.contains("lang=\"de\""),
        "{html}"
    );
    assert!(html.contains("0 von 2 erledigt"), "{html}");
    assert!(html.contains("3. Feb. 2031, 23:30"), "{html}");
    let english = on(&bob, json!({ "Language": "en-GB" }));
    assert!(
        english.text().contains("3 Feb 2031, 22:30"),
        "{}",
        english.text()
    );
    let arabic = on(&bob, json!({ "Language": "ar" }));
    assert!(arabic.text().contains("dir=\"rtl\""), "{}", arabic.text());
    let accepted = on(&bob.reading("fr"), json!({}));
    assert!(
        accepted.text().contains("lang=\"fr\""),
        "{}",
        accepted.text()
    );
}

#[test]
fn the_descriptors_are_attributes_and_are_drawn() {
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    let wish = json!({
        "DisableCheck": true, "DisableEdit": true, "ReadOnly": true, "Required": true, "LogInJournal": true,
        "Name": "a \"b\"", "TokenUrl": "/token?a=1&b=2",
    });
    let answer = on(&bob, wish);
    let html = answer.text();
    for attribute in [
        " disable-check",
        " disable-edit",
        " readonly",
        " required",
        " log-in-journal",
        " name=\"a &quot;b&quot;\"",
        " token-url=\"/token?a=1&amp;b=2\"",
    ] {
        assert!(html.contains(attribute), "{attribute} is missing in {html}");
    }
    assert!(!html.contains("type=\"checkbox\""), "no boxes: {html}");
    assert!(html.contains(">Open<"), "the state in words: {html}");
    assert!(!html.contains("add-button"), "nothing to add: {html}");
}

#[test]
fn what_the_reader_may_do_can_be_less_than_the_caller_may() {
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    let mine = on(&bob, json!({}));
    assert!(mine.text().contains("add-button"), "{}", mine.text());
    let theirs = on(&bob, json!({ "Permissions": ["Read", "Check", "Admin"] }));
    assert!(!theirs.text().contains("add-button"), "{}", theirs.text());
    assert!(
        !theirs.text().contains("Admin"),
        "nothing is added: {}",
        theirs.text()
    );
}

#[test]
fn a_request_that_cannot_be_meant_says_why() {
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    for (wish, pointer) in [
        (json!({ "TimeZone": "Mars/Olympus" }), "/TimeZone"),
        (json!({ "Name": "x".repeat(2_001) }), "/Name"),
        (json!({ "Contexts": [] }), "/Contexts"),
        (json!({ "Colour": "red" }), "/Colour"),
        (json!({ "Styles": "Critical" }), "/Styles"),
        (json!({ "StyleNonce": "r4nd0m" }), "/StyleNonce"),
        (
            json!({ "Styles": "Inline", "StyleNonce": "r4nd0m' 'unsafe-inline" }),
            "/StyleNonce",
        ),
        (
            json!({ "Styles": "Inline", "StyleNonce": "" }),
            "/StyleNonce",
        ),
        (
            json!({ "Styles": "Inline", "StyleNonce": "x".repeat(201) }),
            "/StyleNonce",
        ),
    ] {
        let problem = on(&bob, wish).refused(422, "InvalidRequest");
        assert_eq!(problem["Errors"][0]["Pointer"], pointer, "{problem}");
    }
}

#[test]
fn styles_inside_carry_the_nonce_and_hold_what_the_list_needs() {
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    let linked = on(&bob, json!({})).text().to_owned();
    assert!(!linked.contains("<style"), "{linked}");
    let answer = on(
        &bob,
        json!({ "Styles": "Inline", "StyleNonce": "r4nd0m-+/_=" }),
    );
    let policy = answer.header("content-security-policy").to_owned();
    assert!(policy.contains("style-src 'nonce-r4nd0m-+/_='"), "{policy}");
    let html = answer.text();
    assert!(!html.contains("<link"), "nothing is loaded: {html}");
    let begin = "<template shadowrootmode=\"open\"><style nonce=\"r4nd0m-+/_=\">";
    let (_, styles) = html.split_once(begin).expect("styles at the beginning");
    let (styles, _) = styles.split_once("</style>").expect("an end");
    assert!(styles.contains(".row{") && styles.contains(":host{") && styles.contains(".box"));
    assert!(
        !styles.contains(".editor{") && !styles.contains(".menu"),
        "nobody edits yet: {styles}"
    );
    let (_, sheet) = linked.split_once("href=\"").expect("a sheet");
    let (sheet, _) = sheet.split_once('"').expect("its address");
    let sheet = sheet
        .strip_prefix(&server.base_url())
        .expect("of this server");
    let sheet = server.http().get(sheet);
    let whole = sheet.text();
    assert!(
        styles.len() * 3 < whole.len() * 2,
        "two rows need less than two thirds: {} of {}",
        styles.len(),
        whole.len()
    );
    assert!(!whole.contains("</"), "would end the element too early");
    let without = on(&bob, json!({ "Styles": "Inline" }));
    let html = without.text();
    assert!(
        html.contains("<template shadowrootmode=\"open\"><style>"),
        "{html}"
    );
}

#[test]
fn many_lists_share_one_sheet_and_have_no_styles_inside() {
    let server = server();
    let anna = server.as_reader("Anna").on(&incident("1"));
    let contexts = json!([incident("1").from_template("f").context()]);
    let wish = json!({ "Contexts": contexts, "Styles": "Inline" });
    let problem = anna.send("Render", &wish).refused(422, "InvalidRequest");
    assert_eq!(problem["Errors"][0]["Pointer"], "/Styles", "{problem}");
    let wish = json!({ "Contexts": contexts, "Styles": "Linked" });
    let answer = anna.send("Render", &wish).ok();
    let html = answer["Results"][0]["Html"].as_str().expect("HTML");
    assert!(html.contains("<link rel=\"stylesheet\""), "{html}");
}

#[test]
fn a_line_is_drawn_where_a_line_is_wanted() {
    let server = server();
    let bob = server
        .as_editor("Bob")
        .on(&incident("1").from_template("f"));
    let answer = on(&bob, json!({ "Display": "Compact", "Language": "en" }));
    let html = answer.text();
    assert!(html.contains(" display=\"compact\""), "{html}");
    assert!(html.contains("0 of 2 done"), "{html}");
    assert!(!html.contains("<li "), "the list is closed: {html}");
}

#[test]
fn the_example_of_the_documentation_does_what_it_says() {
    let text = include_str!("../../../docs/FIRST-PAINT.md");
    let example = text.split("<!-- run -->").nth(1).expect("an example");
    let script = example.split("```").nth(1).expect("a block");
    let script = script.strip_prefix("sh\n").expect("a script");
    if Command::new("curl").arg("--version").output().is_err() {
        println!("there is no curl; the example is not run");
        return;
    }
    let server = server();
    let bob = server.as_editor("Bob").on(&incident("INC-20418"));
    let ended = Command::new("sh")
        .args(["-c", script])
        .env("CHECKLIST", server.base_url())
        .env("KEY", &bob.token)
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    let html = String::from_utf8_lossy(&ended.stdout);
    assert!(html.starts_with("<checklist-control "), "{html}");
    for part in [
        "object-id=\"INC-20418\" lang=\"de\"",
        " required name=\"checklist\" token-url=\"/my/checklist-token\"",
        "<template shadowrootmode=\"open\">",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
}

#[test]
fn drawing_a_list_writes_nothing() {
    let server = server();
    let admin = server.as_admin().on(&incident("1").from_template("f"));
    let before = admin.audit().len();
    assert_eq!(on(&admin, json!({})).status, 200);
    assert_eq!(admin.audit().len(), before);
    assert_eq!(admin.list().revision(), 0);
}

#[test]
fn every_descriptor_is_an_option_and_becomes_an_attribute() {
    let server = server();
    let bob = server.as_editor("Bob").on(&incident("1"));
    let wish = json!({
        "DisableCheck": true, "DisableEdit": true, "LogInJournal": true, "HidePresence": true, "Required": true,
        "Disabled": true, "ReadOnly": true, "Autosave": "Off", "Display": "Compact", "Name": "n", "TokenUrl": "/t"
    });
    let answer = on(&bob, wish);
    let html = answer.text();
    for attribute in [
        " disable-check",
        " disable-edit",
        " log-in-journal",
        " hide-presence",
        " required",
        " disabled",
        " readonly",
        " autosave=\"off\"",
        " display=\"compact\"",
        " name=\"n\"",
        " token-url=\"/t\"",
    ] {
        let head = html.split('>').next().unwrap_or_default();
        assert!(head.contains(attribute), "{attribute} is missing in {head}");
    }
}

#[test]
fn a_list_that_is_too_long_for_a_first_drawing_is_not_drawn() {
    let server = server();
    let bob = server.as_editor("Bob").on(&incident("1"));
    assert_eq!(on(&bob, json!({ "MaxItems": 2 })).status, 200);
    let answer = on(&bob, json!({ "MaxItems": 1 }));
    assert_eq!((answer.status, answer.text()), (204, ""));
}
