//! The plugin of Redmine, installed by the commands of its guide and set up in a browser: what two people,
//! a reader and a stranger see, every way to close an issue, and what happens without the checklist
//! server, without a session and without the plugin.

use checklist_tests::Place;
use checklist_tests::browser::Browser;
use checklist_tests::service_desk::redmine::{CLOSED, OBJECT_TYPE, Redmine, TEMPLATE};
use checklist_tests::until;
use reqwest::Method;
use serde_json::{Value, json};

const ITEMS: [&str; 3] = [
    "Back up the mailboxes",
    "Restart the server",
    "Send a test mail",
];

/// The control on an issue's page.
const CONTROL: &str = "checklist-control";

/// Where the list of an issue is.
fn place(issue: u64) -> Place {
    Place::new(OBJECT_TYPE, &issue.to_string()).from_template(TEMPLATE)
}

/// Ticks all items as somebody who works with the list elsewhere.
#[track_caller]
fn complete(redmine: &Redmine, issue: u64) {
    let admin = redmine.checklists.admin(&place(issue));
    for text in ITEMS {
        admin.tick(text);
    }
}

/// Waits until the history of an issue has a note of that person with these words.
#[track_caller]
fn history_says(redmine: &Redmine, issue: u64, who: &str, words: &str) {
    until(&format!("the history to say {words}"), || {
        let history = redmine.history(issue);
        let says = |(name, notes): &(String, String)| name == who && notes.contains(words);
        history.iter().any(says).then_some(())
    });
}

/// Closes an issue on its page; what Redmine says then.
#[track_caller]
fn close_on_page(redmine: &Redmine, browser: &Browser, issue: u64) -> String {
    browser.open(&format!("{}/issues/{issue}/edit", redmine.url));
    choose_closed(browser);
    browser.click("document.querySelector('#issue-form [type=submit]')");
    browser.until("document.readyState === 'complete' && !!document.querySelector('#errorExplanation, #flash_notice')");
    let said =
        browser.value("document.querySelector('#errorExplanation, #flash_notice').innerText");
    said.as_str().unwrap_or_default().to_owned()
}

/// Chooses "Closed" in the form, for which Redmine replaces most of it.
#[track_caller]
fn choose_closed(browser: &Browser) {
    browser.script(
        "window.replaced = document.querySelector('#issue_status_id')",
        &[],
    );
    browser.click("document.querySelector('#issue_status_id')");
    browser.keys("Closed");
    browser.press(checklist_tests::browser::Keys::Enter);
    browser.script(
        "const status = document.querySelector('#issue_status_id');\
         if (status.value !== '5') { status.value = '5'; status.dispatchEvent(new Event('change', { bubbles: true })); }",
        &[],
    );
    browser.until("document.querySelector('#issue_status_id') !== window.replaced && document.querySelector('#issue_status_id').value === '5'");
}

