//! The pages about runs: all of them, and one as it goes on, with what became of each computer.
//!
//! What decides without a browser is in `events` and `answer`.

pub mod answer;
pub mod events;

#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "../../../tests/fuzz/src/server_sent_events.rs"]
mod server_sent_events;

#[cfg(target_arch = "wasm32")]
mod actions;
#[cfg(target_arch = "wasm32")]
mod confirm;
#[cfg(target_arch = "wasm32")]
pub mod follow;
#[cfg(target_arch = "wasm32")]
mod progress;
#[cfg(target_arch = "wasm32")]
mod rows;

#[cfg(target_arch = "wasm32")]
pub mod list;
#[cfg(target_arch = "wasm32")]
pub mod page;
#[cfg(target_arch = "wasm32")]
pub mod told;

/// The calls about runs, below the base URL.
#[cfg(target_arch = "wasm32")]
const CALLS: &str = "/api/Vendor/Workflows/Runs";

/// The call about one run, or about what is done with it.
#[cfg(target_arch = "wasm32")]
fn call(id: &str, act: &str) -> String {
    [CALLS, "/", &crate::route::encoded(id), act].concat()
}
