//! The history of an item, loaded on request, page by page.
//!
//! It is open in the row like an editor, but without input, so the row still shows other people's
//! changes. An answer that arrives after it was closed is dropped.

use checklist_shared::ItemId;
use checklist_shared::wire::history::{GetItemHistory, ItemHistory};

use crate::model::effect::Effect;
use crate::model::error::Error;
use crate::model::history::{History, HistoryRest};
use crate::model::state::Model;
use crate::model::view_data::Panel;

/// The size of a page.
const PAGE: u32 = 50;

/// The button that has the focus when it opens.
const CLOSE: &str = ".history .button.plain";

impl Model {
    /// Opens the history of an item.
    pub(super) fn open_history(&mut self, id: ItemId) {
        if self.context().is_none() {
            return;
        }
        // Not the panel itself: what it shows is drawn anew once it has come, and takes the focus of
        // whatever browsers focus by `tabindex` alone.
        self.open(id, Panel::History(History::default()), CLOSE);
        self.say(self.texts().history_loading().to_owned());
        self.ask_history(id, None);
    }

    /// Goes on with what is older, or with what could not be loaded.
    pub(super) fn more_history(&mut self, id: ItemId) {
        let after = match self.history(id).map(|history| &history.rest) {
            Some(HistoryRest::Older(after)) => Some(*after),
            Some(HistoryRest::Failed(_, after)) => *after,
            _ => return,
        };
        self.change_history(id, |history| history.rest = HistoryRest::Loading);
        self.ask_history(id, after);
    }

    /// A page of it.
    pub(super) fn history_read(
        &mut self,
        id: ItemId,
        after: Option<u64>,
        page: Result<ItemHistory, Error>,
    ) {
        if self
            .history(id)
            .is_none_or(|history| history.rest != HistoryRest::Loading)
        {
            return;
        }
        let failed = match page {
            Ok(page) => {
                self.change_history(id, |history| {
                    if after.is_none() {
                        history.entries.clear();
                    }
                    history.entries.extend(page.entries);
                    history.rest = page.next.map_or(HistoryRest::Nothing, HistoryRest::Older);
                });
                return;
            }
            Err(failure) => failure.refusal(),
        };
        self.say(self.texts().history_failed().to_owned());
        self.change_history(id, |history| {
            history.rest = HistoryRest::Failed(failed, after)
        });
    }

    fn ask_history(&mut self, id: ItemId, after: Option<u64>) {
        if let Some(context) = self.context() {
            self.effects
                .push(Effect::ReadHistory(Box::new(GetItemHistory {
                    context,
                    id,
                    after,
                    limit: Some(PAGE),
                })));
        }
    }

    fn history(&self, id: ItemId) -> Option<&History> {
        match &self.rows.get(id)?.panel {
            Panel::History(history) => Some(history),
            _ => None,
        }
    }

    fn change_history(&mut self, id: ItemId, change: impl FnOnce(&mut History)) {
        self.rows.change(id, |row| {
            if let Panel::History(history) = &mut row.panel {
                change(history);
            }
        });
        self.effects.push(Effect::DrawRow(id));
    }
}