#[test]
fn two_people_complete_the_list_of_an_issue_and_then_close_it() {
    let redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    let (petra, bob) = (Browser::start(), Browser::start());
    redmine.sign_in(&petra, "petra");
    redmine.sign_in(&bob, "bob");
    redmine.open_issue(&petra, issue);
    redmine.open_issue(&bob, issue);
    petra.control(CONTROL).shows(&ITEMS);
    bob.control(CONTROL).shows(&ITEMS);

    petra.control(CONTROL).tick(ITEMS[0]);
    bob.control(CONTROL).becomes_checked(ITEMS[0], true);
    history_says(
        &redmine,
        issue,
        "Petra Page",
        &format!("Checked: {}", ITEMS[0]),
    );

    let refusal = close_on_page(&redmine, &bob, issue);
    assert!(
        refusal.contains("2 open items: Restart the server; Send a test mail"),
        "{refusal}"
    );
    let refusal = redmine.set_status("bob", issue, CLOSED);
    assert_eq!(refusal.status, 422);
    assert!(
        refusal
            .text()
            .contains("Restart the server; Send a test mail"),
        "{}",
        refusal.text()
    );
    assert_eq!(redmine.status(issue), "New");

    redmine.open_issue(&bob, issue);
    let list = bob.control(CONTROL);
    list.tick(ITEMS[1]);
    list.tick(ITEMS[2]);
    list.settles();
    petra.control(CONTROL).becomes_completed();
    let said = close_on_page(&redmine, &bob, issue);
    assert!(said.contains("Successful update"), "{said}");
    assert_eq!(redmine.status(issue), "Closed");
    history_says(
        &redmine,
        issue,
        "Bob Backoffice",
        &format!("Checked: {}", ITEMS[2]),
    );
    history_says(&redmine, issue, "Bob Backoffice", "Checklist completed");

    redmine.open_issue(&petra, issue);
    petra.until("document.querySelector('#history').innerText.includes('Checklist completed')");
    let list = petra.control(CONTROL);
    list.shows(&ITEMS);
    assert!(
        list.buttons().iter().all(|name| !name.contains("Add")),
        "a closed issue's list is a record"
    );
    petra.until("document.querySelector('#checklist').innerText.includes('The issue is closed')");
    assert!(!list.tells("permission"), "nobody lacks any");
    petra.is_untroubled();
    bob.is_untroubled();
}

#[test]
fn readers_read_the_list_and_strangers_get_nothing() {
    let redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    let browser = Browser::start();
    redmine.sign_in(&browser, "rita");
    redmine.open_issue(&browser, issue);
    browser.control(CONTROL).shows(&ITEMS);
    let token = |issue: u64| {
        browser.script(
            "return fetch(`/checklist_control/issues/${arguments[0]}/token`, { method: 'POST', body: '{}' })\
             .then(async (answer) => [answer.status, answer.ok ? await answer.json() : null]);",
            &[json!(issue)],
        )
    };
    let given = token(issue);
    let part = given[1]["Token"]
        .as_str()
        .and_then(|token| token.split('.').nth(1))
        .expect("a token");
    let claims = claims_of(part);
    assert_eq!(claims["perm"], json!(["Read"]));
    assert_eq!(claims["contexts"][0]["ObjectId"], issue.to_string());

    redmine.sign_in(&browser, "stan");
    redmine.open_issue(&browser, issue);
    assert_eq!(
        browser.value("document.querySelector('checklist-control') === null"),
        json!(true)
    );
    assert_eq!(token(issue)[0], 403);
    assert_eq!(token(9999)[0], 403);
    let list = redmine.rest(
        "stan",
        Method::GET,
        "/issues.csv?c[]=subject&c[]=checklist_progress",
        &Value::Null,
    );
    assert!(!list.text().contains("0/3"), "{}", list.text());
    browser.open(&format!("{}/checklist_control/settings", redmine.url));
    assert_eq!(
        browser.value("document.querySelector('#checklist-settings') === null"),
        json!(true)
    );

    browser.command("Network.clearBrowserCookies", json!({}));
    assert_eq!(token(issue)[0], 401, "and no page to sign in");
    let forged = redmine.rest(
        "stan",
        Method::POST,
        "/checklist_control/webhook",
        &json!({ "type": "checklist.completed" }),
    );
    assert_eq!(forged.status, 401);
}

fn claims_of(part: &str) -> Value {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(part);
    serde_json::from_slice(&bytes.expect("Base64")).expect("JSON")
}

