//! People whose language at the desk is German: the extension speaks German wherever it speaks, and so
//! does the control. Whoever has a language that the extension does not know reads English.

use checklist_tests::browser::Browser;
use checklist_tests::service_desk::redmine::{CLOSED, Redmine};
use checklist_tests::service_desk::request_tracker::RequestTracker;
use checklist_tests::until;
use reqwest::Method;
use serde_json::{Value, json};

const ITEMS: [&str; 7] = [
    "Melder fragen",
    "Drucker prüfen",
    "Papier nachlegen",
    "Toner prüfen",
    "Testseite drucken",
    "Melder informieren",
    "Lager informieren",
];
const CONTROL: &str = "checklist-control";

/// What the page shows.
#[track_caller]
fn says(browser: &Browser, selector: &str, text: &str) {
    browser.until(&format!(
        "[...document.querySelectorAll('{selector}')].some((one) => one.innerText.includes({}))",
        json!(text)
    ));
}

#[test]
fn request_tracker_speaks_german_to_germans_and_english_to_others() {
    let mut tracker = RequestTracker::with_checklists(&ITEMS);
    tracker.perl(
        "for ( [ ada => 'de' ], [ root => 'de' ], [ bob => 'fr' ] ) {\n\
           my $user = RT::User->new( RT->SystemUser ); $user->Load( $_->[0] ); $user->SetLang( $_->[1] );\n\
         }",
    );
    let ticket = tracker.ticket("Der Drucker hat kein Papier");
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    tracker.open_ticket(&browser, ticket);
    says(&browser, ".checklist-control-box", "Checkliste");
    let list = browser.control(CONTROL);
    list.shows(&ITEMS);
    list.says("0 von 7 erledigt");
    list.tick(ITEMS[0]);
    list.settles();
    until("the history", || {
        (tracker.history(ticket).len() == 1).then_some(())
    });
    tracker.open_ticket(&browser, ticket);
    says(&browser, "body", "Checkliste: Melder fragen abgehakt");

    let refusal = tracker.resolve_on_page(&browser, ticket);
    let german = "Die Checkliste ist nicht abgeschlossen. Noch offen: Drucker prüfen; Papier nachlegen; \
                  Toner prüfen; Testseite drucken; Melder informieren und 1 weitere";
    assert!(refusal.contains(german), "{refusal}");
    browser.open(&format!(
        "{}/Search/Results.html?Query=id%3D{ticket}&Format=id%2CChecklist",
        tracker.url
    ));
    says(&browser, "table.ticket-list", "Checkliste");

    tracker.sign_in(&browser, "bob");
    tracker.open_ticket(&browser, ticket);
    browser.control(CONTROL).says("1 sur 7");
    says(&browser, "body", "Checklist: checked Melder fragen");
    let refusal = tracker.resolve_on_page(&browser, ticket);
    assert!(
        refusal.contains("The checklist is not completed. Still open: ")
            && refusal.contains(" and 1 more"),
        "{refusal}"
    );

    tracker.sign_in(&browser, "root");
    let address = format!("{}/Admin/Tools/ChecklistControl.html", tracker.url);
    browser.open(&address);
    for text in ["Verbindung", "API-Schlüssel", "Letzter Webhook"] {
        says(&browser, "body", text);
    }
    says(
        &browser,
        "#checklist-control-checks td",
        "Funktioniert (Antwort nach",
    );
    tracker.checklists.stop();
    browser.open(&address);
    says(
        &browser,
        "#checklist-control-checks td",
        "Der Checklisten-Server antwortet nicht.",
    );
    tracker.sign_in(&browser, "ada");
    let refusal = tracker.resolve_on_page(&browser, ticket);
    assert!(
        refusal.contains(
            "Der Status bleibt, wie er ist, weil die Checkliste nicht gelesen werden kann: \
             Der Checklisten-Server antwortet nicht."
        ),
        "{refusal}"
    );
}

#[test]
fn redmine_speaks_german_to_germans_and_english_to_others() {
    let redmine = Redmine::with_checklists(&ITEMS);
    redmine.ruby(
        "{ 'petra' => 'de', 'admin' => 'de', 'bob' => 'fr' }.each { |login, language| User.find_by(login: login).update!(language: language) }",
    );
    let issue = redmine.issue("Der Drucker hat kein Papier");
    let browser = Browser::start();
    redmine.sign_in(&browser, "petra");
    redmine.open_issue(&browser, issue);
    says(&browser, "#checklist", "Checkliste");
    let list = browser.control(CONTROL);
    list.shows(&ITEMS);
    list.says("0 von 7 erledigt");
    let german = "In der Checkliste sind 7 Punkte offen: Melder fragen; Drucker prüfen; Papier nachlegen; \
                  Toner prüfen; Testseite drucken und 2 weitere";
    browser.open(&format!(
        "{}/issues/bulk_edit?ids[]={issue}&issue[status_id]={CLOSED}",
        redmine.url
    ));
    browser.click("document.querySelector('#bulk_edit_form [type=submit]')");
    says(&browser, "#errorExplanation", german);
    let list_of_issues = format!(
        "{}/issues?set_filter=1&c[]=subject&c[]=checklist_progress",
        redmine.url
    );
    browser.open(&list_of_issues);
    says(&browser, "th.checklist_progress", "Checkliste");

    redmine.sign_in(&browser, "bob");
    redmine.open_issue(&browser, issue);
    says(&browser, "#checklist", "Checklist");
    browser.control(CONTROL).says("0 sur 7");
    let refusal = redmine.set_status("bob", issue, CLOSED);
    assert!(
        refusal.text().contains("The checklist has 7 open items: "),
        "{}",
        refusal.text()
    );
    browser.open(&list_of_issues);
    says(&browser, "th.checklist_progress", "Checklist");

    redmine.sign_in(&browser, "admin");
    browser.open(&format!("{}/checklist_control/settings", redmine.url));
    for text in ["Checklisten-Server", "Vorlagen je Tracker", "Mandant"] {
        says(&browser, "#checklist-settings", text);
    }
    browser.click("document.querySelector('#checklist-test')");
    says(&browser, "#flash_notice", "Die Verbindung funktioniert.");
    let read = redmine.rest(
        "petra",
        Method::GET,
        &format!("/issues/{issue}.json"),
        &Value::Null,
    );
    assert_eq!(read.json()["issue"]["status"]["id"], json!(1));
}
