//! Changes of others as they happen: they appear without being asked for, and nobody who is
//! typing, reading or away is harmed by them.
//!
//! The other person works through the web services or in a browser of their own.

use checklist_tests::browser::{Browser, Control, Keys, Stage};
use checklist_tests::template::item;
use serde_json::json;

fn stage() -> Stage {
    Stage::with([item("a", "Ask"), item("b", "Build"), item("c", "Check")])
}

/// A page script that counts the streams that are opened, and keeps what is announced.
const WATCH: &str = "window.__streams = window.__ended = 0; window.__said = [];\
    const real = window.fetch;\
    window.fetch = (address, init) => {\
      if (String(address).includes('/Events')) { __streams++; init.signal.addEventListener('abort', () => __ended++); }\
      return real(address, init); };\
    const looking = setInterval(() => {\
      const region = __probe.root('checklist-control')?.querySelector('[aria-live=polite]');\
      if (!region) return;\
      clearInterval(looking);\
      const note = () => { const said = region.textContent.trim();\
        if (said && __said.at(-1)?.text !== said) __said.push({ text: said, at: performance.now() }); };\
      note();\
      new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true }); }, 20);";

fn watched(stage: &Stage) -> Control<'_> {
    watched_with(stage, "Check")
}

/// A control that has shown that item and reads its stream.
fn watched_with<'a>(stage: &'a Stage, item: &str) -> Control<'a> {
    let control = stage.control_after(WATCH);
    control.shows_item(item);
    stage.browser.until("__streams === 1");
    control
}

/// A control in which somebody is changing "Ask" to "Ask Petra".
fn edited(stage: &Stage) -> Control<'_> {
    let control = watched(stage);
    control.edit("Ask");
    control.fill("Text of the item", "Ask Petra");
    control
}

/// Saves what is being typed, which is still there after everything that others have done.
#[track_caller]
fn save_once_others_were_heard(stage: &Stage, control: &Control<'_>) {
    stage.bob().tick("Build");
    control.becomes_checked("Build", true);
    assert_eq!(
        stage.browser.value("__probe.deepActive().value"),
        json!("Ask Petra")
    );
    control.click("Save");
}

fn another_moves_ask_to_the_end(stage: &Stage) {
    let list = stage.bob().list();
    let version = &list.item("Ask")["Version"];
    stage.bob().change(
        "Ask",
        json!({ "AfterId": list.id("Check"), "BaseVersion": version }),
    );
}

#[test]
fn a_tick_of_another_appears_by_itself() {
    let stage = stage();
    let control = watched(&stage);
    stage.bob().tick("Build");
    control.becomes_checked("Build", true);
    control.says("Bob Backoffice");
    control.until("document.querySelector(§).counts.Done === 1");
    stage
        .browser
        .until("__said.some(({ text }) => text === 'Bob Backoffice checked “Build”. 1 of 3 done')");
    for text in ["Ask", "Check"] {
        stage.bob().tick(text);
    }
    control.becomes_completed();
    stage.browser.is_untroubled();
}

#[test]
fn two_browsers_see_each_others_ticks_texts_and_new_items() {
    let stage = stage();
    let here = watched(&stage);
    let elsewhere = Browser::start();
    elsewhere.open(&format!("{}/", stage.host.origin));
    let there = elsewhere.control("#list");
    there.tick("Ask");
    here.becomes_checked("Ask", true);
    here.add("Deliver");
    there.shows(&["Ask", "Build", "Check", "Deliver"]);
    there.edit("Build");
    there.fill("Text of the item", "Build it");
    there.click("Save");
    here.shows(&["Ask", "Build it", "Check", "Deliver"]);
    elsewhere.is_untroubled();
    stage.browser.is_untroubled();
}

#[test]
fn what_a_person_does_is_said_once() {
    let stage = stage();
    let control = watched(&stage);
    control.tick("Ask");
    control.settles();
    stage
        .browser
        .until("__said.some(({ text }) => text.startsWith('Checked'))");
    // Only when the next change of another is here it is certain that one's own has come back.
    stage.bob().tick("Build");
    control.becomes_checked("Build", true);
    stage
        .browser
        .until("__said.some(({ text }) => text.includes('Bob Backoffice'))");
    let said = stage
        .browser
        .value("__said.map(({ text }) => text.split('.')[0].trim())");
    assert_eq!(said, json!(["Checked", "Bob Backoffice checked “Build”"]));
}

