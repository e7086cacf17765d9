//! Several tickets or issues at once: those whose list is completed get the status, the others keep theirs,
//! and the page says of each why.

use checklist_tests::Place;
use checklist_tests::browser::Browser;
use checklist_tests::service_desk::checklists::Checklists;
use checklist_tests::service_desk::redmine::{self, CLOSED, Redmine};
use checklist_tests::service_desk::request_tracker::{self, RequestTracker};

const ITEMS: [&str; 2] = ["Ask the owner", "Tell the owner"];

#[track_caller]
fn complete(checklists: &Checklists, object_type: &str, id: u64, template: &str) {
    let place = Place::new(object_type, &id.to_string()).from_template(template);
    let admin = checklists.admin(&place);
    for text in ITEMS {
        admin.tick(text);
    }
}

#[test]
fn a_bulk_update_of_request_tracker_resolves_the_tickets_whose_list_is_completed() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    tracker.perl(
        "my $user = RT::User->new( RT->SystemUser ); $user->Load('ada');\n\
         $user->PrincipalObj->GrantRight( Object => RT->System, Right => 'ShowSearchBulkUpdate' );",
    );
    let tickets: Vec<u64> = (1..=3)
        .map(|number| tracker.ticket(&format!("Printer {number}")))
        .collect();
    complete(
        &tracker.checklists,
        "ticket",
        tickets[1],
        request_tracker::TEMPLATE,
    );
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    let found = format!(
        "{}/Search/Results.html?Query=Queue%3D%27General%27",
        tracker.url
    );
    let resolve_all = || {
        browser.open(&found);
        // RT asks whoever comes from elsewhere whether that is meant.
        browser.click("document.querySelector('#page-navigation a[href*=\"/Search/Bulk.html\"], a[href*=\"/Search/Bulk.html\"]')");
        browser
            .until("document.readyState === 'complete' && !!document.querySelector('#BulkUpdate')");
        browser.script(
            "const form = document.querySelector('#BulkUpdate');\
             form.querySelector('[name=Status]').value = 'resolved';\
             for (const box of form.querySelectorAll('[name=UpdateTicket]')) box.checked = true;",
            &[],
        );
        browser.click("document.querySelector('#BulkUpdate [type=submit]')");
        browser.until("document.readyState === 'complete' && !!document.querySelector('.results')");
        let said = browser.value("document.querySelector('.results').innerText");
        said.as_str().unwrap_or_default().to_owned()
    };
    let said = resolve_all();
    for ticket in [tickets[0], tickets[2]] {
        let refusal = format!(
            "Ticket {ticket}: The checklist is not completed. Still open: {}; {}",
            ITEMS[0], ITEMS[1]
        );
        assert!(said.contains(&refusal), "{said}");
        assert_eq!(tracker.status(ticket), "new");
    }
    assert_eq!(tracker.status(tickets[1]), "resolved", "{said}");

    tracker.checklists.stand_still();
    let said = resolve_all();
    tracker.checklists.go_on();
    for ticket in [tickets[0], tickets[2]] {
        let refusal = format!(
            "Ticket {ticket}: The status stays as it is, because the checklist cannot be read"
        );
        assert!(said.contains(&refusal), "{said}");
        assert_eq!(tracker.status(ticket), "new");
    }
    let errors = tracker.errors();
    assert_eq!(
        errors.matches("GetItems: ").count(),
        1,
        "it was waited for once: {errors}"
    );
}

#[test]
fn a_bulk_edit_of_redmine_closes_the_issues_whose_list_is_completed() {
    let redmine = Redmine::with_checklists(&ITEMS);
    let issues: Vec<u64> = (1..=3)
        .map(|number| redmine.issue(&format!("Mailbox {number}")))
        .collect();
    complete(
        &redmine.checklists,
        redmine::OBJECT_TYPE,
        issues[1],
        redmine::TEMPLATE,
    );
    let browser = Browser::start();
    redmine.sign_in(&browser, "bob");
    let ids: String = issues.iter().map(|id| format!("ids[]={id}&")).collect();
    browser.open(&format!(
        "{}/issues/bulk_edit?{ids}issue[status_id]={CLOSED}",
        redmine.url
    ));
    browser.click("document.querySelector('#bulk_edit_form [type=submit]')");
    browser.until("!!document.querySelector('#errorExplanation')");
    let said = browser.value("document.querySelector('#errorExplanation').innerText");
    let said = said.as_str().unwrap_or_default();
    assert!(
        said.contains("2 open items: Ask the owner; Tell the owner"),
        "{said}"
    );
    for issue in [issues[0], issues[2]] {
        assert!(said.contains(&format!("#{issue}")), "{said}");
        assert_eq!(redmine.status(issue), "New");
    }
    assert_eq!(redmine.status(issues[1]), "Closed", "{said}");

    // The menu of a list of issues.
    let closes = format!(
        "{}/issues/bulk_update?ids[]={}&issue[status_id]={CLOSED}",
        redmine.url, issues[0]
    );
    browser.script(
        "const form = document.createElement('form'); form.method = 'post'; form.action = arguments[0];\
         const token = document.createElement('input'); token.name = 'authenticity_token';\
         token.value = document.querySelector('meta[name=csrf-token]').content;\
         form.append(token); document.body.append(form); form.submit();",
        &[serde_json::json!(closes)],
    );
    browser.until("document.readyState === 'complete' && document.querySelector('#errorExplanation')?.innerText.includes('on 1 selected')");
    assert_eq!(redmine.status(issues[0]), "New");
}
