//! What time it is for the reader, and how times are written there.
//!
//! A browser knows both. A server that draws a list is told who will read it: [`reading`] holds
//! clock, time zone and language for as long as it draws, and ICU writes what browsers write.

#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
mod on_server;

#[cfg(not(all(feature = "ssr", not(target_arch = "wasm32"))))]
pub use crate::browser::{date, date_and_time, time_of_day, today};
#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
pub use on_server::{Reader, date, date_and_time, reading, time_of_day, today};
