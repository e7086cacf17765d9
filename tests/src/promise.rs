//! The promises that the product makes, and how hard a run tries them.
//!
//! Every run of the tests tries the short form. `cargo xtask trust` asks for the full one and
//! collects the figures, which it writes into `docs/TRUST.md`.

use std::fmt::Display;
use std::fs::File;
use std::io::Write as _;

/// Whether this run tries the full form.
#[must_use]
pub fn in_full() -> bool {
    std::env::var("CHECKLIST_TRUST").is_ok_and(|form| form == "full")
}

/// So many in every run, so many where the promise is tried in full.
#[must_use]
pub fn times(short: usize, full: usize) -> usize {
    if in_full() { full } else { short }
}

/// Tells what was tried and came out as promised, where somebody collects that.
///
/// # Panics
/// When it cannot be written down.
pub fn held(promise: &str, figure: impl Display) {
    let Some(path) = std::env::var_os("CHECKLIST_TRUST_FIGURES") else {
        return;
    };
    let file = File::options().create(true).append(true).open(path);
    let mut file = file.expect("the file for figures opens");
    // One write a line: several tests may tell at once.
    file.write_all(format!("{promise}\t{figure}\n").as_bytes())
        .expect("the figure is written down");
}
