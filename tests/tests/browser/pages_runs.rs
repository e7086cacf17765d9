//! The built-in pages about exports: from chosen computers to entries on the site, a run that is
//! followed, stopped, confirmed and tried again, and what is said when something is in the way.

use checklist_site_server::faults::Kind;
use checklist_site_server::{Options, Rule, SiteServer};
use checklist_tests::browser::{Keys, Pages};
use checklist_tests::export::{ExportWorld, computer, program};
use checklist_tests::{Setup, incident};
use serde_json::{Value, json};

/// The demo, a site that it may ask, and a connection to it.
fn world() -> ExportWorld {
    let site = SiteServer::start(Options::default()).expect("a site server");
    let server = Setup::demo()
        .with_vault()
        .argument("--allow-origin")
        .argument(&site.origin())
        .start();
    let admin = server.as_admin().on(&incident("1")).about_sites();
    let wish = json!({ "Name": "Demo site", "Method": "Anonymous", "Url": site.site_url() });
    let made = admin.send("ServiceConnections", &wish).ok();
    ExportWorld {
        connection: made["Id"].as_str().expect("an id").to_owned(),
        program: program(&server, &["site-operator"]),
        admin,
        server,
        site,
    }
}

/// Imports so many computers, named `PC-x1` and so on; gives their ids.
fn imported(world: &ExportWorld, n: usize) -> Vec<String> {
    let ids: Vec<String> = (1..=n).map(|number| format!("x{number}")).collect();
    let computers: Vec<Value> = ids.iter().map(|id| computer(id, "InUse")).collect();
    world.import(&computers);
    ids
}

/// Opens the form with these computers chosen.
fn form(world: &ExportWorld, ids: &[String]) -> Pages {
    let pages = Pages::of_demo(&world.server, "/runs");
    choose(&pages, ids);
    pages.open("/computers/export");
    pages.is_at("Export to site list");
    pages
}

/// As the table of computers leaves it for the form.
fn choose(pages: &Pages, ids: &[String]) {
    pages.browser.script(
        "sessionStorage.setItem('checklist-computers', JSON.stringify(arguments[0]));",
        &[json!(ids)],
    );
}

/// Chooses the list, and waits until its columns are there.
fn to_computers(pages: &Pages) {
    pages.until("[...document.querySelectorAll('#export-list option')].some((one) => one.textContent.startsWith('Computers'))");
    pages.browser.click(
        "[...document.querySelectorAll('#export-list option')].find((one) => one.textContent.startsWith('Computers'))",
    );
    pages.says("Column mapping");
}

/// Opens the page of a run.
fn at_run(world: &ExportWorld, id: &str) -> Pages {
    Pages::of_demo(&world.server, &format!("/runs/{id}"))
}

fn says_aloud(pages: &Pages, text: &str) {
    pages.until(&format!(
        "[...document.querySelectorAll('.sr[role=status]')].some((one) => one.textContent.includes({}))",
        json!(text)
    ));
}

fn fits(pages: &Pages, when: &str) {
    let root = "document.documentElement";
    assert_eq!(
        pages.value(&format!("{root}.scrollWidth <= {root}.clientWidth")),
        json!(true),
        "{when} scrolls sideways"
    );
}

