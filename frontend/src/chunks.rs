//! The lazy chunks that `wasm_split` moves out of the linked library: one split point for each, which
//! returns the functions that the layers call in it.
//!
//! Nothing else is split: callers go through a slot of their layer (`lazy`), so no other code knows
//! about chunks. The attribute generates the interface between two modules, which safe code cannot
//! express (`docs/adr/0019-what-comes-later.md`).

use leptos::task::spawn_local;
use leptos::wasm_split::SplitLoaderError;

use crate::lazy;
use crate::{components, effects, model, preview};

/// The functions of the second chunk: actions, by layer, and the preview.
#[derive(Clone, Copy)]
struct LateFunctions {
    deeds: model::update::late::LateFunctions,
    effects: effects::late::DeferredFn,
    preview: preview::late::Previews,
}

#[leptos::wasm_split::wasm_split(deeds, wasm_split_path = leptos::wasm_split, fallible)]
fn deeds() -> Result<LateFunctions, SplitLoaderError> {
    Ok(LateFunctions {
        deeds: model::update::late::FUNCTIONS,
        effects: effects::late::RUN,
        preview: preview::late::PREVIEWS,
    })
}

/// The split point of the views.
#[leptos::wasm_split::wasm_split(views, wasm_split_path = leptos::wasm_split, fallible)]
fn views() -> Result<components::late::Views, SplitLoaderError> {
    Ok(components::late_views::VIEWS)
}

/// Has the rest fetched whenever somebody needs it.
pub fn begin() {
    lazy::fetch_by(fetch);
}

fn fetch() {
    spawn_local(async {
        // Whichever is asked for first, the glue fetches all of them side by side.
        let is_here = match (deeds().await, views().await) {
            (Ok(deeds), Ok(views)) => {
                model::update::late::fill(deeds.deeds);
                effects::late::fill(deeds.effects);
                preview::late::fill(deeds.preview);
                components::late::fill(views);
                true
            }
            _ => false,
        };
        lazy::finish_loading(is_here);
    });
}
