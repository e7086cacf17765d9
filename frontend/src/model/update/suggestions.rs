//! Suggests people while an assignee or a mention in a note is typed.
//!
//! The host is asked shortly after the last keystroke (debounced); an answer that arrives after another
//! keystroke, or after the form was left, is dropped. Any free text remains possible.

use checklist_shared::ItemId;

use crate::model::effect::Effect;
use crate::model::item_fields::DetailField;
use crate::model::message::Timer;
use crate::model::state::Model;
use crate::model::suggestions::{Answer, Suggestions};
use crate::model::view_data::Panel;
use crate::port::Person;

/// Milliseconds after the last letter.
const PAUSE: u32 = 200;

/// Milliseconds after which the reader sees that people are being loaded.
const SLOW: u32 = 400;

impl Model {
    /// Suggests people whose names start with that, after a pause; none for an empty text.
    pub(super) fn suggest(
        &mut self,
        owner: Option<ItemId>,
        field: DetailField,
        prefix: Option<String>,
    ) {
        let number = self.next_number();
        let suggestions = prefix.map(|prefix| Suggestions {
            field,
            answer: Answer::Awaited,
            active: None,
            prefix,
            number,
        });
        let is_asked = suggestions.is_some();
        if self.set_suggestions(owner, suggestions) && is_asked {
            let timer = Timer::Suggest(owner, number);
            self.effects.push(Effect::Wait(PAUSE, timer));
        }
    }

    /// Nothing more was typed: the host is asked.
    pub(super) fn ask_people(&mut self, owner: Option<ItemId>, number: u32) {
        if let Some(suggestions) = self.suggestions(owner, number) {
            let prefix = suggestions.prefix.clone();
            self.effects.push(Effect::FindPeople(owner, number, prefix));
            let timer = Timer::SuggestSlow(owner, number);
            self.effects.push(Effect::Wait(SLOW, timer));
        }
    }

    /// The host takes its time.
    pub(super) fn people_slow(&mut self, owner: Option<ItemId>, number: u32) {
        let is_awaited = |it: &&mut Suggestions| it.answer == Answer::Awaited;
        if let Some(suggestions) = self.suggestions(owner, number).filter(is_awaited) {
            suggestions.answer = Answer::Loading;
            self.say(self.texts().people_loading().to_owned());
            self.draw_suggestions(owner);
        }
    }

    /// The host has answered.
    pub(super) fn people_found(
        &mut self,
        owner: Option<ItemId>,
        number: u32,
        found: Result<Vec<Person>, String>,
    ) {
        let Some(suggestions) = self.suggestions(owner, number) else {
            return;
        };
        let is_empty = found.as_ref().is_ok_and(Vec::is_empty);
        let has_failed = found.is_err();
        suggestions.answer = found.map_or(Answer::Failed, Answer::People);
        self.draw_suggestions(owner);
        if has_failed {
            self.say(self.texts().people_failed().to_owned());
        } else if is_empty {
            self.say(self.texts().no_matches().to_owned());
        }
    }

    /// Goes to the next of the people that are offered, or to the one before.
    pub(super) fn step_suggestion(&mut self, owner: Option<ItemId>, up: bool) {
        let Some(mut offered) = self.suggestions_of(owner).and_then(|it| it.clone()) else {
            return;
        };
        if let Answer::People(people) = &offered.answer
            && !people.is_empty()
        {
            let count = people.len();
            offered.active = Some(match offered.active {
                None if up => count - 1,
                None => 0,
                Some(at) if up => (at + count - 1) % count,
                Some(at) => (at + 1) % count,
            });
            self.set_suggestions(owner, Some(offered));
        }
    }

    /// Sets what is offered and draws it; whether there is a field to offer it for.
    fn set_suggestions(&mut self, owner: Option<ItemId>, suggestions: Option<Suggestions>) -> bool {
        let Some(there) = self.suggestions_of(owner) else {
            return false;
        };
        *there = suggestions;
        self.draw_suggestions(owner);
        true
    }

    fn draw_suggestions(&mut self, owner: Option<ItemId>) {
        self.effects
            .push(owner.map_or(Effect::DrawFace, Effect::DrawRow));
    }

    /// What is offered for a field, if that is still what was asked for.
    fn suggestions(&mut self, owner: Option<ItemId>, number: u32) -> Option<&mut Suggestions> {
        let suggestions = self.suggestions_of(owner)?.as_mut();
        suggestions.filter(|it| it.number == number)
    }

    /// Where it is noted what is offered: in the form of a row, else in the bar of a selection.
    fn suggestions_of(&mut self, owner: Option<ItemId>) -> Option<&mut Option<Suggestions>> {
        let Some(id) = owner else {
            let selected = &mut self.card.selected;
            return selected
                .assignee
                .is_some()
                .then_some(&mut selected.suggestions);
        };
        match &mut self.rows.get_mut(id)?.panel {
            Panel::Details(form) => Some(&mut form.suggestions),
            _ => None,
        }
    }
}
