//! The element's life: set before it is defined, defined twice, moved, removed.
//!
//! Scripts of the page do here what frameworks do to elements all day.

use checklist_tests::browser::Stage;
use serde_json::json;

#[test]
fn properties_set_before_the_script_has_loaded_are_honoured() {
    let stage = Stage::ask_and_build();
    stage.open_with_script(
        "<checklist-control id='list'></checklist-control>",
        &format!(
            "addEventListener('DOMContentLoaded', () => {{\
               const list = document.querySelector('#list');\
               window.early = !customElements.get('checklist-control');\
               Object.assign(list, {{ baseUrl: '{}', tokenUrl: '/token', objectType: 'incident', objectId: '1', disableCheck: true }});\
             }});",
            stage.server.base_url()
        ),
    );
    // Module scripts run before DOMContentLoaded; an element made by hand is the earlier case.
    stage.host.serve(
        "/early.js",
        "text/javascript",
        &format!(
            "const list = document.querySelector('#list'); window.early = !customElements.get('checklist-control');\
             Object.assign(list, {{ baseUrl: '{}', tokenUrl: '/token', objectType: 'incident', objectId: '1', disableCheck: true }});\
             __probe.load('/late.js', 'module');",
            stage.server.base_url()
        ),
    );
    stage.host.serve(
        "/late.js",
        "text/javascript",
        &format!(
            "import '{}/control/checklist-control.js';",
            stage.server.base_url()
        ),
    );
    stage.host.serve(
        "/early",
        "text/html",
        "<!DOCTYPE html><html lang='en'><title>Early</title><main><checklist-control id='list'></checklist-control></main><script src='/probe.js'></script><script src='/early.js'></script></html>",
    );
    stage.browser.open(&format!("{}/early", stage.host.origin));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    assert_eq!(
        stage.browser.value("early"),
        json!(true),
        "the properties were set before the definition"
    );
    assert_eq!(
        control.property("hasAttribute('disable-check')"),
        json!(true)
    );
    assert!(control.rows().iter().all(|row| row["Checkbox"] == false));
}

#[test]
fn a_second_definition_warns_and_is_harmless() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    stage.host.serve(
        "/again.js",
        "text/javascript",
        &format!(
            "import '{}/control/checklist-control.js?again';",
            stage.server.base_url()
        ),
    );
    stage.browser.value("__probe.load('/again.js', 'module')");
    stage
        .browser
        .until("__probe.troubles.some((one) => one.startsWith('warn') && one.includes('defined'))");
    let troubles = stage.browser.troubles();
    assert!(
        troubles
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one.as_str().unwrap().starts_with("warn")),
        "{troubles}"
    );
    control.tick("Ask");
    control.becomes_checked("Ask", true);
}

#[test]
fn a_control_that_is_moved_keeps_its_state() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    stage.open(&format!("<div id='one'><checklist-control id='list' {bound}></checklist-control></div><div id='two'></div>"));
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.settles();
    for target in ["two", "one", "two"] {
        control.value(&format!(
            "document.querySelector('#{target}').append(document.querySelector(§))"
        ));
        control.shows(&["Ask", "Build"]);
        control.becomes_checked("Ask", true);
    }
    control.tick("Build");
    control.becomes_completed();
    stage.browser.is_untroubled();
}

#[test]
fn coming_and_going_two_hundred_times_leaks_no_nodes() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    let nodes = || {
        stage
            .browser
            .value("__probe.root('#list').querySelectorAll('*').length")
    };
    let before = nodes();
    stage.browser.script(
        "const list = document.querySelector('#list'); const place = list.parentNode;\
         for (let n = 0; n < 200; n += 1) { list.remove(); place.append(list); }",
        &[],
    );
    control.shows(&["Ask", "Build"]);
    assert_eq!(nodes(), before);
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    control.settles();
    assert_eq!(stage.bob().list().revision(), 1, "one tick, one write");
    stage.browser.is_untroubled();
}

/// Counts streams of changes, and keeps the memory of the WASM in sight.
const MEASURED: &str = "window.__open = 0;\
    { const real = window.fetch; window.fetch = async (address, init) => {\
        const answer = await real(address, init);\
        if (String(address).includes('/Events')) {\
            window.__open += 1; init?.signal?.addEventListener('abort', () => { window.__open -= 1; });\
        }\
        return answer; }; }\
    { const real = WebAssembly.instantiateStreaming; WebAssembly.instantiateStreaming = async (...what) => {\
        const made = await real.apply(WebAssembly, what);\
        window.__linear = Object.values(made.instance.exports).find((one) => one instanceof WebAssembly.Memory) ?? window.__linear;\
        return made; }; }";

