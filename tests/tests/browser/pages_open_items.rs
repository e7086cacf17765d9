//! The page of open items: what is mine, overdue or proposed in any checklist, done where it stands.

use checklist_tests::browser::{Keys, Pages};
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Server, asset, incident};
use serde_json::json;

#[test]
fn open_items_of_all_lists_are_ticked_and_decided_where_they_stand_by_the_keyboard() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/open-items");
    pages.is_at("Open items");
    pages.says("Nothing is assigned to you");
    let me = json!({ "Id": "administrator", "Name": "Demo administrator" });
    let format = json!({ "Type": "Number", "Unit": "°C" });
    let needs = json!({ "NeedsPerson": true, "AnswerFormat": format });
    publish(
        &server,
        &fragment("f", [with(item("a", "Release it"), needs)]),
    );
    let anna = server
        .as_editor("Anna")
        .on(&incident("INC-1").for_purpose("x"));
    anna.add_items(json!([
        { "Text": "Call <b>back</b>", "Assignee": me, "Due": "2020-01-02" },
        { "Text": "Order a disk", "Assignee": me },
        { "Text": "For somebody else", "Assignee": "Ben" },
    ]));
    let admin = server.as_admin().on(&incident("INC-2").from_template("f"));
    let program = admin.program("Finch", &["checker"]);
    let proposed = json!([{
        "Id": program.id("Release it"),
        "Status": "Done",
        "Answer": 4.5,
        "Reason": "The run is green",
    }]);
    program
        .call("ProposeItems", json!({ "Items": proposed }))
        .ok();

    pages.browser.reload();
    pages.says("Call <b>back</b>");
    let rows = "[...document.querySelectorAll('main tbody tr')].map((row) => row.querySelector('.row-link').textContent)";
    assert_eq!(
        pages.value(rows),
        json!(["Call <b>back</b>", "Order a disk"])
    );
    pages
        .browser
        .script("document.querySelector('main tbody button').focus();", &[]);
    pages.browser.press(Keys::Enter);
    pages.says("“Call <b>back</b>” is done.");
    pages.until("document.querySelectorAll('main tbody tr').length === 1");
    // The row that has taken its place has the focus now, at the same button.
    pages.until("document.activeElement === document.querySelector('main tbody button')");
    assert_eq!(anna.list().status("Call <b>back</b>"), "Done");

    pages.click("Waiting for a decision");
    pages.says("Finch proposes: done");
    pages.says("Answer: 4.5 °C");
    pages.says("The run is green");
    pages.browser.is_accessible_in_every_scheme("body");
    pages.browser.resize(320, 720);
    pages.browser.fits_its_window();
    pages.browser.resize(1280, 800);
    pages.click("Accept the proposal for “Release it”");
    pages.says("Nothing is waiting for a decision");
    assert_eq!(program.list().status("Release it"), "Done");
    assert_eq!(program.list().item("Release it")["Answer"]["Value"], 4.5);

    pages.browser.back();
    pages.says("Order a disk");
    pages.click("Overdue");
    pages.says("Nothing is overdue");
    pages.browser.is_untroubled();
}

#[test]
fn open_items_are_searched_by_words_type_and_template_and_the_address_keeps_it() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "Restart the server")]));
    let anna = server.as_owner("Anna");
    anna.on(&incident("INC-1").from_template("f"))
        .add("Restart the phone");
    anna.on(&asset("A-1").for_purpose("x"))
        .add("Restart the printer");
    let pages = Pages::of_demo(&server, "/open-items?View=All");
    let rows = |texts: &[&str]| {
        pages.until(&format!(
            "JSON.stringify([...document.querySelectorAll('main tbody .row-link')].map((one) => one.textContent).filter((text) => text.startsWith('Restart')).sort()) === JSON.stringify({})",
            json!(texts)
        ));
    };
    rows(&[
        "Restart the phone",
        "Restart the printer",
        "Restart the server",
    ]);
    pages.fill("Words in the item", "the restart");
    pages.fill("Type", "incident");
    pages.browser.press(Keys::Enter);
    rows(&["Restart the phone", "Restart the server"]);
    pages.fill("Words in the item", "phone");
    pages.browser.press(Keys::Enter);
    rows(&["Restart the phone"]);
    pages.browser.reload();
    rows(&["Restart the phone"]);
    pages.fill("Words in the item", "");
    pages.fill("Type", "");
    pages.fill("Template ID", "f");
    pages.browser.press(Keys::Enter);
    rows(&["Restart the phone", "Restart the server"]);
    pages.fill("Template ID", "none-of-this-name");
    pages.browser.press(Keys::Enter);
    rows(&[]);
    pages.browser.is_untroubled();
}

#[test]
fn after_the_last_page_the_focus_goes_on_to_the_first_row_that_it_brought() {
    let server = Server::demo();
    let me = json!({ "Id": "administrator", "Name": "Demo administrator" });
    let items: Vec<_> = (1..=51)
        .map(|n| json!({ "Text": format!("Item {n}"), "Assignee": me }))
        .collect();
    let anna = server
        .as_editor("Anna")
        .on(&incident("INC-1").for_purpose("x"));
    anna.add_items(items.into());
    let pages = Pages::of_demo(&server, "/open-items");
    let rows = "document.querySelectorAll('main tbody tr')";
    pages.until(&format!("{rows}.length === 50"));
    pages
        .browser
        .script("document.querySelector('.more button').focus();", &[]);
    pages.browser.press(Keys::Enter);
    pages.until(&format!("{rows}.length === 51"));
    pages.until(&format!("{rows}[50].contains(document.activeElement)"));
    pages.browser.is_untroubled();
}
