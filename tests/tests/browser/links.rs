//! Links and code in the texts of items, as the control draws them and as a server does.

use checklist_tests::browser::Stage;
use checklist_tests::template::item;
use serde_json::json;

const LONG: &str =
    "https://wiki.example.org/space/operations/runbooks/2026/replace-the-gateway-certificate.html";

#[test]
fn a_link_in_a_text_leads_to_a_tab_of_its_own_and_ticks_nothing() {
    let stage = Stage::with([item("placeholder", "See below")]);
    let server = &stage.host.origin;
    let text = format!("Read `notes.md` at {server}/elsewhere, then javascript:alert(1)");
    let control = stage.control("");
    control.shows_item("See below");
    control.add(&text.replace('`', ""));
    stage.browser.press(checklist_tests::browser::Keys::Escape);
    let links = "JSON.stringify([...__probe.root(§).querySelectorAll('.text a')].map((one) => [one.getAttribute('href'), one.target, one.rel]))";
    control.until(&format!("{links} !== '[]'"));
    assert_eq!(
        control.value(links),
        json!(
            json!([[
                format!("{server}/elsewhere"),
                "_blank",
                "noopener noreferrer"
            ]])
            .to_string()
        )
    );
    control.value("(window.clicked = [], addEventListener('click', (event) => clicked.push(event.composedPath()[0].localName)))");
    stage
        .browser
        .click("__probe.root('#list').querySelector('.text a')");
    stage.browser.until("clicked.join() === 'a'");
    assert_eq!(
        control.value("__probe.rows(§).some((row) => row.Checked)"),
        json!(false)
    );
    stage.browser.is_accessible("#list", "with a link");
}

#[test]
fn a_server_draws_long_addresses_and_code_as_the_control_does() {
    let text = format!("Run `make all`, see {LONG}");
    let stage = Stage::with([item("a", &text)]);
    let control = stage.control("");
    let drawn =
        "__probe.root(§).querySelector('.text bdi')?.innerHTML.replaceAll(/<!--.*?-->|<!>/g, '')";
    control.until(&format!("{drawn}?.includes('<code>make all</code>')"));
    let shown = control.value(drawn);
    let shown = shown.as_str().unwrap_or_default();
    assert!(shown.contains("…y-certificate.html</a>"), "{shown}");
    assert!(shown.contains(&format!("title=\"{LONG}\"")), "{shown}");
    let whoever = stage.server.as_editor("Ana").on(&stage.place());
    let answer = whoever.call("Render", json!({}));
    let answer = answer.text();
    assert!(answer.contains("<code>make all</code>"), "{answer}");
    assert!(answer.contains(&format!("href=\"{LONG}\"")), "{answer}");
}
