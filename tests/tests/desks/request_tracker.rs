//! The extension of Request Tracker, installed by the commands of its guide: what two people, a reader and
//! a stranger see, every way to resolve a ticket, and what happens without the checklist server, without
//! a session and without the extension.

use std::path::Path;

use checklist_tests::Place;
use checklist_tests::browser::Browser;
use checklist_tests::service_desk::ServiceDesk;
use checklist_tests::service_desk::request_tracker::RequestTracker;
use checklist_tests::until;
use reqwest::Method;
use serde_json::{Value, json};

const ITEMS: [&str; 3] = [
    "Confirm who is affected",
    "Restore the service",
    "Tell <b>the caller</b> [at once]",
];

/// The control on a ticket's page.
const CONTROL: &str = "checklist-control";

/// Ticks all items as somebody who works with the list elsewhere.
#[track_caller]
fn complete(tracker: &RequestTracker, ticket: u64) {
    let place = Place::new("ticket", &ticket.to_string()).from_template("general-request");
    let admin = tracker.checklists.admin(&place);
    for text in ITEMS {
        admin.tick(text);
    }
}

/// Waits until the history of a ticket says this of its list.
#[track_caller]
fn history_says(tracker: &RequestTracker, ticket: u64, expected: &[(&str, &str)]) {
    let mut last = Vec::new();
    let came = checklist_tests::wait::until_or_none(|| {
        last = tracker.history(ticket);
        let same = last.len() == expected.len()
            && last
                .iter()
                .zip(expected)
                .all(|(one, other)| (one.0.as_str(), one.1.as_str()) == *other);
        same.then_some(())
    });
    assert!(
        came.is_some(),
        "{last:#?} instead of {expected:#?}: {}",
        tracker.errors()
    );
}

#[test]
fn two_people_complete_the_list_of_a_ticket_and_then_resolve_it() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let (ada, bob) = (Browser::start(), Browser::start());
    tracker.sign_in(&ada, "ada");
    tracker.sign_in(&bob, "bob");
    tracker.open_ticket(&ada, ticket);
    tracker.open_ticket(&bob, ticket);
    ada.control(CONTROL).shows(&ITEMS);
    bob.control(CONTROL).shows(&ITEMS);

    ada.control(CONTROL).tick(ITEMS[0]);
    bob.control(CONTROL).becomes_checked(ITEMS[0], true);

    let refusal = tracker.resolve_on_page(&bob, ticket);
    assert!(
        refusal.contains("The checklist is not completed"),
        "{refusal}"
    );
    assert!(
        refusal.contains(ITEMS[1]) && refusal.contains(ITEMS[2]),
        "{refusal}"
    );
    assert!(!refusal.contains(ITEMS[0]), "{refusal}");
    assert_eq!(tracker.status(ticket), "new");

    let list = bob.control(CONTROL);
    list.tick(ITEMS[1]);
    list.tick(ITEMS[2]);
    list.settles();
    ada.control(CONTROL).becomes_completed();
    let said = tracker.resolve_on_page(&bob, ticket);
    assert!(said.contains("resolved"), "{said}");
    assert_eq!(tracker.status(ticket), "resolved");

    until("the history to say that the list is completed", || {
        let history = tracker.history(ticket);
        history
            .iter()
            .any(|entry| entry.1 == "Completed")
            .then_some(())
    });
    let history = tracker.history(ticket);
    let of = |name: &str| {
        let texts = history.iter().filter(|entry| entry.0 == name);
        texts
            .map(|entry| entry.1.clone())
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(of("ada"), format!("Checked {}", ITEMS[0]));
    assert!(
        of("bob").contains(ITEMS[1]) && of("bob").contains(ITEMS[2]),
        "{history:?}"
    );
    ada.reload();
    ada.until(&format!(
        "document.body.innerText.includes('Checklist: checked {}')",
        ITEMS[0]
    ));
    ada.until("document.body.innerText.includes('Checklist: completed')");
}

