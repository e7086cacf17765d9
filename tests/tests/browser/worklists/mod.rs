//! `<checklist-worklist>`: open items of many lists on a page of the host, each ticked where it stands.
//!
//! Every stage serves its pages under a strict policy and in English; the worklist is loaded from its
//! own script.

mod asking;
mod others;
mod paging;
mod ticking;

use checklist_tests::browser::{Control, Stage};
use checklist_tests::template::item;
use checklist_tests::{Person, incident};
use serde_json::{Value, json};

/// What the page was told, in order.
const EARS: &str = "window.told = []; for (const type of ['before-checklist-check', 'checklist-change', 'checklist-open', 'checklist-error'])\
    addEventListener(type, (event) => {\
      const { what, context, code, after } = event.detail;\
      told.push([type, what ?? code ?? '', context?.ObjectId ?? '', after ?? ''].join(' ').trim());\
      if (window.forbidden === type) event.preventDefault();\
    });";

/// A provider whose token is for the list of the object `1` alone, whatever it is asked for.
const NARROW: &str = "addEventListener('DOMContentLoaded', () => { document.querySelector('#work').tokenProvider = async () => {\
    const Contexts = [{ ObjectType: 'incident', ObjectId: '1', Purpose: '' }];\
    const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts }) });\
    const { Token } = await answer.json();\
    return { token: Token, expiresAt: Date.now() + 300000 }; }; });";

/// Lets looks at what others have done follow each other closely, and the page hold or refuse them.
const LOOKS: &str = "const { setTimeout: wait, fetch: ask } = window; window.waits = []; window.looks = 0;\
    window.setTimeout = (act, ms) => { waits.push(ms); return wait(act, ms < 5000 ? ms : Math.min(ms / 20, 1000)); };\
    window.fetch = async (...call) => {\
      if (!String(call[0].url ?? call[0]).endsWith('/FindItems')) return ask(...call);\
      const answer = window.refusal ? new Response('{}', refusal) : await ask(...call);\
      looks += 1; await window.held; return answer; };";

const OBJECTS: &str =
    "[...__probe.root(§).querySelectorAll('.object')].map((one) => __probe.tidy(one.textContent))";
const TITLE: &str = "__probe.tidy(__probe.root(§).querySelector('.title')?.textContent)";
const BUSY: &str = "__probe.root(§).querySelector('.card').ariaBusy";

fn stage() -> Stage {
    Stage::with([item("a", "Ask")])
}

/// Somebody who has begun the list of an incident.
fn anna(stage: &Stage, object: &str, items: Value) -> Person {
    let anna = stage.server.as_owner("Anna").on(&incident(object));
    anna.add_items(items);
    anna
}

fn petra() -> Value {
    json!({ "Id": "petra", "Name": "Petra Page" })
}

fn mine(text: &str) -> Value {
    json!({ "Text": text, "Assignee": petra() })
}

fn due(text: &str, day: &str) -> Value {
    json!({ "Text": text, "Assignee": petra(), "Due": day })
}

/// Opens a page with a worklist; `script` runs before anything is loaded.
fn open<'a>(stage: &'a Stage, attributes: &str, script: &str) -> Control<'a> {
    let base = stage.server.base_url();
    let body = format!(
        "<script type='module' src='{base}/control/checklist-worklist.js'></script>\
         <checklist-worklist id='work' base-url='{base}' {attributes}></checklist-worklist>"
    );
    stage.open_with_script(&body, script);
    stage.browser.control("#work")
}

/// The same with the token of a page whose server signs what it is asked for.
fn worklist<'a>(stage: &'a Stage, attributes: &str) -> Control<'a> {
    let token = format!("token-url='{}/token' {attributes}", stage.host.origin);
    open(stage, &token, EARS)
}

fn told(stage: &Stage) -> Value {
    stage.browser.value("told")
}

/// A worklist that looks often.
fn watchful<'a>(stage: &'a Stage, attributes: &str) -> Control<'a> {
    let token = format!("token-url='{}/token' {attributes}", stage.host.origin);
    open(stage, &token, &[EARS, LOOKS].concat())
}

/// Waits until it has looked again.
fn looks_again(stage: &Stage) {
    stage.browser.script("window.seen = looks;", &[]);
    stage.browser.until("looks > seen");
}
