//! Taking in what others do, as it happens.
//!
//! The page's one stream is read by the script beside the elements; each change comes here as
//! GetItems would have answered it. What is not next in line is read instead. A row that is
//! edited is left alone until its edit ends, and the focus stays where it was; how it is drawn
//! without disturbing anybody is in `calm`. Called through the element's handle.

use checklist_shared::ItemId;
use checklist_shared::item::ActorKind;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, ShadowRoot};

use super::Controller;
use super::screen::{Others, Phase};
use crate::api::js;
use crate::api::requests::Request;
use crate::browser;
use crate::i18n::fill;
use crate::model::list::Affected;
use crate::model::notice::Refusal;
use crate::model::served::ServedList;

/// What a change says beside the list.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Change {
    /// The revision that it builds on.
    since: Option<u64>,
    /// There is no telling what has changed.
    reset: bool,
    /// The operation that made it.
    operation_id: Option<String>,
}

impl Controller {
    /// A change of the list, or its state as the stream has begun; `Since` is the revision that
    /// it builds on, `Reset` says that there is no telling what has changed.
    pub(super) fn take_change(&self, change: &JsValue) {
        let ready = self.face(|face| face.phase == Phase::Ready);
        let (Ok(mut served), true) = (
            GetItems::read(change.clone()),
            ready && !self.inner().disposed.get(),
        ) else {
            return;
        };
        let change: Change = js::read(change.clone()).unwrap_or_default();
        let (mine, since) = (self.with_state(|state| state.list.revision), change.since);
        // The items of a list that was never written are those of its template.
        let other = served.revision == 0
            && self.with_state(|state| state.list.template.as_ref() != Some(&served.template));
        if change.reset || other {
            self.load();
        } else if served.revision < mine || self.is_own(change.operation_id) {
            // Known already, or known as soon as the answer is here.
        } else if served.revision > mine && since.is_none_or(|since| since > mine) {
            self.read();
        } else {
            served.delta = true;
            if served.revision == mine {
                served.items.clear();
                served.removed.clear();
            }
            self.take_in(served);
        }
    }

    /// Shows what has changed, and says whose doing it was.
    pub(super) fn take_in(&self, served: ServedList) {
        let whose = self.whose(&served);
        if served.delta {
            self.mark_fresh(&served.items);
        }
        self.take(served);
        self.publish();
        if let Some(name) = whose {
            self.announce_with_count(&fill(self.texts().said_changed(), &[("who", &name)]));
        }
    }

    /// Who else is on the list: everybody, each time.
    pub fn met(&self, presence: &JsValue) {
        // Nothing is what there is when nobody is to be seen any more.
        let others = js::read::<PresenceChanged>(presence.clone())
            .map(|presence| Others {
                named: presence.people.into_iter().map(|one| one.name).collect(),
                more: presence.others,
            })
            .unwrap_or_default();
        if self.face(|face| face.others != others) {
            self.show(|face| face.others = others);
        }
    }

    /// The stream is open, or cannot be opened.
    pub fn connected(&self, connected: bool) {
        let inner = self.inner();
        if inner.cut_off.replace(!connected) != connected {
            return;
        }
        self.publish();
        if connected {
            self.wake();
            self.send();
            return;
        }
        // There is no knowing who is there any more.
        self.show(|face| face.others = Others::default());
        if !inner.offline.get() {
            self.announce(self.texts().offline().to_owned());
        }
    }

    /// Whether the change is that of the operation which is on its way.
    fn is_own(&self, operation: Option<String>) -> bool {
        let first =
            self.with_state(|state| state.queue.iter().next().map(|first| first.id.clone()));
        first.is_some() && operation == first
    }

