//! The gallery: every state comes about, in elements as they ship, from answers as the
//! server gives them; accessible, in narrow views too, in either scheme and side by side.
//! Part of the program `browser`; `docs/BROWSERS.md` says what runs in which.

use std::process::Command;

use checklist_shared::problem::Problem;
use checklist_shared::wire::find::FoundItems;
use checklist_shared::wire::list::ListAnswer;
use checklist_shared::wire::write::WriteAnswer;
use checklist_tests::browser::{Browser, Keys};
use checklist_tests::process::feed;
use checklist_tests::{HostKey, Server, Setup, incident};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn gallery() -> (Server, Browser) {
    let server = Server::demo();
    let browser = Browser::start();
    browser.resize(1200, 900);
    (server, browser)
}

#[test]
fn every_state_comes_about_from_answers_as_the_server_gives_them() {
    let (server, browser) = gallery();
    browser.open_gallery(&server);
    answers_are_those_of_the_server(&browser);
    let ids = "[...document.querySelectorAll('[id]')].map((one) => one.id)";
    let twice = format!("{ids}.filter((id, at, all) => all.indexOf(id) !== at)");
    assert_eq!(
        browser.value(&twice),
        json!([]),
        "an id of the page is a state's, too"
    );
    for (state, sign) in [
        ("incident", ".help"),
        ("completed", ".card.completed"),
        ("pending", ".row.pending"),
        ("no-check", ".mark"),
        ("locked", ".strip.quiet"),
        ("waived", ".strip.waived"),
        ("empty", ".empty"),
        ("loading", ".skeleton"),
        ("error", ".failure"),
        ("unreachable", ".failure"),
        ("offline", ".strip.quiet"),
        ("signed-out", ".notice.danger"),
        ("draft", ".strip.quiet"),
        ("editor", ".editor textarea"),
        ("reason", ".hint.danger"),
        ("adding", ".add.open"),
        ("text-conflict", ".row.conflict"),
        ("tick-conflict", ".row.conflict"),
        ("refused", ".notice.danger"),
        ("deleted", ".messages .notice"),
        ("not-journaled", ".notice.warn"),
        ("changed", ".strip"),
        ("review", ".review .change"),
        ("kept", ".row.retired"),
        ("proposed", ".proposal .actions"),
        ("second-person", ".proposal .actions"),
        ("evidence", ".editor .input"),
        ("supported", ".proposal a"),
        ("gate", ".gate"),
        ("arabic", ".card[dir=rtl]"),
        ("five-hundred", ".row:nth-child(25)"),
        ("preview", ".card.preview"),
        ("preview-loading", ".loading"),
        ("menu", ".menu-item"),
        ("compact-closed", ".compact .progress"),
        ("compact-open", ".compact[aria-expanded=true]"),
        ("compact-completed", ".compact.complete"),
        ("compact-table", ".compact .progress"),
    ] {
        let there = format!(
            "!!document.querySelector('#{state} .stage').querySelector('checklist-control, checklist-preview, checklist-worklist').shadowRoot.querySelector('{sign}')"
        );
        assert_eq!(browser.value(&there), json!(true), "{state}: no {sign}");
    }
    for (state, name) in [
        ("completed", "completed"),
        ("pending", "pending"),
        ("error", "error"),
        ("offline", "offline"),
        ("read-only", "readonly"),
        ("refused-form", "user-invalid"),
    ] {
        let is = format!(
            "document.querySelector('#{state} checklist-control').matches(':state({name})')"
        );
        assert_eq!(
            browser.value(&is),
            json!(true),
            "{state} is not :state({name})"
        );
    }
}

#[track_caller]
fn answers_are_those_of_the_server(browser: &Browser) {
    fn is<T: DeserializeOwned>(answer: &Value) {
        if let Err(error) = serde_json::from_value::<T>(answer["Body"].clone()) {
            panic!("{error}: {answer:#}");
        }
    }
    let answers = browser.value("window.answered");
    let answers = answers.as_array().expect("what the page has answered");
    for answer in answers {
        match answer["Call"].as_str().unwrap_or_default() {
            _ if answer["Status"] != 200 => is::<Problem>(answer),
            "GetItems" => is::<ListAnswer>(answer),
            "FindItems" => is::<FoundItems>(answer),
            "UpdateItems" | "DeleteItems" | "RefreshItemsOnTemplateChange" => {
                is::<WriteAnswer>(answer)
            }
            call => assert!(call.starts_with("Template/"), "{call}"),
        }
    }
    assert!(answers.len() > 40, "{} answers", answers.len());
}

