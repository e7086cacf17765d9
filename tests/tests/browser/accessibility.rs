//! axe-core in every state and both themes, the tree that assistive technology sees, and focus.
//!
//! What axe cannot see is measured: where targets can be hit, whether the focus ring shows, whether
//! a narrow view scrolls sideways.

use checklist_tests::browser::{Browser, Engine, Stage};
use checklist_tests::template::{
    fragment, item, optional_to_apply, publish, required, section, under, with,
};
use checklist_tests::{Server, until};
use serde_json::json;

fn stage() -> Stage {
    let helped = with(
        required(item("a", "Ask")),
        json!({ "Help": { "en": "Use the **red** phone" } }),
    );
    Stage::with([
        section("s", "Before"),
        under("s", helped),
        under("s", optional_to_apply(item("b", "Build"))),
        item("c", "Clean"),
    ])
}

/// The whole control, in light and in dark where the browser can be asked for that.
#[track_caller]
fn accessible(stage: &Stage, when: &str) {
    println!("{when}");
    stage.browser.is_accessible_in_every_scheme("#list");
}

#[test]
fn axe_finds_nothing_in_a_working_list() {
    let stage = stage();
    let control = stage.control("required");
    control.shows(&["Ask", "Build", "Clean"]);
    accessible(&stage, "a list as it is opened");
    control.tick("Ask");
    control.choose("Build", "Not applicable");
    accessible(&stage, "asking for a reason");
    control.fill("Why does it not apply?", "gone");
    control.click("Not applicable");
    control.click_of("Ask", "Help");
    control.settles();
    accessible(&stage, "done, not applicable, help open");
    control.click_of("Clean", "More for");
    accessible(&stage, "a menu open");
    control.click("Edit details");
    accessible(&stage, "editing details");
    control.fill("Note", "a note");
    control.click("Save");
    control.choose("Clean", "Edit details");
    control.fill("Assignee", "Carla");
    control.click("Save");
    control.edit("Clean");
    accessible(&stage, "editing");
    control.click("Cancel");
    control.click("Add an item");
    accessible(&stage, "adding");
    control.tick("Clean");
    control.becomes_completed();
    control.settles();
    accessible(&stage, "completed");
    control.choose("Clean", "Delete");
    accessible(&stage, "an item deleted, undo on offer");
}

#[test]
fn axe_finds_nothing_in_the_other_states() {
    let stage = stage();
    let control = stage.control("disable-check disable-edit");
    control.shows(&["Ask", "Build", "Clean"]);
    accessible(&stage, "disable-check and disable-edit");
    let control = stage.control("readonly");
    control.shows(&["Ask", "Build", "Clean"]);
    accessible(&stage, "read-only");
    let control = stage.control("purpose='empty'");
    control.says("No items yet");
    accessible(&stage, "empty");
    let control = stage.control("template='no-such'  purpose='error'");
    control.becomes("error");
    accessible(&stage, "an error");
    stage.bob().lock("closed");
    let control = stage.control("");
    control.says("closed");
    accessible(&stage, "locked");
}

#[test]
fn axe_finds_nothing_while_a_template_has_changed_or_people_collide() {
    let stage = stage();
    stage.bob().tick("Ask");
    publish(
        &stage.server,
        &fragment("f", [item("a", "Ask twice"), item("n", "New")]),
    );
    let control = stage.control("");
    control.says("The template has changed");
    control.click("Review");
    control.says("becomes");
    accessible(&stage, "reviewing a template's changes");
    control.click("Apply");
    control.says("Wording changed");
    control.settles();
    accessible(&stage, "wording changed since it was checked");
    control.edit("New");
    control.fill("Text of the item", "Mine");
    stage.bob().reword("New", "Bob's");
    control.click("Save");
    control.says("Bob Backoffice changed this text");
    accessible(&stage, "a text conflict");
}

#[test]
fn axe_finds_nothing_on_the_demo_page_and_in_previews() {
    let server = Server::demo();
    let browser = Browser::start();
    browser.open_demo(&server);
    browser
        .control("checklist-preview[template=server-decommission]")
        .until("__probe.rows(§).length > 0");
    browser.is_accessible_in_every_scheme("body");
    browser.open(&format!(
        "{}/api/Vendor/ChecklistControl/Preview/incident-standard",
        server.base_url()
    ));
    browser.is_accessible_in_every_scheme("html");
}

#[test]
fn a_list_is_a_list_with_native_checkboxes_and_says_how_far_it_is() {
    let stage = stage();
    let control = stage.control("");
    control.tick("Ask");
    control.settles();
    assert_eq!(
        control.value(
            "__probe.root(§).querySelectorAll('[role=grid], [role=listbox], [role=tree]').length"
        ),
        json!(0)
    );
    let boxes = "[...__probe.root(§).querySelectorAll('ul > li input[type=checkbox]')]";
    assert_eq!(
        control.value(&format!(
            "{boxes}.map(__probe.named).map((name) => name.split(',')[0])[0].startsWith('Ask')"
        )),
        json!(true)
    );
    assert_eq!(control.value(&format!("{boxes}.length")), json!(3));
    control.says("1 of 3");
    let described = control.value(
        "[...__probe.root(§).querySelectorAll('[role=group], section, fieldset')].some((one) => {\
           const ids = `${one.getAttribute('aria-describedby') ?? ''} ${one.getAttribute('aria-labelledby') ?? ''}`.trim().split(/\\s+/).filter(Boolean);\
           return ids.some((id) => __probe.tidy(__probe.root(§).getElementById(id)?.textContent).includes('1 of 3'));\
         })",
    );
    assert_eq!(
        described,
        json!(true),
        "no group is described by its progress"
    );
}

