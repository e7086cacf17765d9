//! The control in the languages that it speaks: words, plurals, numbers, directions, and words of
//! the host's own. Only the language of the page is fetched; English is always there.
//! Part of the program `browser`; that all tables have all words is tried by `frontend/languages`.

use checklist_tests::browser::Stage;
use checklist_tests::template::{item, required};
use serde_json::json;

fn stage() -> Stage {
    Stage::with([required(item("a", "Ask")), item("b", "Build")])
}

/// The tables of words that the page has fetched.
const FETCHED: &str = "performance.getEntriesByType('resource').map((one) => /\\.(\\w+)\\.json$/.exec(one.name)?.[1]).filter(Boolean)";

#[test]
fn a_page_in_english_fetches_no_words() {
    let stage = stage();
    let control = stage.control("");
    control.says("0 of 2 done");
    assert_eq!(stage.browser.value(FETCHED), json!([]));
    stage.browser.is_untroubled();
}

#[test]
fn a_list_speaks_french_spanish_german_and_arabic_with_plurals_of_their_own() {
    for (tag, count, two, one) in [
        (
            "de",
            "0 von 2 erledigt",
            "2 Einträge noch offen: Ask; Build",
            "1 Eintrag noch offen: Build",
        ),
        (
            "fr-CA",
            "0 sur 2 faits",
            "2 éléments encore à faire : Ask ; Build",
            "1 élément encore à faire : Build",
        ),
        (
            "es",
            "0 de 2 hechos",
            "2 elementos pendientes: Ask; Build",
            "1 elemento pendiente: Build",
        ),
        (
            "ar",
            "أُنجز 0 من 2",
            "بندان ما زالا مفتوحين: Ask؛ Build",
            "بند واحد ما زال مفتوحًا: Build",
        ),
        (
            "ar-EG",
            "أُنجز ٠ من ٢",
            "بندان ما زالا مفتوحين: Ask؛ Build",
            "بند واحد ما زال مفتوحًا: Build",
        ),
    ] {
        let stage = stage();
        let control = stage.control(&format!("required lang='{tag}'"));
        control.says(count);
        control.says(two);
        control.tick("Ask");
        control.says(one);
        let language = tag.split('-').next().unwrap();
        assert_eq!(stage.browser.value(FETCHED), json!([language]), "{tag}");
        stage.browser.is_untroubled();
    }
}

#[test]
fn arabic_is_laid_out_from_right_to_left_and_texts_of_another_direction_are_isolated() {
    let stage = Stage::with([item("a", "Ask (3rd floor)!"), item("b", "اسأل أولاً.")]);
    let control = stage.control("lang='ar'");
    control.shows(&["Ask (3rd floor)!", "اسأل أولاً."]);
    assert_eq!(
        control.value("__probe.root(§).querySelector('.card').dir"),
        json!("rtl")
    );
    for text in ["Ask (3rd floor)!", "اسأل أولاً."] {
        let order = control.value(&format!(
            "(() => {{ const row = __probe.row(§, '{text}'); const left = (what) => row.querySelector(what).getBoundingClientRect().left;\
               return left('.box') > left('.text bdi') && left('.text bdi') > left('.more'); }})()"
        ));
        assert_eq!(
            order,
            json!(true),
            "{text}: box, text, buttons from the right"
        );
        let own = control.value(&format!(
            "__probe.row(§, '{text}').querySelector('.text > bdi').textContent"
        ));
        assert_eq!(own, json!(text));
    }
    // The bar grows from the right.
    control.tick("Ask (3rd floor)!");
    control.settles();
    control.until(
        "(() => { const box = (what) => __probe.root(§).querySelector(what).getBoundingClientRect();\
           return Math.abs(box('.progress').right - box('.progress-bar').right) < 1 && box('.progress-bar').left > box('.progress').left + 10; })()",
    );
    let named = control.value(
        "__probe.row(§, 'Ask (3rd floor)!').querySelector('.more').getAttribute('aria-label')",
    );
    assert_eq!(
        named,
        json!("المزيد حول «\u{2068}Ask (3rd floor)!\u{2069}»")
    );
    stage.browser.is_accessible("#list", "in Arabic");
}

