//! The page of a Leptos application, for the script that drives the pages of all frameworks
//! (`tests/tests/frameworks/pages.rs`). `checklist` is what an application writes around the
//! control, `page` what the script presses and reads, `platform` what surrounds them.
#![cfg(target_arch = "wasm32")]

mod checklist;
mod page;
mod platform;

use wasm_bindgen::prelude::wasm_bindgen;

/// Draws the page; called when the WASM has been loaded.
#[wasm_bindgen(start)]
pub fn start() {
    leptos::mount::mount_to_body(page::Page);
}
