//! A list that the server has drawn: there before any script, taken over without a flash.
//!
//! The page comes from a host's server that has asked for the list, as `docs/FIRST-PAINT.md` has
//! it. Its policy allows the style sheet of the checklist server and nothing inline; lists that
//! bring their styles along are in `styles`.

mod styles;

use checklist_tests::browser::{Engine, Keys, Stage};
use checklist_tests::template::{item, optional_to_apply, section, under, with};
use serde_json::{Value, json};

/// Notes where the rows stand in every frame once the page is parsed, what moves from then on, and
/// what is asked of the server. While a page is parsed it grows, in as many frames as the browser
/// likes.
const WATCH: &str = "window.frames_ = []; window.asked = []; window.shift = 0; window.shifted = [];\
    { const real = window.fetch; window.fetch = (address, init) => {\
        asked.push([(address.url ?? String(address)).split('?')[0].split('/').pop(), String(init?.body ?? '')]); return real(address, init); }; }\
    const side = (box) => [box.x, box.y, box.width, box.height].map(Math.round).join(' ');\
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) {\
        if (entry.startTime < (performance.getEntriesByType('navigation')[0].domInteractive || Infinity)) continue;\
        shift += entry.value;\
        for (const one of entry.sources) shifted.push([one.node?.outerHTML ?? one.node?.textContent, side(one.previousRect), side(one.currentRect)].join(': ')); } })\
        .observe({ type: 'layout-shift', buffered: true });\
    const look = () => {\
        const list = document.querySelector('#host :is(checklist-control, checklist-preview)');\
        if (list && document.readyState !== 'loading') frames_.push([...(list.shadowRoot?.querySelectorAll('.row') ?? [])].map((row) => {\
            const box = row.getBoundingClientRect(); return [box.x, box.y, box.width, box.height].map(Math.round).join(' '); }));\
        requestAnimationFrame(look); };\
    requestAnimationFrame(look);";

/// The browser's own time zone.
const ZONE: &str = "Intl.DateTimeFormat().resolvedOptions().timeZone";

/// Notes what the rows say in every frame once the page is parsed.
const TEXTS: &str = "window.texts = [];\
    const look = () => {\
        const list = document.querySelector('#host checklist-control');\
        if (list && document.readyState !== 'loading') texts.push([...(list.shadowRoot?.querySelectorAll('.row') ?? [])].map((row) =>\
            [row.querySelector('.text').textContent, ...[...row.querySelectorAll('.due, .by')].map((one) => one.textContent)].join(' | ')).join('\\n'));\
        requestAnimationFrame(look); };\
    requestAnimationFrame(look);";

fn stage() -> Stage {
    let stage = Stage::with([
        section("s", "Before"),
        under(
            "s",
            with(
                item("a", "Ask"),
                json!({ "Help": { "en": "*See* the wiki" } }),
            ),
        ),
        under("s", optional_to_apply(item("b", "Build"))),
        item("c", "Clean"),
    ]);
    allow_styles(&stage);
    stage
}

/// The host's policy allows what comes from the checklist server, and nothing inline.
fn allow_styles(stage: &Stage) {
    let server = stage.server.address_as_origin();
    stage.host.under(&format!(
        "default-src 'none'; script-src 'self' {server} 'wasm-unsafe-eval'; style-src {server}; connect-src 'self' {server}; \
         base-uri 'none'; require-trusted-types-for 'script'"
    ));
}

/// What the server draws of the object `1` for somebody who may edit.
fn drawn(stage: &Stage, more: Value) -> String {
    let petra = stage.server.as_editor("Petra Page").on(&stage.place());
    let mut wish = json!({
        "Context": stage.place().context(), "Language": "en", "TokenUrl": "/token",
    });
    for (name, value) in more.as_object().expect("fields") {
        wish[name] = value.clone();
    }
    let answer = petra.send("Render", &wish);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text().to_owned()
}

/// Opens a page with that in it.
fn open(stage: &Stage, html: &str, script: &str) {
    stage.open_with_script(
        &format!("<div id='host'>{html}</div><p>After</p>"),
        &format!("window.__looksAtDrawings = true; {script}"),
    );
}