#[test]
fn a_text_that_another_changes_under_an_edit_is_told_when_the_edit_ends() {
    let stage = stage();
    let control = edited(&stage);
    stage.bob().reword("Ask", "Ask Bob");
    save_once_others_were_heard(&stage, &control);
    control.says("Bob Backoffice changed this text");
    control.says("Ask Petra");
    control.says("Ask Bob");
    assert!(stage.bob().list().has("Ask Bob"));
    stage.browser.is_untroubled();
}

#[test]
fn a_row_under_edit_that_another_moves_stays_until_the_edit_ends() {
    let stage = stage();
    let control = edited(&stage);
    another_moves_ask_to_the_end(&stage);
    save_once_others_were_heard(&stage, &control);
    control.shows(&["Build", "Check", "Ask Petra"]);
    control.settles();
    assert_eq!(stage.bob().list().texts(), ["Build", "Check", "Ask Petra"]);
}

#[test]
fn what_was_typed_into_a_row_that_another_deletes_is_not_lost() {
    let stage = stage();
    let control = edited(&stage);
    stage.bob().delete("Ask");
    save_once_others_were_heard(&stage, &control);
    control.shows(&["Build", "Check"]);
    control.says("no longer in the checklist");
    control.until("[...__probe.root(§).querySelectorAll('.add input')].some((one) => one.value === 'Ask Petra')");
}

#[test]
fn the_focus_stays_when_its_row_is_moved_and_goes_to_the_next_when_it_is_deleted() {
    let stage = stage();
    let control = watched(&stage);
    control.focus_item("Ask");
    another_moves_ask_to_the_end(&stage);
    control.shows(&["Build", "Check", "Ask"]);
    stage.browser.until("__probe.focusRow() === 'Ask'");
    control.focus_item("Build");
    stage.bob().delete("Build");
    control.shows(&["Check", "Ask"]);
    stage.browser.until("__probe.focusRow() === 'Check'");
}

#[test]
fn a_server_that_restarts_is_told_quietly_and_everything_converges() {
    let mut stage = stage();
    watched(&stage);
    stage.server.kill();
    {
        let control = stage.browser.control("#list");
        control.becomes("offline");
        control.says("No connection");
        control.tick("Ask");
        control.becomes("pending");
    }
    stage.server.start_again();
    stage.bob().tick("Build");
    let control = stage.browser.control("#list");
    control.becomes_checked("Build", true);
    control.settles();
    control.until("!__probe.state(§, 'offline')");
    let list = stage.bob().list();
    assert_eq!((list.status("Ask"), list.status("Build")), ("Done", "Done"));
    stage.bob().tick("Check");
    control.becomes_completed();
}

#[test]
fn a_page_without_a_network_says_so_and_hears_everything_afterwards() {
    let stage = stage();
    let control = watched(&stage);
    stage.browser.offline(true);
    control.becomes("offline");
    control.tick("Ask");
    control.becomes("pending");
    stage.bob().tick("Build");
    stage.browser.offline(false);
    control.becomes_checked("Build", true);
    control.settles();
    control.until("!__probe.state(§, 'offline')");
    assert_eq!(stage.bob().list().status("Ask"), "Done");
}

#[test]
fn twenty_controls_share_one_stream() {
    let stage = stage();
    let controls: String = (0..20)
        .map(|n| {
            let bound = stage.bound_to(&n.to_string());
            format!("<checklist-control id='list{n}' {bound}></checklist-control>")
        })
        .collect();
    stage.open_with_script(&controls, WATCH);
    for n in [0, 10, 19] {
        let control = stage.browser.control(&format!("#list{n}"));
        control.shows_item("Check");
    }
    for n in [0, 10, 19] {
        let control = stage.browser.control(&format!("#list{n}"));
        stage
            .bob()
            .at(&checklist_tests::incident(&n.to_string()))
            .tick("Ask");
        control.becomes_checked("Ask", true);
    }
    // Lists that the server drew are there before the others, and the stream is opened anew for all.
    assert_eq!(stage.browser.value("__streams - __ended"), json!(1));
    stage.browser.is_untroubled();
}

