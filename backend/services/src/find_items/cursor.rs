//! Where a page of `FindItems` ends, as text.
//!
//! A cursor belongs to one question of one tenant: with it comes a digest of both, and with another
//! one it is refused.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_shared::context::Context;
use checklist_shared::id::ItemId;
use checklist_store::found_items::ItemPosition;
use serde::{Deserialize, Serialize};

/// The last item of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Cursor {
    /// When it is due, or since when its status is proposed; 0 in the order of objects.
    pub(super) at: i64,
    /// Object id, object type and purpose of its list, where they decide.
    pub(super) object: (String, String, String),
    /// The number of its list in the store, where that decides.
    pub(super) checklist: i64,
    /// Its id.
    pub(super) item: Vec<u8>,
}

impl Cursor {
    pub(super) fn at(position: ItemPosition) -> Self {
        Self {
            at: position.at,
            object: Default::default(),
            checklist: position.checklist,
            item: position.id,
        }
    }

    pub(super) fn of(at: i64, context: &Context, item: ItemId) -> Self {
        Self {
            at,
            item: item.as_bytes().to_vec(),
            ..Self::before_items_of(context)
        }
    }

    pub(super) fn before_items_of(context: &Context) -> Self {
        let object = (
            context.object_id.clone(),
            context.object_type.clone(),
            context.purpose.clone(),
        );
        Self {
            object,
            ..Self::default()
        }
    }

    pub(super) fn position(&self) -> ItemPosition {
        ItemPosition {
            at: self.at,
            checklist: self.checklist,
            id: self.item.clone(),
        }
    }

    /// The list that it is in, if it names one.
    pub(super) fn context(&self) -> Option<Context> {
        let (object_id, object_type, purpose) = &self.object;
        (!object_id.is_empty()).then(|| Context::new(object_type, object_id, purpose))
    }

    pub(super) fn encode(&self, question: &str) -> String {
        let json = serde_json::json!([question, self]);
        URL_SAFE_NO_PAD.encode(json.to_string())
    }

    /// `None` unless it is one of this question. Anybody can make one up, so it says where a page
    /// begins and never what may be read.
    pub(super) fn decode(text: &str, question: &str) -> Option<Self> {
        let json = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (of, cursor): (String, Self) = serde_json::from_slice(&json).ok()?;
        let is_valid = (cursor.context()).is_none_or(|context| context.validate().is_ok());
        (of == question && is_valid).then_some(cursor)
    }
}