/// Opens such a page and notes each frame. Firefox waits with its first frame for style sheets in
/// the head of a page alone, so that there a page is looked at that finds the sheet in its memory.
fn open_and_watch(stage: &Stage, html: &str) {
    if stage.browser.engine() == Engine::Firefox {
        open(stage, html, "");
        stage.browser.until(
            "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('.css'))",
        );
    }
    open(stage, html, WATCH);
}

const LIST: &str = "#host checklist-control";
const LIVE: &str = "document.querySelector('#host checklist-control').state !== 'Unknown'";

/// Where the rows stood in all frames: one place, or the rows have moved.
fn one_place(stage: &Stage) -> Value {
    let places = stage
        .browser
        .value("[...new Set(frames_.map((rows) => rows.join('; ')))]");
    assert_eq!(
        places.as_array().map(Vec::len),
        Some(1),
        "the rows have moved: {places}"
    );
    places
}

#[test]
fn the_list_can_be_read_while_the_script_is_blocked() {
    let stage = stage();
    stage.bob().tick("Build");
    stage.browser.cut_off(&["*checklist-control.js*"]);
    open(&stage, &drawn(&stage, json!({})), "");
    let list = stage.browser.control(LIST);
    list.shows(&["Ask", "Build", "Clean"]);
    assert_eq!(
        list.value("__probe.seen(__probe.row(§, 'Build'))"),
        json!(true)
    );
    assert!(list.checked("Build") && !list.checked("Ask"));
    list.says("1 of 3 done");
    list.says("Bob Backoffice");
    let boxes =
        list.value("[...__probe.root(§).querySelectorAll('.box')].every((box) => box.disabled)");
    assert_eq!(
        boxes,
        json!(true),
        "a tick that nobody stores cannot be made"
    );
    let printed = stage.browser.printed_value(
        "[...document.querySelector('#host checklist-control').shadowRoot.querySelectorAll('.text')]\
         .map((text) => getComputedStyle(text, '::before').content)",
    );
    assert_eq!(
        printed,
        json!(["\"Open: \"", "\"Done: \"", "\"Open: \""]),
        "the state of each row in a word"
    );
    assert_eq!(stage.browser.violations(), json!([]));
}

#[test]
fn what_the_server_draws_is_small_and_offers_nothing_that_cannot_act() {
    let stage = stage();
    stage.bob().tick("Build");
    stage.browser.cut_off(&["*checklist-control.js*"]);
    open(&stage, &drawn(&stage, json!({ "Required": true })), "");
    let list = stage.browser.control(LIST);
    list.shows(&["Ask", "Build", "Clean"]);
    let buttons = list.value(
        "[...__probe.root(§).querySelectorAll('button, input:not([disabled]), [role=menuitem], [tabindex]')].map((one) => one.outerHTML)",
    );
    assert_eq!(buttons, json!([]), "what cannot act yet");
    // A row that is open, and one that somebody has ticked.
    let plain = list.value(
        "['Clean', 'Build'].map((text) => __probe.row(§, text)).map((row) => [row.querySelectorAll('*').length + 1, row.outerHTML.length])",
    );
    for row in plain.as_array().expect("two rows") {
        assert!(row[0].as_u64() <= Some(8), "elements and bytes: {plain}");
        assert!(row[1].as_u64() <= Some(640), "elements and bytes: {plain}");
    }
    println!("elements and bytes of drawn rows: {plain}");
    // Help can be read without any script.
    list.click_of("Ask", "Help");
    list.until("__probe.seen(__probe.row(§, 'Ask').querySelector('.help'))");
}

#[test]
fn help_that_somebody_reads_stays_open_when_the_element_takes_over() {
    let stage = stage();
    let script = "addEventListener('DOMContentLoaded', () => {\
        document.querySelector('#host checklist-control').shadowRoot.querySelector('details').open = true; });";
    open(&stage, &drawn(&stage, json!({})), script);
    stage.browser.until(LIVE);
    let list = stage.browser.control(LIST);
    list.until("__probe.root(§).querySelector('.control:not(.still) .help-toggle')?.getAttribute('aria-expanded') === 'true'");
    list.says("See the wiki");
    stage.browser.is_untroubled();
}

