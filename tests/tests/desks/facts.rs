//! What a desk says of a ticket or an issue decides which items apply, on the page and when it is
//! resolved: both see the same list before anybody has begun it.

use checklist_shared::Timestamp;
use checklist_tests::Place;
use checklist_tests::browser::Browser;
use checklist_tests::service_desk::checklists::Checklists;
use checklist_tests::service_desk::redmine::{self, Redmine};
use checklist_tests::service_desk::request_tracker::{self, RequestTracker};
use checklist_tests::template::{fragment, item, publish_as, with};
use reqwest::Method;
use serde_json::{Value, json};

/// Publishes a version with an item that applies under that condition, and one for other desks.
fn publish(checklists: &Checklists, object_type: &str, template: &str, when: Value) {
    let other = json!({ "When": { "Fact": "Queue", "Is": "Somewhere else" } });
    let items = [
        item("always", "Ask the owner"),
        with(item("urgent", "Call the owner"), json!({ "When": when })),
        with(item("other", "Ask somebody else"), other),
    ];
    let admin = checklists.admin(&Place::new(object_type, "none"));
    publish_as(&admin, &fragment(template, items));
}

#[test]
fn the_list_of_a_ticket_is_what_applies_by_its_queue_and_priority() {
    let tracker = RequestTracker::with_checklists(&["Ask the owner"]);
    let urgent = json!({ "All": [
        { "Fact": "Queue", "Is": "General" },
        { "Fact": "Status", "In": ["new", "open"] },
        { "Fact": "Priority", "AtLeast": 50 },
    ] });
    publish(
        &tracker.checklists,
        "ticket",
        request_tracker::TEMPLATE,
        urgent,
    );
    let ticket = tracker.ticket("The printer is out of paper");
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    tracker.open_ticket(&browser, ticket);
    let list = browser.control("checklist-control");
    list.shows(&["Ask the owner"]);
    let path = format!("ticket/{ticket}");
    let raised = tracker.rest("ada", Method::PUT, &path, &json!({ "Priority": 60 }));
    assert_eq!(raised.status, 200, "{}", raised.text());
    let refusal = tracker.resolve_on_page(&browser, ticket);
    assert!(
        refusal.contains("Ask the owner; Call the owner"),
        "{refusal}"
    );
    tracker.open_ticket(&browser, ticket);
    list.shows(&["Ask the owner", "Call the owner"]);
    list.tick("Ask the owner");
    list.settles();
    let place = Place::new("ticket", &ticket.to_string());
    let kept = tracker.checklists.admin(&place).list();
    let mut facts = kept.0["Facts"].clone();
    let created = facts["Created"].take();
    assert_eq!(
        facts,
        json!({ "Created": null, "Priority": 60, "Queue": "General", "Status": "new" })
    );
    assert_is_a_time(&created);
}

#[test]
fn the_list_of_an_issue_is_what_applies_by_its_tracker_and_priority() {
    let redmine = Redmine::with_checklists(&["Ask the owner"]);
    let urgent = json!({ "All": [
        { "Fact": "Tracker", "Present": true },
        { "Fact": "Category", "Present": false },
        { "Fact": "Priority", "Is": "Urgent" },
    ] });
    publish(
        &redmine.checklists,
        redmine::OBJECT_TYPE,
        redmine::TEMPLATE,
        urgent,
    );
    let issue = redmine.issue("The mail server is down");
    let browser = Browser::start();
    redmine.sign_in(&browser, "petra");
    redmine.open_issue(&browser, issue);
    let list = browser.control("checklist-control");
    list.shows(&["Ask the owner"]);
    redmine.ruby(&format!(
        "issue = Issue.find({issue}); issue.priority = IssuePriority.find_or_create_by!(name: 'Urgent'); issue.save!(validate: false)"
    ));
    let refused = redmine.set_status("petra", issue, redmine::CLOSED);
    assert!(
        refused.text().contains("Ask the owner; Call the owner"),
        "{}",
        refused.text()
    );
    redmine.open_issue(&browser, issue);
    list.shows(&["Ask the owner", "Call the owner"]);
    list.tick("Ask the owner");
    list.settles();
    let place = Place::new(redmine::OBJECT_TYPE, &issue.to_string());
    let kept = redmine.checklists.admin(&place).list();
    assert_eq!(kept.0["Facts"]["Priority"], "Urgent");
    assert_eq!(kept.0["Facts"].get("Category"), None);
    assert_is_a_time(&kept.0["Facts"]["Created"]);
}

/// What due dates can count from.
fn assert_is_a_time(fact: &Value) {
    let time = fact.as_str().map(str::parse::<Timestamp>);
    assert!(time.is_some_and(|time| time.is_ok()), "{fact}");
}
