//! `<checklist-preview>`: a template without a list behind it.
//!
//! By template and by type; it offers nothing to click, writes nothing, and draws what the
//! server's own page draws.

use checklist_tests::browser::{Browser, Stage};
use checklist_tests::template::{fragment, item, publish, section, under, with};
use checklist_tests::{Server, incident};
use serde_json::json;

fn stage() -> Stage {
    Stage::with([
        section("s", "Before"),
        under("s", item("a", "Ask")),
        item("b", "Build"),
    ])
}

fn preview(stage: &Stage, attributes: &str) {
    let (base, token) = (stage.server.base_url(), &stage.host.origin);
    stage.open(&format!("<checklist-preview id='preview' base-url='{base}' token-url='{token}/token' {attributes}></checklist-preview>"));
}

#[test]
fn a_preview_shows_the_configured_template_without_any_binding() {
    let stage = stage();
    preview(&stage, "template='f'");
    let shown = stage.browser.control("#preview");
    shown.shows(&["Ask", "Build"]);
    shown.says("Before");
    stage.browser.is_untroubled();
}

#[test]
fn a_preview_without_a_template_shows_the_types() {
    let stage = stage();
    preview(&stage, "type='incident'");
    stage.browser.control("#preview").shows(&["Ask", "Build"]);
    stage.browser.is_untroubled();
}

#[test]
fn a_preview_offers_nothing_to_click_and_writes_nothing() {
    let stage = stage();
    preview(&stage, "template='f'");
    let shown = stage.browser.control("#preview");
    shown.shows(&["Ask", "Build"]);
    assert_eq!(
        shown.value("__probe.root(§).querySelectorAll('input, button, select, textarea').length"),
        json!(0)
    );
    stage.browser.click("__probe.row('#preview', 'Ask')");
    let admin = stage.server.as_admin().on(&incident("1"));
    assert!(admin.audit_of_lists().is_empty(), "a preview left a trace");
    assert_eq!(stage.bob().list().revision(), 0);
}

#[test]
fn a_preview_of_nothing_says_so() {
    let stage = stage();
    stage.open_with_script("", "window.told = []; addEventListener('checklist-error', (event) => told.push(event.detail.code));");
    let (base, token) = (stage.server.base_url(), &stage.host.origin);
    stage.browser.script(
        "const [base, token] = arguments; const made = document.createElement('checklist-preview');\
         made.id = 'preview'; made.setAttribute('base-url', base); made.setAttribute('token-url', token);\
         made.setAttribute('template', 'no-such-template'); document.querySelector('main').append(made);",
        &[json!(base), json!(format!("{token}/token"))],
    );
    stage.browser.until("told.includes('TemplateNotFound')");
    let shown = stage.browser.control("#preview");
    shown.says("There is no such template, or no version of it has been published.");
}

/// A stage whose template has an item for mail.
fn stage_with_condition() -> Stage {
    let mail = json!({ "When": { "Fact": "Queue", "Is": "Mail" } });
    Stage::with([item("a", "Ask"), with(item("b", "Headers"), mail)])
}

#[test]
fn a_preview_shows_everything_with_its_condition_and_with_facts_what_applies() {
    let stage = stage_with_condition();
    preview(&stage, "template='f' lang='de'");
    let shown = stage.browser.control("#preview");
    shown.shows(&["Ask", "Headers"]);
    shown.says("Bedingung: Queue ist „Mail“");
    let set = |facts: &str| {
        let script = format!("document.querySelector('#preview').facts = {facts}");
        stage.browser.script(&script, &[]);
    };
    set("{ Queue: 'Web' }");
    shown.shows(&["Ask"]);
    let attribute = "document.querySelector('#preview').getAttribute('facts')";
    assert_eq!(stage.browser.value(attribute), json!("{\"Queue\":\"Web\"}"));
    set("'{\"Queue\": \"Mail\"}'");
    shown.shows(&["Ask", "Headers"]);
    let hints = "__probe.root(§).querySelectorAll('.when').length";
    assert_eq!(shown.value(hints), json!(0));
    set("null");
    shown.says("Bedingung: Queue ist „Mail“");
    stage.browser.is_untroubled();
}

#[test]
fn a_long_condition_is_read_from_the_beginning_of_each_line_on_a_phone() {
    let long = json!({ "When": { "All": [
        { "Fact": "DepartmentOfTheRequester", "Is": "Information technology and facilities" },
        { "Fact": "Site", "In": ["Amsterdam", "Berlin", "Hamburg", "Stuttgart"] } ] } });
    let mut section = with(item("s", "Away"), long.clone());
    section["Kind"] = json!("Section");
    let stage = Stage::with([with(item("b", "Headers"), long), section]);
    preview(&stage, "template='f'");
    stage.browser.resize(320, 720);
    let shown = stage.browser.control("#preview");
    shown.says("Information technology and facilities");
    // The lines of the text, and what cuts them off at the side.
    let read = "[...__probe.root(§).querySelectorAll('.when')].every((when) => {\
        const range = document.createRange(); range.selectNodeContents(when);\
        const lines = [...range.getClientRects()]; const edge = when.parentElement.getBoundingClientRect();\
        return lines.length > 2 && lines.every(({ left, right }) => left >= edge.left - 0.5 && right <= edge.right + 0.5); })";
    assert_eq!(shown.value(read), json!(true));
    stage.browser.fits_its_window();
}

