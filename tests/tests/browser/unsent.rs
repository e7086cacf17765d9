//! What the server does not have yet: a form never says more than is stored, a token that cannot
//! be had is one state that ends by itself, and what is unsent outlives the tab.
//!
//! The network is slow, ends in the middle, or is not there; nobody waits for a fixed time.

use checklist_tests::browser::{Control, Stage};
use checklist_tests::template::item;
use serde_json::{Value, json};

/// What the server's web services are called by.
const SERVICES: &str = "*/api/Vendor/*";

/// Every write takes `delay` milliseconds, and after `most` of them there is no network any more.
fn slow(delay: u32, most: u32) -> String {
    format!(
        "window.writes = 0; window.most = {most}; const real = fetch; window.fetch = async (address, options) => {{\
           if (!/UpdateItems|AddItems/.test(address.url ?? address)) return real(address, options);\
           writes += 1; const dead = writes > most;\
           await new Promise((done) => setTimeout(done, {delay}));\
           if (dead && writes > most) throw new TypeError('no network');\
           return real(address, options); }};\
         window.sent = []; addEventListener('submit', (event) => {{ event.preventDefault();\
           sent.push(JSON.parse(new FormData(event.target).get('list'))); }});"
    )
}

fn stage() -> Stage {
    Stage::with(["Ask", "Build", "Check", "Deliver", "End"].map(|text| item(text, text)))
}

fn form(stage: &Stage, attributes: &str, script: &str) {
    let bound = stage.bound_to("1");
    let body = format!(
        "<form id='form'><checklist-control id='list' name='list' {bound} {attributes}></checklist-control><button id='send'>Send</button></form>"
    );
    stage.open_with_script(&body, script);
    stage.browser.control("#list").shows_item("End");
}

fn tick_all(control: &Control<'_>) {
    for text in ["Ask", "Build", "Check", "Deliver", "End"] {
        control.tick(text);
    }
}

fn posted(stage: &Stage) -> Value {
    stage.browser.until("sent.length === 1");
    stage.browser.value("sent[0]")
}

#[test]
fn a_form_that_is_submitted_at_once_posts_what_the_server_has_whatever_the_latency() {
    for delay in [150, 400, 1_500] {
        for required in ["", "required"] {
            let stage = stage();
            form(&stage, required, &slow(delay, 99));
            let control = stage.browser.control("#list");
            tick_all(&control);
            let busy = "document.querySelector('#send').getAttribute('aria-busy')";
            let [waits, is_busy] = ["document.querySelector('#list').pendingCount > 0", busy];
            // In one moment, or the last answer may come between.
            let clicked = stage.browser.value(&format!(
                "[{waits}, document.querySelector('#send').click(), {is_busy} === 'true']"
            ));
            assert_eq!(clicked[0], clicked[2], "{delay} {required}");
            assert!(clicked[0] == true || delay < 1_500, "{delay} {required}");
            let value = posted(&stage);
            let list = stage.bob().list();
            assert_eq!(
                (&value["Completed"], &value["Revision"]),
                (&json!(true), &json!(list.revision())),
                "{delay} {required}"
            );
            assert!(list.completed(), "{delay} {required}");
            assert_eq!(stage.browser.value(busy), Value::Null);
        }
    }
}

#[test]
fn completed_is_what_the_server_has_and_a_required_list_is_saving_until_then() {
    let stage = stage();
    form(&stage, "required", &slow(1_500, 99));
    let control = stage.browser.control("#list");
    stage.browser.value(
        "(window.told = [], document.querySelector('#list')\
          .addEventListener('completed-changed', (event) => told.push(event.detail.completed)))",
    );
    tick_all(&control);
    assert!(!control.completed() && !control.is("completed"));
    assert_eq!(control.property("validity.valid"), json!(false));
    assert_eq!(control.property("validationMessage"), json!("Saving…"));
    assert_eq!(stage.browser.value("told"), json!([]));
    control.becomes_completed();
    assert_eq!(control.property("pendingCount"), json!(0));
    assert_eq!(control.property("validity.valid"), json!(true));
    assert_eq!(stage.browser.value("told"), json!([true]));
    assert!(stage.bob().list().completed());
}

#[test]
fn a_server_that_is_gone_in_the_middle_stops_the_submit_and_nothing_is_claimed() {
    let stage = stage();
    form(&stage, "", &slow(150, 3));
    let control = stage.browser.control("#list");
    tick_all(&control);
    stage.browser.click("document.querySelector('#send')");
    control.becomes("offline");
    control.until("document.querySelector('#send').getAttribute('aria-busy') === null");
    assert_eq!(stage.browser.value("sent"), json!([]));
    assert!(!control.completed());
    control.says("7 days");
    assert_eq!(stage.bob().list().counts()[1], 3, "done");
    stage.browser.value("window.most = 99");
    control.settles();
    stage.browser.click("document.querySelector('#send')");
    assert_eq!(posted(&stage)["Completed"], json!(true));
}

