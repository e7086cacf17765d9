//! One script for all frameworks: a person works with a checklist in a page that the framework
//! has drawn, and the page's own buttons change what the framework passes to it.
//!
//! The sources are in `tests/frameworks`, a folder for each. All pages have the same buttons and
//! show the same: whether the list is completed, what was changed, what the form has submitted.

use checklist_tests::browser::{Control, Stage, strict_policy};
use checklist_tests::frameworks;
use checklist_tests::template::item;
use serde_json::{Value, json};

/// How often a page takes the control away and brings it back.
const TIMES: usize = 6;

/// What a framework asks of the page's policy beyond what the control asks for.
enum Policy {
    /// Nothing.
    Strict,
    /// Texts may become markup: no Trusted Types.
    Markup,
    /// Texts may become code, and styles may stand in the page.
    Code,
}

struct Page {
    stage: Stage,
}

impl Page {
    #[track_caller]
    fn open(name: &str, policy: &Policy) -> Self {
        let stage = Stage::with([item("a", "Ask"), item("b", "Build")]);
        stage.host.serve_folder(
            &format!("/{name}/"),
            &frameworks::folder().join("dist").join(name),
        );
        let server = stage.server.address_as_origin();
        let strict = strict_policy(&server);
        let trusted = "; require-trusted-types-for 'script'";
        assert!(strict.contains(trusted), "{strict}");
        stage.host.under(&match policy {
            Policy::Strict => strict,
            Policy::Markup => strict.replace(trusted, ""),
            Policy::Code => strict
                .replace(trusted, "")
                .replace("'wasm-unsafe-eval'", "'unsafe-eval'")
                .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
        });
        stage.browser.open(&format!(
            "{}/{name}/?server={}",
            stage.host.origin,
            stage.server.base_url()
        ));
        Self { stage }
    }

    #[track_caller]
    fn control(&self) -> Control<'_> {
        let control = self.stage.browser.control("#list");
        control.shows(&["Ask", "Build"]);
        control
    }

    #[track_caller]
    fn press(&self, id: &str) {
        self.stage
            .browser
            .click(&format!("document.querySelector('#{id}')"));
    }

    /// Waits until the framework has drawn this text.
    #[track_caller]
    fn says(&self, id: &str, text: &str) {
        self.stage.browser.until(&format!(
            "document.querySelector('#{id}').textContent === {}",
            json!(text)
        ));
    }

    /// Submits the form and waits until the framework has this of it.
    #[track_caller]
    fn submits(&self, key: &str, value: &Value) {
        self.press("submit");
        self.stage.browser.until(&format!(
            "(() => {{ try {{ return JSON.parse(document.querySelector('#submitted').textContent)[{}] === {value} }} catch {{ return false }} }})()",
            json!(key)
        ));
    }
}

fn the_same_script(name: &str, policy: &Policy) {
    let page = Page::open(name, policy);
    let control = page.control();
    page.says("completed", "no");
    what_happens_reaches_the_framework(&page, &control);
    what_the_framework_changes_reaches_the_control(&page, &control);
    the_form_has_its_value(&page, &control);
    it_comes_and_goes(&page);
    styles_stay_where_they_are(&page);
    page.stage
        .browser
        .control("#preview")
        .shows(&["Ask", "Build"]);
    page.stage.browser.is_untroubled();
}

fn what_happens_reaches_the_framework(page: &Page, control: &Control<'_>) {
    control.tick("Ask");
    page.says("changes", "check");
    control.tick("Build");
    page.says("changes", "check check");
    page.says("completed", "yes");
    checklist_tests::until("the ticks are stored", || {
        page.stage.bob().list().completed().then_some(())
    });
}

fn what_the_framework_changes_reaches_the_control(page: &Page, control: &Control<'_>) {
    page.press("disable-check");
    control.until("__probe.rows(§).length === 2 && __probe.rows(§).every((row) => !row.Checkbox)");
    page.press("disable-check");
    control.until("__probe.rows(§).length === 2 && __probe.rows(§).every((row) => row.Checkbox)");

    page.press("purpose");
    control.says("No items yet");
    page.says("completed", "no");
    page.press("purpose");
    control.shows(&["Ask", "Build"]);
    page.says("completed", "yes");
}