#[test]
fn no_way_leads_around_the_list() {
    let redmine = Redmine::with_checklists(&ITEMS);
    let (one, other) = (
        redmine.issue("Nobody gets mail"),
        redmine.issue("No mail since noon"),
    );
    let browser = Browser::start();
    redmine.sign_in(&browser, "bob");
    browser.open(&format!(
        "{}/issues/bulk_edit?ids[]={one}&ids[]={other}&issue[status_id]={CLOSED}",
        redmine.url
    ));
    browser.click("document.querySelector('#bulk_edit_form [type=submit]')");
    browser
        .until("document.querySelector('#errorExplanation')?.innerText.includes('3 open items')");

    let said = redmine.ruby(&format!(
        r#"
        closed = IssueStatus.find({CLOSED})
        mail = "From: bob@desk.example\nTo: desk@desk.example\nSubject: Re: [desk - Bug ##{one}]\n\nStatus: Closed\n"
        puts "mail #{{MailHandler.receive(mail, allow_override: 'status').inspect}}"
        puts Issue.find({one}).status.name
        Setting.close_duplicate_issues = '1'
        original = Issue.create!(project: Project.find('desk'), tracker: Tracker.find(2), author: User.find_by(login: 'bob'),
                                 priority: IssuePriority.first, subject: 'No template for features')
        IssueRelation.create!(issue_from: Issue.find({other}), issue_to: original, relation_type: 'duplicates')
        original.reload
        original.init_journal(User.find_by(login: 'bob'))
        original.status = closed
        puts "original #{{original.save}}"
        puts Issue.find({other}).status.name
        born_closed = Issue.new(project: Project.find('desk'), tracker: Tracker.find(1), author: User.find_by(login: 'bob'),
                                priority: IssuePriority.first, subject: 'x', status: closed)
        puts "born closed #{{born_closed.save}}"
        "#
    ));
    let said: Vec<&str> = said.lines().map(str::trim).collect();
    let after = |start: &str| {
        said.iter()
            .position(|line| line.starts_with(start))
            .map(|at| at + 1)
    };
    assert_eq!(after("mail").map(|at| said[at]), Some("New"), "{said:?}");
    assert!(said.contains(&"original true"), "{said:?}");
    assert_eq!(
        after("original").map(|at| said[at]),
        Some("New"),
        "{said:?}"
    );
    assert!(said.contains(&"born closed false"), "{said:?}");

    let waived = redmine.issue("The mail server smells");
    let owner = redmine.checklists.owner(&place(waived));
    owner.waive("The part comes on Monday");
    assert_eq!(redmine.set_status("bob", waived, CLOSED).status, 204);
    until("the history to say why it could be closed", || {
        let history = redmine.history(waived);
        let says = |(_, notes): &(String, String)| {
            notes.contains("Open items waived: The part comes on Monday")
        };
        history.iter().any(says).then_some(())
    });
    let may_waive = redmine.ruby(&format!(
        r#"
        bob, issue = User.find_by(login: 'bob'), Issue.find({other})
        claims = -> {{ Base64.urlsafe_decode64(ChecklistControl::EmbedToken.for_person(bob, issue, origin: nil).to_s.split('.')[1]) }}
        puts JSON.parse(claims.call)['perm'].include?('Waive')
        Role.find_by(name: 'Developer').add_permission!(:waive_checklists)
        bob, issue = User.find(bob.id), Issue.find({other})
        puts JSON.parse(claims.call)['perm'].include?('Waive')
        "#
    ));
    assert_eq!(
        may_waive.split_whitespace().collect::<Vec<_>>(),
        ["false", "true"],
        "a right of Redmine's roles decides"
    );

    complete(&redmine, one);
    assert_eq!(redmine.set_status("bob", one, CLOSED).status, 204);
    assert_eq!(redmine.status(one), "Closed");
    let copied = redmine.ruby(&format!(
        "copy = Issue.new.copy_from(Issue.find({one}), keep_status: true); puts copy.save, copy.status.name"
    ));
    assert_eq!(
        copied.split_whitespace().collect::<Vec<_>>(),
        ["true", "Closed"]
    );
}

#[test]
fn a_list_of_issues_shows_their_progress_with_one_call() {
    let redmine = Redmine::with_checklists(&ITEMS);
    let issues: Vec<u64> = (1..=4)
        .map(|n| redmine.issue(&format!("Mailbox {n}")))
        .collect();
    redmine.checklists.admin(&place(issues[0])).tick(ITEMS[1]);
    complete(&redmine, issues[1]);
    let browser = Browser::start();
    redmine.sign_in(&browser, "petra");
    let before = redmine.checklists.answered("GetItems");
    browser.open(&format!(
        "{}/issues?set_filter=1&sort=id&c[]=subject&c[]=checklist_progress",
        redmine.url
    ));
    assert_eq!(redmine.checklists.answered("GetItems") - before, 1);
    let cells = browser.value("[...document.querySelectorAll('td.checklist_progress')].map((cell) => cell.innerText.trim())");
    assert_eq!(cells, json!(["1/3", "3/3", "0/3", "0/3"]));
    browser.is_untroubled();
}

