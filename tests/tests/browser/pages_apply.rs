//! The built-in pages that apply a template to many checklists: what would happen, doing it, and what
//! became of each checklist, also by keyboard, in German and on a narrow screen.

use checklist_tests::browser::Pages;
use checklist_tests::template::{fragment, item, publish};
use checklist_tests::wait::until;
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

/// The demo with a published template `extra`, a checklist that is worked on, and one that is locked.
fn world() -> Server {
    let server = Server::demo();
    publish(
        &server,
        &fragment("extra", [item("a", "Extra A"), item("b", "Extra B")]),
    );
    let owner = server.as_somebody_who_may(checklist_tests::role::OWNER);
    let owner = owner.on(&incident("APPLY-1"));
    owner.add("Own");
    owner.at(&incident("APPLY-2")).add("Own");
    owner.at(&incident("APPLY-2")).lock("Closed");
    server
}

/// An administrator with an API key: the demo's own tokens begin no runs.
fn admin(server: &Server) -> Person {
    let key = server.admin_key("demo", "Program");
    server.as_admin().on(&incident("1")).with_token(&key)
}

/// The id of the newest run.
fn run(admin: &Person) -> String {
    let runs = admin.get("ApplyTemplate/Runs").ok();
    runs["Runs"][0]["Id"].as_str().expect("an id").to_owned()
}

/// The rows under a panel's title: the text of each.
fn rows(pages: &Pages) -> Vec<String> {
    pages.texts(".applied > li")
}

fn fill(pages: &Pages, ids: &str) {
    pages.choose("Template", "extra");
    pages.fill("Type", "incident");
    pages.fill("Object IDs", ids);
}

#[test]
fn a_retired_template_is_not_offered() {
    let server = world();
    let author = server.as_admin().on(&incident("1"));
    author.send("Templates/extra/Retire", &json!({})).ok();
    let pages = Pages::of_demo(&server, "/apply");
    pages.is_at("Apply a template");
    let field = Pages::field("Template");
    let offered = pages.value(&format!(
        "[...{field}.options].map((one) => __probe.tidy(one.textContent))"
    ));
    let offered: Vec<String> = serde_json::from_value(offered).expect("texts");
    assert!(offered.len() > 1, "the demo has others: {offered:?}");
    assert!(!offered.iter().any(|one| one == "extra"), "{offered:?}");
}

#[test]
fn a_template_is_previewed_applied_and_followed_to_the_reasons() {
    let server = world();
    let pages = Pages::of_demo(&server, "/apply");
    pages.is_at("Apply a template");
    pages.says("No template has been applied yet");
    pages.click("Preview");
    pages.says("Choose a template");
    pages.until("document.activeElement.getAttribute('aria-invalid') === 'true'");

    fill(&pages, "APPLY-1\nAPPLY-2\n APPLY-3 \nAPPLY-1\n");
    pages.click("Preview");
    pages.says("Will be extended: 1, Will be started: 1, Will be skipped: 1");
    let shown = rows(&pages);
    assert_eq!(shown.len(), 3, "{shown:?}");
    assert!(
        shown[0].contains("APPLY-2") && shown[0].contains("The checklist is locked."),
        "{shown:?}"
    );
    let admin = admin(&server);
    assert_eq!(
        admin.get("ApplyTemplate/Runs").ok()["Runs"],
        json!([]),
        "nothing is done yet"
    );

    // What is previewed is what is applied.
    pages.fill("Object IDs", "APPLY-1");
    pages.until("!document.querySelector('.applied')");
    pages.fill("Object IDs", "APPLY-1\nAPPLY-2\nAPPLY-3");
    pages.until("document.querySelectorAll('.applied > li').length === 3");
    pages.click("Apply template");
    pages.is_at("Apply “extra”");
    pages.says("Completed");
    pages.says("3 of 3 checklists");
    pages.says("Items added: 1, Started: 1, Skipped: 1");
    pages.until("document.querySelectorAll('.applied > li').length === 3");
    pages.choose("Filter by result", "Skipped");
    pages.until("document.querySelectorAll('.applied > li').length === 1");
    assert!(
        rows(&pages)[0].contains("The checklist is locked."),
        "{:?}",
        rows(&pages)
    );

    pages.click("APPLY-2");
    pages.is_at("APPLY-2");
    pages.open("/apply");
    pages.says("Completed");
    assert_eq!(pages.texts("main tbody tr").len(), 1);
    let list = server.editor_on(&incident("APPLY-3")).list();
    assert!(!list.item("Extra B")["Id"].is_null());
    pages.choose("Language", "Deutsch");
    pages.says("Vorlage anwenden");
    pages.browser.resize(320, 720);
    for path in ["/apply".to_owned(), format!("/apply/{}", run(&admin))] {
        pages.open(&path);
        pages.says("Abgeschlossen");
        let root = "document.documentElement";
        let fits = format!("{root}.scrollWidth <= {root}.clientWidth");
        assert_eq!(pages.value(&fits), json!(true), "{path} scrolls sideways");
    }
    pages.browser.is_untroubled();
}