#[test]
fn the_element_takes_over_without_a_flash_and_without_asking_again() {
    let stage = stage();
    stage.bob().tick("Build");
    open_and_watch(&stage, &drawn(&stage, json!({})));
    let list = stage.browser.control(LIST);
    stage.browser.until(LIVE);
    list.shows(&["Ask", "Build", "Clean"]);
    // The stream is there, so whatever would have been asked was asked.
    stage
        .browser
        .until("asked.some(([call]) => call === 'Events')");
    stage.browser.until("(window.last = frames_.length, true)");
    stage.browser.until("frames_.length > last + 3");
    let calls = stage
        .browser
        .value("asked.map(([call]) => call).filter((call) => call === 'GetItems')");
    assert_eq!(calls, json!([]), "the list was asked for again");
    let places = one_place(&stage);
    assert_ne!(places[0], json!(""), "the first frame has no rows");
    let shift = stage.browser.value("shift");
    // Less than the mark of one box by its own width.
    assert!(
        shift.as_f64() < Some(0.000_01),
        "something jumped: {}",
        stage.browser.value("shifted")
    );
    let left = list.value("__probe.root(§).querySelectorAll('data, link, .still').length");
    assert_eq!(left, json!(0), "what was drawn is gone");
    list.tick("Ask");
    list.becomes_checked("Ask", true);
    list.settles();
    let answer = stage.bob().list();
    assert_eq!(answer.status("Ask"), "Done");
    // The hash did not come with the page, and the tick says all the same what was read.
    assert_eq!(answer.item("Ask")["Attested"]["Basis"], "Seen");
    stage.browser.is_untroubled();
}

