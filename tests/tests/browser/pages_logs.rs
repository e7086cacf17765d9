//! The built-in pages about journal and audit trail: finding, reading, verifying.
//!
//! What rows say and how they are searched is tested over HTTP.

use checklist_tests::browser::Pages;
use checklist_tests::{Server, incident, task};
use serde_json::json;

fn some_history(server: &Server) {
    let place = incident("INC-7").for_purpose("x");
    let anna = server.as_editor("Anna Arendt").on(&place);
    for text in ["Ask the owner", "Tell the caller"] {
        anna.add(text);
    }
    let item = anna.list();
    let item = item.item("Ask the owner");
    let tick = json!({ "Items": [{ "Id": item["Id"], "Status": "Done", "SeenTextHash": item["TextHash"] }], "LogInJournal": true });
    anna.call("UpdateItems", tick).ok();
    let bob = server.as_editor("Bob Backoffice").on(&place);
    bob.reword("Ask the owner", "Ask the new owner");
    server
        .as_editor("Bob Backoffice")
        .on(&task("T-1").for_purpose("x"))
        .add("Something else");
}

#[test]
fn an_auditor_sees_who_ticked_what_and_what_the_text_said_within_three_clicks() {
    let server = Server::demo();
    some_history(&server);
    let pages = Pages::of_demo(&server, "/templates");
    pages.is_at("Templates");
    pages.click("Audit trail");
    pages.is_at("Audit trail");
    pages.until("document.querySelectorAll('.log tbody').length >= 5");
    pages.click_of("CheckedAsk the owner", "Details");
    pages.says("Anna Arendt");
    pages.says("Wording at the time");
    pages.says("This wording was on the person's screen");
    pages.click("Only this list");
    pages.until("![...document.querySelectorAll('.log tbody')].some((row) => row.textContent.includes('Something else'))");
    pages.until("location.search.includes('ObjectId=INC-7')");
    pages.browser.is_untroubled();
}

#[test]
fn the_trail_is_searched_and_the_address_keeps_the_search() {
    let server = Server::demo();
    some_history(&server);
    let pages = Pages::of_demo(&server, "/audit");
    pages.is_at("Audit trail");
    pages.fill("Text", "new OWNER");
    pages.click("Search");
    pages.until("document.querySelectorAll('.log tbody').length === 1");
    pages.says("Text changed");
    pages.until("location.search === '?Text=new+OWNER'");
    pages.browser.reload();
    pages.until("document.querySelectorAll('.log tbody').length === 1");
    pages.until(&format!("{}.value === 'new OWNER'", Pages::field("Text")));
    pages.choose("What happened", "Checked");
    pages.click("Search");
    pages.says("No matches found");
    pages.click("Clear filters");
    pages.until("document.querySelectorAll('.log tbody').length >= 5");
    pages.browser.back();
    pages.says("No matches found");
    pages.fill("Text", "");
    pages.click("Search");
    pages.until("document.querySelectorAll('.log tbody').length === 1");
    pages.says("Ask the owner");
}

#[test]
fn the_trail_is_searched_by_who_did_it_and_gives_the_proof_of_a_row() {
    let server = Server::demo();
    some_history(&server);
    let pages = Pages::of_demo(&server, "/audit");
    pages.is_at("Audit trail");
    pages.says("Anna Arendt");
    pages.click("More filters");
    pages.choose("Done by", "Program");
    pages.click("Search");
    pages.until("location.search === '?ActorKind=Program'");
    pages.until("!document.querySelector('.log').textContent.includes('Anna Arendt')");
    pages.says("Demo setup");
    let save = "const save = URL.createObjectURL.bind(URL);\
                URL.createObjectURL = (blob) => { blob.text().then((text) => (window.saved = text)); return save(blob); };";
    pages.browser.script(save, &[]);
    // Signed at the start of the server.
    pages.click_of("Type: createdincident", "Details");
    pages.click("Download the proof");
    pages.until("window.saved && JSON.parse(window.saved).Leaf.Bytes.length > 128");
    pages.browser.is_untroubled();
}

#[test]
fn a_long_trail_comes_piece_by_piece_newest_first() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    admin.add_many(120);
    let pages = Pages::of_demo(&server, "/audit?Category=Checklist");
    pages.until("document.querySelectorAll('.log tbody').length === 50");
    let first = pages.texts(".log tbody .said");
    assert_eq!(first[0], "Item 119");
    pages.click("Load older entries");
    pages.until("document.querySelectorAll('.log tbody').length === 100");
    pages.click("Load older entries");
    pages.says("No older entries");
}

#[test]
fn the_files_hold_what_the_page_is_searched_for() {
    let server = Server::demo();
    some_history(&server);
    let pages = Pages::of_demo(&server, "/audit?Text=new+owner");
    pages.until("document.querySelectorAll('.log tbody').length === 1");
    let text = pages.value(
        "fetch([...document.querySelectorAll('a[download]')].find(__probe.seen).href).then((answer) => answer.text())",
    );
    let text = text.as_str().unwrap_or_default().to_owned();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("Ask the new owner"), "{text}");
}

#[test]
fn the_journal_tells_entries_with_what_happened_one_by_one() {
    let server = Server::demo();
    some_history(&server);
    let pages = Pages::of_demo(&server, "/journal");
    pages.is_at("Journal");
    pages.says("1 checked, 1 of 2 done");
    pages.click_of("1 checked", "Details");
    pages.until("document.querySelector('.events').textContent === 'CheckedAsk the owner'");
    pages.fill("Person or program", "nobody");
    pages.click("Search");
    pages.says("No matches found");
}

#[test]
fn an_empty_journal_says_how_it_fills() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/journal");
    pages.says("No journal entries yet");
    pages.says("as soon as a form or a type requests the journal");
}

#[test]
fn a_broken_chain_is_told_with_its_row() {
    let mut server = Server::demo();
    some_history(&server);
    server.stop();
    let database = rusqlite::Connection::open(server.database()).unwrap();
    database
        .execute_batch("DROP TRIGGER audit_is_never_changed; UPDATE audit SET words = replace(words, 'Ask the owner', 'Ask nobody')
                 WHERE sequence = (SELECT min(sequence) FROM audit WHERE words LIKE '%Ask the owner%');")
        .unwrap();
    drop(database);
    server.start_again();
    let pages = Pages::of_demo(&server, "/audit");
    pages.click("Verify the trail");
    pages.says("The audit trail was altered at row");
}

#[test]
fn what_an_administrator_changed_is_read_with_the_values_before_and_after() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    for roles in [&["reader"][..], &["reader", "auditor"]] {
        let user = serde_json::json!({ "Issuer": "https://id.example", "Subject": "7", "Name": "Zora Zander",
            "Roles": roles });
        admin.put("Users", &user).ok();
    }
    let pages = Pages::of_demo(&server, "/audit?Category=Administration");
    pages.says("Person: changed");
    pages.click_of("Person: changedZora Zander", "Details");
    pages.says("reader, auditor");
    pages.open("/audit");
    pages.says("Session: signed in");
    pages.choose("Category", "Sign-ins");
    pages.click("Search");
    pages.until("location.search === '?Category=SignIn'");
    pages.browser.is_untroubled();
}
