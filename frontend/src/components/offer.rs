//! What can be done with an item beside ticking it: what a menu offers, and when.
//!
//! Only what the mode allows, and the rules of the list. Pure; read by `menu` and `around`.

use checklist_shared::change::allowed::{may_delete, may_set_not_applicable, may_set_status};
use checklist_shared::item::{Item, Kind, Status};

use crate::i18n::Texts;
use crate::model::list::ListState;
use crate::model::mode::Mode;
use crate::model::moves;

/// What a menu offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    Edit,
    NotApplicable,
    AppliesAgain,
    Note,
    Assign,
    Due,
    AddInside,
    History,
    Up,
    Down,
    Position,
    Delete,
}

/// All of them, in the order of the menu; views carry the place in here.
pub(super) const OFFERS: [Offer; 12] = [
    Offer::Edit,
    Offer::NotApplicable,
    Offer::AppliesAgain,
    Offer::Note,
    Offer::Assign,
    Offer::Due,
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
            Self::Edit => mode.edit && item.retired_at.is_none(),
            Self::NotApplicable => {
                mode.check && !set_aside && may_set_not_applicable(item, &state.me, permissions)
            }
            Self::AppliesAgain => {
                mode.check && set_aside && may_set_status(item, &state.me, permissions)
            }
            Self::Note | Self::Assign | Self::Due => is_item && mode.edit,
            Self::AddInside => item.kind == Kind::Section && mode.add,
            // What was never sent has none.
            Self::History => !state.list.context.object_id.is_empty(),
            Self::Up => mode.reorder && moves::step(state, item, true).is_some(),
            Self::Down => mode.reorder && moves::step(state, item, false).is_some(),
            Self::Position => mode.reorder && moves::siblings(state, item.parent_id).len() > 2,
            Self::Delete => mode.delete && may_delete(&state.list, item.id, permissions),
        }
    }

    pub(super) const fn label(self, texts: &Texts) -> &'static str {
        match self {
            Self::Edit => texts.edit(),
            Self::NotApplicable => texts.mark_not_applicable(),
            Self::AppliesAgain => texts.applies_again(),
            Self::Note => texts.note(),
            Self::Assign => texts.assign(),
            Self::Due => texts.due_date(),
            Self::AddInside => texts.add_item(),
            Self::History => texts.history(),
            Self::Up => texts.move_up(),
            Self::Down => texts.move_down(),
            Self::Position => texts.move_to(),
            Self::Delete => texts.delete(),
        }
    }
}

/// Whether there is anything to offer for items of this kind in this mode at all.
#[must_use]
pub fn is_useful(item: &Item, mode: Mode) -> bool {
    let any = mode.edit || mode.reorder || mode.delete || (mode.add && item.kind == Kind::Section);
    item.retired_at.is_none()
        && (any || (mode.check && item.kind == Kind::Item && item.allow_not_applicable))
}
