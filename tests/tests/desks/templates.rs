//! Which template a list is begun with: that of the queue or the tracker, whatever a person with the
//! right to edit asks the desk or the checklist server for.

use checklist_tests::browser::Browser;
use checklist_tests::service_desk::checklists::Checklists;
use checklist_tests::service_desk::redmine::{self, Redmine};
use checklist_tests::service_desk::request_tracker::{self, RequestTracker};
use checklist_tests::{API, Place};
use serde_json::{Value, json};

const ITEMS: [&str; 2] = ["Ask the owner", "Tell the owner"];

/// Tries to begin a list with a template that asks for less, as somebody whose browser asks the desk
/// for a token at `token_address` and then calls the server; works with the list afterwards.
#[track_caller]
fn cannot_begin_with_less(
    browser: &Browser,
    checklists: &Checklists,
    token_address: &str,
    place: &Place,
    template: &str,
) {
    checklists.publish("any", "smile", &["Smile"]);
    let easy = place.clone().from_template("smile").context();
    let call = |name: &str, mut body: Value| {
        body["Context"] = easy.clone();
        browser.script(
            "const [tokenAddress, address, body] = arguments;\
             const post = (address, body, headers) => fetch(address, { method: 'POST', body: JSON.stringify(body),\
               headers: { 'Content-Type': 'application/json', ...headers } });\
             return post(tokenAddress, { Contexts: [body.Context] }).then((answer) => answer.json())\
               .then(({ Token }) => post(address, body, { Authorization: `Bearer ${Token}` }))\
               .then(async (answer) => [answer.status, await answer.json()]);",
            &[
                json!(token_address),
                json!(format!("{}{API}/{name}", checklists.url())),
                body,
            ],
        )
    };
    for (name, body) in [
        ("AddItems", json!({ "Items": [{ "Text": "Done already" }] })),
        ("RefreshItemsOnTemplateChange", json!({})),
        ("GetItems", json!({})),
    ] {
        let answer = call(name, body);
        assert_eq!(answer[0], 403, "{name}: {answer}");
        assert_eq!(
            answer[1]["Errors"][0]["Pointer"], "/Context/TemplateId",
            "{name}: {answer}"
        );
    }
    let admin = checklists.admin(place);
    assert_eq!(admin.list().0["Revision"], 0, "nothing was begun");

    let list = browser.control("checklist-control");
    list.shows(&ITEMS);
    list.tick(ITEMS[0]);
    list.settles();
    let begun = admin.list();
    assert_eq!(begun.0["TemplateId"], json!(template));
    let moved = call("RefreshItemsOnTemplateChange", json!({}));
    assert_eq!(moved[0], 403, "{moved}");
}

#[test]
fn whoever_may_edit_a_ticket_begins_its_list_with_the_template_of_its_queue_alone() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    tracker.open_ticket(&browser, ticket);
    cannot_begin_with_less(
        &browser,
        &tracker.checklists,
        "/Helpers/ChecklistControl/Token",
        &Place::new("ticket", &ticket.to_string()),
        request_tracker::TEMPLATE,
    );
}

#[test]
fn whoever_may_edit_an_issue_begins_its_list_with_the_template_of_its_tracker_alone() {
    let redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    let browser = Browser::start();
    redmine.sign_in(&browser, "petra");
    redmine.open_issue(&browser, issue);
    cannot_begin_with_less(
        &browser,
        &redmine.checklists,
        &format!("/checklist_control/issues/{issue}/token"),
        &Place::new(redmine::OBJECT_TYPE, &issue.to_string()),
        redmine::TEMPLATE,
    );
}
