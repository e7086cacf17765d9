//! What the control calls things, and when it says something at all: names for those who listen,
//! why a list cannot be changed, what counts, what stands on paper.

use checklist_tests::browser::Stage;
use checklist_tests::template::{fragment, item, publish, required, with};
use serde_json::json;

fn stage() -> Stage {
    let helped = with(
        item("a", "Ask"),
        json!({ "Help": { "en": "*See* the wiki" } }),
    );
    Stage::with([helped, item("b", "Build")])
}

/// What the group of the list is called.
const GROUP: &str = "__probe.named(__probe.root(§).querySelector('[part=card]'))";

#[test]
fn a_label_of_the_page_names_the_list_and_the_title_does_not_say_it_again() {
    let stage = stage();
    for (label, title, name) in [
        // The list is called `f`, as its template is.
        (
            "Steps before closing",
            json!("f"),
            "Steps before closing: f",
        ),
        ("f", json!(null), "f"),
    ] {
        let bound = stage.bound_to("1");
        stage.open(&format!(
            "<label for='list'>{label}</label><checklist-control id='list' {bound}></checklist-control>"
        ));
        let control = stage.browser.control("#list");
        control.shows(&["Ask", "Build"]);
        assert_eq!(control.value(GROUP), json!(name));
        let seen = control.value(
            "(() => { const title = __probe.root(§).querySelector('.title');\
               return title.matches('.sr') ? null : title.querySelector('bdi').textContent; })()",
        );
        assert_eq!(seen, title, "{label}");
        stage.browser.is_accessible("#list", label);
    }
    stage.browser.is_untroubled();
}

#[test]
fn a_help_button_is_named_after_its_item() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    assert!(
        control.buttons().contains(&"Help for “Ask”".to_owned()),
        "{:?}",
        control.buttons()
    );
}

#[test]
fn a_list_that_cannot_be_changed_says_why() {
    let stage = stage();
    let read_only = "This checklist is read-only.";
    let disabled = "This checklist is disabled.";
    let may_only_read = "You don’t have permission to change this checklist.";
    let all = [read_only, disabled, may_only_read];
    for (attributes, said) in [
        ("readonly", Some(read_only)),
        ("disabled", Some(disabled)),
        ("", None),
    ] {
        let control = stage.control(attributes);
        control.shows(&["Ask", "Build"]);
        for sentence in all {
            assert_eq!(
                control.tells(sentence),
                said == Some(sentence),
                "{attributes}: {sentence}"
            );
        }
    }
    let reader = Stage::for_people_who_may(&["Read"], [item("a", "Ask")]);
    let control = reader.control("");
    control.shows(&["Ask"]);
    control.says(may_only_read);
    reader.bob().lock("closed");
    control.says("Locked by Bob Backoffice");
    assert!(!control.tells(may_only_read), "the lock says enough");
}

#[test]
fn what_counts_is_said_only_where_not_everything_does() {
    let stage = Stage::with([required(item("a", "Ask")), item("b", "Build")]);
    let tags = "[...__probe.root(§).querySelectorAll('.required, .optional')].map((one) => one.textContent)";
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    assert_eq!(control.value(tags), json!([]), "everything counts");
    let items = [required(item("a", "Ask")), item("b", "Build")];
    let template = with(
        fragment("f", items),
        json!({ "CompletionRule": "Required" }),
    );
    publish(&stage.server, &template);
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    control.until(&format!("{tags}.length === 2"));
    assert_eq!(control.value(tags), json!(["Required", "Optional"]));
}

#[test]
fn the_foot_is_there_only_where_a_form_requires_the_list() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    let foot = "__probe.root(§).querySelectorAll('[part=footer]').length";
    assert_eq!(control.value(foot), json!(0));
    let control = stage.control("required");
    control.shows(&["Ask", "Build"]);
    assert_eq!(control.value(foot), json!(1));
    assert!(
        control
            .buttons()
            .contains(&"Show first open item".to_owned())
    );
}

#[test]
fn an_empty_list_that_nobody_present_may_fill_says_whom_to_ask() {
    let stage = Stage::for_people_who_may(&["Read", "Check"], [item("a", "Ask")]);
    let ask = "The form requires this checklist, but it has no items yet and you can’t add any. Ask whoever is responsible for the form.";
    let control = stage.control("required purpose='none'");
    control.until("document.querySelector(§).state === 'Empty'");
    control.says(ask);
    control.until(&format!(
        "document.querySelector(§).validationMessage === {}",
        json!(ask)
    ));
    let drawn = control.value(
        "['.progress', '.undo:not(.idle)'].map((one) => __probe.root(§).querySelectorAll(one).length)",
    );
    assert_eq!(drawn, json!([0, 0]), "a bar or an arrow of nothing");
    stage.browser.is_accessible("#list", "empty and required");
}

#[test]
fn paper_shows_the_day_of_what_was_done_today() {
    let stage = stage();
    stage.bob().tick("Build");
    let control = stage.control("");
    control.becomes_checked("Build", true);
    let seen = control.value("__probe.root(§).querySelector('.by bdi').textContent");
    let day = stage
        .browser
        .value("new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' }).format()");
    let day = day.as_str().expect("a day");
    assert!(!seen.to_string().contains(day), "{seen}");
    let printed = stage.browser.printed_value(
        "(() => { const by = document.querySelector('#list').shadowRoot.querySelector('.by');\
           return [getComputedStyle(by.querySelector('bdi')).display, getComputedStyle(by, '::after').content]; })()",
    );
    assert_eq!(printed[0], json!("none"));
    let written = printed[1].as_str().expect("a text");
    assert!(
        written.contains("Bob Backoffice") && written.contains(day),
        "{written}"
    );
}

#[test]
fn a_long_address_in_a_text_loses_its_middle_on_the_screen_alone() {
    let text =
        "See https://wiki.example.com/spaces/operations/pages/4711/How+to+restart+the+gateway";
    let stage = Stage::with([item("a", text)]);
    let control = stage.control("");
    control.shows(&["See https://wiki.example.com/spaces/oper…estart+the+gateway"]);
    assert_eq!(control.property("items[0].Text"), json!(text));
    control.edit("See https://wiki.example.com/spaces/oper…estart+the+gateway");
    control.until(&format!(
        "__probe.root(§).querySelector('.editor textarea')?.value === {}",
        json!(text)
    ));
}
