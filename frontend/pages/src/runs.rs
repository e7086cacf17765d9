//! The pages about runs: all of them, and one that is followed while it goes on, with the result
//! for each computer.
//!
//! What decides without a browser is in `events` and `answer`.

pub mod answer;
pub mod events;

#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "../../../tests/fuzz/src/server_sent_events.rs"]
mod server_sent_events;

#[cfg(target_arch = "wasm32")]
pub mod actions;
#[cfg(target_arch = "wasm32")]
mod computers;
#[cfg(target_arch = "wasm32")]
mod confirm;
#[cfg(target_arch = "wasm32")]
mod follow;
#[cfg(target_arch = "wasm32")]
mod labels;
#[cfg(target_arch = "wasm32")]
mod progress;
#[cfg(target_arch = "wasm32")]
mod state;

#[cfg(target_arch = "wasm32")]
pub mod list;
#[cfg(target_arch = "wasm32")]
pub mod page;

/// The calls about runs, below the base URL.
#[cfg(target_arch = "wasm32")]
const CALLS: &str = "/api/Vendor/Workflows/Runs";

/// The call about one run; `rest` starts with `/` or `?`, or is empty.
#[cfg(target_arch = "wasm32")]
fn call(id: &str, rest: &str) -> String {
    [CALLS, "/", &crate::route::encoded(id), rest].concat()
}