#[test]
fn a_list_that_has_changed_since_it_was_drawn_comes_up_to_date() {
    let stage = stage();
    let html = drawn(&stage, json!({}));
    stage.bob().tick("Clean");
    open_and_watch(&stage, &html);
    let list = stage.browser.control(LIST);
    list.becomes_checked("Clean", true);
    list.says("1 of 3 done");
    list.tick("Ask");
    list.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn what_was_drawn_of_another_list_or_language_is_not_taken() {
    let stage = stage();
    stage
        .server
        .as_owner("Bob Backoffice")
        .on(&checklist_tests::incident("2"))
        .tick("Ask");
    let html = drawn(&stage, json!({}));
    for (before, after, words) in [
        ("object-id=\"1\"", "object-id=\"2\"", "1 of 3 done"),
        (
            "lang=\"en\" token-url",
            "lang=\"de\" token-url",
            "0 von 3 erledigt",
        ),
    ] {
        assert!(html.contains(before), "{html}");
        open(&stage, &html.replacen(before, after, 1), WATCH);
        let list = stage.browser.control(LIST);
        stage.browser.until(LIVE);
        list.says(words);
        stage
            .browser
            .until("asked.some(([call]) => call === 'GetItems')");
        stage.browser.is_untroubled();
    }
}

/// Goes far down a list, once its styles are there and before the element takes over, notes in every frame from there on where
/// that row stands, and leaves the browser no idle moment.
const READ_ON: &str = "window.requestIdleCallback = () => 0; window.places = [];\
    const there = () => [...document.querySelector('#host checklist-control')?.shadowRoot.querySelectorAll('.row') ?? []]\
        .find((row) => row.textContent.includes('Item 300'));\
    const look = () => { const row = there(); places.push(row ? Math.round(row.getBoundingClientRect().top) : null); requestAnimationFrame(look); };\
    const read = new Promise((done) => { const scroll = () => {\
        if (document.readyState !== 'complete' || getComputedStyle(there()).display !== 'grid') return requestAnimationFrame(scroll);\
        there().scrollIntoView(); look(); requestAnimationFrame(done); }; scroll(); });\
    const real = WebAssembly.instantiateStreaming;\
    WebAssembly.instantiateStreaming = async (...given) => { await read; return real(...given); };";

#[test]
fn who_has_read_far_down_a_long_list_sees_none_of_it_go() {
    let stage =
        Stage::with_a_long_list((0..600).map(|n| item(&format!("k{n}"), &format!("Item {n}"))));
    allow_styles(&stage);
    open(&stage, &drawn(&stage, json!({})), READ_ON);
    let list = stage.browser.control(LIST);
    stage.browser.until(LIVE);
    stage.browser.until("places.length > 20");
    stage.browser.until("(window.last = places.length, true)");
    stage.browser.until("places.length > last + 5");
    let left = list.value("__probe.root(§).querySelectorAll('.row').length");
    assert!(
        left.as_u64().is_some_and(|left| left >= 300),
        "{left} rows: {}",
        stage.browser.value("[scrollY, innerHeight, ...places]")
    );
    let places = stage.browser.value("[...new Set(places)]");
    assert!(
        stage.browser.value("places.includes(null)") == json!(false),
        "{places}"
    );
    // Firefox rounds each block of rows to whole pixels.
    let moved = stage
        .browser
        .value("Math.max(...places) - Math.min(...places)");
    assert!(moved.as_i64().is_some_and(|moved| moved <= 1), "{places}");
}

#[test]
fn the_focus_stays_where_it_was() {
    let stage = stage();
    let script = "addEventListener('DOMContentLoaded', () => {\
        const root = document.querySelector('#host checklist-control').shadowRoot;\
        const button = [...root.querySelectorAll('.help-toggle')][0];\
        button.focus(); window.early = root.activeElement === button; });";
    open(&stage, &drawn(&stage, json!({})), script);
    stage.browser.until(LIVE);
    stage.browser.until(
        "document.querySelector('#host checklist-control').shadowRoot.activeElement?.matches('.control:not(.still) .help-toggle') ?? false",
    );
    assert_eq!(stage.browser.value("early"), json!(true));
    stage.browser.press(Keys::Enter);
    stage.browser.control(LIST).says("See the wiki");
    stage.browser.is_untroubled();
}

#[test]
fn listeners_find_the_items_of_a_list_that_was_drawn_complete() {
    let stage = stage();
    for text in ["Ask", "Build", "Clean"] {
        stage.bob().tick(text);
    }
    let script = "window.told = []; addEventListener('completed-changed', (event) =>\
        told.push([event.detail.completed, event.target.items.length, event.target.completed, JSON.parse(event.target.value).State]));";
    open(&stage, &drawn(&stage, json!({})), script);
    stage.browser.until("told.length > 0");
    assert_eq!(
        stage.browser.value("told"),
        json!([[true, 4, true, "Complete"]])
    );
    stage.browser.is_untroubled();
}

#[test]
fn a_person_who_may_only_read_gets_what_their_own_token_allows() {
    let stage = Stage::for_people_who_may(&["Read"], [item("a", "Ask")]);
    let server = stage.server.address_as_origin();
    stage.host.under(&format!(
        "default-src 'none'; script-src 'self' {server} 'wasm-unsafe-eval'; style-src {server}; connect-src 'self' {server}; \
         base-uri 'none'; require-trusted-types-for 'script'"
    ));
    // Drawn for an editor by mistake.
    open(&stage, &drawn(&stage, json!({})), "");
    let list = stage.browser.control(LIST);
    list.until("__probe.checkbox(§, 'Ask')?.getAttribute('aria-disabled') === 'true' && !__probe.root(§).querySelector('.add-button')");
    stage.browser.is_untroubled();
}

#[test]
fn a_preview_that_was_drawn_is_taken_over_without_a_flash_and_asked_for_only_when_it_changes() {
    let stage = stage();
    let petra = stage.server.as_editor("Petra Page").on(&stage.place());
    let html = petra.get("Preview/f?fragment=1&Language=en");
    assert_eq!(html.status, 200, "{}", html.text());
    let html = html
        .text()
        .replacen(" template=", " token-url=\"/token\" template=", 1);
    open_and_watch(&stage, &html);
    let preview = stage.browser.control("#host checklist-preview");
    preview.shows(&["Ask", "Build", "Clean"]);
    preview.until("__probe.root(§).adoptedStyleSheets.length > 0");
    stage.browser.until("(window.last = frames_.length, true)");
    stage.browser.until("frames_.length > last + 3");
    one_place(&stage);
    let calls = stage
        .browser
        .value("asked.map(([call]) => call).filter((call) => !call.endsWith('.css'))");
    assert_eq!(calls, json!([]), "what stands there was asked for");
    // In another language it is another preview.
    stage.browser.script(
        "document.querySelector('#host checklist-preview').lang = 'de'",
        &[],
    );
    preview.says("3 Einträge");
    preview.shows(&["Ask", "Build", "Clean"]);
    let calls = stage
        .browser
        .value("asked.filter(([call]) => call === 'f').length");
    assert_eq!(calls, json!(1));
    let left = preview.value("__probe.root(§).querySelectorAll('data, link').length");
    assert_eq!(left, json!(0), "what was drawn is gone");
    stage.browser.is_untroubled();
}

#[test]
fn times_read_the_same_before_and_after_the_takeover_in_every_language() {
    let stage = stage();
    let bob = stage.bob();
    // A moment of this year, one of another, and one of today.
    for (text, due) in [
        ("Ask", "2031-02-03T16:05:00Z"),
        ("Clean", "2024-11-28T06:30:00Z"),
    ] {
        bob.change(text, json!({ "Due": due }));
    }
    bob.tick("Build");
    for language in ["en", "de", "fr", "es", "ar"] {
        let html = drawn(
            &stage,
            json!({ "Language": language, "TimeZone": stage.browser.value(ZONE) }),
        );
        open(&stage, &html, TEXTS);
        stage.browser.until(LIVE);
        stage.browser.until("(window.last = texts.length, true)");
        stage.browser.until("texts.length > last + 3");
        let texts = stage.browser.value("[...new Set(texts)]");
        assert_eq!(
            texts.as_array().map(Vec::len),
            Some(1),
            "{language}: {texts:#}"
        );
        assert!(
            texts[0].as_str().is_some_and(|text| text.contains("Ask")),
            "{texts}"
        );
    }
}

#[test]
fn a_line_that_was_drawn_is_taken_over_and_opens() {
    let stage = stage();
    let drawn = drawn(&stage, json!({ "Display": "Compact" }));
    open_and_watch(&stage, &drawn);
    let line =
        "document.querySelector('#host checklist-control').shadowRoot.querySelector('.compact')";
    stage.browser.until(&format!(
        "__probe.tidy({line}.textContent).includes('0 of 3 done')"
    ));
    stage.browser.until(LIVE);
    stage.browser.until(&format!("!{line}.closest('.still')"));
    stage.browser.click(line);
    let list = stage.browser.control(LIST);
    list.shows(&["Ask", "Build", "Clean"]);
    let calls = stage
        .browser
        .value("asked.filter(([call]) => call === 'GetItems').length");
    assert_eq!(calls, json!(0));
    stage.browser.is_untroubled();
}

#[test]
fn the_server_draws_the_list_while_the_control_is_on_its_way() {
    let stage = stage();
    stage.bob().tick("Build");
    let bound = stage.bound_to("1");
    // The WASM comes when the test says so.
    stage.open_with_script(
        &format!("<checklist-control id='list' {bound}></checklist-control>"),
        "window.__looksAtDrawings = true; window.calls = []; const real = window.fetch;\
         window.fetch = async (address, ...rest) => {\
           const text = String(address.href ?? address.url ?? address);\
           if (text.includes('/api/')) calls.push(text.split('/').at(-1).split('?')[0]);\
           if (text.endsWith('.wasm')) await new Promise((go) => { window.go = go; });\
           return real(address, ...rest); };",
    );
    let list = stage.browser.control("#list");
    list.shows(&["Ask", "Build", "Clean"]);
    list.becomes_checked("Build", true);
    assert_eq!(
        list.value("__probe.root(§).querySelectorAll('input:not([disabled])').length"),
        json!(0),
        "nothing can be ticked yet"
    );
    stage.browser.value("go()");
    stage
        .browser
        .until("document.querySelector('#list').state !== 'Unknown'");
    // What changes before the stream is open is read.
    stage.browser.until("calls.includes('Events')");
    let calls = stage.browser.value("calls");
    assert!(calls.to_string().contains("Render"), "{calls}");
    assert!(!calls.to_string().contains("GetItems"), "{calls}");
    list.tick("Ask");
    list.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    stage.browser.is_untroubled();
}
