//! A time for the pages that are still on `element`.

use checklist_control::browser::date_and_time;
use checklist_shared::Timestamp;

use crate::app::App;
use crate::element::{El, el};

/// A time, short to read and exact to point at.
#[must_use]
pub fn time(app: App, at: Timestamp) -> El {
    let exact = at.to_string();
    el("time")
        .attr("datetime", exact.clone())
        .attr("title", exact)
        .text(date_and_time(at, app.language.tag()))
}
