//! The page about the health of a template: its figures, its file, and the way of a recurring item into
//! the draft, also by keyboard, in German and on a narrow screen.

use checklist_tests::browser::{Keys, Pages};
use checklist_tests::template::{author, fragment, item, publish};
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

const PATH: &str = "/templates/of/f/health";

/// The demo, with a template `f` that incidents follow, and its administrator.
fn world() -> (Server, Person) {
    let server = Server::demo();
    let ask = json!({ "Key": "ask", "Text": { "en": "Ask", "de": "Fragen" } });
    publish(&server, &fragment("f", [ask, item("build", "Build")]));
    let admin = server.as_admin().on(&list("1"));
    (server, admin)
}

fn list(id: &str) -> checklist_tests::Place {
    incident(id).for_purpose("health").from_template("f")
}

/// Three lists that people work on.
fn work(admin: &Person, added: &str) {
    for id in ["1", "2", "3"] {
        let list = admin.at(&list(id));
        list.tick("Ask");
        list.add(added);
    }
    admin.untick("Ask");
    admin.tick("Build");
    admin.add("Once");
}

fn draft(server: &Server) -> Value {
    author(server).get("Templates/f").ok()["Draft"].clone()
}

#[test]
fn figures_stand_in_a_table_that_says_in_words_what_its_bars_show() {
    let (server, admin) = world();
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.click("Health");
    pages.is_at("Health: f");
    pages.says("No checklists yet");
    work(&admin, "اتصل بالعميل");
    pages.browser.reload();
    pages.says("3 checklists that have been started are counted");
    let cells = pages.texts("main tbody tr:first-child > *");
    assert!(
        cells[0].contains("Ask") && cells[0].contains("ask"),
        "{cells:?}"
    );
    assert_eq!(cells[1], "2 done, 0 not applicable, 1 open");
    assert_eq!(&cells[3..], ["0", "1", "0", "0"]);
    let wide = "[...document.querySelectorAll('tbody tr:first-child .shares > span')]\
                .map(part => Math.round(part.getBoundingClientRect().width))";
    let wide = pages.value(wide);
    let wide: Vec<f64> = serde_json::from_value(wide).expect("widths");
    assert!(
        (wide[0] - 2.0 * wide[2]).abs() <= 2.0 && wide[1] == 0.0,
        "{wide:?}"
    );
    assert_eq!(
        pages.texts("main .list-items > li").len(),
        1,
        "what is there once does not recur"
    );
    let file = pages.value("document.querySelector('a[download]').href");
    assert!(
        file.to_string().contains("Health?Language=en&Format=Csv"),
        "{file}"
    );
    let read = "fetch(document.querySelector('a[download]').href).then(answer => answer.text())\
                .then(text => window.file = text), true";
    assert_eq!(pages.value(read), json!(true));
    pages.until("window.file && window.file.includes('Template,ask,Ask,true,3,2,0,1')");

    pages.choose("Language", "Deutsch");
    pages.is_at("Auswertung: f");
    pages.says("2 erledigt, 0 nicht zutreffend, 1 offen");
    pages.says("Fragen");
    pages.browser.resize(320, 720);
    pages.browser.fits_its_window();
    pages.browser.is_untroubled();
}

#[test]
fn a_recurring_item_gets_into_the_draft_by_keyboard_and_lists_keep_theirs() {
    let (server, admin) = world();
    work(&admin, "Ask");
    for id in ["1", "2"] {
        admin.at(&list(id)).add("Order a <b>charger</b>");
    }
    let pages = Pages::of_demo(&server, PATH);
    pages.says("In the template");
    assert_eq!(draft(&server), Value::Null);
    let button = "[aria-label='Add to draft: Order a <b>charger</b>']";
    pages.until(&format!("document.querySelector(\"{button}\")?.focus(), document.activeElement.matches(\"{button}\")"));
    pages.browser.press(Keys::Enter);
    pages.says("Draft of version 2");
    pages.until("document.activeElement.localName === 'textarea'");
    pages.until("document.activeElement.value === 'Order a <b>charger</b>'");
    let draft = draft(&server);
    let items = draft["Items"].as_array().expect("items");
    let new = items.last().expect("an item");
    assert_eq!(new["Text"], json!({ "en": "Order a <b>charger</b>" }));
    assert_eq!(new["Key"], "order-a-b-charger-b");
    assert_eq!(items.len(), 3);
    // It is added once, also for whoever comes back.
    pages.open(PATH);
    pages.says("In the template");
    pages.until(&format!("!document.querySelector(\"{button}\")"));
    pages.open("/templates/of/f");
    pages.says("Draft of version 2");
    assert_eq!(pages.texts(".outline-text").len(), 3);
    publish(&server, &draft);
    let refreshed = admin.refresh();
    assert!(!refreshed.0["Changes"].is_null());
    let texts = admin.list();
    let texts = texts.texts();
    let both = texts.iter().filter(|text| text.contains("charger"));
    assert_eq!(both.count(), 2, "{texts:?}");
    pages.browser.is_untroubled();
}

#[test]
fn what_somebody_else_has_in_the_draft_stays_when_an_item_is_added() {
    let (server, admin) = world();
    for id in ["1", "2"] {
        admin.at(&list(id)).add("Charger");
    }
    let pages = Pages::of_demo(&server, PATH);
    pages.says("in 2 checklists");
    // Meanwhile, on another screen.
    let other = fragment(
        "f",
        [item("ask", "Ask first"), item("other", "Another one")],
    );
    author(&server).put("Templates/f", &other).ok();
    pages.click("Add to draft: Charger");
    pages.says("Draft saved.");
    let draft = draft(&server);
    let items = draft["Items"].as_array().expect("items").iter();
    let keys: Vec<&str> = items.filter_map(|item| item["Key"].as_str()).collect();
    assert_eq!(keys, ["ask", "other", "charger"]);
    pages.browser.is_untroubled();
}
