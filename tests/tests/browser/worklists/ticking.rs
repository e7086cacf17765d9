//! What a person finds, ticks and loads.

use checklist_tests::browser::{Keys, Stage};
use checklist_tests::incident;
use checklist_tests::template::{item, with};
use serde_json::json;

use super::*;

#[test]
fn my_items_of_all_lists_are_ticked_where_they_stand_and_taken_back() {
    let stage = stage();
    let one = anna(
        &stage,
        "1",
        json!([due("Call back", "2020-01-02"), mine("Order")]),
    );
    let two = anna(
        &stage,
        "2",
        json!([due("Deliver", "2020-01-01"), { "Text": "Not mine" }]),
    );
    let work = worklist(&stage, "");
    work.shows(&["Deliver", "Call back", "Order"]);
    assert_eq!(work.value(TITLE), json!("Assigned to me"));
    assert_eq!(work.value(OBJECTS), json!(["2", "1", "1"]));
    work.says("Overdue since Jan 2, 2020");

    work.tick("Call back");
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(one.list().status("Call back"), "Done");
    // It stays where it was, so that nothing moves under the pointer.
    work.shows(&["Deliver", "Call back", "Order"]);
    work.tick("Call back");
    work.until("__probe.said(§).includes('Open again.')");
    assert_eq!(one.list().status("Call back"), "Open");
    work.tick("Deliver");
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(two.list().status("Deliver"), "Done");
    assert_eq!(
        told(&stage),
        json!([
            "before-checklist-check check 1 Done",
            "checklist-change check 1 Done",
            "before-checklist-check uncheck 1 Open",
            "checklist-change uncheck 1 Open",
            "before-checklist-check check 2 Done",
            "checklist-change check 2 Done",
        ])
    );
    work.property("refresh()");
    work.shows(&["Call back", "Order"]);
    assert_eq!(stage.browser.violations(), json!([]));
    stage.browser.is_untroubled();
}

#[test]
fn the_keyboard_alone_reaches_every_row_and_ticks_it() {
    let stage = stage();
    let one = anna(
        &stage,
        "1",
        json!([due("Call back", "2020-01-02"), mine("Order")]),
    );
    let work = worklist(&stage, "");
    work.shows(&["Call back", "Order"]);
    stage.browser.press(Keys::Tab);
    work.until("__probe.focusRow() === 'Call back'");
    stage.browser.press(Keys::Down);
    work.until("__probe.focusRow() === 'Order'");
    stage.browser.keys(" ");
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(one.list().status("Order"), "Done");
    // The focus has stayed, and the object comes next.
    work.until("__probe.focusRow() === 'Order'");
    stage.browser.press(Keys::Tab);
    work.until("__probe.active() === 'button Open 1'");
    stage.browser.press(Keys::Enter);
    stage.browser.until("told.includes('checklist-open  1')");
    stage.browser.is_untroubled();
}

#[test]
fn it_speaks_the_language_of_its_page_and_not_that_of_the_browser() {
    let stage = stage();
    anna(&stage, "1", json!([due("Call back", "2020-01-02")]));
    let work = worklist(&stage, "lang='de-AT'");
    work.says("Überfällig seit");
    assert_eq!(work.value(TITLE), json!("Mir zugewiesen"));
    work.property("setAttribute('lang', 'ar')");
    work.until(&format!("{TITLE} === 'المسند إليّ'"));
    work.until("__probe.root(§).querySelector('.card').dir === 'rtl'");
    stage.browser.is_accessible("#work", "from right to left");
    stage.browser.is_untroubled();
}

