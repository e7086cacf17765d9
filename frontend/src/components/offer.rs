//! Which actions a row offers besides ticking.
//!
//! Only what the mode and the rules of the list permit. Pure.

use checklist_shared::change::allowed::{may_delete, may_set_not_applicable, may_set_status};
use checklist_shared::item::{Item, Kind, Status};

use super::icon::{BARRED, BIN, BOX, CIRCLE, CLOCK, DOWN, EDIT, LINES, PLUS, UP, UP_AND_DOWN};
use crate::i18n::Texts;
use crate::model::list::ListState;
use crate::model::mode::Mode;
use crate::model::moves;

/// An entry of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    Select,
    Edit,
    Answer,
    NotApplicable,
    AppliesAgain,
    Details,
    AddInside,
    History,
    Up,
    Down,
    Position,
    Delete,
}

/// All of them, in the order of the menu; views carry the place in here.
pub(super) const OFFERS: [Offer; 12] = [
    Offer::Select,
    Offer::Edit,
    Offer::Answer,
    Offer::NotApplicable,
    Offer::AppliesAgain,
    Offer::Details,
    Offer::AddInside,
    Offer::Up,
    Offer::Down,
    Offer::Position,
    Offer::History,
    Offer::Delete,
];

impl Offer {
    /// Whether it can be done with this item in this mode.
    pub(super) fn is_open(self, state: &ListState, item: &Item, mode: Mode) -> bool {
        let is_item = item.kind == Kind::Item;
        let permissions = state.meta.permissions;
        let set_aside = item.status == Status::NotApplicable;
        match self {
            Self::Select => {
                mode.selects() && item.kind != Kind::Section && item.retired_at.is_none()
            }
            Self::Edit => mode.edit && item.retired_at.is_none(),
            Self::Answer => {
                mode.check
                    && item.status == Status::Done
                    && item.answer_format.is_some()
                    && may_set_status(item, &state.me, permissions)
            }
            Self::NotApplicable => {
                mode.check && !set_aside && may_set_not_applicable(item, &state.me, permissions)
            }
            Self::AppliesAgain => {
                mode.check && set_aside && may_set_status(item, &state.me, permissions)
            }
            Self::Details => {
                mode.edit
                    && item.retired_at.is_none()
                    && (is_item || !state.changeable(item).is_empty())
            }
            Self::AddInside => item.kind == Kind::Section && mode.add,
            // What was never sent has none.
            Self::History => !state.list.context.object_id.is_empty(),
            Self::Up => mode.reorder && moves::step(state, item, true).is_some(),
            Self::Down => mode.reorder && moves::step(state, item, false).is_some(),
            Self::Position => mode.reorder && moves::siblings(state, item.parent_id).len() > 2,
            Self::Delete => mode.delete && may_delete(&state.list, item.id, permissions),
        }
    }

    pub(super) const fn label(self, texts: &Texts, is_selected: bool) -> &'static str {
        match self {
            Self::Select if is_selected => texts.deselect(),
            Self::Select => texts.select(),
            Self::Edit => texts.edit(),
            Self::Answer => texts.change_answer(),
            Self::NotApplicable => texts.mark_not_applicable(),
            Self::AppliesAgain => texts.applies_again(),
            Self::Details => texts.edit_details(),
            Self::AddInside => texts.add_item(),
            Self::History => texts.history(),
            Self::Up => texts.move_up(),
            Self::Down => texts.move_down(),
            Self::Position => texts.move_to(),
            Self::Delete => texts.delete(),
        }
    }

    pub(super) const fn icon(self) -> &'static str {
        match self {
            Self::Select => BOX,
            Self::Edit | Self::Answer => EDIT,
            Self::NotApplicable => BARRED,
            Self::AppliesAgain => CIRCLE,
            Self::Details => LINES,
            Self::AddInside => PLUS,
            Self::History => CLOCK,
            Self::Up => UP,
            Self::Down => DOWN,
            Self::Position => UP_AND_DOWN,
            Self::Delete => BIN,
        }
    }

    /// The keys that do the same in the row: as keyboards have them, those of Macs too, and as
    /// `aria-keyshortcuts` wants them.
    pub(super) const fn keys(self, texts: &Texts, is_mac: bool) -> Option<ShortcutLabel> {
        let (shown, on_mac, named) = match self {
            Self::Edit => ("F2", "F2", "F2"),
            Self::Details => ("Alt+↵", "⌥↵", "Alt+Enter"),
            Self::Up => ("Alt+↑", "⌥↑", "Alt+ArrowUp"),
            Self::Down => ("Alt+↓", "⌥↓", "Alt+ArrowDown"),
            Self::Delete => (texts.key_delete(), "⌦", "Delete"),
            _ => return None,
        };
        Some((if is_mac { on_mac } else { shown }, named))
    }
}

/// Keys for the eye, and by name.
pub(super) type ShortcutLabel = (&'static str, &'static str);

/// Whether there is anything to offer for items of this kind in this mode at all.
#[must_use]
pub fn is_useful(item: &Item, mode: Mode) -> bool {
    let any = mode.edit || mode.reorder || mode.delete || (mode.add && item.kind == Kind::Section);
    item.retired_at.is_none()
        && (any
            || (mode.check
                && item.kind == Kind::Item
                && (item.allow_not_applicable || item.answer_format.is_some())))
}
