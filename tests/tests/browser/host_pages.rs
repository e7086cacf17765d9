//! What pages of service desks do around the control: forms that are written late, dialogs, tabs that are
//! hidden at first, content that is replaced after every save, paper, and sessions that end.

use checklist_tests::browser::{Browser, Control, Keys, Stage};
use checklist_tests::template::{item, optional_to_apply};
use serde_json::json;

fn stage() -> Stage {
    Stage::with(["Ask", "Build", "Check"].map(|text| optional_to_apply(item(text, text))))
}

/// A page script that writes HTML as desks do, and counts what is left behind: listeners of the window
/// and the document, and streams.
const DESK: &str = "{ const policy = window.trustedTypes?.createPolicy('desk', { createHTML: (html) => html });\
    window.write = (selector, html) => { document.querySelector(selector).innerHTML = policy ? policy.createHTML(html) : html; };\
    window.listeners = 0; window.streams = 0;\
    for (const target of [window, document]) {\
      const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)];\
      target.addEventListener = (type, listener, options) => { listeners++;\
        options?.signal?.addEventListener('abort', () => listeners--); return add(type, listener, options); };\
      target.removeEventListener = (type, listener, options) => { listeners--; return remove(type, listener, options); }; }\
    const real = window.fetch;\
    window.fetch = (address, init) => {\
      if (String(address.url ?? address).includes('/Events')) { streams++; init.signal.addEventListener('abort', () => streams--); }\
      return real(address, init); }; }";

/// A page with an empty place for what it writes later.
fn empty_page(stage: &Stage) {
    stage.open_with_script("<div id='place'></div>", DESK);
    stage
        .browser
        .until("!!customElements.get('checklist-control')");
}

/// Writes this into the place.
fn write(stage: &Stage, html: &str) {
    stage
        .browser
        .value(&format!("write('#place', {})", json!(html)));
}

fn element(stage: &Stage) -> String {
    format!(
        "<checklist-control id='list' name='list' {}></checklist-control>",
        stage.bound_to("1")
    )
}

/// The control of the page, with all items.
fn control_with_items(stage: &Stage) -> Control<'_> {
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build", "Check"]);
    control
}

/// What has the focus, inside the control too.
fn focused(browser: &Browser, selector: &str) -> bool {
    let active = "(() => { let one = document.activeElement; while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement; return one; })()";
    browser.value(&format!("{active}?.matches({}) === true", json!(selector))) == json!(true)
}

#[test]
fn a_form_that_is_written_late_has_the_list_in_it() {
    let stage = stage();
    empty_page(&stage);
    write(&stage, &element(&stage));
    control_with_items(&stage);
    // Another script puts a form around what is there, and one more form later.
    stage.browser.script(
        "const list = document.querySelector('#list'); const form = document.createElement('form'); form.id = 'form';\
         list.replaceWith(form); form.append(list);",
        &[],
    );
    let control = control_with_items(&stage);
    control.tick("Ask");
    control.settles();
    let state = "JSON.parse(new FormData(document.querySelector('#form')).get('list')).State";
    stage.browser.until(&format!("{state} === 'Open'"));
    write(
        &stage,
        &format!("<form id='form'>{}</form>", element(&stage)),
    );
    let control = control_with_items(&stage);
    control.becomes_checked("Ask", true);
    control.tick("Build");
    control.tick("Check");
    control.becomes_completed();
    stage.browser.until(&format!("{state} === 'Complete'"));
    stage.browser.is_untroubled();
}

