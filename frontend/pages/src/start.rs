//! The entry point: creates the signals that all pages share, reads the session, mounts the frame.

use leptos::mount::mount_to_body;
use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::app::{App, Session};
use crate::computers::selection::Selection;
use crate::dom::document;
use crate::{frame, navigation, session};

/// Starts the pages.
#[wasm_bindgen(start)]
pub fn start() {
    let language = frame::language();
    if let Some(root) = document().and_then(|document| document.document_element()) {
        let _ = root.set_attribute("lang", language.tag());
    }
    let owner = Owner::new();
    owner.set();
    let app = App {
        session: RwSignal::new(Session::Loading),
        has_session_ended: RwSignal::new(false),
        sign_in_problem: RwSignal::new(navigation::parameter("SignInProblem")),
        route: RwSignal::new(navigation::current()),
        unsaved: RwSignal::new(false),
        pending_route: RwSignal::new(None),
        announcement: RwSignal::new(String::new()),
        selected: RwSignal::new(Selection::recall()),
        promoted: RwSignal::new(None),
        dialog: RwSignal::new_local(None),
        language,
    };
    provide_context(app);
    navigation::listen(app);
    session::refresh(app);
    mount_to_body(move || {
        // Effects need what mounting sets up.
        Effect::new(move |_| app.selected.with(Selection::store));
        frame::frame(app)
    });
    // The pages live as long as the tab.
    std::mem::forget(owner);
}