#[test]
fn what_happens_is_announced_politely_in_one_place() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["Ask", "Build", "Clean"]);
    let regions = control
        .value("__probe.root(§).querySelectorAll('[aria-live=polite], [role=status]').length");
    assert_eq!(regions, json!(1), "one polite region");
    control.tick("Ask");
    control.until("__probe.said(§).join(' ').length > 0");
}

#[test]
fn every_target_is_large_enough() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["Ask", "Build", "Clean"]);
    let small = |targets: &str| {
        control.value(&format!(
            "[...__probe.root(§).querySelectorAll('{targets}')].filter(__probe.seen)\
               .map((one) => [__probe.named(one), __probe.reach(one)])\
               .filter(([, {{ width, height }}]) => width < 24 || height < 24)"
        ))
    };
    assert_eq!(
        small("button, input, summary, a"),
        json!([]),
        "targets under 24 px"
    );
    control.click_of("Clean", "More for");
    assert_eq!(
        small("[role=menuitem]"),
        json!([]),
        "menu items under 24 px"
    );
}

#[test]
fn targets_are_larger_for_fingers() {
    let stage = stage();
    stage.browser.touch();
    let control = stage.control("");
    control.shows(&["Ask", "Build", "Clean"]);
    assert_eq!(
        control.value("matchMedia('(pointer: coarse)').matches"),
        json!(true)
    );
    // Measured in steps of a pixel from a centre that may lie between two: 43 steps are 44 px.
    let small = control.value(
        "[...__probe.root(§).querySelectorAll('li .box, .actions button, .add-button')].filter(__probe.seen)\
           .map((one) => [__probe.named(one), __probe.reach(one)])\
           .filter(([, { width, height }]) => width < 43 || height < 43)",
    );
    assert_eq!(small, json!([]), "targets under 44 px");
}

#[test]
fn a_narrow_view_needs_no_horizontal_scrolling() {
    let long = "An item with an unusually-long-word-that-nobody-would-break-by-hand-but-the-browser-has-to-somewhere";
    let stage = Stage::with([
        section("s", "Before"),
        under("s", item("a", long)),
        item("b", "Build"),
    ]);
    stage.browser.resize(320, 700);
    let control = stage.control("");
    control.shows(&[long, "Build"]);
    let fits = || {
        stage
            .browser
            .value("document.documentElement.scrollWidth <= 320")
    };
    assert_eq!(fits(), json!(true), "the list");
    control.edit("Build");
    assert_eq!(fits(), json!(true), "the editor");
    control.click("Cancel");
    control.click_of("Build", "More for");
    assert_eq!(fits(), json!(true), "the menu");
    stage.browser.is_untroubled();
}

#[test]
fn a_list_with_the_readers_spacing_of_text_is_whole() {
    let long = "An item whose text is long enough to be broken into several lines on a narrow view";
    let stage = Stage::with([
        section("s", "Before"),
        under("s", item("a", long)),
        required(item("b", "Build")),
        item("c", "Clean"),
    ]);
    for width in [1280, 320] {
        stage.browser.resize(width, 720);
        let control = stage.control("");
        control.shows(&[long, "Build", "Clean"]);
        let whole = |place: &str| {
            stage.browser.space_text();
            stage
                .browser
                .text_is_whole(&format!("{place}, {width} pixels"));
        };
        whole("the list");
        control.click_of("Build", "More for");
        whole("the menu");
        control.click("Edit details");
        whole("the details");
        control.click("Cancel");
        control.edit("Build");
        whole("the editor");
        control.click("Cancel");
        control.choose("Clean", "Delete");
        whole("an item deleted");
        control.click("Undo");
    }
}

#[test]
fn focus_is_always_seen_and_never_obscured() {
    let stage = Stage::with((0..30).map(|n| item(&format!("k{n}"), &format!("Item {n}"))));
    if stage.browser.engine() != Engine::WebKit {
        stage.browser.resize(500, 420);
    }
    let control = stage.control("");
    control.shows_item("Item 29");
    // A ring may fade in; what counts is that it comes.
    let seen = "(() => {
        const active = __probe.deepActive();
        if (!active || active === document.body || !__probe.root(§).contains(active)) return true;
        const box = active.getBoundingClientRect();
        const hit = __probe.root(§).elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        const reached = hit && (hit === active || active.contains(hit) || hit.contains(active) || hit.closest('label')?.control === active);
        const ringed = (one) => !!one && [null, '::before', '::after'].some((part) => {
          const style = getComputedStyle(one, part);
          return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none';
        });
        return !!reached && (ringed(active) || ringed(active.closest('li')));
      })()";
    for _ in 0..45 {
        stage.browser.press(checklist_tests::browser::Keys::Tab);
        control.until(seen);
    }
}

#[test]
fn focus_survives_a_delete_and_a_change_from_elsewhere() {
    let stage = stage();
    let control = stage.control("");
    control.focus_item("Build");
    stage.bob().tick("Ask");
    control.property("refresh()");
    control.becomes_checked("Ask", true);
    assert_eq!(stage.browser.value("__probe.focusRow()"), json!("Build"));
    control.choose("Build", "Delete");
    until("the focus to stay in the control", || {
        (stage.browser.value("document.activeElement.id") == json!("list")).then_some(())
    });
}
