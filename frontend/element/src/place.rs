//! Mounts views into the shadow roots of the elements.
//!
//! What is mounted goes with what is given back. Called by `control` and `preview`.

use checklist_control::{chunks, drawing};
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use wasm_bindgen::JsCast;
use web_sys::ShadowRoot;

/// A view that is on the page until this is dropped.
pub type View = UnmountHandle<AnyViewState>;

/// Draws a view as the last child of a shadow root.
pub fn mount(root: ShadowRoot, draw: impl FnOnce() -> AnyView + 'static) -> View {
    drawing::begin();
    chunks::begin();
    // Leptos asks for an element and needs a node.
    mount_to(root.unchecked_into(), draw)
}
