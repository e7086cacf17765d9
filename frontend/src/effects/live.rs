//! Turns the events of the page's live stream into messages.
//!
//! The element's script reads the stream; each change has the form of a GetItems answer.

use checklist_shared::wire::list::GetItems;
use checklist_shared::wire::live::PresenceChanged;
use serde::Deserialize;
use wasm_bindgen::JsValue;

use super::controller::Controller;
use super::deferred::DeferredCall;
use crate::api::js;
use crate::api::requests::Request;
use crate::model::message::{Change, Msg};
use crate::model::sync::Connection;
use crate::model::view_data::Presence;

/// The data of a change besides the list.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct ChangeMetadata {
    /// The revision that it builds on.
    since: Option<u64>,
    /// There is no telling what has changed.
    reset: bool,
    /// The operation that made it.
    operation_id: Option<String>,
}

impl Controller {
    /// A change of the list, or its state as the stream has begun.
    pub(crate) fn take_change(&self, change: &JsValue) {
        let Ok(list) = GetItems::read(change.clone()) else {
            return;
        };
        let beside: ChangeMetadata = js::read(change.clone()).unwrap_or_default();
        self.tell(Msg::Heard(Box::new(Change {
            list,
            since: beside.since,
            reset: beside.reset,
            operation: beside.operation_id,
        })));
    }

    /// Who else is on the list: everybody, each time.
    pub fn receive_presence(&self, presence: &JsValue) {
        self.do_late(DeferredCall::Met(presence.clone()));
    }

    pub(super) fn take_presence(&self, presence: JsValue) {
        // Nothing is what there is when nobody is to be seen any more.
        let others = js::read::<PresenceChanged>(presence)
            .map(|presence| Presence {
                named: presence.people.into_iter().map(|one| one.name).collect(),
                more: presence.others,
            })
            .unwrap_or_default();
        self.tell(Msg::Present(others));
    }

    /// The stream is open, or cannot be opened; `refused` because the page gives no token.
    pub fn connected(&self, connected: bool, refused: bool) {
        self.tell(Msg::Stream(match (connected, refused) {
            (true, _) => Connection::Online,
            (false, true) => Connection::NoToken,
            (false, false) => Connection::Offline,
        }));
    }
}