#[test]
fn an_issues_page_works_without_the_checklist_server_and_with_it_again() {
    let mut redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    let browser = Browser::start();
    redmine.sign_in(&browser, "petra");
    redmine.open_issue(&browser, issue);
    browser.control(CONTROL).shows(&ITEMS);

    redmine.checklists.stop();
    browser.command("Network.clearBrowserCache", json!({}));
    redmine.open_issue(&browser, issue);
    browser.until("document.querySelector('#checklist').innerText.includes('The checklist server does not answer')");
    browser.until("!document.querySelector('#checklist').innerText.includes('Loading')");
    let refusal = close_on_page(&redmine, &browser, issue);
    assert!(
        refusal.contains("could not be read, so the issue stays open"),
        "{refusal}"
    );
    browser.open(&format!(
        "{}/issues?set_filter=1&c[]=subject&c[]=checklist_progress",
        redmine.url
    ));
    browser.until("document.querySelector('td.checklist_progress')?.innerText === 'Not available'");
    let noted = json!({ "issue": { "notes": "Ask the data centre." } });
    let path = format!("/issues/{issue}.json");
    assert_eq!(
        redmine.rest("petra", Method::PUT, &path, &noted).status,
        204,
        "everything else can be saved"
    );

    redmine.checklists.start_again();
    redmine.open_issue(&browser, issue);
    let list = browser.control(CONTROL);
    list.shows(&ITEMS);
    list.tick(ITEMS[0]);
    history_says(
        &redmine,
        issue,
        "Petra Page",
        &format!("Checked: {}", ITEMS[0]),
    );

    redmine.checklists.stop();
    redmine.ruby("Setting.plugin_checklist_control = Setting.plugin_checklist_control.merge('when_unreachable' => 'allow')");
    assert_eq!(redmine.set_status("bob", issue, CLOSED).status, 204);
}

