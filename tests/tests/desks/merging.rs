//! Tickets of Request Tracker that are merged: the list of the ticket that remains decides, and that of the
//! other one can still be read.

use checklist_tests::browser::Browser;
use checklist_tests::service_desk::request_tracker::{RequestTracker, TEMPLATE};
use checklist_tests::{Place, until};
use serde_json::json;

const ITEMS: [&str; 2] = ["Ask the owner", "Tell the owner"];

#[test]
fn a_merged_tickets_list_can_be_read_and_the_other_one_decides() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let (twin, ticket) = (tracker.ticket("Printer"), tracker.ticket("The printer"));
    let place = |id: u64| Place::new("ticket", &id.to_string()).from_template(TEMPLATE);
    let of_twin = tracker.checklists.admin(&place(twin));
    of_twin.tick(ITEMS[0]);
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    browser.open(&format!(
        "{}/Ticket/ModifyLinks.html?id={twin}",
        tracker.url
    ));
    browser.script(
        "document.querySelector(`[name='${arguments[0]}-MergeInto']`).value = arguments[1];",
        &[json!(twin), json!(ticket)],
    );
    browser.click("document.querySelector('form[name=ModifyLinks] [name=SubmitTicket]')");
    browser.until("document.readyState === 'complete' && document.body.innerText.includes('Merge Successful')");
    // It happens to the list that nobody works with any more, and is in the history all the same.
    of_twin.tick(ITEMS[1]);

    tracker.open_ticket(&browser, ticket);
    let list = browser.control(&format!("checklist-control[object-id=\"{ticket}\"]"));
    list.shows(&ITEMS);
    let merged = browser.control(&format!("checklist-control[object-id=\"{twin}\"]"));
    merged.says("Completed");
    browser.click(&format!("document.querySelector('checklist-control[object-id=\"{twin}\"]').shadowRoot.querySelector('.compact')"));
    merged.becomes_checked(ITEMS[0], true);
    assert_eq!(
        merged.value("[...__probe.root(§).querySelectorAll('input[type=checkbox]')].every((box) => box.disabled || box.ariaDisabled === 'true' || box.getAttribute('aria-disabled') === 'true')"),
        json!(true)
    );
    let refusal = tracker.resolve_on_page(&browser, ticket);
    assert!(
        refusal.contains("The checklist is not completed"),
        "{refusal}"
    );

    tracker.open_ticket(&browser, ticket);
    list.tick(ITEMS[0]);
    list.tick(ITEMS[1]);
    list.settles();
    let said = tracker.resolve_on_page(&browser, ticket);
    assert!(said.contains("resolved"), "{said}");
    until("the history of both", || {
        tracker.open_ticket(&browser, ticket);
        let told = "document.body.innerText.split('Checklist: completed').length - 1";
        (browser.value(told) == json!(2)).then_some(())
    });
    browser.is_untroubled();
}
