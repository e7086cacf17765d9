//! Another text of an item: one of its own, or the template's again.

use super::checks::{Log, tidy, within};
use super::request::{ItemPatch, Session};
use crate::event::{Event, What};
use crate::item::Item;
use crate::patch::Patch;
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;
use crate::text::Text;

/// The text that an item gets.
pub(super) struct TextChange {
    text: Text,
    is_of_template: bool,
}

impl TextChange {
    /// What a patch really changes.
    pub(super) fn of_patch(
        item: &Item,
        patch: &ItemPatch,
        session: &Session<'_>,
    ) -> Result<Option<Self>, Code> {
        let change = match &patch.text {
            Patch::Keep => None,
            Patch::Set(text) => {
                let text = tidy(text)?;
                // The request does not say in which of the template's languages it was read.
                (!item.text.says(text)).then(|| Self {
                    text: Text::from(text),
                    is_of_template: false,
                })
            }
            Patch::Clear => match &item.template_text {
                Some(text) => Some(Self {
                    text: text.clone(),
                    is_of_template: true,
                }),
                None if item.text_overridden || item.template_key.is_none() => {
                    return Err(Code::TextRequired);
                }
                None => None,
            },
        };
        if let Some(change) = &change {
            session.need(Permission::Edit)?;
            within(change.text.resolve(session.languages), session.limits.text)?;
            if item.retired_at.is_some() {
                return Err(Code::ItemRetired);
            }
            if patch.base_version.is_none() {
                return Err(Code::BaseVersionRequired);
            }
            if patch.is_behind(item.changed_in.text) {
                return Err(Code::TextConflict);
            }
        }
        Ok(change)
    }

    /// Sets it, as a change of that version of the item. What was proposed was about the text before.
    pub(super) fn write(self, item: &mut Item, version: u64, session: &Session<'_>, log: &mut Log) {
        let before = item.text.clone();
        if self.is_of_template {
            item.text_overridden = false;
            item.template_text = None;
        } else if item.template_key.is_some() && !item.text_overridden {
            item.text_overridden = true;
            item.template_text = Some(item.text.clone());
        }
        item.text = self.text;
        item.changed_in.text = version;
        item.end_open_proposal();
        log.note(|| {
            let said = |text: &Text| Some(text.resolve(session.languages).to_owned());
            Event::about(What::TextChanged, item, session.languages)
                .changing(said(&before), said(&item.text))
        });
    }
}
