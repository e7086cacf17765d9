//! The built-in pages: two people at one draft, each in a window of their own, and deleting drafts.
//!
//! What the server answers to whom is tested in `http/drafts.rs`.

use checklist_tests::Server;
use checklist_tests::browser::{Keys, Pages};
use checklist_tests::template::{author, fragment, item, publish};
use serde_json::{Value, json};

const ADDRESS: &str = "/templates/of/shared";

/// A server with a draft that two windows show.
fn two_windows() -> (Server, Pages, Pages) {
    let server = Server::demo();
    author(&server)
        .put("Templates/shared", &fragment("shared", [item("a", "Ask")]))
        .ok();
    let (anna, ben) = (
        Pages::of_demo(&server, ADDRESS),
        Pages::of_demo(&server, ADDRESS),
    );
    anna.is_at("shared");
    ben.is_at("shared");
    (server, anna, ben)
}

fn draft(server: &Server) -> Value {
    author(server).get("Templates/shared").ok()["Draft"].clone()
}

fn name_of_draft(server: &Server) -> Value {
    draft(server)["Name"]["en"].clone()
}

fn save_as(pages: &Pages, name: &str) {
    pages.fill("Name", name);
    pages.click("Save draft");
}

#[test]
fn whoever_saves_later_is_told_and_can_look_at_what_the_other_has_saved() {
    let (server, anna, ben) = two_windows();
    save_as(&anna, "Anna's");
    anna.says("Draft saved.");
    save_as(&ben, "Ben's");
    ben.says("Someone else has saved changes");
    assert_eq!(name_of_draft(&server), "Anna's");

    ben.browser.press(Keys::Escape);
    ben.says_no_longer("Someone else has saved changes");
    ben.until(&format!("{}.value === \"Ben's\"", Pages::field("Name")));
    ben.click("Save draft");
    ben.click("Load current version");
    ben.until(&format!("{}.value === \"Anna's\"", Pages::field("Name")));
    ben.says("Current version loaded");
    save_as(&ben, "Both of us");
    ben.says("Draft saved.");
    assert_eq!(name_of_draft(&server), "Both of us");
    ben.browser.is_untroubled();
}

#[test]
fn whoever_saves_later_can_replace_what_the_other_has_saved() {
    let (server, anna, ben) = two_windows();
    save_as(&anna, "Anna's");
    anna.says("Draft saved.");
    save_as(&ben, "Ben's");
    ben.click("Overwrite with my version");
    ben.says("Draft saved.");
    assert_eq!(name_of_draft(&server), "Ben's");
    // And now it is Anna who is told.
    save_as(&anna, "Anna's again");
    anna.says("Someone else has saved changes");
    assert_eq!(name_of_draft(&server), "Ben's");
}

#[test]
fn nobody_publishes_what_somebody_else_has_saved_meanwhile() {
    let (server, anna, ben) = two_windows();
    save_as(&anna, "Anna's");
    anna.says("Draft saved.");
    ben.click("Publish…");
    ben.click("Publish version 1");
    ben.says("The template has changed since you opened it");
    assert_eq!(name_of_draft(&server), "Anna's");
    ben.click("Load current version");
    ben.until(&format!("{}.value === \"Anna's\"", Pages::field("Name")));
    ben.publish(1);
}

#[test]
fn a_new_template_does_not_overwrite_one_with_the_same_id() {
    let (server, anna, _) = two_windows();
    anna.open("/templates/new");
    anna.fill("ID", "shared");
    save_as(&anna, "Another one");
    anna.says("A template with this ID already exists");
    anna.until("document.activeElement.matches('[aria-invalid=true]')");
    assert_eq!(name_of_draft(&server), "shared");
}

#[test]
fn a_draft_is_deleted_and_what_was_published_is_shown_again() {
    let server = Server::demo();
    publish(&server, &fragment("shared", [item("a", "Ask")]));
    let pages = Pages::of_demo(&server, ADDRESS);
    pages.is_at("shared");
    pages.click("More actions");
    pages.says("Export");
    assert!(!pages.tells("Delete draft"), "there is none");
    pages.click("Settingsshared");
    save_as(&pages, "Not to be");
    pages.says("Draft saved.");
    pages.click("More actions");
    pages.click("Delete draft…");
    pages.says("Published versions are kept");
    pages.click("Delete draft");
    pages.says("Draft deleted.");
    pages.until(&format!("{}.value === 'shared'", Pages::field("Name")));
    pages.says_no_longer("Delete draft");
    assert_eq!(draft(&server), json!(null));
    save_as(&pages, "A new one");
    pages.says("Draft saved.");
}

#[test]
fn a_template_that_was_never_published_goes_with_its_draft() {
    let (server, anna, _) = two_windows();
    anna.click("More actions");
    anna.click("Delete draft…");
    anna.says("so it is deleted entirely");
    anna.click("Delete draft");
    anna.is_at("Templates");
    anna.says("Draft deleted.");
    author(&server)
        .get("Templates/shared")
        .refused(404, "TemplateNotFound");
}