    /// The name of whoever has changed something, unless it was this person in another tab.
    fn whose(&self, served: &ServedList) -> Option<String> {
        if !served.delta {
            return None;
        }
        let items = served.items.iter().map(|served| &served.item);
        // What a template has brought along was not the doing of it.
        let last = items.max_by_key(|item| {
            let person = item.modified_by.kind == ActorKind::Person;
            (person, item.modified_at)
        });
        let by = last.map(|item| &item.modified_by);
        match by {
            Some(by) => self
                .with_state(|state| !state.me.is_same(by))
                .then(|| by.name.clone()),
            None => (!served.removed.is_empty()).then(|| self.texts().somebody().to_owned()),
        }
    }

    /// Draws what came from elsewhere, but leaves rows alone that are edited: they would move
    /// under the hands of whoever types. The focus stays.
    pub(super) fn draw_calmly(&self, mut affected: Affected) {
        let focused = self.focused().map(|element| {
            let row = element.closest("[data-id]").ok().flatten();
            let row: Option<ItemId> =
                row.and_then(|row| row.get_attribute("data-id")?.parse().ok());
            (element, row, row.and_then(|row| self.neighbour_drawn(row)))
        });
        let edited = self.screen().edited();
        if !edited.is_empty() {
            self.inner().held_back.set(true);
            affected.structural = false;
            affected.ids.retain(|id| {
                !edited.contains(id) && self.with_state(|state| state.live(*id).is_some())
            });
        }
        self.draw(&affected);
        if let Some((element, row, next)) = focused {
            let controller = *self;
            let act = move || controller.keep_focus(&element, row, next);
            browser::later(0, Box::new(act));
        }
    }

    /// Draws what was held back, when nothing is edited any more.
    pub(super) fn draw_held_back(&self) {
        if self.screen().edited().is_empty() && self.inner().held_back.take() {
            let ids = self.with_state(|state| state.order().to_vec());
            self.draw(&Affected {
                ids,
                structural: true,
            });
        }
    }

    /// What was typed for an item that somebody has deleted meanwhile is kept to be added.
    pub(super) fn keep_typed(&self, text: &str) {
        self.announce(Refusal::ItemGone.sentence(self.texts()));
        self.show(|face| {
            face.messages.refused = Some(Refusal::ItemGone);
            if face.new_text.is_empty() && !text.is_empty() {
                text.clone_into(&mut face.new_text);
                face.adding.get_or_insert(None);
            }
        });
    }

    /// The row after a row that is on the screen, else the one before.
    pub(super) fn neighbour_drawn(&self, id: ItemId) -> Option<ItemId> {
        self.screen().groups.with_untracked(|groups| {
            let mut rows = groups.iter().flat_map(|(_, rows)| rows);
            let mut before = None;
            while let Some(row) = rows.next() {
                if *row == id {
                    return rows.next().copied().or(before);
                }
                before = Some(*row);
            }
            None
        })
    }

    /// What has the focus inside the control.
    fn focused(&self) -> Option<HtmlElement> {
        let root = self.root()?;
        let active = match root.get_root_node().dyn_into::<ShadowRoot>() {
            Ok(shadow) => shadow.active_element(),
            Err(_) => active_element(),
        };
        let inside = active.filter(|active| root.contains(Some(active)))?;
        inside.dyn_into().ok()
    }

    /// Moving an element takes its focus, deleting it does too.
    fn keep_focus(&self, element: &HtmlElement, row: Option<ItemId>, next: Option<ItemId>) {
        if self.focused().is_some() || is_elsewhere() {
            return;
        }
        if element.is_connected() {
            let _ = element.focus();
        } else if let Some(row) = row.filter(|row| self.screen().row(*row).is_some()) {
            self.focus_row(row);
        } else if let Some(next) = next {
            self.focus_row(next);
        }
    }
}

/// Whether the person has gone elsewhere on the page meanwhile.
fn is_elsewhere() -> bool {
    active_element().is_some_and(|active| active.local_name() != "body")
}

fn active_element() -> Option<Element> {
    web_sys::window()?.document()?.active_element()
}
