//! The condition of a template item in the editor: comparisons of facts in rows, what rows cannot say,
//! and facts that are tried out beside the preview.
//!
//! The rule itself is tested in `shared`, rows and facts natively in the crate of the pages.

use checklist_tests::Server;
use checklist_tests::browser::{Keys, Pages};
use checklist_tests::template::{author, fragment, item, publish, section, under, with};
use serde_json::{Value, json};

const PREVIEW: &str = ".preview-stage .text";
const FOCUSED: &str = "document.activeElement";

fn open(items: impl IntoIterator<Item = Value>) -> (Server, Pages) {
    let server = Server::demo();
    publish(&server, &fragment("f", items));
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.is_at("f");
    (server, pages)
}

fn draft(server: &Server) -> Value {
    author(server).get("Templates/f").ok()["Draft"].clone()
}

fn focus_is_on(pages: &Pages, id: &str) {
    pages.until(&format!("{FOCUSED}.id.endsWith({})", json!(id)));
}

#[test]
fn a_condition_is_written_by_the_keyboard_tried_out_saved_and_taken_away_again() {
    let (server, pages) = open([item("a", "Always"), item("b", "Call the manager")]);
    pages.click("Edit “Call the manager”");
    pages.click("Add condition");
    focus_is_on(&pages, "-when-1-fact");
    pages.browser.keys("Queue \"Nord\"");
    // Comparison, type, value.
    for _ in 0..3 {
        pages.browser.press(Keys::Tab);
    }
    pages.browser.keys("Mail");
    pages.says("Applies if Queue \"Nord\" is “Mail”");
    pages.click("Add condition");
    focus_is_on(&pages, "-when-2-fact");
    pages.browser.keys("Priority");
    pages.browser.press(Keys::Tab);
    pages.browser.keys("is at l");
    pages.browser.press(Keys::Tab);
    focus_is_on(&pages, "-when-2-value");
    pages.browser.keys("2.5");
    pages.says("Applies if Queue \"Nord\" is “Mail” and Priority is at least 2.5");
    pages.choose("Applies if", "any condition is met");
    pages.says("is “Mail” or Priority is at least 2.5");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    let either = json!({ "Any": [{ "Fact": "Queue \"Nord\"", "Is": "Mail" }, { "Fact": "Priority", "AtLeast": 2.5 }] });
    assert_eq!(draft(&server)["Items"][1]["When"], either);

    pages.click("Try with factsShows only what applies.");
    pages.until("document.querySelectorAll('.preview-stage .text').length === 1");
    pages.fill("Priority", "x");
    pages.says("Enter a number, for example 4 or 2.5.");
    pages.fill("Priority", "3");
    pages.until("document.querySelectorAll('.preview-stage .text').length === 2");
    pages.until("!document.querySelector('.preview-stage .when')");
    pages.fill("Priority", "");
    pages.fill("Queue \"Nord\"", "Mail");
    pages.until("document.querySelectorAll('.preview-stage .text').length === 2");

    pages.click("Remove condition “Queue \"Nord\"”");
    focus_is_on(&pages, "-when-2-fact");
    pages.click("Remove condition “Priority”");
    focus_is_on(&pages, "-when-add");
    pages.says_no_longer("Try with facts");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    assert_eq!(draft(&server)["Items"][1].get("When"), None);
    pages.browser.is_untroubled();
}

#[test]
fn what_a_comparison_lacks_is_told_at_its_field_and_nothing_is_sent() {
    let (server, pages) = open([item("a", "A")]);
    pages.click("Edit “A”");
    pages.click("Add condition");
    pages.click("Save draft");
    pages.says("Enter the name of a fact, 1 to 200 characters.");
    focus_is_on(&pages, "-when-1-fact");
    pages.browser.keys("Age");
    pages.says_no_longer("Enter the name of a fact");
    pages.click("Save draft");
    pages.says("Enter a value.");
    focus_is_on(&pages, "-when-1-value");
    pages.choose("Comparison", "is one of");
    pages.choose("Value type", "Number");
    pages.fill("Values", "1\n2");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    let either = json!({ "Fact": "Age", "In": [1, 2] });
    assert_eq!(draft(&server)["Items"][0]["When"], either);
    pages.browser.is_untroubled();
}

#[test]
fn the_name_of_a_fact_that_the_server_refuses_is_told_at_its_comparison() {
    let known = json!({ "When": { "Fact": "Site", "Present": true } });
    let (_server, pages) = open([with(item("a", "A"), known)]);
    pages.click("Edit “A”");
    pages.click("Add condition");
    focus_is_on(&pages, "-when-2-fact");
    let suggested = "[...document.activeElement.list.options].map((one) => one.value)";
    assert_eq!(pages.value(suggested), json!(["Site"]));
    pages.browser.keys("x".repeat(201));
    pages.browser.press(Keys::Tab);
    pages.browser.keys("is k");
    pages.click("Save draft");
    pages.says("Enter the name of a fact, 1 to 200 characters.");
    focus_is_on(&pages, "-when-2-fact");
}

