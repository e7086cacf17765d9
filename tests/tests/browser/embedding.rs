//! A page on another origin that embeds the control, with a token that its own platform signed.
//!
//! The server runs as in production, with the platform's public key and without `--demo`; the
//! ways to a token are an address of the platform and a function of its page.

use std::path::Path;

use checklist_tests::browser::{Stage, strict_policy};
use checklist_tests::neighbour::Neighbour;
use checklist_tests::template::{fragment, item, publish};
use serde_json::json;

#[test]
fn a_page_elsewhere_embeds_the_control_with_its_platforms_token() {
    let stage = Stage::ask_and_build();
    assert_ne!(stage.server.address_as_origin(), stage.host.origin);
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    control.tick("Ask");
    control.tick("Build");
    control.becomes_completed();
    control.settles();
    let list = stage.bob().list();
    assert!(list.completed());
    assert_eq!(list.item("Ask")["StatusBy"]["Id"], "petra");
    stage.browser.is_untroubled();
}

#[test]
fn the_policy_that_the_documents_say_is_enough_for_a_page_elsewhere() {
    let stage = Stage::ask_and_build();
    let policy = checklist_tests::policy::documented(&stage.server.address_as_origin());
    stage.host.under(&format!(
        "default-src 'none'; {policy}; require-trusted-types-for 'script'"
    ));
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    control.tick("Ask");
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn a_page_with_the_package_on_its_own_origin_allows_the_server_in_connect_src_alone() {
    let stage = Stage::ask_and_build();
    let control = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/control");
    stage.host.serve_folder("/element/", &control);
    stage.host.under(&format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self' {}; \
         require-trusted-types-for 'script'",
        stage.server.address_as_origin()
    ));
    let bound = stage.bound_to("1");
    stage.host.serve(
        "/own/",
        "text/html",
        &format!(
            "<!DOCTYPE html><script type='module' src='/element/checklist-control.js'></script>\
             <checklist-control id='list' {bound}></checklist-control>"
        ),
    );
    stage.browser.open(&format!("{}/own/", stage.host.origin));
    stage.browser.control("#list").shows(&["Ask", "Build"]);
}

#[test]
fn a_page_that_replaces_its_html_shows_the_list_again_and_is_not_warned() {
    let stage = Stage::ask_and_build();
    // Pages that do so have no Trusted Types.
    let policy = strict_policy(&stage.server.address_as_origin());
    stage
        .host
        .under(&policy.replace("; require-trusted-types-for 'script'", ""));
    let list = stage.control("");
    list.shows(&["Ask", "Build"]);
    let script = "document.querySelector('main').innerHTML += '';";
    stage.browser.script(script, &[]);
    list.shows(&["Ask", "Build"]);
    stage.browser.is_untroubled();
}

#[test]
fn one_token_serves_all_lists_of_a_page() {
    let stage = Stage::ask_and_build();
    let bound = stage.bound_to("1");
    let controls: String = (0..5)
        .map(|n| {
            format!("<checklist-control id='list{n}' {bound} purpose='{n}'></checklist-control>")
        })
        .collect();
    stage.open(&controls);
    for n in 0..5 {
        stage
            .browser
            .control(&format!("#list{n}"))
            .says("No items yet");
    }
    assert_eq!(stage.host.tokens_asked(), 1);
}

#[test]
fn a_token_provider_is_a_function_of_the_page() {
    let stage = Stage::ask_and_build();
    stage.open_with_script(
        &format!(
            "<checklist-control id='list' base-url='{}' object-type='incident' object-id='1'></checklist-control>",
            stage.server.base_url()
        ),
        "window.asked = [];\
         addEventListener('DOMContentLoaded', () => {\
           document.querySelector('#list').tokenProvider = async ({ contexts, reason }) => {\
             asked.push([contexts.map((one) => one.ObjectId).join(), reason]);\
             const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts }) });\
             const { Token, ExpiresAt } = await answer.json();\
             return { token: Token, expiresAt: ExpiresAt };\
           };\
         });",
    );
    stage.browser.control("#list").shows(&["Ask", "Build"]);
    assert_eq!(stage.browser.value("asked[0][0]"), json!("1"));
    stage.browser.is_untroubled();
}

