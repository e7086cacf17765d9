//! `<checklist-preview>`: mounts the preview and follows the element's attributes. There is no data
//! binding in it: what is shown comes of a template alone.

use std::rc::Rc;

use checklist_control::port::{ErrorDetail, TokenCallback, TokenReason};
use checklist_control::preview::component::PreviewController;
use checklist_control::preview::source::{PreviewHost, Source};
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::ShadowRoot;

use crate::place::{self, View};
use crate::port::Port;
use crate::shapes::error_record;
use crate::words::words;

/// A mounted preview. Freeing it takes the view away.
#[wasm_bindgen]
pub struct PreviewHandle {
    port: Port,
    preview: PreviewController,
    _view: View,
}

#[wasm_bindgen]
impl PreviewHandle {
    /// Reads the element's attributes again.
    pub fn configure(&self) {
        self.preview.set_source(read(&self.port));
    }
}

/// Mounts a preview into a shadow root. `drawn`: the server has drawn it there already.
#[wasm_bindgen]
pub fn mount_preview(port: Port, root: ShadowRoot, drawn: bool) -> PreviewHandle {
    place::begin();
    let host = Rc::new(ElementHost(port.clone()));
    let preview = PreviewController::new(host, read(&port), drawn);
    let shown = preview.clone();
    let view = place::mount(root, move || shown.view());
    PreviewHandle {
        port,
        preview,
        _view: view,
    }
}

/// What the attributes say now: an object with their names.
fn read(port: &Port) -> Source {
    let settings = port.settings();
    let of = |name: &str| Reflect::get(&settings, &JsValue::from_str(name)).unwrap_or_default();
    let text = |name: &str| of(name).as_string().unwrap_or_default();
    Source {
        base_url: text("base-url"),
        template: text("template"),
        object_type: text("type"),
        purpose: text("purpose"),
        facts: text("facts"),
        lang: text("lang"),
        words: Some(words(of("words").as_f64(), &text("lang"))),
    }
}

struct ElementHost(Port);

impl PreviewHost for ElementHost {
    fn token(&self, reason: TokenReason, done: TokenCallback) {
        self.0.token(&[], reason, done);
    }

    fn shown(&self) {
        self.0.shown();
    }

    fn error(&self, problem: ErrorDetail) {
        self.0.error(error_record(&problem));
    }
}