#[test]
fn a_list_that_is_shown_instead_is_followed_instead() {
    let stage = stage();
    let control = watched(&stage);
    control.value("document.querySelector(§).objectId = '2'");
    stage.browser.until("__streams === 2");
    let two = stage.bob().at(&checklist_tests::incident("2"));
    two.tick("Build");
    control.becomes_checked("Build", true);
    stage.bob().tick("Ask");
    two.tick("Check");
    control.becomes_checked("Check", true);
    assert!(!control.checked("Ask"), "that was the other list");
}

#[test]
fn five_hundred_ticks_of_others_do_not_disturb_whoever_types() {
    let items = (0..20).map(|n| item(&format!("k{n}"), &format!("Item {n}")));
    let stage = Stage::with(items);
    let control = stage.control_after(WATCH);
    control.shows_item("Item 19");
    control.open_the_add_field();
    let bob = stage.bob();
    let ids: Vec<String> = bob.list().ids().iter().map(|&id| id.to_owned()).collect();
    let sentence = "nobody takes this text or its focus away while it is being typed";
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..25 {
                let status = if round % 2 == 0 { "Done" } else { "Open" };
                for id in &ids {
                    bob.update(json!([{ "Id": id, "Status": status }]));
                }
            }
        });
        for word in sentence.split_inclusive(' ') {
            stage.browser.keys(word);
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    });
    assert_eq!(
        stage.browser.value("__probe.deepActive().value"),
        json!(sentence)
    );
    control.becomes_completed();
    stage.browser.press(Keys::Enter);
    control.shows_item(sentence);
    control.settles();
    // Noted at the very moment of the change, so this holds on a machine that is busy, too.
    let said = stage.browser.value("__said");
    let moments: Vec<f64> = said
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["at"].as_f64())
        .collect();
    assert!(
        moments.len() > 1,
        "nothing was said of five hundred ticks: {said}"
    );
    let pauses = moments.windows(2).map(|pair| pair[1] - pair[0]);
    let shortest = pauses.fold(f64::INFINITY, f64::min);
    assert!(
        shortest >= 999.0,
        "{shortest} ms between two messages of {said}"
    );
    stage.browser.is_untroubled();
}

#[test]
fn a_token_is_renewed_before_it_ends_and_nothing_is_missed() {
    let stage = Stage::with_tokens_for(8, [item("a", "Ask"), item("b", "Build")]);
    let control = watched_with(&stage, "Build");
    stage.browser.until("__streams >= 3");
    stage.bob().tick("Ask");
    control.becomes_checked("Ask", true);
    let said = stage.browser.value("__said.map(({ text }) => text)");
    assert!(!said.to_string().contains("No connection"), "{said}");
    stage.browser.is_untroubled();
}

#[test]
fn a_new_version_of_the_template_is_offered_by_itself() {
    let stage = stage();
    stage.bob().tick("Ask");
    let control = watched(&stage);
    let items = [item("a", "Ask"), item("d", "Deliver")];
    checklist_tests::template::publish(
        &stage.server,
        &checklist_tests::template::fragment("f", items),
    );
    control.says("The template has changed");
}

#[test]
fn a_lock_of_another_closes_the_list_by_itself() {
    let stage = stage();
    let control = watched(&stage);
    stage.bob().lock("closed for an hour");
    control.says("closed for an hour");
    control.becomes("readonly");
    stage.bob().unlock();
    control.until("!__probe.state(§, 'readonly')");
}

#[test]
fn a_control_that_is_taken_away_lets_its_stream_go() {
    let stage = stage();
    watched(&stage);
    stage
        .browser
        .value("document.querySelector('#list').remove()");
    // Another one begins its own.
    stage.browser.value(&format!(
        "(() => {{ const other = document.createElement('checklist-control'); other.id = 'list';\
          Object.assign(other, {{ baseUrl: '{}', tokenUrl: '{}/token', objectType: 'incident', objectId: '1' }});\
          document.querySelector('main').append(other); return true; }})()",
        stage.server.base_url(),
        stage.host.origin
    ));
    let control = stage.browser.control("#list");
    control.shows_item("Check");
    stage.browser.until("__streams === 2");
    stage.bob().tick("Ask");
    control.becomes_checked("Ask", true);
}