#[test]
fn in_a_dialog_escape_leaves_what_is_open_in_the_list_before_the_dialog() {
    let stage = stage();
    empty_page(&stage);
    write(
        &stage,
        &format!("<dialog id='dialog'>{}</dialog>", element(&stage)),
    );
    let is_open = "document.querySelector('#dialog').open";
    stage
        .browser
        .value("document.querySelector('#dialog').showModal()");
    let control = control_with_items(&stage);

    control.open_the_add_field();
    stage.browser.keys("Tell the caller");
    stage.browser.press(Keys::Escape);
    control.until("!__probe.root(§).querySelector('.add input')");
    assert_eq!(
        stage.browser.value(is_open),
        json!(true),
        "the field alone is left"
    );

    control.edit("Ask");
    stage.browser.press(Keys::Escape);
    control.until("!__probe.root(§).querySelector('.editor')");
    assert_eq!(
        stage.browser.value(is_open),
        json!(true),
        "the editor alone is left"
    );

    let has_menu = "__probe.buttons(§).some((name) => name.startsWith('Delete'))";
    control.click_of("Ask", "More for");
    control.until(&format!(
        "{has_menu} && __probe.root(§).activeElement?.role === 'menuitem'"
    ));
    stage.browser.press(Keys::Escape);
    control.until(&format!("!{has_menu}"));
    assert_eq!(
        stage.browser.value(is_open),
        json!(true),
        "the menu alone is left"
    );

    stage.browser.press(Keys::Escape);
    stage.browser.until(&format!("{is_open} === false"));
    // Opened again, it is as it was.
    stage
        .browser
        .value("document.querySelector('#dialog').showModal()");
    control.tick("Ask");
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn in_a_tab_that_is_hidden_at_first_the_list_is_whole_when_it_is_shown() {
    let stage = stage();
    empty_page(&stage);
    write(
        &stage,
        &format!("<div id='tab' hidden>{}</div>", element(&stage)),
    );
    let control = stage.browser.control("#list");
    control.until("document.querySelector(§).counts.Total === 3");
    // What others do while it is hidden counts too.
    stage.bob().tick("Build");
    control.until("document.querySelector(§).counts.Done === 1");
    stage
        .browser
        .value("document.querySelector('#tab').hidden = false");
    control.becomes_checked("Build", true);
    control.until("document.querySelector(§).getBoundingClientRect().height > 100");
    control.tick("Ask");
    stage
        .browser
        .value("document.querySelector('#tab').hidden = true");
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn fifty_replacements_leave_no_stream_and_no_listener_behind() {
    let stage = stage();
    empty_page(&stage);
    write(&stage, &element(&stage));
    control_with_items(&stage);
    stage.browser.until("streams === 1");
    let listeners = stage.browser.value("listeners");
    for _ in 0..50 {
        write(&stage, &element(&stage));
        control_with_items(&stage);
    }
    stage.browser.until("streams === 1");
    assert_eq!(stage.browser.value("listeners"), listeners);
    // The stream that is left is that of the list that is left.
    stage.bob().tick("Check");
    stage
        .browser
        .control("#list")
        .becomes_checked("Check", true);
    // A tick that was just made when its element is replaced is sent.
    stage.browser.control("#list").tick("Ask");
    write(&stage, &element(&stage));
    let control = control_with_items(&stage);
    control.becomes_checked("Ask", true);
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    write(&stage, "");
    stage.browser.until("streams === 0");
    stage.browser.is_untroubled();
}

#[test]
fn what_somebody_types_outlives_a_replacement_with_its_focus() {
    let stage = stage();
    empty_page(&stage);
    write(&stage, &element(&stage));
    let control = control_with_items(&stage);
    control.open_the_add_field();
    stage.browser.keys("Tell the");
    write(&stage, &element(&stage));
    control_with_items(&stage)
        .until("__probe.root(§).querySelector('.add input')?.value === 'Tell the'");
    stage
        .browser
        .control("#list")
        .until("__probe.root(§).querySelector('.add input').selectionStart === 'Tell the'.length");
    assert!(focused(&stage.browser, ".add input"));
    stage.browser.keys(" caller");
    stage.browser.press(Keys::Enter);
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build", "Check", "Tell the caller"]);

    control.edit("Build");
    control.fill("Text of the item", "Build it");
    write(&stage, &element(&stage));
    let control = stage.browser.control("#list");
    control.until("__probe.root(§).querySelector('.editor textarea')?.value === 'Build it'");
    assert!(focused(&stage.browser, ".editor textarea"));
    control.click("Save");
    control.shows(&["Ask", "Build it", "Check", "Tell the caller"]);

    // Another list of the page gets none of it.
    stage
        .browser
        .click("__probe.root('#list').querySelector('.add input')");
    stage.browser.keys("For this list");
    write(
        &stage,
        &element(&stage).replace("object-id='1'", "object-id='2'"),
    );
    let control = control_with_items(&stage);
    control.until("!__probe.root(§).querySelector('.add input')");
    stage.browser.is_untroubled();
}

#[test]
fn paper_says_how_many_items_are_hidden_on_the_screen_and_has_no_buttons() {
    let stage = stage();
    stage.bob().tick("Ask");
    let control = stage.control("hide-completed");
    control.says("1 done hidden");
    let printed = |what: &str| {
        stage.browser.printed_value(&format!(
            "[...document.querySelector('#list').shadowRoot.querySelectorAll('{what}')].filter((one) => one.checkVisibility()).map((one) => one.textContent)"
        ))
    };
    assert_eq!(printed(".row .text"), json!(["Build", "Check"]));
    assert_eq!(printed(".done-items p"), json!(["1 done hidden"]));
    assert_eq!(printed("button, input:not([type=checkbox])"), json!([]));
}

#[test]
fn a_session_that_ends_loses_nothing_that_is_typed() {
    let stage = stage();
    stage.open_with_script(
        &format!(
            "<checklist-control id='list' base-url='{}' object-type='incident' object-id='1'></checklist-control>",
            stage.server.base_url()
        ),
        "window.signedIn = true; window.asked = 0;\
         addEventListener('DOMContentLoaded', () => {\
           document.querySelector('#list').tokenProvider = async ({ contexts }) => {\
             asked++; if (!signedIn) throw new Error('the session has ended');\
             const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts }) });\
             const { Token } = await answer.json(); return { token: Token, expiresAt: Date.now() + 1 }; }; });",
    );
    let control = control_with_items(&stage);
    stage.browser.value("window.signedIn = false");
    control.open_the_add_field();
    stage.browser.keys("Tell the caller");
    stage.browser.press(Keys::Enter);
    control.shows_item("Tell the caller");
    control.says("Your sign-in could not be confirmed");
    control.edit("Build");
    control.fill("Text of the item", "Build it");
    stage.browser.value("window.signedIn = true");
    // No button is pressed.
    control.settles();
    control.until("__probe.root(§).querySelector('.editor textarea').value === 'Build it'");
    control.click("Save");
    control.settles();
    let items = stage.bob().list();
    assert_eq!(items.status("Build it"), "Open");
    assert_eq!(items.status("Tell the caller"), "Open");
}
