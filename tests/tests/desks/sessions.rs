//! A session of the desk that ends while somebody works with a list: what they check is kept, they read
//! what to do, and it is sent when they have signed in again in another tab.

use checklist_tests::browser::Browser;
use checklist_tests::client::{self, Http};
use checklist_tests::service_desk::checklists::Checklists;
use checklist_tests::service_desk::redmine::{self, Redmine};
use checklist_tests::service_desk::request_tracker::{self, RequestTracker};
use checklist_tests::{Place, until};
use reqwest::Method;
use serde_json::json;

const ITEMS: [&str; 2] = ["Ask the owner", "Tell the owner"];
const CONTROL: &str = "checklist-control";

/// The page's clock goes on by longer than a token lasts.
const LATER: &str = "const now = Date.now.bind(Date); Date.now = () => now() + 6 * 60 * 1000;";

/// Checks an item on a page whose session has ended, and signs in in another tab.
#[track_caller]
fn keeps_what_is_checked(
    browser: &Browser,
    checklists: &Checklists,
    place: &Place,
    sign_in: impl FnOnce(&Browser),
) {
    browser.script(LATER, &[]);
    let list = browser.control(CONTROL);
    list.tick(ITEMS[0]);
    list.says("Your sign-in could not be confirmed. You may have to sign in again, for example in another tab.");
    list.says("Unsaved changes are kept in this browser");
    list.says("Try again");
    assert_eq!(list.property("pendingCount"), json!(1));
    let admin = checklists.admin(place);
    assert_eq!(admin.list().status(ITEMS[0]), "Open");

    let here = browser.window();
    let other = browser.open_window("about:blank");
    assert_ne!(other, here);
    sign_in(browser);
    browser.close_window(&here);
    list.settles();
    list.until("!__probe.root(§).querySelector('.notice')");
    assert_eq!(admin.list().status(ITEMS[0]), "Done");
    list.tick(ITEMS[1]);
    list.settles();
    assert_eq!(admin.list().status(ITEMS[1]), "Done");
}

/// An answer to the control that arrives while somebody signs in leaves them their new session.
#[track_caller]
fn sets_no_cookie(desk: &str, token_address: &str) {
    let request = Http::to(desk).request(Method::POST, token_address);
    let answer = client::send(client::json(request, &json!({ "Contexts": [] })));
    assert_eq!(answer.status, 401);
    assert_eq!(answer.header("set-cookie"), "");
}

#[test]
fn what_is_checked_after_the_session_at_request_tracker_has_ended_is_sent_later() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    tracker.open_ticket(&browser, ticket);
    browser.control(CONTROL).shows(&ITEMS);
    browser.script(
        "return fetch('/NoAuth/Logout.html').then((answer) => answer.text());",
        &[],
    );
    let place = Place::new("ticket", &ticket.to_string()).from_template(request_tracker::TEMPLATE);
    sets_no_cookie(&tracker.url, "/Helpers/ChecklistControl/Token");
    keeps_what_is_checked(&browser, &tracker.checklists, &place, |browser| {
        tracker.sign_in(browser, "ada");
    });
    until("the history to say who it was", || {
        let history = tracker.history(ticket);
        let is_hers = history
            .iter()
            .any(|(who, what)| who == "ada" && what.contains(ITEMS[0]));
        is_hers.then_some(())
    });
}

#[test]
fn what_is_checked_after_the_session_at_redmine_has_ended_is_sent_later() {
    let redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    let browser = Browser::start();
    redmine.sign_in(&browser, "petra");
    redmine.open_issue(&browser, issue);
    browser.control(CONTROL).shows(&ITEMS);
    redmine.ruby("Token.where(action: 'session').delete_all");
    // Otherwise the browser would ask for a name and a password by itself.
    let answer = browser.script(
        "return fetch(`/checklist_control/issues/${arguments[0]}/token`, { method: 'POST', body: '{}' })\
         .then((answer) => [answer.status, answer.headers.get('WWW-Authenticate')]);",
        &[json!(issue)],
    );
    assert_eq!(answer, json!([401, null]));
    let place =
        Place::new(redmine::OBJECT_TYPE, &issue.to_string()).from_template(redmine::TEMPLATE);
    sets_no_cookie(
        &redmine.url,
        &format!("/checklist_control/issues/{issue}/token"),
    );
    keeps_what_is_checked(&browser, &redmine.checklists, &place, |browser| {
        redmine.sign_in(browser, "petra");
    });
    until("the history to say who it was", || {
        let history = redmine.history(issue);
        let is_hers = history
            .iter()
            .any(|(who, what)| who == "Petra Page" && what.contains(ITEMS[0]));
        is_hers.then_some(())
    });
}