/// Runs a command as a page shows it, with a token and the id of an item; what it prints.
#[track_caller]
fn run(code: &str, token: &str, item: &str) -> Value {
    let mut bash = Command::new("bash");
    bash.arg("-s").env("TOKEN", token).env("ITEM", item);
    let said = feed(&mut bash, code.as_bytes());
    let text = String::from_utf8_lossy(&said.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{code}"))
}

/// What a state is about: how the item stands, what is proposed and what another system has reported.
fn stands(item: &Value) -> Value {
    let (signal, proposal) = (&item["Signal"], &item["Proposal"]);
    json!({
        "Text": item["Text"], "Status": item["Status"], "Reason": item["Reason"],
        "Signal": [signal["Source"], signal["Key"], signal["Status"]],
        "Proposal": [proposal["Status"], proposal["Reason"], proposal["Evidence"], proposal["By"]["Kind"]],
    })
}

#[test]
fn the_template_and_the_requests_beside_a_state_bring_it_about_on_a_server() {
    let host = HostKey::of("north");
    let server = Setup::for_hosts(std::slice::from_ref(&host)).start();
    let browser = Browser::start();
    browser.resize(1200, 900);
    browser.open_gallery(&server);
    browser.script(
        "import('./gallery-states.js').then(({ answerTo }) => { window.answerTo = answerTo; })",
        &[],
    );
    browser.until("!!window.answerTo");
    let of_page = |of: &str, language: &str| {
        let blocks = browser.value(&format!(
            "[...document.querySelectorAll('{of} [data-language={language}] code')].map((code) => code.textContent)"
        ));
        serde_json::from_value::<Vec<String>>(blocks).expect("texts")
    };
    let admin = server.as_admin().on(&incident("INC-1"));
    let wish = json!({ "Name": "Backup", "Roles": ["checker"], "Sources": ["Backup server"] });
    let key = admin.send("ApiKeys", &wish).ok();
    let program = key["Secret"].as_str().expect("a secret");
    let mut claims = host.claims(&server.base_url(), "jansen", &["Read", "Check"]);
    let person = host.sign(&claims);
    claims["act"] = json!({ "sub": "finch", "name": "Finch" });
    let assistant = host.sign(&claims);
    let templates = of_page(".state", "json");
    assert!(templates.len() >= 10, "{templates:?}");
    for template in templates {
        let template: Value = serde_json::from_str(&template).expect("a template");
        let id = template["Key"].as_str().expect("a key");
        admin.put(&format!("Templates/{id}"), &template).ok();
        admin
            .send(&format!("Templates/{id}/Publish"), &json!({}))
            .ok();
    }
    for (state, calls) in [
        ("proposed", &[("ProposeItems", &*assistant)][..]),
        ("second-person", &[("UpdateItems", &person)]),
        ("reported", &[("Signals", program)]),
        (
            "overridden",
            &[("Signals", program), ("UpdateItems", &person)],
        ),
        // What a person does in the element needs no request.
        ("supported", &[]),
        ("completed", &[]),
    ] {
        let requests = of_page(&format!("#{state}"), "sh");
        assert_eq!(requests.len(), calls.len(), "{state}: {requests:?}");
        if calls.is_empty() {
            continue;
        }
        // Each state has an object of its own here.
        let object = format!("INC-{state}");
        let anna = server
            .as_admin()
            .on(&incident(&object).from_template(state));
        let begun = anna
            .send("Lists", &json!({ "Contexts": [anna.place.context()] }))
            .ok();
        assert_eq!(begun["Results"][0]["Outcome"], "Created", "{begun}");
        let item = anna.list().0["Items"][0].clone();
        let id = item["Id"].as_str().expect("an id");
        for (request, (call, token)) in requests.iter().zip(calls) {
            assert!(request.contains(&format!("/{call}\"")), "{request}");
            let answer = run(&request.replace("INC-20418", &object), token, id);
            let outcome = &answer["Results"][0]["Outcome"];
            assert_eq!(outcome, "Updated", "{request}\n{answer:#}");
        }
        let shown = browser.value(&format!("answerTo('{state}', 'GetItems').Items[0]"));
        assert_eq!(
            stands(&anna.list().0["Items"][0]),
            stands(&shown),
            "{state}"
        );
    }
}

#[test]
fn axe_finds_nothing_in_any_state_in_either_scheme() {
    let (server, browser) = gallery();
    let prefer = |scheme| {
        browser.emulate(&[
            ("prefers-color-scheme", scheme),
            ("prefers-reduced-motion", "reduce"),
        ]);
    };
    prefer("light");
    browser.open_gallery(&server);
    // 500 rows of one kind say no more than the 50 others, and take axe as long as all else.
    browser.script("document.querySelector('#many').remove();", &[]);
    // Nor does what stands beside a state, which is the same everywhere.
    browser.script(
        "for (const one of document.querySelectorAll('.chapter:not(#form, #words) .facts')) one.remove();",
        &[],
    );
    browser.is_accessible(".bar", "the bar, light");
    for chapter in browser.chapters() {
        browser.show_chapter_alone(&chapter);
        browser.is_accessible(&format!("#{chapter}"), &format!("{chapter}, light"));
    }
    prefer("dark");
    browser.has_accessible_colours(".bar", "the bar, dark");
    for chapter in browser.chapters() {
        browser.show_chapter_alone(&chapter);
        browser.has_accessible_colours(&format!("#{chapter}"), &format!("{chapter}, dark"));
    }
}

#[test]
fn a_narrow_view_shows_every_state_without_sideways_scrolling() {
    let (server, browser) = gallery();
    // 320 pixels, as a view of 1280 has left when it is enlarged four times.
    browser.resize_dense(320, 256, 4);
    browser.open_gallery(&server);
    let wide = browser.value(
        "[document.documentElement, ...document.querySelectorAll('checklist-control, checklist-preview, checklist-worklist')]
           .flatMap((one) => one.shadowRoot ? [...one.shadowRoot.querySelectorAll('.card, .row, .notice, .editor, .menu')] : [one])
           .filter((one) => one.scrollWidth > Math.max(one.clientWidth, 1) + 1 && getComputedStyle(one).overflow !== 'clip')
           .map((one) => `${one.getRootNode().host?.closest('.state').id}: ${one.className} ${one.scrollWidth} > ${one.clientWidth}`)",
    );
    assert_eq!(wide, json!([]), "wider than the view");
}

#[test]
fn the_schemes_stand_side_by_side_and_take_neither_focus_nor_place_from_the_reader() {
    let (server, browser) = gallery();
    browser.open_gallery(&server);
    assert_eq!(
        browser.value("document.activeElement.localName"),
        json!("body")
    );
    browser.script("document.querySelector('#switch-both').focus()", &[]);
    browser.press(Keys::Space);
    browser.gallery_becomes("dataset.ready === 'both'");
    assert_eq!(browser.value("scrollY"), json!(0));
    let grounds = browser.value(
        "['light', 'dark'].map((scheme) => getComputedStyle(document.querySelector(`#completed .${scheme} checklist-control`).shadowRoot.querySelector('.card')).backgroundColor)",
    );
    assert_eq!(grounds, json!(["rgb(255, 255, 255)", "rgb(23, 26, 30)"]));
    browser.show_the_rest();
    assert_eq!(
        browser.value("document.activeElement.id"),
        json!("switch-both"),
        "with a menu and an editor open"
    );
    // Who acts on a state has the focus in it, as on any page.
    let state = "document.querySelector('#menu .dark checklist-control').shadowRoot";
    browser.click(&format!(
        "{state}.querySelector('.more[aria-expanded=true]')"
    ));
    browser.until(&format!("{state}.activeElement?.matches('.more')"));
    browser.press(Keys::Enter);
    browser.until(&format!("{state}.activeElement?.matches('.menu-item')"));
}

#[test]
fn facts_of_a_preview_that_go_on_in_the_next_line_begin_without_a_dot() {
    let (server, browser) = gallery();
    browser.open_gallery(&server);
    browser.script(
        "for (const one of document.querySelectorAll('#preview .stage, #preview-arabic .stage')) one.style.inlineSize = '190px';",
        &[],
    );
    for (state, edge) in [("preview", "left"), ("preview-arabic", "right")] {
        // The dot is part of what it stands before, so the words of a line begin at its edge.
        let lines = browser.value(&format!(
            "[...document.querySelector('.state#{state} checklist-preview').shadowRoot.querySelectorAll('.meta')].map((meta) => {{
               const start = meta.getBoundingClientRect().{edge};
               const words = (one) => {{ const range = document.createRange(); range.selectNodeContents(one); return range.getBoundingClientRect(); }};
               const first = [...meta.children].filter((one, place, all) => place === 0 || one.offsetTop > all[place - 1].offsetTop);
               return first.map((one) => Math.round(words(one).{edge} - start));
             }})"
        ));
        let lines: Vec<Vec<i64>> = serde_json::from_value(lines).expect("distances");
        assert!(
            lines.iter().any(|line| line.len() > 1),
            "{state}: {lines:?}"
        );
        assert!(
            lines.iter().flatten().all(|distance| distance.abs() <= 1),
            "{state}: {lines:?}"
        );
    }
}
