//! Webhooks say only that something has happened: the desks read what it was from the journal, from where
//! they have read it last. So a webhook that is late, lost or repeated leaves the same history.

use checklist_shared::Timestamp;
use checklist_tests::browser::Browser;
use checklist_tests::host::now;
use checklist_tests::service_desk::redmine::{self, Redmine};
use checklist_tests::service_desk::request_tracker::{self, RequestTracker};
use checklist_tests::{Place, until};
use serde_json::json;

const ITEMS: [&str; 3] = ["Ask the owner", "Move the mailbox", "Tell the owner"];

#[test]
fn what_happened_while_request_tracker_was_away_comes_with_the_next_webhook() {
    let mut tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let place = Place::new("ticket", &ticket.to_string()).from_template(request_tracker::TEMPLATE);
    let admin = tracker.checklists.admin(&place);
    let kind = json!({ "Classes": ["UnitOfWork", "ChecklistItem"], "AlwaysJournal": true });
    admin.put("Types/ticket", &kind).ok();
    admin.tick(ITEMS[0]);
    until("the first to be told", || {
        (tracker.history(ticket).len() == 1).then_some(())
    });
    tracker.stop();
    admin.tick(ITEMS[1]);
    tracker.start();
    admin.tick(ITEMS[2]);
    let of_items = || {
        let history = tracker.history(ticket);
        let told = history.into_iter().map(|(_, what)| what);
        let told: String = told
            .filter(|what| what != "Completed")
            .collect::<Vec<_>>()
            .join("; ");
        told
    };
    let all = format!("Checked {}; Checked {}; {}", ITEMS[0], ITEMS[1], ITEMS[2]);
    let one_by_one = format!(
        "Checked {}; Checked {}; Checked {}",
        ITEMS[0], ITEMS[1], ITEMS[2]
    );
    until("the rest to be told in its order", || {
        [&all, &one_by_one].contains(&&of_items()).then_some(())
    });
}

#[test]
fn what_happened_while_redmine_was_away_comes_with_the_next_webhook() {
    let mut redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    let place =
        Place::new(redmine::OBJECT_TYPE, &issue.to_string()).from_template(redmine::TEMPLATE);
    let admin = redmine.checklists.admin(&place);
    admin.tick(ITEMS[0]);
    let tells = |redmine: &Redmine, count: usize| {
        until("the history", || {
            let notes: String = redmine
                .history(issue)
                .into_iter()
                .map(|(_, notes)| notes)
                .collect();
            let at: Option<Vec<usize>> =
                ITEMS[..count].iter().map(|text| notes.find(text)).collect();
            at.is_some_and(|at| at.is_sorted()).then_some(())
        });
    };
    tells(&redmine, 1);
    redmine.stop();
    admin.tick(ITEMS[1]);
    redmine.start();
    admin.tick(ITEMS[2]);
    tells(&redmine, 3);
}

#[test]
fn a_note_of_redmine_that_comes_late_has_the_time_of_what_it_tells() {
    let mut redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    let place =
        Place::new(redmine::OBJECT_TYPE, &issue.to_string()).from_template(redmine::TEMPLATE);
    let admin = redmine.checklists.admin(&place);
    redmine.stop();
    admin.tick(ITEMS[0]);
    redmine.start();
    for text in &ITEMS[1..] {
        admin.tick(text);
    }
    let to_the_second = |time: &str| time.get(..19).unwrap_or_default().to_owned();
    let happened: Vec<String> = admin
        .journal()
        .iter()
        .map(|entry| to_the_second(entry["From"].as_str().unwrap_or_default()))
        .collect();
    assert!(!happened.is_empty());
    let times = until(
        "the notes of all entries, and that of the completion",
        || {
            let times = redmine.times_of_notes(issue);
            (times.len() > happened.len()).then_some(times)
        },
    );
    let times: Vec<String> = times.iter().map(|time| to_the_second(time)).collect();
    for time in &happened {
        assert!(times.contains(time), "{time}: {times:?}");
    }
}

#[test]
fn a_transaction_of_request_tracker_that_comes_late_says_when_it_happened() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let present = Timestamp::from_millis(now().cast_signed() * 1_000);
    for (kind, time) in [
        ("completed", json!("2020-01-02T12:00:00.250Z")),
        ("reopened", json!(present)),
    ] {
        let context =
            json!({ "ObjectType": "ticket", "ObjectId": ticket.to_string(), "Purpose": "" });
        let event = json!({
            "type": format!("checklist.{kind}"), "timestamp": time, "data": { "Id": kind, "Context": context }
        });
        let taken = tracker.perl(&format!(
            "require RT::Extension::ChecklistControl::History;\
             print RT::Extension::ChecklistControl::History->take('{kind}', q({event}));"
        ));
        assert_eq!(taken, "204");
    }
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    tracker.open_ticket(&browser, ticket);
    let says = |text: &str| {
        format!(
            "document.querySelector('.history-container, #ticket-history, .history').innerText.includes('{text}')"
        )
    };
    browser.until(&says("Checklist: completed (happened Thu Jan 02"));
    browser.until(&says("Checklist: open again"));
    assert_eq!(
        browser.value(&says("Checklist: open again (")),
        json!(false)
    );
}
