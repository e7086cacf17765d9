//! What a message brings that the model cannot have by itself: time, chance, new ids, the language of
//! the page.

use checklist_shared::ItemId;

use crate::STILL;
use crate::browser;
use crate::model::message::MessageContext;
use crate::reader;

/// The inputs of a message.
pub(super) fn message_context() -> MessageContext {
    if STILL {
        let nobody = ItemId::from_millis_and_random(0, [0; 10]);
        return MessageContext {
            now: reader::today().now,
            chance: 0,
            operation: nobody,
            item: nobody,
        };
    }
    MessageContext {
        now: browser::now(),
        chance: browser::chance(),
        operation: browser::new_id(),
        item: browser::new_id(),
    }
}

/// The language of the page.
pub(super) fn page_language() -> String {
    if STILL {
        String::new()
    } else {
        browser::language()
    }
}
