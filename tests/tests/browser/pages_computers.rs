//! The page of the computers: searching, selecting, importing with a preview, by mouse, by keyboard
//! and on a narrow screen.
//!
//! Each act on the page is checked where it counts: by a call that reads the inventory.

use checklist_tests::browser::{Keys, Pages};
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

/// A program that may run site activities in the demo.
fn operator(server: &Server) -> Person {
    let admin = server.as_admin().on(&incident("1"));
    admin
        .program("Inventory", &["site-operator"])
        .about_computers()
}

fn total(operator: &Person) -> Value {
    operator.get("").ok()["Total"].clone()
}

/// A table of so many computers.
fn table(count: usize) -> String {
    let rows = (1..=count).map(|n| format!("new-{n:03},NEW-{n:03},In stock,Köln\n"));
    std::iter::once("Id,Name,Status,Location\n".to_owned())
        .chain(rows)
        .collect()
}

/// Waits until so many rows are shown.
fn shows(pages: &Pages, rows: usize) {
    pages.until(&format!(
        "document.querySelectorAll('.computers tbody tr').length === {rows}"
    ));
}

/// The box of a computer, or of all that are shown.
fn tick(pages: &Pages, name: &str) {
    pages.browser.click(&Pages::field(name));
}

#[test]
fn five_hundred_computers_are_shown_a_hundred_at_a_time_searched_and_found_by_status() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/");
    pages.click("Computers");
    pages.is_at("Computers");
    shows(&pages, 100);
    pages.says("100 of 500 computers");
    pages.click("Load more");
    shows(&pages, 200);

    pages.fill("Search", "prüfstand");
    pages.browser.press(Keys::Enter);
    pages.says("10 computers");
    shows(&pages, 10);
    pages.until("location.search === '?Search=pr%C3%BCfstand'");
    pages.choose("Status", "Scrapped");
    pages.click("Search");
    pages.says("No matches found.");
    pages.until("location.search.includes('Status=Scrapped')");
    pages.click("Clear filters");
    pages.says("100 of 500 computers");
    pages.browser.back();
    pages.says("No matches found.");
    pages.until(&format!("{}.value === 'prüfstand'", Pages::field("Search")));
    pages.browser.back();
    pages.says("10 computers");

    // The address alone brings the same search back.
    pages.open("/computers?Search=pc-empfang&Status=InUse");
    pages.until("!!document.querySelector('.computers tbody tr')");
    let statuses = pages.texts(".computers tbody .pill");
    assert!(
        statuses.iter().all(|status| status == "In use"),
        "{statuses:?}"
    );
    pages.browser.is_untroubled();
}

#[test]
fn a_selection_survives_searches_pages_and_a_reload_and_is_cleared_at_once() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/computers");
    shows(&pages, 100);
    pages.says("0 computers selected");
    let first = pages.texts(".computers tbody th bdi")[0].clone();
    tick(&pages, &format!("Select {first}"));
    pages.says("1 computer selected");
    pages.fill("Search", "prüfstand");
    pages.browser.press(Keys::Enter);
    shows(&pages, 10);
    pages.says("1 computer selected");
    pages.click("Select all 10 computers");
    pages.says("11 computers selected");
    pages.until("!document.body.innerText.includes('Select all')");
    tick(&pages, "Select all rows");
    pages.says("1 computer selected");
    tick(&pages, "Select all rows");
    pages.says("11 computers selected");

    pages.open("/connections");
    pages.is_at("Connections");
    pages.open("/computers");
    shows(&pages, 100);
    pages.says("11 computers selected");
    pages.until(&format!(
        "{}.checked",
        Pages::field(&format!("Select {first}"))
    ));
    pages.click("Select all 500 computers");
    pages.says("500 computers selected");
    pages.click("Load more");
    shows(&pages, 200);
    pages.until("[...document.querySelectorAll('.computers .box')].every((box) => box.checked)");
    pages.click("Clear selection");
    pages.says("0 computers selected");
    pages.until("[...document.querySelectorAll('.computers .box')].every((box) => !box.checked)");
    pages.browser.is_untroubled();
}

