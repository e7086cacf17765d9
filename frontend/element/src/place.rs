//! Mounts views into the shadow roots of the elements.
//!
//! What is mounted goes with what is given back.

use checklist_control::{chunks, drawing};
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use wasm_bindgen::JsCast;
use web_sys::ShadowRoot;

/// A view that is on the page until this is dropped.
pub type View = UnmountHandle<AnyViewState>;

/// Has tasks run, and what comes later fetched. Before anything is made that needs either.
pub fn begin() {
    drawing::begin();
    chunks::begin();
}

/// Draws a view as the last child of a shadow root.
pub fn mount(root: ShadowRoot, draw: impl FnOnce() -> AnyView + 'static) -> View {
    // Leptos asks for an element and needs a node.
    mount_to(root.unchecked_into(), draw)
}