#[test]
fn another_language_is_fetched_when_the_attribute_changes() {
    let stage = stage();
    let control = stage.control("lang='fr'");
    control.says("0 sur 2 faits");
    control.value("document.querySelector(§).lang = 'es'");
    control.says("0 de 2 hechos");
    control.value("document.querySelector(§).lang = 'en'");
    control.says("0 of 2 done");
    assert_eq!(stage.browser.value(FETCHED), json!(["fr", "es"]));
}

#[test]
fn without_its_table_a_list_is_in_english() {
    let stage = stage();
    stage.browser.cut_off(&["*.fr.json"]);
    let control = stage.control("lang='fr'");
    control.says("0 of 2 done");
    assert_eq!(
        control.value("__probe.root(§).querySelector('.card').lang"),
        json!("en")
    );
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    stage.browser.cut_off(&[]);
}

#[test]
fn a_host_puts_words_of_its_own_in_place() {
    let stage = stage();
    let control = stage.control("required lang='de'");
    control.says("0 von 2 erledigt");
    control.value(
        "document.querySelector(§).messages = { done_of: '{done} von {total} Schritten', still_open: 'Ein Schritt fehlt: {names}|{n} Schritte fehlen: {names}' }",
    );
    control.says("0 von 2 Schritten");
    control.says("2 Schritte fehlen: Ask; Build");
    control.says("Eintrag hinzufügen");
    control.value("document.querySelector(§).lang = 'en'");
    control.says("2 Schritte fehlen: Ask; Build");
    control.says("Add an item");
    control.value("document.querySelector(§).messages = undefined");
    control.says("2 items still open: Ask; Build");
    stage.browser.is_untroubled();
}

#[test]
fn two_lists_on_one_page_speak_two_languages() {
    let stage = stage();
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<checklist-control id='list' lang='fr' {bound} purpose='one'></checklist-control><checklist-control id='other' lang='es' {bound} purpose='two'></checklist-control>"
    ));
    // Lists of these purposes have no template, so nothing is on them.
    stage.browser.control("#list").says("Aucun élément");
    stage.browser.control("#other").says("Aún no hay elementos");
    stage.browser.is_untroubled();
}

#[test]
fn what_cannot_be_loaded_is_told_in_the_language_of_the_page() {
    let stage = stage();
    stage.browser.cut_off(&["*.wasm"]);
    let bound = stage.bound_to("1");
    // The words come later than the failure, which was told in English then.
    stage.open_with_script(
        &format!("<checklist-control id='list' lang='fr' {bound}></checklist-control>"),
        "{ const real = window.fetch; window.fetch = async (address, ...rest) => {\
           if (String(address).includes('.fr.')) await new Promise((go) => setTimeout(go, 700));\
           return real(address, ...rest); }; }",
    );
    stage.browser.until(
        "!!document.querySelector('#list').shadowRoot?.querySelector('.failure')?.textContent.includes('La liste n’a pas pu être chargée.')",
    );
    stage.browser.cut_off(&[]);
}

#[test]
fn previews_speak_them_too_in_the_browser_and_from_the_server() {
    let stage = stage();
    let base = stage.server.base_url();
    stage.open(&format!(
        "<checklist-preview id='list' lang='ar' base-url='{base}' token-url='{}/token' template='f'></checklist-preview>",
        stage.host.origin
    ));
    stage.browser.control("#list").says("معاينة، بندان");
    let page = stage
        .server
        .as_admin()
        .on(&stage.place())
        .get("Preview/f?Language=fr-FR");
    assert!(
        page.text().contains("Aperçu, 2 éléments"),
        "{}",
        page.text()
    );
}