#[test]
fn a_file_is_looked_at_before_anything_changes_and_then_imported() {
    let server = Server::demo();
    let operator = operator(&server);
    let pages = Pages::of_demo(&server, "/computers");
    shows(&pages, 100);
    pages.click("Import…");
    pages.says("Import computers");
    pages.choose_file("Choose a file", "computers.csv", table(3));
    pages.says("No errors found.");
    pages.says("New computers (3)");
    assert_eq!(total(&operator), 500, "nothing was imported yet");
    pages
        .browser
        .is_accessible("body", "what an import would do");
    pages.click("Import 3 computers");
    pages.says_no_longer("Import computers");
    pages.until("document.querySelector('.sr[role=status]').textContent.includes('Imported: 3 new, 0 changed.')");
    assert_eq!(total(&operator), 503);

    // The same with one change: the row that changes, and what of it.
    pages.click("Import…");
    let changed = table(3).replace("new-002,NEW-002,In stock,Köln", "new-002,NEW-002,Scrapped,");
    pages.choose_file("Choose a file", "computers.csv", &changed);
    pages.says("Changes (1)");
    let facts = pages.texts(".dialog .changes :is(dt, del, ins)");
    assert_eq!(
        facts,
        [
            "Status", "In stock", "Scrapped", "Location", "Köln", "empty"
        ]
    );
    pages.click("Import 1 computer");
    pages.until(
        "document.querySelector('.sr[role=status]').textContent.includes('0 new, 1 changed.')",
    );
    assert_eq!(operator.get("/new-002").ok()["Status"], "Scrapped");
    pages.click("Import…");
    pages.choose_file("Choose a file", "computers.csv", &changed);
    pages.says("There is nothing to import.");
    pages.browser.press(Keys::Escape);
    pages.says_no_longer("Import computers");
    pages.browser.is_untroubled();
}

#[test]
fn wrong_rows_and_files_are_told_and_nothing_is_imported() {
    let server = Server::demo();
    let operator = operator(&server);
    let pages = Pages::of_demo(&server, "/computers");
    shows(&pages, 100);
    pages.click("Import…");
    let wrong = "Id;Name;Status;Memory\na-1;A;In use;16\na-1;;lost;much\n";
    pages.choose_file("Choose a file", "wrong.csv", wrong);
    pages.says("1 row has errors.");
    pages.says("Row 3");
    pages.says("Status: 'lost' is none of Ordered");
    pages.says("Memory (GiB): 'much' is no whole number");
    pages.says("Name: This has to be there.");
    pages.says("The id 'a-1' stands in line 2 already.");
    assert!(!pages.tells("Import 1 computer"));
    pages.browser.is_accessible("body", "wrong rows");

    pages.choose_file(
        "Choose a file",
        "latin.csv",
        b"Id,Name,Status\nb,B\xfcro,InUse\n",
    );
    pages.says("Line 2 is not UTF-8.");
    pages.choose_file("Choose a file", "odd.csv", "Id,Name,Colour\n");
    pages.says("No field is called 'Colour'.");
    pages.says("The column Status is missing.");
    pages.choose_file("Choose a file", "odd.json", "[{]");
    pages.says("This is not valid JSON");
    pages.choose_file(
        "Choose a file",
        "odd.json",
        r#"[{ "Id": "c", "Name": "C", "Status": "lost" }]"#,
    );
    pages.says("Unknown variant");
    assert_eq!(total(&operator), 500);

    // Pasted, as spreadsheets copy it.
    pages.click("Paste a table instead");
    let _ = pages.value(&format!(
        "(() => {{ const field = {}; field.value = 'Id\\tName\\tStatus\\nd-1\\tD\\tMissing'; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); return true; }})()",
        Pages::field("Table or JSON")
    ));
    pages.click("Preview");
    pages.says("New computers (1)");
    pages.click("Import 1 computer");
    pages.says_no_longer("Import computers");
    assert_eq!(operator.get("/d-1").ok()["Status"], "Missing");
    pages.browser.is_untroubled();
}

