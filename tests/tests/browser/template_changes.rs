//! "The template has changed": shown, looked at, taken over, taken back.
//!
//! The lists are behind because the test publishes a second version of their template.

use checklist_tests::browser::Stage;
use checklist_tests::template::{fragment, item, publish};

fn changed() -> Stage {
    let stage = Stage::with([item("a", "Ask"), item("b", "Build")]);
    stage.bob().tick("Ask");
    publish(
        &stage.server,
        &fragment("f", [item("a", "Ask twice"), item("c", "Clean")]),
    );
    stage
}

#[test]
fn a_change_is_announced_reviewed_applied_and_undone() {
    let stage = changed();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    control.says("The template has changed: 1 new, 1 changed, 1 removed");
    control.click("Review");
    control.says("Clean");
    control.says("“Ask” becomes “Ask twice”");
    assert_eq!(
        stage.bob().list().0["TemplateVersion"],
        1,
        "a look changes nothing"
    );
    control.click("Apply");
    control.shows(&["Ask twice", "Clean"]);
    control.settles();
    assert_eq!(stage.bob().list().0["TemplateVersion"], 2);
    control.becomes_checked("Ask twice", true);
    control.says("Wording changed since it was checked");
    assert!(!control.tells("The template has changed"));
    control.property("undo()");
    control.shows(&["Ask", "Build"]);
    control.settles();
    assert_eq!(stage.bob().list().0["TemplateVersion"], 1);
    stage.browser.is_untroubled();
}

#[test]
fn it_can_be_left_for_later() {
    let stage = changed();
    let control = stage.control("");
    control.says("The template has changed");
    control.click("Review");
    control.click("Not now");
    control.until("!/The template has changed|What the new version brings/.test(__probe.text(§))");
    assert_eq!(stage.bob().list().0["TemplateVersion"], 1);
}

#[test]
fn who_may_not_refresh_is_not_asked_to() {
    let stage = Stage::for_people_who_may(&["Read", "Check"], [item("a", "Ask")]);
    stage.bob().tick("Ask");
    publish(
        &stage.server,
        &fragment("f", [item("a", "Ask"), item("c", "Clean")]),
    );
    let control = stage.control("");
    control.shows(&["Ask"]);
    assert!(
        !control
            .buttons()
            .iter()
            .any(|name| name.starts_with("Apply")),
        "{:?}",
        control.buttons()
    );
}