fn the_form_has_its_value(page: &Page, control: &Control<'_>) {
    page.submits("Completed", &json!(true));

    page.press("disabled");
    control.until("__probe.rows(§).every((row) => row.Disabled)");
    page.press("submit");
    page.says("submitted", "nothing");
    page.press("disabled");
    control.until("__probe.rows(§).every((row) => !row.Disabled)");

    // From here on the form sends: until it does the host is told what the server has, and a reset
    // takes back what was not sent.
    page.press("autosave");
    control.tick("Ask");
    control.becomes_checked("Ask", false);
    page.says("completed", "yes");
    page.press("reset");
    control.becomes_checked("Ask", true);
    control.tick("Ask");
    control.becomes_checked("Ask", false);
    page.says("completed", "yes");
    assert!(
        page.stage.bob().list().completed(),
        "nothing is sent before the form is"
    );
    page.submits("Completed", &json!(false));
    assert!(
        !page.stage.bob().list().completed(),
        "the form has waited for what it sends"
    );
    page.says("completed", "no");
    page.press("autosave");
}

fn it_comes_and_goes(page: &Page) {
    let browser = &page.stage.browser;
    browser.value("window.seen = []");
    for _ in 0..TIMES {
        browser.value("seen.push(new WeakRef(document.querySelector('#list')))");
        page.press("mounted");
        browser.until("document.querySelector('#list') === null");
        page.press("mounted");
        page.control().becomes_checked("Build", true);
    }
    // The one on the page, and the one before, which a framework may keep to compare with.
    let held = "new Set(seen.map((one) => one.deref()).filter(Boolean)).size";
    checklist_tests::until("elements that have gone are let go of", || {
        browser.collect_garbage();
        (browser.value(held).as_u64() <= Some(2)).then_some(())
    });
    let control = page.control();
    control.tick("Ask");
    page.says("completed", "yes");
    checklist_tests::until("the tick is stored", || {
        page.stage.bob().list().completed().then_some(())
    });
}

/// A sheet of the page that hides everything does not reach the rows; what a card looks like in
/// the control is nothing to a card of the page.
fn styles_stay_where_they_are(page: &Page) {
    let browser = &page.stage.browser;
    browser.script(
        "const card = document.createElement('p'); card.className = 'card'; card.id = 'own';\
         document.querySelector('#page').append(card);",
        &[],
    );
    assert_eq!(
        browser.value("getComputedStyle(document.querySelector('#own')).borderTopStyle"),
        json!("none")
    );
    browser.script(
        "const hostile = new CSSStyleSheet();\
         hostile.replaceSync('* { display: none !important } html, body, #page, form, app-checklist, #list, #preview { display: block !important }');\
         document.adoptedStyleSheets = [hostile];",
        &[],
    );
    page.control().says("Ask");
}

#[test]
fn a_page_without_a_framework_and_without_a_bundler_embeds_the_control() {
    the_same_script("plain", &Policy::Strict);
}

#[test]
fn a_page_of_react_19_embeds_the_control() {
    the_same_script("react19", &Policy::Strict);
}

#[test]
fn a_page_of_react_18_embeds_the_control() {
    the_same_script("react18", &Policy::Strict);
}

#[test]
fn a_page_of_vue_3_embeds_the_control() {
    the_same_script("vue3", &Policy::Strict);
}

#[test]
fn a_page_of_svelte_5_embeds_the_control() {
    the_same_script("svelte5", &Policy::Strict);
}

#[test]
fn a_page_of_angular_embeds_the_control() {
    the_same_script("angular", &Policy::Code);
}

#[test]
fn a_page_of_angularjs_embeds_the_control() {
    the_same_script("angularjs", &Policy::Markup);
}

#[test]
fn a_page_of_a_leptos_application_draws_the_control_itself() {
    the_same_script("leptos", &Policy::Markup);
}

#[test]
fn a_page_of_a_leptos_application_draws_the_worklist_too() {
    let page = Page::open("leptos", &Policy::Markup);
    page.control();
    let work = page.stage.browser.control("#worklist");
    work.says("Nothing is open");
    let bob = page.stage.bob();
    bob.tick("Ask");
    // As a browser says when the page is seen again.
    page.stage.browser.script(
        "document.dispatchEvent(new Event('visibilitychange'));",
        &[],
    );
    work.shows(&["Build"]);
    work.tick("Build");
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(bob.list().status("Build"), "Done");
    let style = "getComputedStyle(__probe.root(§).querySelector('.object')).cursor";
    assert_eq!(work.value(style), json!("pointer"), "its own styles");
    page.stage.browser.is_untroubled();
}