#[test]
fn two_sources_of_tokens_on_one_page_each_open_their_own_list() {
    let stage = Stage::ask_and_build();
    let control = |id: &str| {
        format!(
            "<checklist-control id='list{id}' base-url='{}' object-type='incident' object-id='{id}'></checklist-control>",
            stage.server.base_url()
        )
    };
    stage.open_with_script(
        &format!("{}{}", control("1"), control("2")),
        "window.asked = [];\
         addEventListener('DOMContentLoaded', () => {\
           for (const id of ['1', '2']) document.querySelector('#list' + id).tokenProvider = async ({ contexts }) => {\
             const own = contexts.filter((one) => one.ObjectId === id);\
             asked.push(contexts.map((one) => one.ObjectId).join() + ' of ' + id);\
             const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: own }) });\
             const { Token, ExpiresAt } = await answer.json();\
             return { token: Token, expiresAt: ExpiresAt };\
           };\
         });",
    );
    for id in ["#list1", "#list2"] {
        stage.browser.control(id).shows(&["Ask", "Build"]);
    }
    let first = stage.browser.value("asked.slice(0, 2).sort()");
    assert_eq!(first, json!(["1 of 1", "2 of 2"]));
    stage.browser.is_untroubled();
}

#[test]
fn a_refused_token_is_renewed_once_and_the_same_operation_sent_again() {
    let stage = Stage::ask_and_build();
    stage.open_with_script(
        &format!(
            "<checklist-control id='list' base-url='{}' object-type='incident' object-id='1'></checklist-control>",
            stage.server.base_url()
        ),
        "window.reasons = []; window.spoil = false;\
         addEventListener('DOMContentLoaded', () => {\
           document.querySelector('#list').tokenProvider = async ({ contexts, reason }) => {\
             reasons.push(reason);\
             const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts }) });\
             const { Token } = await answer.json();\
             const good = window.spoiled || !window.spoil;\
             if (!good) window.spoiled = true;\
             return { token: good ? Token : Token.slice(0, -4) + 'AAAA', expiresAt: new Date(Date.now() + (window.spoil ? 300e3 : 1)).toISOString() };\
           };\
         });",
    );
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    stage.browser.value("window.spoil = true");
    control.tick("Ask");
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Done");
    assert_eq!(stage.browser.value("reasons.at(-1)"), json!("renew"));
    assert_eq!(
        stage
            .browser
            .value("reasons.filter((one) => one === 'renew').length"),
        json!(1)
    );
}

#[test]
fn a_platform_that_gives_no_token_leaves_a_clear_message() {
    let stage = Stage::ask_and_build();
    stage.open_with_script(
        &format!(
            "<checklist-control id='list' base-url='{}' token-url='/nowhere' object-type='incident' object-id='1'></checklist-control>",
            stage.server.base_url()
        ),
        "window.told = []; addEventListener('checklist-error', (event) => told.push(event.detail.code));",
    );
    let control = stage.browser.control("#list");
    control.says("could not be loaded");
    control.becomes("error");
    assert_eq!(
        (control.property("state"), control.completed()),
        (json!("Unknown"), false)
    );
    stage.browser.until("told.length > 0");
    assert!(
        control
            .buttons()
            .iter()
            .any(|name| name.starts_with("Try again")),
        "{:?}",
        control.buttons()
    );
}