#[test]
fn who_may_only_see_a_ticket_reads_its_list_and_strangers_get_nothing() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let browser = Browser::start();
    tracker.sign_in(&browser, "rita");
    tracker.open_ticket(&browser, ticket);
    let list = browser.control(CONTROL);
    list.shows(&ITEMS);
    assert_eq!(list.value("[...document.querySelector(§).shadowRoot.querySelectorAll('input[type=checkbox]')].every((box) => box.disabled || box.ariaDisabled === 'true' || box.getAttribute('aria-disabled') === 'true')"), json!(true));
    let grant = |contexts: Value| {
        browser.script(
            "return fetch('/Helpers/ChecklistControl/Token', { method: 'POST', headers: { 'Content-Type': 'application/json' }, \
             body: JSON.stringify({ Contexts: arguments[0] }) }).then(async (answer) => [answer.status, await answer.json()]);",
            &[contexts],
        )
    };
    let mine = json!([{ "ObjectType": "ticket", "ObjectId": ticket.to_string(), "Purpose": "" }]);
    let answer = grant(mine.clone());
    assert_eq!(answer[0], 200);
    let claims = answer[1]["Token"]
        .as_str()
        .and_then(|token| token.split('.').nth(1))
        .expect("a token");
    assert_eq!(
        claims_of(claims)["perm"],
        json!(["Read"]),
        "whoever asks without the page"
    );
    for contexts in [
        json!([{ "ObjectType": "incident", "ObjectId": ticket.to_string() }]),
        json!([{ "ObjectType": "ticket", "ObjectId": "*" }]),
        json!([{ "ObjectType": "ticket", "ObjectId": "999" }]),
    ] {
        assert_eq!(grant(contexts)[0], 403);
    }
    assert_eq!(grant(json!([]))[0], 400);

    tracker.sign_in(&browser, "stan");
    tracker.open_ticket(&browser, ticket);
    assert_eq!(
        browser.value("document.querySelector('checklist-control') === null"),
        json!(true)
    );
    assert_eq!(grant(mine.clone())[0], 403);
    browser.open(&format!(
        "{}/Admin/Tools/ChecklistControl.html",
        tracker.url
    ));
    assert_eq!(
        browser.value("document.querySelector('#checklist-control-checks') === null"),
        json!(true)
    );

    browser.open(&format!("{}/NoAuth/Logout.html", tracker.url));
    browser.open(&format!("{}/NoAuth/Login.html", tracker.url));
    assert_eq!(grant(mine)[0], 401, "and no page to sign in");
}

fn claims_of(part: &str) -> Value {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(part);
    serde_json::from_slice(&bytes.expect("Base64")).expect("JSON")
}

