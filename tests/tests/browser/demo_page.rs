//! The product's main job, on the page that a newcomer opens.
//!
//! Tick, Completed, restart, still there; two lists by purpose; the switches; the previews. All
//! else is tested on a platform's page (`Stage`), where a test decides what is on it.

use checklist_tests::browser::{Browser, Control};
use checklist_tests::{Server, incident};
use serde_json::json;

fn open(server: &Server, object: &str) -> Browser {
    let browser = Browser::start();
    browser.open(&format!("{}/demo/?incident={object}", server.base_url()));
    browser
}

/// The texts of what can be ticked in a list, once it is shown.
fn items(control: &Control<'_>) -> Vec<String> {
    control.until("__probe.rows(§).some((row) => row.Checkbox)");
    let rows = control.rows();
    let items = rows.iter().filter(|row| row["Checkbox"] == true);
    items
        .map(|row| row["Text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn ticking_the_last_item_turns_completed_true_in_the_form_and_it_stays_so_over_a_restart() {
    let mut server = Server::demo();
    let browser = open(&server, "INC-1");
    let control = browser.control("#list-main");
    let texts = items(&control);
    let value = "JSON.parse(new FormData(document.querySelector('#incident')).get('Checklist'))";
    assert_eq!(browser.value(&format!("{value}.Completed")), json!(false));
    for text in &texts {
        assert!(!control.completed(), "completed before {text} was ticked");
        control.tick(text);
        control.becomes_checked(text, true);
    }
    control.becomes_completed();
    control.settles();
    assert_eq!(browser.value(&format!("{value}.Completed")), json!(true));
    assert_eq!(
        browser.value("document.querySelector('#list-main').checkValidity()"),
        json!(true)
    );
    let readout = "document.querySelector('#readout').textContent.includes('true')";
    browser.until(readout);
    browser.is_untroubled();

    server.restart();
    browser.reload();
    let control = browser.control("#list-main");
    control.becomes_completed();
    for text in &texts {
        assert!(control.checked(text), "{text} is no longer checked");
    }
    let list = server.editor_on(&incident("INC-1")).reading("en").list();
    assert!(list.completed());
    browser.is_untroubled();
}

#[test]
fn on_a_phone_the_first_screen_says_what_this_is_and_shows_a_checklist() {
    let server = Server::demo();
    let browser = Browser::start();
    browser.resize(390, 844);
    browser.open(&format!("{}/demo/?incident=INC-2", server.base_url()));
    let control = browser.control("#list-main");
    control.until("__probe.rows(§).length > 0");
    // Its head and some rows.
    let top = "document.querySelector('#list-main').getBoundingClientRect().top";
    browser.until(&format!("scrollY === 0 && {top} < 600"));
    let pitch = "document.querySelector('.pitch').getBoundingClientRect()";
    browser.until(&format!("{pitch}.top < {top} && {pitch}.height > 0"));
    browser.resize(320, 844);
    browser.until("document.documentElement.scrollWidth <= innerWidth");
    browser.is_untroubled();
}

#[test]
fn resolving_says_which_lists_are_open_and_resolves_when_none_is() {
    let server = Server::demo();
    let browser = open(&server, "INC-6");
    let (main, handover) = (
        browser.control("#list-main"),
        browser.control("#list-handover"),
    );
    let (steps, required) = (items(&main), items(&handover));
    let outcome = |wanted: &str| {
        browser.until(&format!(
            "document.activeElement.id === 'outcome' && document.activeElement.textContent.includes('{wanted}')"
        ));
    };
    let resolve = "document.querySelector('#incident .primary')";
    let state = "document.querySelector('#state').textContent";

    browser.click(resolve);
    outcome("Incident: 9 items still open");
    outcome("Handover: 3 items still open");
    assert_eq!(browser.value(state), json!("In progress"));
    browser.click("document.querySelector('#outcome [aria-label=\"Show Handover\"]')");
    browser.until("document.activeElement.id === 'list-handover'");

    for text in &steps {
        main.tick(text);
    }
    main.becomes_completed();
    browser.click(resolve);
    outcome("Handover: 3 items still open");
    assert_eq!(
        browser.value("document.querySelector('#outcome').textContent.includes('Incident')"),
        json!(false)
    );
    // The field says no more than the button.
    browser.script("const state = document.querySelector('[name=State]'); state.value = 'Resolved'; state.dispatchEvent(new Event('change', { bubbles: true }));", &[]);
    browser.until("document.querySelector('[name=State]').value === 'In progress'");

    for text in &required {
        handover.tick(text);
    }
    handover.becomes_completed();
    browser.click(resolve);
    outcome("Resolved. Completed: Incident, Handover.");
    assert_eq!(browser.value(state), json!("Resolved"));

    main.tick(&steps[0]);
    browser.until(&format!("{state} === 'In progress'"));
    browser.is_untroubled();
}

#[test]
fn the_page_shows_two_lists_by_purpose_each_with_its_own_state() {
    let server = Server::demo();
    let browser = open(&server, "INC-2");
    let (main, handover) = (
        browser.control("#list-main"),
        browser.control("#list-handover"),
    );
    main.until("__probe.rows(§).length > 0");
    for text in &items(&handover) {
        handover.tick(text);
    }
    handover.becomes_completed();
    assert!(!main.completed());
    browser.is_untroubled();
}

#[test]
fn the_switches_describe_the_list_and_the_journal_tells_what_happened() {
    let server = Server::demo();
    let browser = open(&server, "INC-3");
    let control = browser.control("#list-main");
    control.tick(&items(&control)[0]);
    control.settles();
    browser.until("document.querySelector('#journal').textContent.includes('1 checked')");
    browser.until("document.querySelector('#events').textContent.includes('checklist-change')");

    browser.click(
        "document.querySelector('#switches [data-attribute=disable-check]').closest('label')",
    );
    control.until("__probe.rows(§).every((row) => !row.Checkbox)");
    browser.is_untroubled();
}

#[test]
fn the_page_shows_a_preview_of_every_template() {
    let server = Server::demo();
    let browser = open(&server, "INC-4");
    for template in [
        "incident-standard",
        "handover",
        "onboarding",
        "server-decommission",
    ] {
        let selector = format!("checklist-preview[template={template}]");
        browser
            .control(&selector)
            .until("__probe.rows(§).length > 0");
    }
    browser.is_untroubled();
}

#[test]
fn the_page_shows_a_template_change_to_be_taken_over() {
    let server = Server::demo();
    let browser = open(&server, "INC-5");
    let control = browser.control("#changed-stage checklist-control");
    control.says("The template has changed");
    browser.is_untroubled();
}
