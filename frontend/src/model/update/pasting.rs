//! Pasted lines: confirmed once, then added by one operation.
//!
//! Recognizes lists as people copy them: bullets, numbers, checkboxes, indents. Nothing is silently
//! shortened or skipped: if a line or their number exceeds a limit, the control says so and adds
//! nothing.

use checklist_shared::ItemId;
use checklist_shared::item::Kind;
use checklist_shared::wire::write::AddItem;

use crate::i18n::plural;
use crate::model::effect::{Effect, Focus};
use crate::model::message::FollowUp;
use crate::model::operation::{Action, new_item};
use crate::model::pasting::{LineKind, Pasted, PastedLine, parse, question};
use crate::model::state::Model;
use crate::port::CancelableEvent;

impl Model {
    /// Asks whether pasted lines become items.
    pub(super) fn paste(&mut self, text: &str, section: Option<ItemId>) {
        if !self.mode.add {
            return;
        }
        let list = &self.list;
        let live = list.order().iter().filter_map(|id| list.live(*id));
        let has_sections = live.into_iter().any(|item| item.kind == Kind::Section);
        let lines = parse(text, section.is_none() && has_sections);
        let problem = self.paste_problem(&lines);
        let pasted = Pasted {
            lines,
            section,
            problem,
        };
        let asked = question(&pasted, self.mode.words);
        let said = [asked.as_str(), &pasted.problem].join(" ");
        self.say(said.trim_end().to_owned());
        self.card.pasted = Some(pasted);
        self.effects.push(Effect::DrawFace);
        self.effects
            .push(Effect::Focus(Focus::First(".pasted button")));
    }

    /// Why these lines cannot be added; empty where they can.
    fn paste_problem(&self, lines: &[PastedLine]) -> String {
        let (limits, words) = (&self.list.meta.limits, self.mode.words);
        let texts = self.texts();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let room = limits.items.saturating_sub(self.list.list.used());
        let is_long = |line: &&PastedLine| line.text.chars().count() > limits.text;
        if lines.len() > room {
            plural(words, texts.paste_room(), number(room), &[])
        } else if lines.len() > limits.batch {
            plural(words, texts.paste_at_once(), number(limits.batch), &[])
        } else if let Some(line) = lines.iter().find(is_long) {
            let start: String = line.text.chars().take(40).collect();
            let start = [start.trim_end(), "…"].concat();
            let values = [("text", start.as_str())];
            plural(words, texts.paste_long(), number(limits.text), &values)
        } else {
            String::new()
        }
    }

    /// Adds the lines that were asked about. `ids` are new, one for each.
    pub(super) fn add_pasted(&mut self, ids: Vec<ItemId>) {
        let pasted = self.card.pasted.as_ref();
        let Some(pasted) = pasted.filter(|pasted| pasted.problem.is_empty() && self.mode.add)
        else {
            return;
        };
        let mut inside = pasted.section;
        let mut items = Vec::with_capacity(ids.len());
        for (id, line) in ids.into_iter().zip(&pasted.lines) {
            let mut item = AddItem {
                parent_id: pasted.section,
                ..new_item(id, &line.text)
            };
            match line.place {
                LineKind::Item => {}
                LineKind::Section => {
                    item.kind = Kind::Section;
                    inside = Some(id);
                }
                LineKind::Inside => item.parent_id = inside,
            }
            items.push(item);
        }
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        if let Some(section) = pasted.section {
            self.expand(section);
        }
        self.ask(
            CancelableEvent::Edit,
            Action::AddAll(items),
            FollowUp::SayManyAdded(count),
        );
    }

    /// The lines were added.
    pub(super) fn say_many_added(&mut self, count: u32) {
        self.leave_paste();
        let said = plural(self.mode.words, self.texts().said_many_added(), count, &[]);
        self.say_with_count(&said);
    }

    /// Puts the lines into the field as one, on request.
    pub(super) fn paste_as_one(&mut self) {
        let Some(pasted) = self.card.pasted.take() else {
            return;
        };
        let mut parts = vec![self.card.new_text.trim()];
        parts.extend(pasted.lines.iter().map(|line| line.text.as_str()));
        self.card.new_text = parts.join(" ").trim().to_owned();
        self.card.adding = Some(pasted.section);
        self.effects.push(Effect::DrawFace);
        self.effects.push(Effect::Focus(Focus::First(".add input")));
    }

    /// The question is over; the focus goes back to where items are added.
    pub(super) fn leave_paste(&mut self) {
        self.card.pasted = None;
        self.effects.push(Effect::DrawFace);
        self.effects
            .push(Effect::Focus(Focus::First(".add input, .add button")));
    }

    /// Lines that the server did not take are asked about once more.
    pub(super) fn paste_again(&mut self, text: &str) {
        if self.card.pasted.is_none() {
            let lines = parse(text, false);
            let problem = self.paste_problem(&lines);
            self.card.pasted = Some(Pasted {
                lines,
                section: None,
                problem,
            });
        }
    }
}
