//! The page about people: found among many, signed out, deleted.

use checklist_tests::browser::{Keys, Pages};
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

fn put(admin: &Person, subject: &str, name: &str) {
    let user = json!({ "Issuer": "https://id.example", "Subject": subject, "Name": name,
        "Roles": ["auditor"] });
    admin.put("Users", &user).ok();
}

fn names(admin: &Person) -> Vec<Value> {
    let users = admin.get("Users?Limit=500").ok();
    let users = users["Users"].as_array().cloned().unwrap_or_default();
    users.into_iter().map(|user| user["Name"].clone()).collect()
}

#[test]
fn one_of_two_people_with_one_name_is_deleted_and_somebody_who_edits_him_is_told() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    put(&admin, "one", "Anna Berg");
    put(&admin, "other", "Anna Berg");
    let pages = Pages::of_demo(&server, "/people");
    pages.is_at("People");
    pages.says("Never");
    pages.browser.is_accessible("body", "people");
    pages.click_of("other", "Delete Anna Berg");
    pages.says("can no longer sign in");
    pages.browser.press(Keys::Escape);
    pages.says_no_longer("can no longer sign in");
    pages.click_of("other", "Delete Anna Berg");
    pages.click("Delete person");
    pages.says("Anna Berg was deleted.");
    pages.until("document.querySelectorAll('tbody tr').length === 2");
    assert!(names(&admin).contains(&json!("Anna Berg")));
    // Somebody else deletes the first while this form is open.
    pages.click_of("one", "Edit Anna Berg");
    pages.fill("Name", "Anna Berger");
    let who = json!({ "Issuer": "https://id.example", "Subject": "one" });
    admin.send("Users/Delete", &who).ok();
    pages.click("Save");
    pages.says("deleted meanwhile");
    assert!(!names(&admin).contains(&json!("Anna Berger")));
}

#[test]
fn a_person_is_signed_out_and_the_last_administrator_is_not_deleted() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/people");
    pages.says("Demo administrator");
    pages.click_of("Demo administrator", "Delete Demo administrator");
    pages.click("Delete person");
    pages.says("This is the only administrator.");
    pages.says("Demo administrator");
    pages.click_of("Demo administrator", "End sessions of Demo administrator");
    pages.says("They are signed out everywhere at once");
    pages.click_in_dialog("End sessions");
    pages.says("Your session has expired");
}

#[test]
fn the_row_in_its_place_has_the_focus_after_the_one_that_had_it_was_deleted() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    put(&admin, "one", "Anna Berg");
    let pages = Pages::of_demo(&server, "/people");
    pages.click_of("one", "Delete Anna Berg");
    pages.asks();
    pages.browser.press(Keys::Tab);
    pages.browser.press(Keys::Enter);
    pages.says("Anna Berg was deleted.");
    let next = "document.querySelector('main tbody tr')";
    pages.until(&format!(
        "{next}.textContent.includes('Demo administrator') && {next}.contains(document.activeElement)"
    ));
}

#[test]
fn people_are_sorted_by_name_and_found_by_role_and_the_address_has_both() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    for (subject, name, role) in [
        ("1", "Zoë Ärmel", "auditor"),
        ("2", "ödön Berg", "reader"),
        ("3", "Anna Berg", "auditor"),
    ] {
        let user = json!({ "Issuer": "https://id.example", "Subject": subject, "Name": name,
            "Roles": [role] });
        admin.put("Users", &user).ok();
    }
    let pages = Pages::of_demo(&server, "/people");
    let shows = |names: &[&str]| {
        pages.until(&format!(
            "JSON.stringify([...document.querySelectorAll('tbody th bdi')].map(name => name.textContent)) === {}",
            json!(json!(names).to_string())
        ));
    };
    shows(&["Anna Berg", "Demo administrator", "ödön Berg", "Zoë Ärmel"]);
    pages.choose("Role", "Auditor");
    pages.click("Search");
    shows(&["Anna Berg", "Zoë Ärmel"]);
    pages.says("2 entries");
    pages.until("location.search === '?Role=auditor'");
    pages.fill("Search by name, subject or issuer", "berg");
    pages.click("Search");
    shows(&["Anna Berg"]);
    pages.until("location.search === '?Role=auditor&Search=berg'");
    pages.browser.is_accessible("body", "a search for people");
    pages.browser.script("history.back()", &[]);
    shows(&["Anna Berg", "Zoë Ärmel"]);
    pages.until(&format!(
        "{}.value === ''",
        Pages::field("Search by name, subject or issuer")
    ));
    // A bookmark, one of whose values is none.
    pages.open("/people?Search=berg&Role=boss");
    shows(&["Anna Berg", "ödön Berg"]);
    pages.open("/people?Role=owner");
    pages.says("No matches found.");
    pages.click("Clear filters");
    shows(&["Anna Berg", "Demo administrator", "ödön Berg", "Zoë Ärmel"]);
    pages.until("location.search === ''");
}

#[test]
fn names_are_kept_for_the_days_and_with_the_texts_that_an_administrator_decides() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    let pages = Pages::of_demo(&server, "/people");
    pages.says("Demo administrator");
    pages.click("Retention of names");
    pages.fill("Erase names after", "a year");
    pages.click("Notes");
    pages.click("Save");
    pages.says("Enter a number of days from 1 to 36,500.");
    pages.fill("Erase names after", "365");
    pages.click("Save");
    pages.says("The retention of names was changed.");
    let decided = admin.get("Retention").ok();
    assert_eq!(decided, json!({ "PersonalDays": 365, "Texts": ["Notes"] }));
    pages.click("Retention of names");
    pages.until(&format!(
        "{}.value === '365'",
        Pages::field("Erase names after")
    ));
    pages.fill("Erase names after", "");
    pages.click("Save");
    pages.until("!document.querySelector('dialog[open]')");
    assert_eq!(admin.get("Retention").ok(), json!({ "Texts": ["Notes"] }));
    pages.browser.is_untroubled();
}