#[test]
fn facts_that_are_none_are_told() {
    let stage = stage_with_condition();
    stage.open_with_script("", "window.told = []; addEventListener('checklist-error', (event) => told.push(event.detail));");
    let (base, token) = (stage.server.base_url(), &stage.host.origin);
    stage.browser.script(
        "const [base, token] = arguments; const made = document.createElement('checklist-preview');\
         made.id = 'preview'; made.setAttribute('base-url', base); made.setAttribute('token-url', token);\
         made.setAttribute('template', 'f'); made.setAttribute('facts', '{Queue}'); document.querySelector('main').append(made);",
        &[json!(base), json!(format!("{token}/token"))],
    );
    stage.browser.until("told.length === 1");
    let told = stage.browser.value("[told[0].code, told[0].status]");
    assert_eq!(told, json!(["InvalidRequest", 422]));
    let shown = stage.browser.control("#preview");
    shown.says("This is not a valid JSON object of facts");
}

#[test]
fn the_servers_page_is_styled_and_loads_nothing_beside_itself() {
    let server = Server::demo();
    let browser = Browser::start();
    browser.open(&format!(
        "{}/api/Vendor/ChecklistControl/Preview/incident-standard?Language=en",
        server.base_url()
    ));
    // A browser looks for the page's icon by itself.
    let loaded = "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.endsWith('/favicon.ico'))";
    assert_eq!(browser.value(loaded), json!([]));
    let style = "(({ borderRadius, maxInlineSize }) => [borderRadius, maxInlineSize])({        ...getComputedStyle(document.querySelector('main')),        borderRadius: getComputedStyle(document.querySelector('.card')).borderRadius })";
    assert_eq!(browser.value(style), json!(["10px", "640px"]));
    browser.is_untroubled();
}

#[test]
fn the_servers_page_and_the_element_draw_the_same() {
    let server = Server::demo();
    let browser = Browser::start();
    browser.open(&format!(
        "{}/api/Vendor/ChecklistControl/Preview/incident-standard?Language=en",
        server.base_url()
    ));
    let texts = "[...(document.querySelector('checklist-preview')?.shadowRoot ?? document).querySelectorAll('li .text')].map((one) => __probe.tidy(one.textContent))";
    browser.until(&format!("{texts}.length > 0"));
    let on_page = browser.value(texts);
    browser.is_untroubled();
    browser.open(&format!("{}/demo/", server.base_url()));
    let shown = browser.control("checklist-preview[template=incident-standard]");
    shown.until("__probe.rows(§).length > 0");
    assert_eq!(
        shown.value("__probe.rows(§).map((row) => row.Text)"),
        on_page
    );
}

#[test]
fn a_preview_shows_what_an_item_takes_as_the_list_does() {
    let stage = Stage::with([
        with(
            item("cold", "Measure"),
            json!({ "AnswerFormat": { "Type": "Number", "Unit": "°C", "Min": 2, "Max": 8 } }),
        ),
        with(
            item("ci", "Build"),
            json!({ "Signal": { "Source": "CI", "Key": "build" } }),
        ),
        with(
            item("report", "Attach"),
            json!({ "RequiresEvidence": true }),
        ),
        with(
            item("release", "Release"),
            json!({ "NeedsPerson": true, "SecondPerson": true }),
        ),
    ]);
    let lines = "__probe.rows(§).map((row) => [...__probe.row(§, row.Text).querySelectorAll('.signal, [part=answer]')].map((one) => one.className + ' ' + one.textContent))";
    let control = stage.control("");
    control.shows(&["Measure", "Build", "Attach", "Release"]);
    control.says("From 2 to 8 °C");
    control.says("Set by CI");
    let in_list = control.value(lines);
    preview(&stage, "template='f'");
    let shown = stage.browser.control("#preview");
    shown.shows(&["Measure", "Build", "Attach", "Release"]);
    assert_eq!(shown.value(lines), in_list);
    let needs = "__probe.rows(§).map((row) => [...__probe.row(§, row.Text).querySelectorAll('.needs')].map((one) => one.textContent))";
    assert_eq!(
        shown.value(needs),
        json!([
            [],
            [],
            ["Evidence"],
            ["Needs a person", "Needs a second person"]
        ])
    );
    stage.browser.is_accessible_in_every_scheme("#preview");
    stage.browser.is_untroubled();
}

#[test]
fn what_is_required_is_told_where_not_everything_is() {
    let stage = stage();
    let must = with(item("a", "Ask"), json!({ "Required": true }));
    let mut template = fragment("g", [must, item("b", "Build")]);
    publish(&stage.server, &template);
    preview(&stage, "template='g'");
    let shown = stage.browser.control("#preview");
    shown.shows(&["Ask", "Build"]);
    assert!(!shown.tells("Required"), "every item has to be resolved");
    template["CompletionRule"] = json!("Required");
    publish(&stage.server, &template);
    preview(&stage, "template='g'");
    shown.says("Required");
    shown.says("Optional");
    stage.browser.is_untroubled();
}
