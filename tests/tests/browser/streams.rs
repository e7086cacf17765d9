//! One stream of changes for a page and all its windows, whatever functions give the tokens: a
//! server of HTTP/1.1 gets six connections of a browser, and writes need some of them.
//! Streams are counted where the page begins them, with its own `fetch`.

use checklist_tests::browser::{Control, Stage};
use checklist_tests::incident;
use checklist_tests::template::item;
use serde_json::json;

fn stage() -> Stage {
    Stage::with([item("a", "Ask"), item("b", "Build"), item("c", "Check")])
}

/// Counts streams that are open, and questions for a token; makes providers, each a function of
/// its own.
const COUNT: &str = "window.__open = window.__begun = window.__asked = 0;\
    const real = window.fetch;\
    window.fetch = (address, init) => {\
      if (String(address).includes('/Events')) {\
        __begun++; __open++; init.signal.addEventListener('abort', () => __open--); }\
      return real(address, init); };\
    window.provider = () => async ({ contexts }) => {\
      __asked++;\
      const answer = await real('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts }) });\
      const { Token, ExpiresAt } = await answer.json();\
      return { token: Token, expiresAt: ExpiresAt }; };\
    addEventListener('DOMContentLoaded', () =>\
      document.querySelectorAll('checklist-control').forEach((list) => { list.tokenProvider = provider(); }));";

fn bound(stage: &Stage, object: usize) -> String {
    format!(
        "base-url='{}' object-type='incident' object-id='{object}'",
        stage.server.base_url()
    )
}

fn open_lists(stage: &Stage, count: usize) {
    let lists: String = (1..=count)
        .map(|n| {
            let bound = bound(stage, n);
            format!("<checklist-control id='list{n}' {bound}></checklist-control>")
        })
        .collect();
    stage.open_with_script(&lists, COUNT);
}

fn list(stage: &Stage, number: usize) -> Control<'_> {
    let control = stage.browser.control(&format!("#list{number}"));
    control.shows_item("Check");
    control
}

#[test]
fn eight_controls_with_a_provider_each_share_one_stream_and_can_be_ticked() {
    let stage = stage();
    open_lists(&stage, 8);
    for n in 1..=8 {
        list(&stage, n);
    }
    stage.browser.until("__open === 1");
    for n in [1, 8] {
        let control = list(&stage, n);
        control.tick("Ask");
        control.settles();
        let bob = stage.bob().at(&incident(&n.to_string()));
        assert_eq!(bob.list().status("Ask"), "Done");
        bob.tick("Build");
        control.becomes_checked("Build", true);
    }
    assert_eq!(stage.browser.value("__open"), json!(1));
    stage.browser.is_untroubled();
}

#[test]
fn thirty_renders_with_a_provider_made_anew_cause_nothing() {
    let stage = stage();
    open_lists(&stage, 1);
    let control = list(&stage, 1);
    stage.browser.until("__open === 1");
    let before = stage.browser.value("[__begun, __asked]");
    assert_eq!(before, json!([1, 1]));
    stage.browser.value(
        "(async () => { for (let n = 0; n < 30; n++) {\
           document.querySelector('#list1').tokenProvider = provider();\
           await new Promise((done) => setTimeout(done, 30)); }\
         window.__rendered = true; })() && null",
    );
    stage.browser.until("window.__rendered === true");
    stage.bob().tick("Build");
    control.becomes_checked("Build", true);
    control.tick("Ask");
    control.settles();
    assert_eq!(stage.browser.value("[__begun, __asked]"), before);
    stage.browser.is_untroubled();
}

#[test]
fn a_provider_that_knows_its_own_list_alone_does_not_cost_a_stream_each() {
    let stage = stage();
    let narrow = COUNT.replace(
        "window.provider = () => async ({ contexts }) => {",
        "window.__made = 0;\
         window.provider = (own = String(++__made)) => async () => {\
           const contexts = [{ ObjectType: 'incident', ObjectId: own, Purpose: '' }];",
    );
    assert_ne!(narrow, COUNT);
    stage.open_with_script(
        &format!(
            "<checklist-control id='list1' {}></checklist-control>",
            bound(&stage, 1)
        ),
        &narrow,
    );
    list(&stage, 1);
    stage.browser.until("__open === 1");
    // Another part of the page comes later.
    stage.browser.value(
        "(() => { const list = document.querySelector('#list1').cloneNode();\
         list.id = 'list2'; list.objectId = '2'; list.tokenProvider = provider();\
         document.querySelector('main').append(list); })()",
    );
    let control = list(&stage, 2);
    control.tick("Ask");
    control.settles();
    let bob = stage.bob().at(&incident("2"));
    assert_eq!(bob.list().status("Ask"), "Done");
    // No stream covers it; it is read from time to time.
    bob.tick("Build");
    control.becomes_checked("Build", true);
    stage.bob().tick("Check");
    list(&stage, 1).becomes_checked("Check", true);
    assert_eq!(stage.browser.value("__open"), json!(1));
    stage.browser.is_untroubled();
}

#[test]
fn six_windows_share_one_stream_and_the_next_holds_it_when_that_one_is_closed() {
    let stage = stage();
    open_lists(&stage, 1);
    let address = format!("{}/", stage.host.origin);
    let mut windows = vec![stage.browser.window()];
    for _ in 1..6 {
        windows.push(stage.browser.open_window(&address));
    }
    let open = |windows: &[String]| -> u64 {
        let streams = windows.iter().map(|window| {
            stage.browser.show_window(window);
            stage.browser.value("__open").as_u64().unwrap_or_default()
        });
        streams.sum()
    };
    // Each can write, and hears of the others.
    for (window, text) in windows
        .iter()
        .zip(["Ask", "Build", "Check", "Ask", "Build", "Check"])
    {
        stage.browser.show_window(window);
        let control = list(&stage, 1);
        control.tick(text);
        control.settles();
    }
    stage.bob().tick("Ask");
    for window in &windows {
        stage.browser.show_window(window);
        list(&stage, 1).becomes_checked("Ask", true);
    }
    assert_eq!(open(&windows), 1, "streams of six windows");
    // The one that holds the stream goes.
    let holder = windows.iter().position(|window| {
        stage.browser.show_window(window);
        stage.browser.value("__open") == json!(1)
    });
    let holder = windows.remove(holder.expect("a window holds the stream"));
    stage.browser.show_window(&holder);
    stage.browser.close_window(&windows[0]);
    stage.bob().tick("Build");
    for window in &windows {
        stage.browser.show_window(window);
        list(&stage, 1).becomes_checked("Build", true);
    }
    assert_eq!(open(&windows), 1, "streams of five windows");
}