#[test]
fn no_way_leads_around_the_list() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let resolved = json!({ "Status": "resolved" });
    let path = format!("ticket/{ticket}");
    let answer = tracker.rest("ada", Method::PUT, &path, &resolved);
    assert!(answer.text().contains("Still open"), "{}", answer.text());
    let answer = tracker.rest(
        "ada",
        Method::PUT,
        "tickets/bulk",
        &json!([{ "id": ticket, "Status": "resolved" }]),
    );
    assert!(answer.text().contains("Still open"), "{}", answer.text());
    let comment = json!({ "Content": "Done", "ContentType": "text/plain", "Status": "resolved" });
    let answer = tracker.rest("ada", Method::POST, &format!("{path}/comment"), &comment);
    assert!(answer.text().contains("Still open"), "{}", answer.text());
    let mail = tracker.perl(&format!(
        "RT->Config->Set( MailPlugins => 'Auth::MailFrom', 'Action::Resolve' );\n\
         require RT::Interface::Email;\n\
         my $mail = \"From: ada\\@example.org\\nSubject: [\" . RT->Config->Get('rtname') . \" #{ticket}] Done\\n\\nDone\\n\";\n\
         my @said = RT::Interface::Email::Gateway( {{ action => 'resolve', queue => 'General', message => $mail }} );\n\
         my $ticket = RT::Ticket->new( RT->SystemUser ); $ticket->Load({ticket}); print $ticket->Status;"
    ));
    assert_eq!(mail, "new", "by mail");
    let scrip = tracker.perl(&format!(
        "my $ticket = RT::Ticket->new( RT->SystemUser ); $ticket->Load({ticket});\n\
         require RT::Action::SetStatus;\n\
         my $action = RT::Action::SetStatus->new( TicketObj => $ticket, Argument => 'resolved', CurrentUser => RT->SystemUser );\n\
         $action->Prepare; $action->Commit; print $ticket->Status;"
    ));
    assert_eq!(scrip, "new", "by a scrip");
    assert_eq!(tracker.status(ticket), "new");
    let answer = tracker.rest("ada", Method::PUT, &path, &json!({ "Status": "rejected" }));
    assert!(
        answer.text().contains("rejected"),
        "a status that needs no list: {}",
        answer.text()
    );

    let other = tracker.ticket("The printer is out of toner");
    complete(&tracker, other);
    let answer = tracker.rest("ada", Method::PUT, &format!("ticket/{other}"), &resolved);
    assert!(answer.text().contains("to 'resolved'"), "{}", answer.text());

    let waived = tracker.ticket("The printer smells");
    let place = Place::new("ticket", &waived.to_string()).from_template("general-request");
    let owner = tracker.checklists.owner(&place);
    let why = json!({ "Reason": "The part comes on Monday", "LogInJournal": true });
    owner.call("Waive", why).ok();
    let answer = tracker.rest("ada", Method::PUT, &format!("ticket/{waived}"), &resolved);
    assert!(answer.text().contains("to 'resolved'"), "{}", answer.text());
    until("the history to say why it could be resolved", || {
        let history = tracker.history(waived);
        let says = |entry: &(String, String)| entry.1 == "Waived The part comes on Monday";
        history.iter().any(says).then_some(())
    });
    let may_waive = tracker.perl(&format!(
        "require RT::Extension::ChecklistControl::Token;\n\
         my $queue = RT::Queue->new( RT->SystemUser ); $queue->Load('General');\n\
         my $ada = RT::CurrentUser->new; $ada->Load('ada');\n\
         my $wish = {{ Contexts => [ {{ ObjectType => 'ticket', ObjectId => '{ticket}' }} ] }};\n\
         my $waives = sub {{\n\
             my ($answer) = RT::Extension::ChecklistControl::Token->answer( $ada, $wish );\n\
             my ( undef, $claims ) = split /\\./, $answer->{{Token}};\n\
             MIME::Base64::decode_base64url($claims) =~ /\"Waive\"/ ? 1 : 0;\n\
         }};\n\
         print $waives->();\n\
         my $user = RT::User->new( RT->SystemUser ); $user->Load('ada');\n\
         $user->PrincipalObj->GrantRight( Object => $queue, Right => 'WaiveChecklist' );\n\
         print $waives->();"
    ));
    assert_eq!(may_waive, "01", "a right of RT decides");
}

#[test]
fn a_ticket_stays_usable_without_the_checklist_server_and_has_its_list_again_after() {
    let mut tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    tracker.checklists.stop();
    tracker.open_ticket(&browser, ticket);
    browser.until("document.querySelector('checklist-control').innerText.includes('the checklist server cannot be reached')");
    let refusal = tracker.resolve_on_page(&browser, ticket);
    assert!(
        refusal.contains("the checklist server does not answer")
            || refusal.contains("The checklist server does not answer"),
        "{refusal}"
    );
    assert_eq!(tracker.status(ticket), "new");
    let answer = tracker.rest(
        "ada",
        Method::PUT,
        &format!("ticket/{ticket}"),
        &json!({ "Subject": "Still usable" }),
    );
    assert_eq!(answer.status, 200, "{}", answer.text());

    tracker.checklists.start_again();
    tracker.checklists.stand_still();
    let resolved = json!({ "Status": "resolved" });
    let path = format!("ticket/{ticket}");
    let answer = tracker.rest("ada", Method::PUT, &path, &resolved);
    assert!(
        answer.text().contains("does not answer"),
        "{}",
        answer.text()
    );
    tracker.checklists.go_on();

    tracker.open_ticket(&browser, ticket);
    let list = browser.control(CONTROL);
    list.shows(&ITEMS);
    list.tick(ITEMS[0]);
    list.settles();
    // An upgrade while the page is open: what is ticked meanwhile is sent once the server is back.
    tracker.checklists.stop();
    list.tick(ITEMS[1]);
    tracker.checklists.start_again();
    list.settles();
    history_says(
        &tracker,
        ticket,
        &[
            ("ada", &format!("Checked {}", ITEMS[0])),
            ("ada", &format!("Checked {}", ITEMS[1])),
        ],
    );

    tracker.checklists.stop();
    tracker.set(
        "WhenUnreachable   => 'refuse'",
        "WhenUnreachable   => 'allow'",
    );
    tracker.start();
    let answer = tracker.rest(
        "ada",
        Method::PUT,
        &format!("ticket/{ticket}"),
        &json!({ "Status": "resolved" }),
    );
    assert!(answer.text().contains("to 'resolved'"), "{}", answer.text());
}

