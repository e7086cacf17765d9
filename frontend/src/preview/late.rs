//! The parts of a preview in a lazy chunk: reading a template and rendering it (`lazy`). Most pages
//! show no preview.

use std::rc::Rc;

use leptos::prelude::*;

use super::load::{PreviewCallback, load};
use super::model::Preview;
use super::source::{PreviewHost, Source};
use super::view::{HeadingScope, PreviewView};
use crate::lazy::{SPLIT, Slot};

/// The functions of the chunk.
#[derive(Clone, Copy)]
pub struct Previews {
    /// Reads a template.
    pub(super) load: fn(Rc<Source>, Rc<dyn PreviewHost>, PreviewCallback),
    /// Renders it.
    pub(super) draw: fn(Preview) -> AnyView,
}

/// The chunk's table of functions.
pub const PREVIEWS: Previews = Previews { load, draw };

thread_local! {
    static SLOT: Slot<Previews> = const { Slot::empty() };
}

/// Stores the functions once the chunk has loaded.
pub fn fill(previews: Previews) {
    SLOT.with(|slot| slot.fill(previews));
}

/// The functions, once the chunk has loaded.
pub(super) fn previews() -> Option<Previews> {
    if SPLIT {
        SLOT.with(Slot::get)
    } else {
        Some(PREVIEWS)
    }
}

fn draw(preview: Preview) -> AnyView {
    view! { <PreviewView preview place=HeadingScope::Part /> }.into_any()
}
