//! The table of the views in the lazy chunk, filled in by `chunks` or, in a build without chunks, by the
//! root of a control.

use super::late::{Views, fill};
use super::{
    add_row, answer, editor, messages, notice, pasted, people, proposal, selection, signal, strip,
    waiver,
};
use crate::lazy::SPLIT;
use crate::markdown::markdown;

/// The chunk's table of functions.
pub const VIEWS: Views = Views {
    opened: editor::panel_view,
    notice: notice::notice,
    field: add_row::field,
    messages: messages::messages,
    pasted: pasted::pasted_lines,
    is_lines: pasted::is_lines,
    selection: selection::selection_bar,
    people: people::people,
    proposal: proposal::proposal,
    signal: signal::signal,
    answer: answer::answer,
    waiver: waiver::form,
    template: strip::template_changed,
    markdown,
};

/// Makes the views available where they do not come later.
pub(super) fn provide() {
    if !SPLIT {
        fill(VIEWS);
    }
}