#[test]
fn on_a_slow_line_a_tick_shows_at_once_and_is_sent_once() {
    let stage = stage();
    let one = anna(&stage, "1", json!([mine("Call back")]));
    let work = worklist(&stage, "");
    work.shows(&["Call back"]);
    stage.browser.delay_network(400);
    // By a script, because the driver waits until the answer is there.
    let seen = work.value(
        "(async () => { const row = __probe.row(§, 'Call back'); const box = row.querySelector('.box');\
           const look = async () => { box.click(); await new Promise((go) => setTimeout(go, 50));\
             return [box.checked, row.classList.contains('pending')]; };\
           return [await look(), await look()]; })()",
    );
    // Who clicks again while it is on its way changes nothing.
    assert_eq!(seen, json!([[true, true], [true, true]]));
    work.until("!__probe.row(§, 'Call back').classList.contains('pending')");
    assert!(work.checked("Call back"));
    assert_eq!(told(&stage).as_array().map(Vec::len), Some(2));
    let list = one.list();
    assert_eq!(list.status("Call back"), "Done");
    work.property("refresh()");
    work.until(&format!("{BUSY} === 'true'"));
    work.until(&format!("{BUSY} === 'false'"));
    work.says("Nothing is assigned to you");
    stage.browser.offline(false);
    stage.browser.is_untroubled();
}