fn ids(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

/// Every batch takes so long, so that a run can be looked at while it writes.
fn slow(world: &ExportWorld, seconds: u64) {
    world.site.fault(
        Rule::once(Kind::Slow)
            .of_method("POST")
            .containing("$batch")
            .always()
            .lasting(seconds),
    );
}

#[test]
fn chosen_computers_are_exported_and_their_entries_are_seen_on_the_site() {
    let world = world();
    world.import(&[
        computer("one", "InUse"),
        computer("two", "InStock"),
        computer("three", "Scrapped"),
    ]);
    let pages = Pages::of_demo(&world.server, "/computers?Search=PC-");
    for name in ["PC-one", "PC-two", "PC-three"] {
        let label = json!(format!("Select {name}"));
        let boxes = "[...document.querySelectorAll('input[type=checkbox]')]";
        let found = format!("{boxes}.find((one) => one.getAttribute('aria-label') === {label})");
        pages.browser.click(&found);
        pages.until(&format!("{found}.checked"));
    }
    pages.click("Export to site list");
    pages.is_at("Export to site list");
    pages.says("3 computers are selected");
    to_computers(&pages);
    assert_eq!(
        pages.value(&format!("{}.value", Pages::field("Serial number"))),
        json!("SerialNumber"),
        "the map begins with its default"
    );
    pages.choose("Note", "Notes");
    pages.choose("Model", "Don't export");
    pages.click("Export 3 computers");
    pages.is_at("Export to “Computers”");
    pages.says("All 3 computers");
    pages.says("Completed");
    pages.until("document.querySelectorAll('.run-rows a[target=_blank]').length === 2");
    let rows = pages.texts(".run-rows tbody tr");
    assert_eq!(rows.len(), 3);
    for (row, outcome) in rows.iter().zip(["Created", "Created", "Nothing to delete"]) {
        assert!(row.contains(outcome), "{row}");
    }
    assert_eq!(world.column("Status")["PC-two"], "In stock");
    assert_eq!(world.column("Model")["PC-two"], Value::Null, "left out");

    pages.click("2 Created");
    pages.until("document.querySelectorAll('.run-rows tbody tr').length === 2");
    let entry = "[...document.querySelectorAll('.run-rows a[target=_blank]')][0]";
    assert_eq!(
        pages.value(&format!("{entry}.rel")),
        json!("noopener noreferrer")
    );
    pages.browser.click(entry);
    pages.browser.in_new_tab(|tab| {
        tab.until("document.body.innerText.includes('PC-one')");
    });
    pages.browser.is_untroubled();
    pages.click("← Runs");
    pages.is_at("Runs");
    pages.says("Created: 2, Nothing to delete: 1");
}

#[test]
fn a_page_that_is_loaded_again_in_the_middle_of_a_run_goes_on_following_it() {
    let world = world();
    let all = imported(&world, 250);
    slow(&world, 4);
    let pages = form(&world, &all);
    to_computers(&pages);
    pages.click("Export 250 computers");
    pages.is_at("Export to “Computers”");
    pages.until("document.querySelector('progress')?.value >= 100");
    pages.browser.reload();
    pages.is_at("Export to “Computers”");
    pages.until("document.querySelector('progress')?.value < 250");
    pages.says("Stop run…");
    pages.says("All 250 computers");
    pages.says("Completed");
    pages.says_no_longer("Stop run…");
    says_aloud(&pages, "Completed: 250 of 250 computers.");
    assert_eq!(world.column("Title").len(), 250);
    // The table goes on page by page.
    pages.until("document.querySelectorAll('.run-rows tbody tr').length === 100");
    pages.click("Load more");
    pages.until("document.querySelectorAll('.run-rows tbody tr').length === 200");
    pages.browser.is_untroubled();
}

#[test]
fn a_run_that_is_stopped_leaves_the_rest_out_and_can_be_taken_up_again() {
    let world = world();
    let all = imported(&world, 250);
    slow(&world, 8);
    let run = world.begin(&world.wish(&ids(&all)));
    let pages = at_run(&world, &run);
    pages.until("document.querySelector('progress')?.value >= 100");
    pages.click("Stop run…");
    pages.says("Stop this run?");
    pages.browser.press(Keys::Escape);
    pages.says_no_longer("Stop this run?");
    pages.click("Stop run…");
    pages.click("Stop run");
    pages.says("Stopped");
    let stopped = world.run(&run);
    let left = stopped["Counts"]["Skipped"].as_u64().expect("a count");
    assert!(left > 0, "{stopped:#}");
    pages.click(&format!("{left} Skipped"));
    pages.until("[...document.querySelectorAll('.run-rows tbody tr')].every((one) => one.textContent.includes('Skipped'))");
    world.site.clear_faults();
    pages.click(&format!("Retry {left} computers"));
    pages.says("All 250 computers");
    pages.says("Completed");
    assert_eq!(world.column("Title").len(), 250, "none twice");
}

#[test]
fn entries_made_by_hand_are_adopted_and_chosen_before_anything_is_written() {
    let world = world();
    let adopted = world.by_hand(json!({ "Title": "Old", "SerialNumber": "sn1" }));
    let first = world.by_hand(json!({ "Title": "pc-2" }));
    let second = world.by_hand(json!({ "Title": "PC-2" }));
    world.import(&[
        computer("1", "InUse"),
        computer("2", "InUse"),
        computer("3", "InUse"),
    ]);
    let run = world.begin(&world.wish(&["1", "2", "3"]));
    let pages = at_run(&world, &run);
    pages.says("Confirm changes");
    pages.says("Nothing has been written so far.");
    pages.says("Adopt 1 existing entry");
    pages.says("Ambiguous matches");
    pages.says("More than one entry of the list could be this computer.");
    assert_eq!(world.column("Title").len(), 3);
    pages.browser.is_accessible_in_every_scheme("body");
    pages.browser.resize(320, 720);
    fits(&pages, "a run that waits");
    pages.browser.resize(1200, 900);

    pages.says("1 entry will be created");
    pages.says("Confirm: adopt 1");
    pages.click("Adopt 1 existing entry");
    pages.says("Continue without these changes");
    pages.click("Adopt 1 existing entry");
    pages.browser.click(&format!(
        "[...document.querySelectorAll('.run-pick label')].find((one) => one.textContent.includes('No. {second}'))"
    ));
    pages.says("1 decision will be applied and kept for later runs");
    pages.click("Confirm: adopt 1");
    pages.says("All 3 computers");
    pages.says("Completed");
    pages.says_no_longer("Confirm changes");
    let keys = world.list("Computers", |list| {
        let key = |id: u32| list.items[&id].values.get("SyncKey").cloned();
        [key(adopted), key(first), key(second)]
    });
    assert!(keys[0].is_some() && keys[2].is_some(), "{keys:?}");
    assert!(keys[1].as_ref().is_none_or(Value::is_null), "{keys:?}");
    let titles = world.list("Computers", |list| list.items.len());
    assert_eq!(titles, 4, "one is new, none is there twice");
}

#[test]
fn nothing_is_deleted_by_not_looking() {
    let world = world();
    world.by_hand(json!({ "Title": "PC-1", "SerialNumber": "SN1" }));
    world.import(&[computer("1", "InUse")]);
    let wish = world.wish(&["1"]);
    let run = world.export(&wish);
    world.confirm(run["Id"].as_str().unwrap(), &json!({ "Adoptions": 1 }));
    world.import(&[computer("1", "Scrapped")]);

    let run = world.begin(&wish);
    let pages = at_run(&world, &run);
    pages.says("Delete 1 entry");
    pages.says("1 entry will not be deleted, and its computer is skipped");
    pages.click("Continue without these changes");
    pages.says("Completed with issues");
    pages.says("It was not confirmed.");
    assert_eq!(world.column("Title").len(), 1);
    pages.click("Retry 1 computer");
    pages.click("Delete 1 entry");
    pages.says("1 entry will be deleted");
    pages.click("Confirm: delete 1");
    pages.says("1 Deleted");
    pages.says("Completed");
    assert!(world.column("Title").is_empty());
}

#[test]
fn a_choice_can_be_made_when_the_run_has_ended() {
    let world = world();
    world.import(&[computer("9", "InUse")]);
    world.rested(&world.begin(&world.wish(&["9"])));
    let first = world.by_hand(json!({ "Title": "PC-1" }));
    world.by_hand(json!({ "Title": "PC-1" }));
    world.import(&[computer("1", "InUse")]);
    let run = world.begin(&world.wish(&["1"]));
    let pages = at_run(&world, &run);
    pages.says("Completed with issues");
    pages.says("Ambiguous matches");
    pages.click("None of these: create a new entry");
    pages.click("Apply decisions");
    pages.says("1 Created");
    pages.says_no_longer("Ambiguous matches");
    let untouched = world.list("Computers", |list| list.items[&first].version);
    assert_eq!(untouched, 1);
    assert_eq!(world.list("Computers", |list| list.items.len()), 4);
}

#[test]
fn a_dry_run_says_what_would_happen_and_writes_nothing() {
    let world = world();
    let all = imported(&world, 2);
    let pages = form(&world, &all);
    to_computers(&pages);
    pages.click("Dry runShows what would change. Nothing is written.");
    pages.click("Start dry run with 2 computers");
    pages.is_at("Dry run for “Computers”");
    pages.says("2 Would be created");
    pages.says("The results show what would change.");
    assert!(world.column("Title").is_empty());
}

#[test]
fn a_second_click_does_not_begin_a_second_run() {
    let world = world();
    let all = imported(&world, 2);
    let pages = form(&world, &all);
    to_computers(&pages);
    pages.browser.script(
        "const button = document.querySelector('main form button[type=submit]'); button.click(); button.click();",
        &[],
    );
    pages.says("Completed");
    let runs = world.program.about_workflows().get("Runs").ok();
    assert_eq!(runs["Runs"].as_array().map(Vec::len), Some(1), "{runs:#}");
}

#[test]
fn what_is_wrong_with_the_map_is_told_at_its_line() {
    let world = world();
    let all = imported(&world, 1);
    let pages = form(&world, &all);
    pages.click("Export 1 computer");
    let fault = |label: &str| {
        let field = Pages::field(label);
        pages.until(&format!("{field}?.getAttribute('aria-invalid') === 'true'"));
        let told = pages.value(&format!(
            "__probe.tidy(document.getElementById({field}.id + '-fault').textContent)"
        ));
        told.as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(fault("List"), "This field is required.");
    to_computers(&pages);
    pages.choose("Note", "Model");
    assert!(fault("Note").contains("is already mapped to this column"));
    pages.click("Export 1 computer");
    pages.until("document.activeElement.getAttribute('aria-invalid') === 'true'");
    pages.choose("Note", "Notes");
    pages.until(&format!(
        "{}.getAttribute('aria-invalid') !== 'true'",
        Pages::field("Note")
    ));
    // Somebody takes the column away while the form is open.
    world.list("Computers", |list| {
        let id = list.field("Notes").expect("the column").id;
        list.remove_field(id).expect("it can be removed");
    });
    pages.click("Export 1 computer");
    assert!(fault("Note").contains("Notes"));
    pages.is_at("Export to site list");
    pages.choose("Note", "Don't export");
    pages.click("Export 1 computer");
    pages.is_at("Export to “Computers”");
}

#[test]
fn a_list_that_has_a_run_already_leads_to_that_run() {
    let world = world();
    world.by_hand(json!({ "Title": "PC-x1" }));
    let all = imported(&world, 2);
    let waits = world.begin(&world.wish(&["x1"]));
    world.rested(&waits);
    let pages = form(&world, &all);
    to_computers(&pages);
    pages.click("Export 2 computers");
    pages.says("Another run for this list is in progress.");
    pages.click("Open that run");
    pages.says("Confirm changes");
    pages.until(&format!("location.pathname.endsWith({})", json!(waits)));
}

#[test]
fn a_site_that_refuses_is_told_on_the_form_and_at_the_run_and_tried_again() {
    let world = world();
    let all = imported(&world, 2);
    let refuse = |part: &str| {
        let rule = Rule::once(Kind::SignInEnded).containing(part).always();
        world.site.fault(rule);
    };
    refuse("/lists");
    let pages = form(&world, &all);
    pages.until("!!document.querySelector('.failure')");
    pages.says("Test this connection");
    world.site.clear_faults();
    pages.click("Try again");
    to_computers(&pages);
    refuse("/items");
    pages.click("Export 2 computers");
    pages.is_at("Export to “Computers”");
    pages.says("2 Failed");
    pages.until("!!document.querySelector('main .notice.danger[role=alert]')");
    assert!(world.column("Title").is_empty());
    world.site.clear_faults();
    pages.click("Retry 2 computers");
    pages.says("2 Created");
    pages.until("!document.querySelector('main .notice.danger')");
}

#[test]
fn a_failed_run_says_in_german_why_and_what_its_steps_did() {
    let world = world();
    let all = imported(&world, 2);
    let rule = Rule::once(Kind::SignInEnded).containing("/items").always();
    world.site.fault(rule);
    let id = world.begin(&world.wish(&ids(&all)));
    world.rested(&id);
    let pages = at_run(&world, &id);
    pages.choose("Language", "Deutsch");
    pages.says("2 Fehlgeschlagen");
    pages.says("Die Site hat die Anmeldedaten abgelehnt.");
    pages.until("document.querySelector('progress').classList.contains('bad')");
    pages.click("Schritte");
    pages.says("Liste Computers über Demo site geöffnet.");
    pages.browser.is_accessible_in_every_scheme("body");
}

#[test]
fn a_run_whose_site_is_away_says_why_it_waits_and_until_when_and_goes_on_by_itself() {
    let world = world();
    let all = imported(&world, 2);
    let late = Rule::once(Kind::Slow).of_method("GET").lasting(1);
    world.site.fault(late.containing("/items?"));
    let run = world.begin(&world.wish(&ids(&all)));
    world.site.go_away();
    let pages = at_run(&world, &run);
    pages.says("The site is not responding. The run keeps trying. Next attempt:");
    pages.says("If the site remains unavailable, the run fails:");
    let times = "document.querySelectorAll('main .notice time[datetime]').length";
    pages.until(&format!("{times} === 3"));
    pages.says("Waiting");
    fits(&pages, "a run that waits");
    world.site.come_back().expect("the site is back");
    pages.says("2 Created");
    pages.says_no_longer("The site is not responding.");
    pages.browser.is_untroubled();
}

#[test]
fn without_computers_or_a_connection_the_form_says_what_is_needed_first() {
    let server = Setup::demo().with_vault().start();
    let pages = Pages::of_demo(&server, "/computers/export");
    pages.says("No computers selected");
    choose(&pages, &["x1".to_owned()]);
    pages.open("/computers/export");
    pages.says("No service connection can be used for exports");
    pages.click("Create a connection");
    pages.is_at("New connection");
    pages.open("/runs");
    pages.says("No runs yet");
    pages.browser.is_accessible_in_every_scheme("body");
}

#[test]
fn a_run_is_begun_and_looked_at_with_keys_alone_on_a_narrow_view_in_german() {
    let world = world();
    let all = imported(&world, 2);
    let pages = form(&world, &all);
    pages
        .browser
        .script("localStorage.setItem('checklist-language', 'de');", &[]);
    pages.browser.reload();
    pages.is_at("In Site-Liste exportieren");
    pages.browser.resize(320, 720);
    pages.until("!!document.querySelector('#export-list')");
    let next = || pages.browser.press(Keys::Tab);
    pages.until("document.activeElement.localName === 'h1'");
    next();
    pages.until("document.activeElement.id === 'export-connection'");
    next();
    pages.until("document.activeElement.id === 'export-list'");
    pages.browser.keys("Computers");
    pages.says("Spaltenzuordnung");
    pages.browser.is_accessible_in_every_scheme("body");
    fits(&pages, "the form");
    let at_button = || pages.value("document.activeElement.type === 'submit'") == json!(true);
    for _ in 0..40 {
        if at_button() {
            break;
        }
        next();
    }
    pages.browser.press(Keys::Enter);
    pages.until("location.pathname.includes('/runs/')");
    pages.is_at("Export nach „Computers“");
    pages.says("Abgeschlossen");
    pages.until("document.activeElement.localName === 'h1'");
    fits(&pages, "a run");
    pages.browser.is_accessible_in_every_scheme("body");
    // The counts are buttons; the first of them shows all.
    next();
    pages.until("__probe.active() === 'button 2 Alle'");
    next();
    pages.browser.press(Keys::Enter);
    pages.until("document.activeElement.getAttribute('aria-pressed') === 'true'");
    pages.open("/runs");
    pages.says("Abgeschlossen");
    fits(&pages, "the runs");
    pages.browser.is_accessible("body", "the runs");
}