#[test]
fn the_list_outlives_what_redmine_replaces_and_is_printed() {
    let redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    let browser = Browser::start();
    redmine.sign_in(&browser, "petra");
    redmine.open_issue(&browser, issue);
    let list = browser.control(CONTROL);
    list.shows(&ITEMS);
    list.open_the_add_field();
    browser.keys("Tell the caller");
    browser.click("document.querySelector('#content > .contextual a.icon-edit')");
    choose_closed(&browser);
    browser.click("document.querySelector('#issue_notes')");
    browser.keys("*Ready*");
    browser.click("document.querySelector('#add_notes .tab-preview')");
    browser
        .until("document.querySelector('#add_notes .wiki-preview strong')?.innerText === 'Ready'");
    list.shows(&ITEMS);
    redmine.checklists.admin(&place(issue)).tick(ITEMS[2]);
    list.becomes_checked(ITEMS[2], true);
    assert_eq!(
        list.value("document.querySelector(§).shadowRoot.querySelector('input[type=text], textarea')?.value"),
        json!("Tell the caller")
    );
    browser.is_untroubled();

    browser.command("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    browser
        .until("document.querySelector('checklist-control').getBoundingClientRect().height > 100");
}

#[test]
fn a_delivery_that_comes_twice_changes_nothing_and_secrets_are_never_shown() {
    let mut redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    complete(&redmine, issue);
    history_says(&redmine, issue, "Anonymous", "Checklist completed");
    let before = redmine.history(issue);
    let deliveries = redmine.checklists.admin(&place(issue)).about_deliveries();
    let sent = deliveries.get("").ok()["Deliveries"]
        .as_array()
        .expect("deliveries")
        .clone();
    assert!(sent.len() > 3, "{sent:?}");
    for delivery in &sent {
        let id = delivery["Id"].as_str().expect("an id");
        deliveries.call(&format!("{id}/Replay"), json!({})).ok();
    }
    until("the deliveries to be sent again", || {
        let states = deliveries.get("").ok();
        let again = states["Deliveries"]
            .as_array()?
            .iter()
            .filter(|one| one["Attempts"].as_u64() >= Some(2) && one["State"] == "Delivered")
            .count();
        (again == sent.len()).then_some(())
    });
    assert_eq!(redmine.history(issue), before);

    let browser = Browser::start();
    redmine.sign_in(&browser, "admin");
    browser.open(&format!("{}/checklist_control/settings", redmine.url));
    let page = browser.value("document.documentElement.outerHTML");
    let page = page.as_str().expect("a page");
    assert!(page.contains("BEGIN PUBLIC KEY"));
    for secret in ["whsec_", "PRIVATE KEY", redmine.checklists.admin_key()] {
        assert!(!page.contains(secret), "{secret}");
        assert!(
            !redmine
                .desk
                .run("cat", &["/var/log/redmine/default/production.log"])
                .contains(secret),
            "{secret}"
        );
    }

    // A registration that is refused says which setting is missing, and takes nothing away.
    redmine.checklists.stop();
    let settings = redmine.checklists.settings();
    let text = std::fs::read_to_string(&settings).expect("settings");
    let without = text.replace("CHECKLIST_ALLOW_ORIGIN", "# CHECKLIST_ALLOW_ORIGIN");
    std::fs::write(&settings, without).expect("the test's own file");
    redmine.checklists.start_again();
    let webhooks = redmine.checklists.admin(&place(issue)).about_webhooks();
    let before = webhooks.get("").ok()["Webhooks"].clone();
    browser.open(&format!("{}/checklist_control/settings", redmine.url));
    browser.click("document.getElementById('api_key')");
    browser.keys(redmine.checklists.admin_key());
    browser.click("document.querySelector('#checklist-registration [type=submit]')");
    browser.until(
        "document.querySelector('#flash_error')?.innerText.includes('CHECKLIST_ALLOW_ORIGIN=')",
    );
    assert_eq!(webhooks.get("").ok()["Webhooks"], before);

    // A template that the server does not have is named before it keeps issues from being closed.
    browser.click("document.getElementById('settings_trackers_2')");
    browser.keys("mail-sever");
    browser.click("document.querySelector('#checklist-settings [type=submit]')");
    browser
        .until("document.querySelector('#flash_notice')?.innerText.includes('Successful update')");
    browser.click("document.querySelector('#checklist-test')");
    browser.until("document.querySelector('#flash_warning')?.innerText.includes('mail-sever')");
}

#[test]
fn nothing_but_history_is_left_without_the_plugin() {
    let mut redmine = Redmine::with_checklists(&ITEMS);
    let issue = redmine.issue("Nobody gets mail");
    redmine.checklists.admin(&place(issue)).tick(ITEMS[0]);
    history_says(
        &redmine,
        issue,
        "Anonymous",
        &format!("Checked: {}", ITEMS[0]),
    );
    redmine.uninstall();
    let browser = Browser::start();
    redmine.sign_in(&browser, "petra");
    redmine.open_issue(&browser, issue);
    browser.until("document.querySelector('#history').innerText.includes('Back up the mailboxes')");
    assert_eq!(
        browser.value("document.querySelector('checklist-control') === null"),
        json!(true)
    );
    assert_eq!(redmine.set_status("bob", issue, CLOSED).status, 204);
    let left = redmine.ruby(
        "puts Setting.where(\"name LIKE '%checklist%'\").count, EnabledModule.where(name: 'checklists').count,\
         Role.all.count { |role| role.permissions.to_a.include?(:edit_checklists) }",
    );
    assert_eq!(left.split_whitespace().collect::<Vec<_>>(), ["0", "0", "0"]);
}