/// Opens a page with a control whose provider is this function; gives the warnings of the page.
#[track_caller]
fn warnings_with(stage: &Stage, provider: &str, says: &str) -> String {
    stage.open_with_script(
        &format!(
            "<checklist-control id='list' base-url='{}' object-type='incident' object-id='1'></checklist-control>",
            stage.server.base_url()
        ),
        &format!(
            "addEventListener('DOMContentLoaded', () => {{ document.querySelector('#list').tokenProvider = {provider}; }});"
        ),
    );
    let control = stage.browser.control("#list");
    control.says(says);
    stage
        .browser
        .until("__probe.troubles.some((one) => one.startsWith('warn:'))");
    // Asked again, nothing more is said to the developer.
    control.click("Try again");
    control.says(says);
    let warnings = stage
        .browser
        .value("__probe.troubles.filter((one) => one.startsWith('warn:'))");
    assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{warnings}");
    warnings[0].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_token_in_the_wrong_shape_is_one_sentence_for_people_and_one_warning_for_the_developer() {
    let stage = Stage::ask_and_build();
    for provider in [
        "async () => 'eyJsecret'",
        "async () => ({ Token: 'eyJsecret' })",
        "async () => undefined",
    ] {
        let warning = warnings_with(&stage, provider, "could not be loaded");
        assert!(warning.contains("{ token, expiresAt }"), "{warning}");
        assert!(warning.contains("#tokens"), "{warning}");
        assert!(!warning.contains("eyJsecret"), "{warning}");
    }
}

#[test]
fn a_policy_without_webassembly_is_told_to_the_developer_once() {
    let stage = Stage::ask_and_build();
    let policy = checklist_tests::browser::strict_policy(&stage.server.address_as_origin())
        .replace(" 'wasm-unsafe-eval'", "");
    stage.host.under(&policy);
    let control = stage.control("");
    control.says("could not be loaded");
    stage
        .browser
        .until("__probe.troubles.some((one) => one.includes(\"'wasm-unsafe-eval'\") && one.includes('#policy'))");
}

/// Opens a page whose control takes this for its server; gives what the developer is told.
#[track_caller]
fn warnings_of_server(stage: &Stage, server: &str) -> String {
    let allowed = stage.server.address_as_origin();
    let policy = checklist_tests::browser::strict_policy(&allowed).replace(
        "connect-src 'self'",
        &format!("connect-src 'self' {server}"),
    );
    stage.host.under(&policy);
    stage.open(&format!(
        "<checklist-control id='list' base-url='{server}' token-url='/token' object-type='incident' object-id='1'></checklist-control>"
    ));
    let control = stage.browser.control("#list");
    control.says("could not be loaded");
    let ours = "__probe.troubles.filter((one) => one.includes('checklist-control: '))";
    stage.browser.until(&format!("{ours}.length === 1"));
    control.click("Try again");
    control.says("could not be loaded");
    let told = stage.browser.value(ours);
    assert_eq!(told.as_array().map(Vec::len), Some(1), "{told}");
    told[0].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_server_that_is_gone_is_told_to_the_developer_once() {
    let stage = Stage::ask_and_build();
    let nobody = format!("http://{}", checklist_tests::setup::free_address());
    let told = warnings_of_server(&stage, &nobody);
    assert!(told.contains("cannot be reached"), "{told}");
    assert!(told.contains("#server"), "{told}");
}

#[test]
fn a_server_that_refuses_the_pages_origin_is_told_to_the_developer_once() {
    let stage = Stage::ask_and_build();
    let other = checklist_tests::neighbour::Neighbour::open(|_| json!({}));
    let told = warnings_of_server(&stage, &other.origin);
    assert!(told.contains("CORS"), "{told}");
    assert!(told.contains("#origins"), "{told}");
}

#[test]
fn a_token_url_that_gives_no_token_is_one_true_sentence_and_one_warning_with_its_cause() {
    let stage = Stage::ask_and_build();
    let policy = strict_policy(&stage.server.address_as_origin());
    // It answers without being asked for CORS.
    let foreign = Neighbour::open(|_| json!({}));
    let gone = "http://127.0.0.1:1";
    let allowed = format!("connect-src 'self' {gone} {}", foreign.origin);
    stage
        .host
        .under(&policy.replace("connect-src 'self'", &allowed));
    stage.host.serve(
        "/login",
        "text/html",
        "<!DOCTYPE html><title>Sign in</title>",
    );
    for (address, cause) in [
        (
            format!("{}/nowhere", stage.host.origin),
            "answered 404 text/plain",
        ),
        (
            format!("{}/login", stage.host.origin),
            "answered 200 text/html",
        ),
        (format!("{gone}/token"), "cannot be reached"),
        (format!("{}/token", foreign.origin), "cannot be reached"),
    ] {
        stage.open(&format!(
            "<checklist-control id='list' base-url='{}' token-url='{address}' object-type='incident' object-id='1'></checklist-control>",
            stage.server.base_url()
        ));
        let control = stage.browser.control("#list");
        control.says("Your sign-in could not be confirmed.");
        assert!(!control.tells("kept"), "nothing was changed");
        let ours = "__probe.troubles.filter((one) => one.startsWith('warn:') && one.includes('checklist-control: '))";
        stage.browser.until(&format!("{ours}.length > 0"));
        control.click("Try again");
        control.says("Your sign-in could not be confirmed.");
        let told = stage.browser.value(ours);
        assert_eq!(told.as_array().map(Vec::len), Some(1), "{told}");
        let told = told[0].as_str().unwrap_or_default();
        for part in [&address, cause, "#tokens"] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
}

/// Opens a page with these lists, whose platform pins the template that `window.pinned` names.
fn open_with_pins(stage: &Stage, ids: &[&str]) {
    let controls: String = ids
        .iter()
        .map(|id| {
            format!(
                "<checklist-control id='list{id}' base-url='{}' object-type='incident' object-id='{id}' template='f'></checklist-control>",
                stage.server.base_url()
            )
        })
        .collect();
    stage.open_with_script(
        &controls,
        "window.pinned = 'f'; window.given = 0;\
         const provider = async ({ contexts }) => {\
           given += 1;\
           const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts, Template: pinned }) });\
           const { Token, ExpiresAt } = await answer.json();\
           return { token: Token, expiresAt: ExpiresAt }; };\
         addEventListener('DOMContentLoaded', () => {\
           for (const list of document.querySelectorAll('checklist-control')) list.tokenProvider = provider; });",
    );
    let other = fragment("g", [item("x", "Xerox"), item("y", "Yield")]);
    publish(&stage.server, &other);
    for id in ids {
        stage
            .browser
            .control(&format!("#list{id}"))
            .shows(&["Ask", "Build"]);
    }
    assert_eq!(stage.browser.value("given"), json!(1));
}

/// Gives every list of the page another template.
const OTHER_TEMPLATE: &str =
    "document.querySelectorAll('checklist-control').forEach((list) => { list.template = 'g'; })";

#[test]
fn a_list_whose_template_changes_asks_once_for_a_token_that_pins_the_new_one() {
    for ids in [&["1"][..], &["1", "2", "3"]] {
        let stage = Stage::ask_and_build();
        open_with_pins(&stage, ids);
        stage.browser.value("window.pinned = 'g'");
        stage.browser.script(OTHER_TEMPLATE, &[]);
        for id in ids {
            let control = stage.browser.control(&format!("#list{id}"));
            control.shows(&["Xerox", "Yield"]);
        }
        assert_eq!(stage.browser.value("given"), json!(2), "{ids:?}");
    }
}

#[test]
fn a_token_that_goes_on_pinning_another_template_is_not_asked_for_again_and_again() {
    let stage = Stage::ask_and_build();
    open_with_pins(&stage, &["1"]);
    stage.browser.script(OTHER_TEMPLATE, &[]);
    let control = stage.browser.control("#list1");
    control.says("you don’t have permission to view it");
    // Within one second the platform signs the same token twice, for which it is asked once more.
    let before = stage.browser.value("given").as_u64().unwrap_or_default();
    assert!((2..=3).contains(&before), "{before}");
    control.click("Try again");
    stage.browser.until(&format!("given > {before}"));
    control.says("you don’t have permission to view it");
    let after = stage.browser.value("given").as_u64().unwrap_or_default();
    assert!(after <= before + 2, "{after} after {before}");
}
