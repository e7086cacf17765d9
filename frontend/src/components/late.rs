//! Views in a lazy chunk (`lazy`): menus, editors and messages. A view that needs one renders nothing
//! until the chunk has loaded, and then updates itself.
//!
//! The chunk's table is `late_views`. An action that needs the chunk is queued by `Controller::press`;
//! the notice about that is here too.

use checklist_shared::item::Item;
use checklist_shared::wire::list::TemplateUpdate;
use leptos::prelude::*;

use super::at::{ViewContext, nothing};
use super::button::Button;
use crate::lazy::{self, LoadStage, SPLIT, Slot};
use crate::model::mode::Mode;
use crate::model::notice::Notice;
use crate::screen::{Panel, Presence, Review, WaiverForm};

/// The functions of the chunk that render views.
#[derive(Clone, Copy)]
pub struct Views {
    /// Whatever is open in a row.
    pub opened: fn(ViewContext, Panel) -> AnyView,
    /// The notice of a row.
    pub notice: fn(ViewContext, Notice) -> AnyView,
    /// The field for a new item.
    pub field: fn(ViewContext, String) -> AnyView,
    /// The messages about the list.
    pub messages: fn(ViewContext) -> AnyView,
    /// Lines that are asked about.
    pub pasted: fn(ViewContext) -> AnyView,
    /// Whether a text is several lines, and asked about.
    pub is_lines: fn(&str) -> bool,
    /// Renders the selection bar.
    pub selection: fn(ViewContext) -> AnyView,
    /// Renders who else is on the list.
    pub people: fn(ViewContext, Presence) -> AnyView,
    /// Renders the proposal of a row.
    pub proposal: fn(ViewContext, &Item) -> AnyView,
    /// Renders what the signal of an item says.
    pub signal: fn(&Item, Mode) -> AnyView,
    /// Renders what an item asks for, or what was answered.
    pub answer: fn(&Item, Mode) -> AnyView,
    /// Renders the form of a waiver.
    pub waiver: fn(ViewContext, WaiverForm) -> AnyView,
    /// Renders the strip about a changed template, with its review.
    pub template: fn(ViewContext, Review, TemplateUpdate) -> Option<AnyView>,
    /// A text with its paragraphs and lists.
    pub markdown: fn(&str) -> Vec<AnyView>,
}

thread_local! {
    static SLOT: Slot<Views> = const { Slot::empty() };
}

/// Stores the functions: once the chunk has loaded, or from the start where there are no chunks.
pub fn fill(views: Views) {
    SLOT.with(|slot| slot.fill(views));
}

/// The functions, once the chunk has loaded; the calling view is rendered again then.
#[must_use]
pub fn views() -> Option<Views> {
    let _followed = lazy::stage();
    SLOT.with(Slot::get)
}

/// A view of them; nothing until it is here.
#[must_use]
pub fn late(draw: impl FnOnce(Views) -> AnyView) -> AnyView {
    views().map_or_else(nothing, draw)
}

/// That something pressed waits for its code, or that it could not be had.
#[component]
pub fn Waiting(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(waiting)
}

fn waiting(at: ViewContext) -> AnyView {
    if !SPLIT || !at.controller.screen().waits.get() {
        return nothing();
    }
    at.follow_mode();
    let texts = at.texts();
    if lazy::stage() == LoadStage::Failed {
        return view! {
            <div class="messages" part="messages">
                <div class="notice danger" part="notice" role="alert">
                    <p>{texts.part_failed()}</p>
                    <div class="actions">
                        <Button
                            class="button"
                            label=texts.try_again()
                            at
                            act=|_, _| lazy::fetch()
                        />
                    </div>
                </div>
            </div>
        }
        .into_any();
    }
    view! {
        <div class="strip quiet" part="strip" role="status">
            <p class="strip-text">{texts.part_loading()}</p>
        </div>
    }
    .into_any()
}
