//! `<checklist-worklist>`: mounts the worklist, follows the element's attributes and tells the page
//! what a person does.

use std::rc::Rc;

use checklist_control::api::js;
use checklist_control::drawing;
use checklist_control::port::{ErrorDetail, TokenCallback, TokenReason};
use checklist_control::worklist::controller::WorklistController;
use checklist_control::worklist::{OpenDetail, TickDetail, WorklistHost, WorklistSettings};
use checklist_shared::item::Status;
use checklist_shared::{Context, ItemId};
use js_sys::Reflect;
use leptos::mount::{UnmountHandle, mount_to};
use leptos::tachys::view::any_view::AnyViewState;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::ShadowRoot;

use crate::port::Port;
use crate::words::words;

/// A mounted worklist. Freeing it takes the view away and ends what runs by itself.
#[wasm_bindgen]
pub struct WorklistHandle {
    port: Port,
    worklist: WorklistController,
    _view: UnmountHandle<AnyViewState>,
}

#[wasm_bindgen]
impl WorklistHandle {
    /// Reads the element's attributes again.
    pub fn configure(&self) {
        self.worklist.set_settings(read(&self.port));
    }

    /// Reads the items again.
    pub fn refresh(&self) {
        self.worklist.refresh();
    }
}

impl Drop for WorklistHandle {
    fn drop(&mut self) {
        self.worklist.dispose();
    }
}

/// Mounts a worklist into a shadow root.
#[wasm_bindgen]
pub fn mount_worklist(port: Port, root: ShadowRoot) -> WorklistHandle {
    drawing::begin();
    let host = Rc::new(ElementHost(port.clone()));
    let worklist = WorklistController::new(host, read(&port));
    let shown = worklist.clone();
    WorklistHandle {
        port,
        worklist,
        // Leptos asks for an element and needs a node.
        _view: mount_to(root.unchecked_into(), move || shown.view()),
    }
}

/// What the attributes say now: an object with their names.
fn read(port: &Port) -> WorklistSettings {
    let settings = port.settings();
    let of = |name: &str| Reflect::get(&settings, &JsValue::from_str(name)).unwrap_or_default();
    let text = |name: &str| of(name).as_string().unwrap_or_default();
    WorklistSettings {
        base_url: text("base-url"),
        assignee: text("assignee"),
        late: of("late").is_truthy(),
        proposed: of("proposed").is_truthy(),
        object_type: text("object-type"),
        purpose: text("purpose"),
        template: text("template"),
        text: text("text"),
        limit: text("limit"),
        href: text("href"),
        lang: text("lang"),
        words: Some(words(of("words").as_f64(), &text("lang"))),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TickRecord<'a> {
    what: &'a str,
    context: &'a Context,
    item_id: ItemId,
    before: Status,
    after: Status,
}

fn tick_record(tick: &TickDetail) -> JsValue {
    js::value(&TickRecord {
        what: if tick.after == Status::Open {
            "uncheck"
        } else {
            "check"
        },
        context: &tick.context,
        item_id: tick.item,
        before: tick.before,
        after: tick.after,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OpenRecord<'a> {
    context: &'a Context,
    item_id: ItemId,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorRecord<'a> {
    code: &'a str,
    status: u16,
    message: &'a str,
    item_id: Option<ItemId>,
}

struct ElementHost(Port);

impl WorklistHost for ElementHost {
    fn token(&self, contexts: Vec<Context>, reason: TokenReason, done: TokenCallback) {
        self.0.token(&contexts, reason, done);
    }

    fn before_tick(&self, tick: &TickDetail) -> bool {
        self.0.before(tick_record(tick))
    }

    fn ticked(&self, tick: TickDetail) {
        self.0.changed(tick_record(&tick));
    }

    fn opened(&self, detail: OpenDetail) -> bool {
        self.0.opened(js::value(&OpenRecord {
            context: &detail.context,
            item_id: detail.item,
        }))
    }

    fn shown(&self) {
        self.0.shown();
    }

    fn error(&self, problem: ErrorDetail) {
        self.0.error(js::value(&ErrorRecord {
            code: &problem.code,
            status: problem.status,
            message: &problem.message,
            item_id: problem.item,
        }));
    }
}
