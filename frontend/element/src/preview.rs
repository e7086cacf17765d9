//! `<checklist-preview>`: mounts the preview and follows the element's attributes.
//! Called by the class in `checklist-control.js`.

use std::rc::Rc;

use checklist_control::api::fields::Fields;
use checklist_control::control::port::{ErrorDetail, GotToken, TokenReason};
use checklist_control::preview::component::{PreviewController, PreviewHost, Source};
use leptos::mount::mount_to;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::ShadowRoot;

use crate::port::Port;
use crate::shapes::error_record;

/// A mounted preview. Freeing it takes the view away.
#[wasm_bindgen]
pub struct PreviewHandle {
    port: Port,
    preview: PreviewController,
    _mounted: Box<dyn std::any::Any>,
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
    let host = Rc::new(ElementHost(port.clone()));
    let preview = PreviewController::new(host, read(&port), drawn);
    let shown = preview.clone();
    let mounted = mount_to(root.unchecked_into(), move || shown.view());
    PreviewHandle {
        port,
        preview,
        _mounted: Box::new(mounted),
    }
}

fn read(port: &Port) -> Source {
    let fields = Fields::of(&port.settings());
    let text = |name: &str| fields.said(name);
    Source {
        base_url: text("baseUrl"),
        template: text("template"),
        object_type: text("objectType"),
        purpose: text("purpose"),
        lang: text("lang"),
    }
}

struct ElementHost(Port);

impl PreviewHost for ElementHost {
    fn token(&self, reason: TokenReason, done: GotToken) {
        self.0.token(&[], reason, done);
    }

    fn shown(&self) {
        self.0.shown();
    }

    fn error(&self, problem: ErrorDetail) {
        self.0.error(error_record(&problem));
    }
}