#[test]
fn searches_show_the_progress_of_a_page_of_tickets_after_one_call() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let tickets: Vec<u64> = (1..=4)
        .map(|number| tracker.ticket(&format!("Printer {number}")))
        .collect();
    complete(&tracker, tickets[1]);
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    let before = tracker.checklists.answered("GetItems");
    browser.open(&format!("{}/Search/Results.html?Query=Queue%3D%27General%27&Format=id%2CSubject%2CChecklist&OrderBy=id&Order=ASC", tracker.url));
    let column = "[...document.querySelectorAll('table.ticket-list tbody tr')].map((row) => row.lastElementChild.innerText.trim()).join(' ')";
    browser.until(&format!("({column}).includes('0/3 3/3 0/3 0/3')"));
    let calls = tracker.checklists.answered("GetItems") - before;
    assert_eq!(calls, 1, "for {} tickets", tickets.len());
}

#[test]
fn webhooks_that_come_twice_or_from_others_change_nothing() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    complete(&tracker, ticket);
    let admin = tracker.checklists.admin(&Place::new("ticket", "1"));
    let deliveries = || {
        admin.about_deliveries().get("").ok()["Deliveries"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    };
    let settled = || {
        let all = deliveries();
        let done = !all.is_empty() && all.iter().all(|one| one["State"] == "Delivered");
        done.then_some(all)
    };
    let all = until("everything to be delivered", settled);
    let history = tracker.history(ticket);
    assert!(
        history.iter().any(|entry| entry.1 == "Completed"),
        "{history:?}"
    );
    for delivery in &all {
        let id = delivery["Id"].as_str().expect("an id");
        admin
            .about_deliveries()
            .send(&format!("{id}/Replay"), &json!({}))
            .ok();
    }
    until("everything to be delivered again", || {
        let all = settled()?;
        all.iter()
            .all(|one| one["Attempts"].as_u64() >= Some(2))
            .then_some(())
    });
    assert_eq!(tracker.history(ticket), history);

    let forged = checklist_tests::client::Http::to(&tracker.url)
        .request(Method::POST, "/NoAuth/ChecklistControl/Webhook")
        .header("webhook-id", "1")
        .header(
            "webhook-timestamp",
            checklist_tests::host::now().to_string(),
        )
        .header(
            "webhook-signature",
            "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        );
    let forged = checklist_tests::client::json(
        forged,
        &json!({ "type": "checklist.completed", "data": { "Context": { "ObjectType": "ticket", "ObjectId": ticket.to_string() } } }),
    );
    assert_eq!(checklist_tests::client::send(forged).status, 401);
    assert_eq!(tracker.history(ticket), history);
}

#[test]
fn the_settings_page_says_what_works_and_shows_no_secret() {
    let mut tracker = RequestTracker::with_checklists(&ITEMS);
    let browser = Browser::start();
    tracker.sign_in(&browser, "root");
    let address = format!("{}/Admin/Tools/ChecklistControl.html", tracker.url);
    browser.open(&address);
    let checks = "document.querySelector('#checklist-control-checks').innerText";
    for check in [
        "API key",
        "Key for tokens of people",
        "Type ticket",
        "Template general-request",
    ] {
        browser.until(&format!("{checks}.split('\\n').some((line) => line.startsWith('{check}') && line.includes('Works'))"));
    }
    let html = browser
        .value("document.documentElement.outerHTML")
        .to_string();
    for secret in ["api-key", "webhook-secret", "host-1.private.pem"] {
        let path = format!("/etc/request-tracker5/checklist-control/{secret}");
        let text = tracker.desk.run("cat", &[&path]);
        let line = text
            .lines()
            .find(|line| !line.starts_with("---"))
            .expect("a secret");
        assert!(!html.contains(line), "{secret}");
    }
    assert_eq!(browser.value("[...document.querySelectorAll('a')].some((link) => link.href.endsWith('/Admin/Tools/ChecklistControl.html'))"), json!(true), "the menu leads there");
    tracker.checklists.stop();
    browser.open(&address);
    browser.until(&format!("{checks}.includes('does not answer')"));
}

#[test]
fn pages_that_replace_the_list_keep_it_and_a_session_that_ended_says_so() {
    let tracker = RequestTracker::with_checklists(&ITEMS);
    let (ticket, other) = (tracker.ticket("Printer 1"), tracker.ticket("Printer 2"));
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    tracker.open_ticket(&browser, ticket);
    let list = browser.control(CONTROL);
    list.tick(ITEMS[0]);
    // At once, while the tick may be on its way: as scripts of RT do after an inline edit.
    browser.script("const box = document.querySelector('.checklist-control-box'); box.parentElement.innerHTML += '';", &[]);
    list.becomes_checked(ITEMS[0], true);
    list.tick(ITEMS[1]);
    list.settles();
    // In a box that is folded away when the list appears, and unfolded later.
    let fold = |how: &str| {
        browser.script(
            "jQuery('.checklist-control-box .titlebox-content').collapse(arguments[0]);",
            &[json!(how)],
        );
    };
    fold("hide");
    browser.until("!document.querySelector('.checklist-control-box .titlebox-content').classList.contains('show')");
    browser.script("const list = document.querySelector('checklist-control'); list.replaceWith(list.cloneNode(true));", &[]);
    fold("show");
    list.becomes_checked(ITEMS[1], true);
    browser.is_untroubled();

    browser.script(
        "return fetch('/NoAuth/Logout.html').then((answer) => answer.text());",
        &[],
    );
    browser.script(
        "const list = document.querySelector('checklist-control').cloneNode(true); list.id = 'late'; \
         list.setAttribute('object-id', arguments[0]); document.querySelector('.checklist-control-box').append(list);",
        &[json!(other.to_string())],
    );
    let late = browser.control("#late");
    late.says("Your sign-in could not be confirmed");
    assert_eq!(tracker.history(other), []);
}

#[test]
fn perl_loads_every_part_of_the_extension_without_a_warning() {
    let desk = ServiceDesk::open();
    let extension = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../frontend/integrations/request-tracker"
    );
    desk.copy_in(Path::new(extension), "/root/request-tracker");
    let script = "use lib '/usr/share/request-tracker5/lib'; use RT; RT::LoadConfig(); RT::Init();\n\
        local $SIG{__WARN__} = sub { die @_ };\n\
        unshift @INC, '/root/request-tracker/lib';\n\
        require RT::Extension::ChecklistControl;\n\
        print scalar grep { m{^/root/request-tracker/} } values %INC;";
    let files = desk.run("find", &["/root/request-tracker/lib", "-name", "*.pm"]);
    assert_eq!(
        desk.run("perl", &["-we", script]),
        files.lines().count().to_string()
    );
}

#[test]
fn an_uninstalled_extension_leaves_tickets_as_they_were() {
    let mut tracker = RequestTracker::with_checklists(&ITEMS);
    let ticket = tracker.ticket("The printer is out of paper");
    let other = tracker.ticket("The printer is out of toner");
    complete(&tracker, other);
    history_says(&tracker, other, &[("RT_System", "Completed")]);
    tracker.uninstall();
    let browser = Browser::start();
    tracker.sign_in(&browser, "ada");
    tracker.open_ticket(&browser, ticket);
    assert_eq!(
        browser.value("document.querySelector('checklist-control') === null"),
        json!(true)
    );
    let said = tracker.resolve_on_page(&browser, ticket);
    assert!(said.contains("resolved"), "{said}");
    assert_eq!(tracker.status(ticket), "resolved");
    tracker.open_ticket(&browser, other);
    browser.until("document.querySelector('.history-container, #ticket-history, .history').innerText.includes('Completed')");
    assert!(
        !tracker
            .desk
            .path("/etc/request-tracker5/checklist-control")
            .exists()
    );
}