#[test]
fn a_token_that_cannot_be_had_is_one_state_that_is_announced_and_ends_by_itself() {
    let stage = stage();
    let script = "window.broken = false; window.said = [];\
        const real = fetch; window.fetch = (address, options) => broken && String(address).endsWith('/token') ?\
          Promise.reject(new TypeError('the token endpoint is down')) : real(address, options);\
        addEventListener('DOMContentLoaded', () => {\
          document.querySelector('#list').tokenProvider = async ({ contexts }) => {\
            const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts }) });\
            const { Token } = await answer.json(); return { token: Token, expiresAt: Date.now() + 1 }; }; });";
    form(&stage, "", script);
    let control = stage.browser.control("#list");
    stage.browser.value("window.broken = true");
    control.tick("Ask");
    control.says("Your sign-in could not be confirmed");
    control.until(
        "__probe.root(§).querySelector('[role=status]').textContent.includes('Your sign-in could not be confirmed')",
    );
    assert!(!control.tells("No connection"));
    control.tick("Build");
    control.until(
        "__probe.root(§).querySelector('[role=status]').textContent.includes('Not saved yet')",
    );
    stage.browser.value("window.broken = false");
    // No button is pressed.
    control.settles();
    control.until("!__probe.root(§).textContent.includes('Your sign-in could not be confirmed')");
    let list = stage.bob().list();
    assert_eq!([list.status("Ask"), list.status("Build")], ["Done", "Done"]);
}

#[test]
fn a_session_that_ends_while_nobody_ticks_is_said_as_what_it_is() {
    let mut stage = stage();
    let script = "window.ended = false;\
        addEventListener('DOMContentLoaded', () => {\
          document.querySelector('#list').tokenProvider = async ({ contexts }) => {\
            if (ended) throw new Error('signed out');\
            const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts }) });\
            const { Token } = await answer.json(); return { token: Token, expiresAt: Date.now() + 1 }; }; });";
    form(&stage, "", script);
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build", "Check", "Deliver", "End"]);
    stage.browser.value("window.ended = true");
    stage.server.restart();
    control.says("Your sign-in could not be confirmed");
    assert!(!control.tells("No connection"));
    assert!(!control.tells("Unsaved"), "nothing was changed");
    stage.browser.value("window.ended = false");
    control.click("Try again");
    control.until("!__probe.root(§).textContent.includes('Your sign-in could not be confirmed')");
    stage.bob().tick("Ask");
    control.becomes_checked("Ask", true);
}

#[test]
fn what_a_closed_tab_has_left_unsent_is_shown_and_sent_by_the_next_page() {
    let stage = stage();
    form(&stage, "", "");
    let control = stage.browser.control("#list");
    stage.browser.cut_off(&[SERVICES]);
    control.tick("Ask");
    control.tick("Build");
    control.becomes("offline");
    control.says("kept in this browser for 7 days");
    // What a tab keeps goes with it.
    stage.browser.value("sessionStorage.clear()");
    stage
        .browser
        .open(&format!("{}/probe.js", stage.host.origin));
    stage.browser.cut_off(&[]);
    stage.browser.open(&format!("{}/", stage.host.origin));
    let control = stage.browser.control("#list");
    control.becomes_checked("Ask", true);
    control.becomes_checked("Build", true);
    control.settles();
    let list = stage.bob().list();
    assert_eq!([list.status("Ask"), list.status("Build")], ["Done", "Done"]);
    assert_eq!(list.revision(), 2, "each was sent once");
    let left =
        "Object.keys(localStorage).filter((key) => key.startsWith('checklist\\u001f')).length";
    assert_eq!(stage.browser.value(left), json!(0));
}

#[test]
fn with_unsent_tab_nothing_is_left_for_another_page_and_the_sentence_says_so() {
    let stage = stage();
    form(&stage, "unsent='tab'", "");
    let control = stage.browser.control("#list");
    stage.browser.cut_off(&[SERVICES]);
    control.tick("Ask");
    control.becomes("offline");
    control.says("kept in this tab only");
    let left =
        "Object.keys(localStorage).filter((key) => key.startsWith('checklist\\u001f')).length";
    assert_eq!(stage.browser.value(left), json!(0));
    stage.browser.cut_off(&[]);
    stage.browser.reload();
    let control = stage.browser.control("#list");
    control.becomes_checked("Ask", true);
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
}

#[test]
fn leaving_is_asked_about_only_while_something_is_unsent() {
    let stage = stage();
    form(&stage, "", "");
    let control = stage.browser.control("#list");
    let asks = "(() => { const event = new Event('beforeunload', { cancelable: true }); return !dispatchEvent(event); })()";
    assert_eq!(stage.browser.value(asks), json!(false));
    stage.browser.cut_off(&[SERVICES]);
    control.tick("Ask");
    control.becomes("offline");
    assert_eq!(stage.browser.value(asks), json!(true));
    stage.browser.cut_off(&[]);
    control.settles();
    assert_eq!(stage.browser.value(asks), json!(false));
}

#[test]
fn a_browser_that_keeps_nothing_is_told_to_both_and_what_was_done_is_sent_all_the_same() {
    let full = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };";
    let forbidden = "for (const name of ['localStorage', 'sessionStorage'])\
        Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });";
    for script in [full, forbidden] {
        let stage = stage();
        form(&stage, "", script);
        let control = stage.browser.control("#list");
        stage.browser.cut_off(&[SERVICES]);
        control.tick("Ask");
        control.tick("Build");
        control.becomes("offline");
        control.says("Unsaved changes are lost when you close or reload this page.");
        let warnings = "__probe.troubles.filter((one) => one.includes('#storage')).length";
        assert_eq!(stage.browser.value(warnings), json!(1), "{script}");
        stage.browser.cut_off(&[]);
        control.settles();
        let list = stage.bob().list();
        assert_eq!((list.status("Ask"), list.status("Build")), ("Done", "Done"));
    }
}