#[test]
fn a_nested_condition_is_read_kept_and_replaced_only_on_purpose() {
    let nested = json!({ "Any": [
        { "Not": { "All": [{ "Fact": "Vip", "Is": true }, { "Fact": "Site", "Is": "Bonn" }] } },
        { "Fact": "Priority", "AtMost": 1 },
    ] });
    let (server, pages) = open([with(item("a", "A"), json!({ "When": nested }))]);
    let sentence = "not (Vip is yes and Site is “Bonn”) or Priority is at most 1";
    pages.click("Edit “A”");
    pages.says("This condition has groups within groups.");
    assert_eq!(pages.texts(".conditions .fixed-value"), [sentence]);
    pages.fill("Text", "B");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    assert_eq!(draft(&server)["Items"][0]["When"], nested);
    pages.click("Replace");
    focus_is_on(&pages, "-when-1-fact");
    pages.click("Done");
    pages.click("Undo");
    pages.says("Applies if not (Vip is yes");
    pages.click("Edit “B”");
    pages.click("Replace");
    focus_is_on(&pages, "-when-1-fact");
    pages.browser.keys("Vip");
    pages.choose("Comparison", "is known");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    let simple = json!({ "Fact": "Vip", "Present": true });
    assert_eq!(draft(&server)["Items"][0]["When"], simple);
    publish(&server, &draft(&server));
    pages.open("/templates/of/f/comparison");
    let is_there = |mark: &str, text: &str| {
        let marked = format!("[...document.querySelectorAll('.changes {mark}')]");
        pages.until(&format!(
            "{marked}.some((one) => one.textContent === {})",
            json!(text)
        ));
    };
    is_there("del", sentence);
    is_there("ins", "Vip is known");
    pages.browser.is_untroubled();
}

#[test]
fn a_section_that_does_not_apply_takes_its_items_with_it_in_the_preview() {
    let mail = json!({ "When": { "Fact": "Queue", "Is": "Mail" } });
    let vip = json!({ "When": { "Fact": "Vip", "Is": true } });
    let (_server, pages) = open([
        item("a", "Always"),
        with(section("s", "Mail"), mail),
        with(under("s", item("b", "Headers")), vip),
        under("s", item("c", "Reply")),
    ]);
    pages.says("Applies if Queue is “Mail”");
    assert_eq!(pages.texts(PREVIEW), ["Always", "Headers", "Reply"]);
    pages.click("Try with factsShows only what applies.");
    pages.choose("Vip", "yes");
    pages.until("document.querySelectorAll('.preview-stage .text').length === 1");
    pages.fill("Queue", "Mail");
    pages.until("document.querySelectorAll('.preview-stage .text').length === 3");
    pages.choose("Vip", "Not known");
    pages.until("document.querySelectorAll('.preview-stage .text').length === 2");
    assert_eq!(pages.texts(PREVIEW), ["Always", "Reply"]);
}

#[test]
fn german_authors_write_a_comma_and_an_arabic_fact_stays_in_its_place() {
    let (server, pages) = open([item("a", "A")]);
    pages.choose("Language", "Deutsch");
    pages.click("„A“ bearbeiten");
    pages.click("Bedingung hinzufügen");
    focus_is_on(&pages, "-when-1-fact");
    pages.browser.keys("الأولوية");
    pages.choose("Vergleich", "ist mindestens");
    pages.fill("Wert", "1.500");
    pages.click("Entwurf speichern");
    pages.says("Geben Sie eine Zahl ein, zum Beispiel 4 oder 2,5.");
    pages.fill("Wert", "2,5");
    pages.says("Bedingung: الأولوية ist mindestens 2,5");
    pages.click("Entwurf speichern");
    pages.says("Entwurf von Version 2");
    let load = json!({ "Fact": "الأولوية", "AtLeast": 2.5 });
    assert_eq!(draft(&server)["Items"][0]["When"], load);
    pages.click("Mit Fakten ausprobierenZeigt nur, was gilt.");
    pages.fill("الأولوية", "2,6");
    pages.until("document.querySelectorAll('.preview-stage .text').length === 1");
    pages.fill("الأولوية", "2,4");
    pages.until("document.querySelectorAll('.preview-stage .text').length === 0");
}

#[test]
fn a_condition_that_is_written_while_somebody_publishes_is_not_lost() {
    let (server, pages) = open([item("a", "A")]);
    pages.click("Edit “A”");
    pages.click("Add condition");
    focus_is_on(&pages, "-when-1-fact");
    pages.browser.keys("Vip");
    pages.choose("Comparison", "is known");
    publish(&server, &fragment("f", [item("a", "Other")]));
    pages.click("Save draft");
    pages.asks();
    pages.click_in_dialog("Overwrite with my version");
    pages.says("Draft of version 3");
    let known = json!({ "Fact": "Vip", "Present": true });
    assert_eq!(draft(&server)["Items"][0]["When"], known);
}
