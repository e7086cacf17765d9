//! Journal and audit trail for people who look back: searched, newest first, as CSV, verified.
//!
//! What each row says is tested in `journal` and `audit`.

use checklist_tests::client::{Answer, field_errors, send};
use checklist_tests::{HostKey, Server, Setup, incident};
use reqwest::Method;
use serde_json::json;

/// The rows of a CSV answer, after checking that it is one.
fn rows(answer: &Answer) -> Vec<Vec<String>> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.header("content-type").starts_with("text/csv"));
    assert!(
        answer
            .header("content-disposition")
            .starts_with("attachment")
    );
    let text = answer.text();
    let text = text
        .strip_prefix('\u{feff}')
        .expect("a mark of UTF-8, for programs that guess");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let records = reader
        .records()
        .map(|record| record.expect("well-formed CSV"));
    records
        .map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}

fn column(rows: &[Vec<String>], name: &str) -> Vec<String> {
    let place = rows[0]
        .iter()
        .position(|head| head == name)
        .expect("a column of that name");
    rows[1..].iter().map(|row| row[place].clone()).collect()
}

#[test]
fn the_whole_trail_comes_as_one_file_however_long_it_is() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    for n in 0..6 {
        let items: Vec<_> = (0..100)
            .map(|m| json!({ "Text": format!("{n}-{m}") }))
            .collect();
        let list = admin.at(&incident(&n.to_string()).for_purpose("y"));
        list.add_items(json!(items));
    }
    let file = rows(&admin.get("Audit?Format=Csv&What=Added"));
    let texts = column(&file, "Text");
    assert_eq!(texts.len(), 600);
    assert_eq!((texts[0].as_str(), texts[599].as_str()), ("0-0", "5-99"));
    let newest = rows(&admin.get("Audit?Format=csv&Order=Newest&ObjectId=5&What=Added"));
    assert_eq!(column(&newest, "Text")[0], "5-99");
}

#[test]
fn a_file_is_asked_for_by_header_too() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    admin.add("A");
    let request = admin
        .request(Method::GET, "Audit")
        .header("accept", "text/csv");
    assert!(column(&rows(&send(request)), "Text").contains(&"A".to_owned()));
}

#[test]
fn what_somebody_typed_never_becomes_a_formula() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let formulas = [
        "=HYPERLINK(\"http://x\")",
        "+1",
        "-2+3",
        "@SUM(A1)",
        "plain, \"quoted\"",
    ];
    let items: Vec<_> = formulas
        .iter()
        .map(|text| json!({ "Text": text }))
        .collect();
    let body = json!({ "Items": items, "LogInJournal": true });
    admin.call("AddItems", body).ok();
    let texts = column(&rows(&admin.get("Audit?Format=Csv&What=Added")), "Text");
    assert_eq!(
        texts,
        [
            "'=HYPERLINK(\"http://x\")",
            "'+1",
            "'-2+3",
            "'@SUM(A1)",
            "plain, \"quoted\""
        ]
    );
    let journal = rows(&admin.get("Journal?Format=Csv"));
    assert_eq!(column(&journal, "Text"), ["5 added, 0 of 5 done"]);
    assert!(column(&journal, "Events")[0].contains("Added: =HYPERLINK"));
    assert!(!column(&journal, "Events")[0].contains("; ="));
}

#[test]
fn no_cell_becomes_a_formula_where_the_file_is_opened_with_semicolons() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let items = ["a;=1+1", "a; -2", "b;\"@SUM(A1)", "c, d;+3"].map(|text| json!({ "Text": text }));
    let body = json!({ "Items": items, "LogInJournal": true });
    admin.call("AddItems", body).ok();
    for log in ["Audit", "Journal"] {
        let file = admin.get(&format!("{log}?Format=Csv"));
        for cell in file.text().split([';', '\n']) {
            let cell = cell.trim_start_matches([' ', '"']);
            assert!(!cell.starts_with(['=', '+', '-', '@']), "{cell:?} in {log}");
        }
    }
}

#[test]
fn a_file_needs_the_same_permission_as_the_page() {
    let server = Server::demo();
    let olga = server.as_owner("Olga").on(&incident("1"));
    olga.get("Audit?Format=Csv")
        .refused(403, "PermissionDenied");
    server
        .http()
        .get("/api/Vendor/ChecklistControl/Journal?Format=Csv")
        .refused(401, "Unauthenticated");
}

#[test]
fn the_trail_is_searched_by_words_person_kind_and_time() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let zoe = server.as_editor("Zoë Ärmel").on(&admin.place);
    zoe.add("Übergabe an die Nachtschicht");
    admin.add("Something else");
    zoe.tick("Something else");
    let found = |query: &str| {
        let page = admin.get(&format!("Audit?Category=Checklist&{query}")).ok();
        let rows = page["Rows"].as_array().cloned().unwrap_or_default();
        rows.iter()
            .map(|row| {
                format!(
                    "{} {}",
                    row["Event"]["What"].as_str().unwrap(),
                    row["Event"]["Text"].as_str().unwrap_or("")
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found("Text=%C3%BCBERGABE"),
        ["Added Übergabe an die Nachtschicht"]
    );
    assert_eq!(
        found("Actor=zo%C3%AB%20%C3%A4&What=Checked"),
        ["Checked Something else"]
    );
    assert_eq!(found("Order=Newest&Limit=1"), ["Checked Something else"]);
    assert_eq!(found("To=2020-01-01T00:00:00Z"), [""; 0]);
    assert_eq!(found("From=2020-01-01T00:00:00Z&Text=else").len(), 2);
}

#[test]
fn a_parameter_that_is_none_is_named() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    for (query, pointer) in [
        ("Order=Random", "/Order"),
        ("From=yesterday", "/From"),
        ("What=Everything", "/What"),
        ("Format=Pdf", "/Format"),
        ("Colour=red", "/Colour"),
    ] {
        let problem = admin
            .get(&format!("Audit?{query}"))
            .refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, pointer, "{query}");
    }
}

#[test]
fn an_auditor_verifies_the_chain_of_the_own_tenant() {
    let hosts = [HostKey::of("north"), HostKey::of("south")];
    let server = Setup::for_hosts(&hosts).start();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    admin.add("A");
    admin.tick("A");
    let rows = admin.audit().len();
    let verdict = admin.get("Audit/Verification").ok();
    assert_eq!(verdict["Rows"], rows);
    assert!(verdict.get("Broken").is_none(), "{verdict}");
    let narrow = server
        .as_somebody_who_may(&["Read", "Audit"])
        .only_for(&[incident("1")])
        .on(&admin.place);
    narrow
        .get("Audit/Verification")
        .refused(403, "PermissionDenied");
    server
        .as_owner("Olga")
        .on(&admin.place)
        .get("Audit/Verification")
        .refused(403, "PermissionDenied");
}
