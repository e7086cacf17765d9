//! The reader's clock, time zone and date format.
//!
//! A browser knows them. On a server, [`reading`] sets clock, time zone and language while a list is
//! rendered, and ICU formats like browsers do.

#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
mod on_server;

#[cfg(not(all(feature = "ssr", not(target_arch = "wasm32"))))]
pub use crate::browser::{date, date_and_time, time_of_day, today};
#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
pub use on_server::{Reader, date, date_and_time, reading, time_of_day, today};
