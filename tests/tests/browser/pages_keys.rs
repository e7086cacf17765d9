//! The built-in pages about types, keys and people: what is set there holds at once.
//!
//! Each act on a page is checked where it counts: by a call that uses the type, key or person.

use checklist_tests::browser::Pages;
use checklist_tests::template::author;
use checklist_tests::{HostKey, Server, incident, task};
use serde_json::json;

#[test]
fn a_type_says_what_is_missing_for_a_journal_and_a_class_works_at_once() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/types");
    pages.is_at("Types");
    pages.click("task");
    pages.is_at("task");
    pages.says("Nothing is written to the journal: “Objects of this type have a journal” is off.");
    pages
        .click("Objects of this type have a journalYour platform calls this the class UnitOfWork.");
    pages.says("Changes can be written to the journal");
    pages.click(
        "Log every change in the journalOtherwise only changes for which a form or a request asks.",
    );
    pages.click("Save");
    pages.until("document.querySelector('.sr[role=status]').textContent.includes('Type saved.')");
    let anna = server.editor_on(&task("1").for_purpose("x"));
    anna.add("A");
    assert_eq!(anna.journal().len(), 1);
}

#[test]
fn a_purpose_gets_its_template_and_no_purpose_stands_there_twice() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/types/of/asset");
    pages.is_at("asset");
    let before = pages.texts(".purpose-row").len();
    pages.click("Add purpose");
    pages.until(&format!(
        "document.querySelectorAll('.purpose-row').length === {}",
        before + 1
    ));
    pages.click("Save");
    pages.says("Select a template or remove the purpose");
    let last = "[...document.querySelectorAll('.purpose-row')].pop()";
    pages
        .browser
        .click(&format!("{last}.querySelector('input')"));
    pages.browser.keys("return");
    pages.browser.click(&format!(
        "[...{last}.querySelectorAll('option')].find((one) => one.textContent === 'Shift handover')"
    ));
    pages.click("Save");
    pages.until("document.querySelector('.sr[role=status]').textContent.includes('Type saved.')");
    let kind = author(&server).get("Types/asset").ok();
    assert_eq!(kind["Templates"]["return"], "handover");
    pages.click("Add purpose");
    pages
        .browser
        .click(&format!("{last}.querySelector('input')"));
    pages.browser.keys("return");
    pages.says("This purpose already exists");
}

#[test]
fn an_api_key_shows_its_secret_once_works_and_is_revoked() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/keys");
    pages.says("No API keys yet");
    pages.click("New API key");
    pages.click("Create key");
    pages.says("Select at least one role");
    pages.fill("Name", "Nightly report");
    pages.click("Reader: views checklists");
    pages.click("Create key");
    pages.says("You won't be able to see it again");
    let secret = pages.value("document.querySelector('#secret').value");
    let secret = secret.as_str().unwrap_or_default().to_owned();
    let person = || server.as_reader("x").on(&incident("1")).with_token(&secret);
    person().get("Templates").ok();
    pages.browser.press(checklist_tests::browser::Keys::Escape);
    pages.says("You won't be able to see it again");
    pages.click("Done");
    pages.says("Nightly report");
    assert!(
        !pages
            .value("document.documentElement.outerHTML")
            .to_string()
            .contains(&secret)
    );
    pages.click("Revoke “Nightly report”");
    pages.says("lose access within seconds");
    pages.click("Revoke key");
    pages.says("Revoked");
    checklist_tests::until("the key to be refused", || {
        (person().get("Templates").status == 401).then_some(())
    });
    pages.browser.is_untroubled();
}

#[test]
fn a_platforms_key_is_registered_and_signs_at_once() {
    let server = Server::demo();
    let key = HostKey::of("desk");
    let pages = Pages::of_demo(&server, "/keys/embed");
    pages.says("No embed keys yet");
    pages.click("Register key");
    pages.fill("Key ID (kid)", &key.kid);
    pages.fill("Public key", "no key at all");
    pages.click("Register key");
    pages.until(
        "document.querySelector('#embed-public-key').getAttribute('aria-invalid') === 'true'",
    );
    pages.browser.click(&Pages::field("Public key"));
    pages
        .browser
        .press_with(checklist_tests::browser::Keys::Control, 'a');
    pages.browser.keys(key.public_pem.trim());
    pages.click("Register key");
    pages.says("Any origin");
    let mut claims = key.claims(&server.base_url(), "petra", &["Read"]);
    claims["tenant"] = json!("demo");
    let petra = server
        .as_reader("x")
        .on(&incident("1"))
        .with_token(&key.sign(&claims));
    petra.get("Templates").ok();
    pages.click(&format!("Revoke “{}”", key.kid));
    pages.click("Revoke key");
    checklist_tests::until("the token to be refused", || {
        (petra.get("Templates").status == 401).then_some(())
    });
}

#[test]
fn a_person_is_added_with_a_role_and_kept_out_again() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/people");
    pages.click("Add person");
    pages.fill("Name", "Petra Page");
    pages.fill("Issuer", "https://id.example");
    pages.fill("Subject", "00u1");
    pages.click("Save");
    pages.says("Select at least one role");
    pages.click("Auditor: views the audit trail");
    pages.click("Save");
    pages.says("Petra Page");
    pages.click("Edit Petra Page");
    pages.click("Can sign in");
    pages.click("Save");
    pages.says("Disabled");
    let admin = server.as_admin().on(&incident("1"));
    let users = admin.get("Users").ok();
    let petra = users["Users"]
        .as_array()
        .unwrap()
        .iter()
        .find(|user| user["Subject"] == "00u1")
        .unwrap();
    assert_eq!(
        (&petra["Roles"], &petra["Disabled"]),
        (&json!(["auditor"]), &json!(true))
    );
}

#[test]
fn a_type_is_deleted_unless_lists_are_of_it() {
    let server = Server::demo();
    let kind = json!({ "Name": "idle", "Classes": [], "Templates": {} });
    author(&server).put("Types/idle", &kind).ok();
    server.editor_on(&task("1").for_purpose("x")).add("A");
    let pages = Pages::of_demo(&server, "/types/of/task");
    pages.is_at("task");
    pages.click("Delete");
    pages.click("Delete type");
    pages.says("It cannot be deleted: 1 checklist uses it.");
    pages.open("/types/of/idle");
    pages.is_at("idle");
    pages.click("Delete");
    pages.click("Delete type");
    pages.is_at("Types");
    pages.says("The type “idle” was deleted.");
    author(&server)
        .get("Types/idle")
        .refused(404, "TypeNotFound");
}