#[test]
fn a_token_for_one_list_shows_that_list_alone() {
    let stage = stage();
    let one = anna(&stage, "1", json!([mine("Call back")]));
    anna(&stage, "2", json!([mine("Deliver")]));
    let work = open(&stage, "", NARROW);
    work.shows(&["Call back"]);
    work.tick("Call back");
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(one.list().status("Call back"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn a_control_on_the_same_page_does_not_narrow_it() {
    let stage = stage();
    anna(&stage, "1", json!([mine("Call back")]));
    anna(&stage, "2", json!([mine("Deliver")]));
    let base = stage.server.base_url();
    let token = format!("token-url='{}/token'", stage.host.origin);
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<script type='module' src='{base}/control/checklist-worklist.js'></script>\
         <checklist-control id='list' {bound}></checklist-control>\
         <checklist-worklist id='work' base-url='{base}' {token}></checklist-worklist>"
    ));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Call back"]);
    let work = stage.browser.control("#work");
    work.shows(&["Call back", "Deliver"]);
    work.tick("Call back");
    work.until("__probe.said(§).includes('Checked.')");
    // The control hears of it by its stream.
    control.becomes_checked("Call back", true);
    stage.browser.is_untroubled();
}

#[test]
fn what_takes_two_people_or_is_locked_says_so_and_is_not_ticked() {
    let stage = Stage::with([
        with(item("b", "Both"), json!({ "SecondPerson": true })),
        item("c", "Close"),
    ]);
    let anna = stage.server.as_owner("Anna").on(&incident("1"));
    for text in ["Both", "Close"] {
        anna.change(text, json!({ "Assignee": petra() }));
    }
    let work = worklist(&stage, "href='/desk/{ObjectType}/{ObjectId}#{ItemId}'");
    work.shows_item("Close");
    work.says("Takes two people and is confirmed in the checklist.");
    work.tick("Both");
    assert_eq!(told(&stage), json!([]), "nothing was even asked");
    assert!(!work.checked("Both"));
    let id = anna.list().id("Both");
    assert_eq!(
        work.value("__probe.row(§, 'Both').querySelector('a').getAttribute('href')"),
        json!(format!("/desk/incident/1#{id}"))
    );
    anna.lock("Closed for today");
    work.property("refresh()");
    work.says("The checklist is locked.");
    work.tick("Close");
    assert_eq!(anna.list().status("Close"), "Open");
    stage.browser.is_untroubled();
}

#[test]
fn what_programs_propose_is_found_and_can_be_ticked() {
    let stage = stage();
    let anna = anna(&stage, "1", json!([mine("Call back"), mine("Order")]));
    let admin = stage.server.as_admin().on(&incident("1"));
    let program = admin.program("Finch", &["checker"]);
    let proposed =
        json!([{ "Id": program.id("Order"), "Status": "Done", "Reason": "It was ordered" }]);
    program
        .call("ProposeItems", json!({ "Items": proposed }))
        .ok();
    let work = worklist(&stage, "proposed");
    work.shows(&["Order"]);
    work.says("Finch proposes: Done");
    work.says("It was ordered");
    work.tick("Order");
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(anna.list().status("Order"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn a_page_may_forbid_a_tick_and_show_objects_itself() {
    let stage = stage();
    let one = anna(&stage, "A/7 & 8", json!([mine("Call back")]));
    let work = worklist(&stage, "href='/desk/{ObjectId}'");
    work.shows(&["Call back"]);
    stage
        .browser
        .script("window.forbidden = 'before-checklist-check';", &[]);
    work.tick("Call back");
    work.becomes_checked("Call back", false);
    stage.browser.until("told.length === 1");
    assert_eq!(one.list().status("Call back"), "Open");
    assert_eq!(
        work.value("__probe.root(§).querySelector('a.object').getAttribute('href')"),
        json!("/desk/A%2F7%20%26%208")
    );
    stage
        .browser
        .script("window.forbidden = 'checklist-open';", &[]);
    stage
        .browser
        .click("__probe.root('#work').querySelector('a.object')");
    stage
        .browser
        .until("told.includes('checklist-open  A/7 & 8')");
    assert_eq!(stage.browser.value("location.pathname"), json!("/"));
    stage.host.serve(
        "/desk/A%2F7%20%26%208",
        "text/html",
        "<title>The object</title>",
    );
    stage.browser.script("window.forbidden = '';", &[]);
    stage
        .browser
        .click("__probe.root('#work').querySelector('a.object')");
    stage.browser.until("document.title === 'The object'");
}

#[test]
fn a_server_that_is_gone_is_told_and_tried_again() {
    let stage = stage();
    let one = anna(&stage, "1", json!([mine("Call back")]));
    let work = worklist(&stage, "");
    work.shows(&["Call back"]);
    stage.browser.cut_off(&["*/api/Vendor/*"]);
    work.tick("Call back");
    work.says("The server cannot be reached. Nothing was changed.");
    work.becomes_checked("Call back", false);
    work.property("refresh()");
    work.says("This list may be out of date.");
    // What was read stays.
    work.shows(&["Call back"]);
    stage.browser.cut_off(&[]);
    work.click("Try again");
    work.until("!__probe.text(§).includes('out of date')");
    work.tick("Call back");
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(one.list().status("Call back"), "Done");

    stage.browser.cut_off(&["*/api/Vendor/*"]);
    work.property("setAttribute('assignee', '*')");
    work.says("The open items could not be loaded.");
    stage.browser.is_accessible("#work", "without a server");
    stage.browser.cut_off(&[]);
    work.click("Try again");
    work.shows_item("Ask");
    stage
        .browser
        .until("told.filter((one) => one.includes('Network')).length === 3");
}

#[test]
fn an_empty_list_says_what_would_be_there() {
    let stage = stage();
    let work = worklist(&stage, "");
    work.says("Nothing is assigned to you");
    work.says("A typed name is not enough");
    work.property("setAttribute('assignee', 'Nobody Knows')");
    work.says("Nothing open is assigned to Nobody Knows");
    work.says("The ID has to be exactly the one in the items");
    assert_eq!(work.value(TITLE), json!("Assigned to Nobody Knows"));
    work.property("toggleAttribute('late')");
    work.says("Nothing open is assigned to Nobody Knows");
    work.property("setAttribute('assignee', '*')");
    work.says("Nothing is overdue");
    work.property("toggleAttribute('late')");
    work.says("Nothing is open");
    stage.browser.is_accessible("#work", "empty");
    stage.browser.is_untroubled();
}

#[test]
fn hundred_and_twenty_items_are_loaded_page_by_page_without_losing_the_place() {
    let stage = stage();
    let texts: Vec<String> = (1..=120).map(|n| format!("Item {n:03}")).collect();
    // Without a due date their order is chance.
    let days = (0..).map(|n| format!("2031-{:02}-{:02}", 1 + n / 28, 1 + n % 28));
    let items: Vec<Value> = (texts.iter().zip(days))
        .map(|(text, day)| due(text, &day))
        .collect();
    anna(&stage, "1", json!(items));
    let work = worklist(&stage, "limit='50'");
    let count = "__probe.rows(§).length";
    work.until(&format!("{count} === 50"));
    work.click("Load more");
    work.until(&format!("{count} === 100"));
    // Who works by keyboard goes on where the new rows begin.
    work.until("__probe.root(§).activeElement === __probe.root(§).querySelectorAll('.box')[50]");
    work.until("__probe.said(§).includes('50 more items loaded.')");
    work.tick("Item 075");
    work.until("__probe.said(§).includes('Checked.')");
    work.property("refresh()");
    // As many as before, without the one that is done.
    work.until("!__probe.row(§, 'Item 075')");
    assert_eq!(work.value(count), json!(100));
    work.click("Load more");
    work.until(&format!("{count} === 119"));
    assert!(!work.buttons().iter().any(|name| name == "Load more"));
    stage.browser.is_untroubled();
}

#[test]
fn filters_narrow_it_and_follow_their_attributes() {
    let stage = stage();
    anna(
        &stage,
        "1",
        json!([due("Call back", "2020-01-02"), mine("Order"), { "Text": "Ben's", "Assignee": "Ben" }]),
    );
    let handover = incident("1").for_purpose("handover");
    let other = stage.server.as_owner("Anna").on(&handover);
    other.add_items(json!([mine("Hand over")]));
    let work = worklist(&stage, "late");
    work.shows(&["Call back"]);
    work.property("late = false");
    work.shows(&["Call back", "Order", "Hand over"]);
    work.property("purpose = 'handover'");
    work.shows(&["Hand over"]);
    work.property("purpose = ''");
    work.property("template = 'f'");
    work.shows(&["Call back", "Order"]);
    work.property("template = 'other'");
    work.says("Nothing is assigned to you");
    work.property("template = ''");
    work.property("text = 'BACK call'");
    work.shows(&["Call back"]);
    work.property("text = 'nothing of the kind'");
    work.says("No open item has these words");
    work.property("text = ''");
    work.property("assignee = 'Ben'");
    work.shows(&["Ben's"]);
    work.property("objectType = 'task'");
    work.says("Nothing open is assigned to Ben");
    stage.browser.is_untroubled();
}

#[test]
fn it_fits_a_phone_and_is_accessible_in_both_schemes() {
    let stage = stage();
    let long = "Answer the supplier of the emergency power supply about the inspection report";
    anna(
        &stage,
        "INC-20418-with-a-rather-long-identifier-of-a-platform",
        json!([due(long, "2020-01-02")]),
    );
    let work = worklist(&stage, "assignee='*'");
    work.shows_item(long);
    stage.browser.is_accessible_in_every_scheme("#work");
    stage.browser.resize(320, 720);
    stage.browser.fits_its_window();
    let (box_of, link) = (
        "__probe.reach(__probe.root(§).querySelector('.box'))",
        "__probe.reach(__probe.root(§).querySelector('.object'))",
    );
    for target in [box_of, link] {
        let reach = work.value(target);
        assert!(reach["height"].as_f64() >= Some(24.0), "{target}: {reach}");
    }
    stage.browser.is_untroubled();
}

#[test]
fn words_of_the_page_take_the_place_of_those_it_shares_with_the_control() {
    let stage = stage();
    anna(&stage, "1", json!([due("Call back", "2020-01-02")]));
    let words = "addEventListener('DOMContentLoaded', () => { \
        document.querySelector('#work').messages = { late: 'Too late since {when}' }; });";
    let token = format!("token-url='{}/token'", stage.host.origin);
    let work = open(&stage, &token, words);
    work.shows(&["Call back"]);
    work.says("Too late since");
    stage.browser.is_untroubled();
}