#[test]
fn checklists_are_chosen_by_a_filter_and_errors_stand_at_their_fields() {
    let server = world();
    let pages = Pages::of_demo(&server, "/apply");
    pages.choose("Template", "extra");
    pages.choose("Checklists", "Existing checklists that match a filter");
    pages.fill("Object ID begins with", "APPLY-");
    pages.click("Preview");
    pages.says("Will be extended: 1, Will be skipped: 1");
    pages.fill("Object ID begins with", "NONE-");
    pages.click("Preview");
    pages.until("document.querySelectorAll('.applied > li').length === 0");
    assert!(!pages.tells("Apply template"), "there is nothing to apply");
    pages.fill("Object ID begins with", &"x".repeat(201));
    pages.click("Preview");
    pages.until("document.activeElement.getAttribute('aria-invalid') === 'true'");
    pages.browser.is_untroubled();
}

#[test]
fn an_object_id_that_cannot_be_is_named_in_german_and_nothing_is_sent() {
    let server = world();
    let pages = Pages::of_demo(&server, "/apply");
    pages.choose("Language", "Deutsch");
    pages.choose("Vorlage", "extra");
    pages.fill("Typ", "incident");
    pages.fill("Objekt-IDs", "APPLY-1\n*\nAPPLY-2");
    pages.click("Vorschau");
    pages.says("„*“ geht nicht: Ein Name hat höchstens 200 Zeichen und ist nicht „*“.");
    pages.until("document.activeElement.getAttribute('aria-invalid') === 'true'");
    assert!(!pages.tells("Wird ergänzt"), "nothing was previewed");
    pages.browser.is_untroubled();
}

#[test]
fn a_run_is_stopped_and_resumed_where_it_was() {
    let server = world();
    let admin = admin(&server);
    let contexts: Vec<Value> = (0..3_000)
        .map(|n| incident(&format!("MANY-{n}")).context())
        .collect();
    let run = admin
        .send(
            "ApplyTemplate",
            &json!({ "Template": "extra", "Contexts": contexts }),
        )
        .ok();
    let id = run["Id"].as_str().expect("an id");
    let pages = Pages::of_demo(&server, &format!("/apply/{id}"));
    pages.click("Stop");
    pages.says("Stopped");
    assert!(!pages.tells("3000 of 3000 checklists"));
    pages.click("Resume");
    pages.says_no_longer("Stopped");
    // Busy processors take longer for all of them than anything is waited for here.
    for settled in [1_500, 3_000] {
        until("lists to be settled", || {
            let run = admin.get(&format!("ApplyTemplate/Runs/{id}")).ok();
            (run["Settled"].as_u64()? >= settled).then_some(())
        });
    }
    pages.says("3000 of 3000 checklists");
    pages.says("Completed");
    pages.browser.is_untroubled();
}