#[test]
fn german_is_spoken_also_of_what_is_wrong() {
    let server = Server::demo();
    let operator = operator(&server);
    let pages = Pages::of_demo(&server, "/computers");
    pages.choose("Language", "Deutsch");
    pages.is_at("Rechner");
    pages.says("100 von 500 Rechnern");
    pages.says("0 Rechner ausgewählt");
    pages.choose("Status", "Verschrottet");
    pages.click("Suchen");
    pages.says("25 Rechner");
    pages.click("Importieren …");
    let wrong = "Id,Name,Status,PurchasedOn\na,A,weg,1.2.2026\na,A,InUse,\n";
    pages.choose_file("Datei auswählen", "falsch.csv", wrong);
    pages.says("2 Zeilen sind fehlerhaft.");
    pages.says("Gekauft am: Geben Sie ein Datum wie 2026-11-20 an.");
    pages.says("Status: Zulässig sind Ordered");
    pages.says("Id: Diese Id kommt bereits in einer früheren Zeile vor.");
    assert_eq!(total(&operator), 500);
    pages.browser.is_untroubled();
}

#[test]
fn everything_can_be_done_by_keyboard_alone() {
    let server = Server::demo();
    let operator = operator(&server);
    let pages = Pages::of_demo(&server, "/computers");
    shows(&pages, 100);
    let to = |name: &str| {
        let reached = format!("__probe.named(document.activeElement) === {}", json!(name));
        for _ in 0..60 {
            if pages.value(&reached) == json!(true) {
                return;
            }
            pages.browser.press(Keys::Tab);
        }
        panic!("Tab does not come to {name}");
    };
    to("Search");
    pages.browser.keys("prüfstand");
    pages.browser.press(Keys::Enter);
    shows(&pages, 10);
    to("Select all 10 computers");
    pages.browser.press(Keys::Enter);
    pages.says("10 computers selected");
    to("Select all rows");
    pages.browser.press(Keys::Space);
    pages.says("0 computers selected");
    pages.browser.press(Keys::Tab);
    pages.browser.press(Keys::Space);
    pages.says("1 computer selected");
    pages.open("/computers");
    shows(&pages, 100);
    to("Import…");
    pages.browser.press(Keys::Enter);
    pages.says("Import computers");
    to("Paste a table instead");
    pages.browser.press(Keys::Enter);
    to("Table or JSON");
    pages.browser.keys("Id,Name,Status");
    pages.browser.press(Keys::Enter);
    pages.browser.keys("k-1,K,InUse");
    to("Preview");
    pages.browser.press(Keys::Enter);
    pages.says("New computers (1)");
    to("Import 1 computer");
    pages.browser.press(Keys::Enter);
    pages.says_no_longer("Import computers");
    assert_eq!(operator.get("/k-1").ok()["Name"], "K");
    // The focus is back where it was.
    pages.until("__probe.named(document.activeElement) === 'Import…'");
    pages.browser.is_untroubled();
}

#[test]
fn nothing_of_the_page_is_wider_than_a_narrow_screen() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/computers");
    pages.browser.resize(320, 700);
    shows(&pages, 100);
    let fits = "document.documentElement.scrollWidth <= innerWidth && \
        [...document.querySelectorAll('.computers tr, .chosen-bar, .dialog *')].filter(__probe.seen)\
        .every((one) => one.getBoundingClientRect().right <= innerWidth + 1)";
    pages.until(fits);
    let first = pages.texts(".computers tbody th bdi")[0].clone();
    tick(&pages, &format!("Select {first}"));
    pages.says("1 computer selected");
    pages.until(fits);
    pages.click("Import…");
    let wrong =
        "Id,Name,Status\na-very-long-identifier-without-any-blank-in-it-0123456789,A,lost\n";
    pages.choose_file(
        "Choose a file",
        "a-very-long-name-of-a-file-without-any-blank.csv",
        wrong,
    );
    pages.says("1 row has errors.");
    pages.until(fits);
    pages
        .browser
        .is_accessible("body", "wrong rows on a narrow screen");
    pages.browser.is_untroubled();
}

#[test]
fn an_address_that_can_be_remembered_leads_to_the_computers() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let answer = server.http().get("/computers");
    assert_eq!(answer.status, 307);
    assert_eq!(answer.header("location"), "/admin/computers");
}
