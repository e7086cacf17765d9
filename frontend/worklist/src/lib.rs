//! The thin WASM library behind `<checklist-worklist>`.
//!
//! The modules in `script/`, and those of the control's element that both use, hold the element class
//! and call what is exported here. Everything else is `checklist_control::worklist`.

#![cfg(target_arch = "wasm32")]

mod port;
// The tables of words, which both elements fetch.
#[path = "../../element/src/words.rs"]
mod words;
mod worklist;