#[test]
fn two_hundred_mounts_leak_no_nodes_no_listeners_no_memory_and_no_streams() {
    let stage = Stage::ask_and_build();
    let control = stage.control_after(MEASURED);
    control.shows(&["Ask", "Build"]);
    // Taken away for good, and put back as one that has to load again.
    let cycles = |count: usize| {
        for _ in 0..count / 20 {
            stage.browser.script(
                "const list = document.querySelector('#list'); const place = list.parentNode;\
                 const pause = () => new Promise((done) => setTimeout(done));\
                 return (async () => { for (let n = 0; n < 20; n += 1) {\
                   list.remove(); await pause();\
                   if (list.shadowRoot.querySelector('.row')) throw new Error('its view is still there');\
                   place.append(list); while (!list.shadowRoot.querySelector('.row')) await pause();\
                 } })();",
                &[],
            );
        }
        control.shows(&["Ask", "Build"]);
        stage.browser.until("window.__open === 1");
        let browser = &stage.browser;
        browser.command("Performance.enable", json!({}));
        // Twice: what the first finds dead may have held something.
        browser.command("HeapProfiler.collectGarbage", json!({}));
        browser.command("HeapProfiler.collectGarbage", json!({}));
        let metrics = browser.command("Performance.getMetrics", json!({}));
        let of = |name: &str| {
            let metrics = metrics["metrics"].as_array().expect("metrics are a list");
            let metric = metrics.iter().find(|metric| metric["name"] == name);
            metric
                .and_then(|metric| metric["value"].as_f64())
                .expect("it is measured")
        };
        let linear = browser.value("window.__linear.buffer.byteLength");
        [
            of("Nodes"),
            of("JSEventListeners"),
            of("JSHeapUsedSize"),
            linear.as_f64().expect("the memory has a size"),
        ]
    };
    // The first fill what is kept for good.
    let [nodes, listeners, heap, linear] = cycles(40);
    let [nodes_after, listeners_after, heap_after, linear_after] = cycles(200);
    assert!(
        nodes_after < nodes + 20.0,
        "nodes: {nodes}, then {nodes_after}"
    );
    assert!(
        listeners_after < listeners + 10.0,
        "listeners: {listeners}, then {listeners_after}"
    );
    // A few bytes a mount would be enough to be seen.
    assert!(
        heap_after < heap + 200_000.0,
        "heap: {heap}, then {heap_after}"
    );
    assert!(
        linear_after <= linear,
        "memory of the WASM: {linear}, then {linear_after}"
    );
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn an_element_that_passes_through_the_document_of_a_template_keeps_its_looks() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    let height = "document.querySelector('#list').shadowRoot.querySelector('.row').offsetHeight";
    let styled = stage.browser.value(height);
    // Svelte puts an element into the content of a template before it puts that on the page.
    stage.browser.script(
        "const list = document.querySelector('#list'); const place = list.parentNode;\
         const template = document.createElement('template');\
         template.content.append(list); place.append(template.content);",
        &[],
    );
    control.shows(&["Ask", "Build"]);
    assert_eq!(stage.browser.value(height), styled);
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    stage.browser.is_untroubled();
}

#[test]
fn twenty_controls_share_one_instance() {
    let stage = Stage::ask_and_build();
    let controls: String = (0..20)
        .map(|n| {
            format!(
                "<checklist-control id='list{n}' {}></checklist-control>",
                stage.bound_to(&n.to_string())
            )
        })
        .collect();
    // What comes later has no memory of its own.
    stage.open_with_script(
        &controls,
        "window.instances = 0; for (const name of ['instantiate', 'instantiateStreaming']) {\
           const real = WebAssembly[name]; WebAssembly[name] = async (...what) => { const made = await real(...what);\
           instances += Number(!!made.instance.exports.memory); return made; }; }",
    );
    for n in 0..20 {
        stage
            .browser
            .control(&format!("#list{n}"))
            .shows(&["Ask", "Build"]);
    }
    assert_eq!(stage.browser.value("instances"), json!(1));
    stage.browser.is_untroubled();
}

#[test]
fn a_control_that_stays_in_a_document_without_a_window_for_a_while_is_no_error() {
    let stage = Stage::ask_and_build();
    stage.open("<div id='place'></div>");
    stage
        .browser
        .until("!!customElements.get('checklist-control')");
    // It is connected there, but nothing is laid out and nobody sees it.
    stage.browser.script(
        "const list = document.createElement('checklist-control');\
         Object.assign(list, { id: 'list', baseUrl: arguments[0], tokenUrl: '/token', objectType: 'incident', objectId: '1' });\
         window.elsewhere = document.implementation.createHTMLDocument(); elsewhere.body.append(list);",
        &[json!(stage.server.base_url())],
    );
    stage.browser.script(
        "document.querySelector('#place').append(elsewhere.querySelector('#list'));",
        &[],
    );
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    // The same within one moment.
    stage.browser.script(
        "const list = document.querySelector('#list'); elsewhere.body.append(list); document.querySelector('#place').append(list);",
        &[],
    );
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn a_control_removed_while_it_loads_is_no_error() {
    let stage = Stage::ask_and_build();
    stage.open("");
    stage.browser.script(
        "const [base, token] = arguments; const main = document.querySelector('main');\
         for (let n = 0; n < 20; n += 1) {\
           const made = document.createElement('checklist-control');\
           made.setAttribute('base-url', base); made.setAttribute('token-url', token);\
           made.setAttribute('object-type', 'incident'); made.setAttribute('object-id', '1'); made.id = 'list';\
           main.append(made); if (n < 19) setTimeout(() => made.remove(), n * 5);\
         }",
        &[json!(stage.server.base_url()), json!(format!("{}/token", stage.host.origin))],
    );
    stage
        .browser
        .until("document.querySelectorAll('checklist-control').length === 1");
    stage
        .browser
        .control("checklist-control")
        .shows(&["Ask", "Build"]);
    let troubles = stage.browser.troubles();
    assert!(!troubles.to_string().contains("error:"), "{troubles}");
}

#[test]
fn changing_the_object_shows_the_other_list() {
    let stage = Stage::ask_and_build();
    stage.bob().tick("Ask");
    let control = stage.control("");
    control.becomes_checked("Ask", true);
    control.value("document.querySelector(§).objectId = '2'");
    control.becomes_checked("Ask", false);
    control.value("document.querySelector(§).objectId = '1'");
    control.becomes_checked("Ask", true);
    stage.browser.is_untroubled();
}
