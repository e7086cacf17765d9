//! What a draft holds, and how it is made of a template and becomes one.
//!
//! The rows of a section always stand right behind it.

use checklist_shared::definition::DefinitionFields;
use checklist_shared::item::Kind;
use checklist_shared::signal::SignalBinding;
use checklist_shared::template::{
    CompletionRule, CountedIn, OnTextChange, RefreshPolicy, Template, TemplateItem, TemplateStatus,
};
use checklist_shared::text::LanguageMap;

use super::answer::AnswerDraft;
use super::calendar::CalendarDraft;
use super::texts::{Texts, language_map, language_map_unless_empty, texts_of};
use super::when::When;

/// Everything that can be written about a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The template's id; fixed once it was saved.
    pub id: String,
    /// The readable key.
    pub key: String,
    /// The languages that texts are asked for in, the first one first.
    pub languages: Vec<String>,
    /// The name.
    pub name: Texts,
    /// What it is for.
    pub description: Texts,
    /// Which items have to be resolved.
    pub completion_rule: CompletionRule,
    /// Whether lists follow by themselves.
    pub refresh_policy: RefreshPolicy,
    /// ISO 8601 duration; may be empty.
    pub due_notice: String,
    /// What due dates are counted in.
    pub calendar: CalendarDraft,
    /// The fact that due dates count from; may be empty.
    pub due_from: String,
    /// What people may change of its items.
    pub changeable: DefinitionFields,
    /// The rows in display order, each section before what it holds.
    pub rows: Vec<Row>,
    /// The number of the next row.
    pub(super) next: u32,
}

/// One row of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number, the same as long as the draft is open.
    pub number: u32,
    /// Its key.
    pub key: String,
    /// Whether the key is in a published version and therefore stays.
    pub fixed: bool,
    /// Item, section or info row.
    pub kind: Kind,
    /// The number of the section that holds it.
    pub parent: Option<u32>,
    /// What is to be done.
    pub text: Texts,
    /// Markdown source.
    pub help: Texts,
    /// Whether it has to be resolved.
    pub required: bool,
    /// Whether it may be not applicable,
    pub allow_not_applicable: bool,
    /// and then needs a reason.
    pub not_applicable_needs_reason: bool,
    /// Whether only a person may resolve it.
    pub needs_person: bool,
    /// Whether another person confirms what one has done.
    pub second_person: bool,
    /// Whether it is done only with evidence.
    pub requires_evidence: bool,
    /// What it asks for beyond a tick.
    pub answer: AnswerDraft,
    /// Whether a signal sets its status;
    pub has_signal: bool,
    /// then the system that reports,
    pub signal_source: String,
    /// what it is called there,
    pub signal_key: String,
    /// and after what time without a report it is out of date; may be empty.
    pub stale_after: String,
    /// To which lists it applies.
    pub when: When,
    /// What a changed text does to a checked item.
    pub on_text_change: OnTextChange,
    /// Who should do it; may be empty.
    pub assignee_role: String,
    /// ISO 8601 duration; may be empty.
    pub due_offset: String,
    /// What it is counted in.
    pub due_counted_in: CountedIn,
}

impl Draft {
    /// A draft without anything in it.
    #[must_use]
    pub fn new(language: &str) -> Self {
        Self {
            id: String::new(),
            key: String::new(),
            languages: vec![language.to_owned()],
            name: Vec::new(),
            description: Vec::new(),
            completion_rule: CompletionRule::default(),
            refresh_policy: RefreshPolicy::default(),
            due_notice: String::new(),
            calendar: CalendarDraft::default(),
            due_from: String::new(),
            changeable: DefinitionFields::default(),
            rows: Vec::new(),
            next: 1,
        }
    }

    /// A draft that begins with what a template says; `published` fixes the keys that it has.
    #[must_use]
    pub fn of(template: &Template, published: Option<&Template>) -> Self {
        let mut languages: Vec<String> = Vec::new();
        let maps = template
            .items
            .iter()
            .flat_map(|item| std::iter::once(&item.text).chain(&item.help));
        for (tag, _) in std::iter::once(&template.name)
            .chain(&template.description)
            .chain(maps)
            .flat_map(LanguageMap::iter)
        {
            if !languages.iter().any(|known| known == tag) {
                languages.push(tag.to_owned());
            }
        }
        if languages.is_empty() {
            languages.push("en".to_owned());
        }
        let mut draft = Self {
            id: template.id.clone(),
            key: template.key.clone(),
            name: texts_of(&template.name),
            description: template
                .description
                .as_ref()
                .map(texts_of)
                .unwrap_or_default(),
            completion_rule: template.completion_rule,
            refresh_policy: template.refresh_policy,
            due_notice: template.due_notice.clone().unwrap_or_default(),
            calendar: CalendarDraft::of(template.calendar.as_ref()),
            due_from: template.due_from.clone().unwrap_or_default(),
            changeable: template.changeable,
            languages,
            rows: Vec::with_capacity(template.items.len()),
            next: 1,
        };
        for item in &template.items {
            let parent = item
                .parent_key
                .as_ref()
                .and_then(|key| draft.rows.iter().find(|row| row.key == *key));
            let row = Row {
                number: draft.next,
                fixed: published.is_some_and(|published| published.item(&item.key).is_some()),
                parent: parent.map(|row| row.number),
                ..Row::of(item)
            };
            draft.next += 1;
            draft.rows.push(row);
        }
        draft.gather();
        draft
    }

    /// The template of this draft. Texts that are empty are left out.
    #[must_use]
    pub fn template(&self) -> Template {
        let key_of = |number: Option<u32>| {
            number
                .and_then(|number| self.row(number))
                .map(|row| row.key.clone())
        };
        Template {
            id: self.id.clone(),
            key: if self.key.is_empty() {
                self.id.clone()
            } else {
                self.key.clone()
            },
            name: language_map(&self.name),
            description: language_map_unless_empty(&self.description),
            status: TemplateStatus::Draft,
            version: 0,
            completion_rule: self.completion_rule,
            refresh_policy: self.refresh_policy,
            due_notice: filled(&self.due_notice),
            calendar: self.calendar.calendar(),
            due_from: filled(&self.due_from),
            changeable: self.changeable,
            items: self
                .rows
                .iter()
                .map(|row| row.item(key_of(row.parent)))
                .collect(),
        }
    }

    /// The row of a number.
    #[must_use]
    pub fn row(&self, number: u32) -> Option<&Row> {
        self.rows.iter().find(|row| row.number == number)
    }

    /// The same, to be changed.
    pub fn row_mut(&mut self, number: u32) -> Option<&mut Row> {
        self.rows.iter_mut().find(|row| row.number == number)
    }

    /// Asks for one more language; one that is there already stays as it is.
    pub fn add_language(&mut self, tag: &str) {
        if !tag.is_empty()
            && !self
                .languages
                .iter()
                .any(|known| known.eq_ignore_ascii_case(tag))
        {
            self.languages.push(tag.to_owned());
        }
    }

    /// Takes a language out, with every text in it. The last one stays.
    pub fn remove_language(&mut self, tag: &str) {
        if self.languages.len() < 2 {
            return;
        }
        self.languages.retain(|known| known != tag);
        for row in &mut self.rows {
            row.answer.remove_language(tag);
        }
        let texts = self
            .rows
            .iter_mut()
            .flat_map(|row| [&mut row.text, &mut row.help]);
        for texts in texts.chain([&mut self.name, &mut self.description]) {
            texts.retain(|(own, _)| own != tag);
        }
    }

    /// Brings the rows of each section together behind it, in their order.
    pub(super) fn gather(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        let sections: Vec<u32> = rows
            .iter()
            .filter(|row| row.kind == Kind::Section)
            .map(|row| row.number)
            .collect();
        for row in &mut rows {
            if row.kind == Kind::Section
                || row.parent.is_some_and(|parent| !sections.contains(&parent))
            {
                row.parent = None;
            }
        }
        let (held, top): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| row.parent.is_some());
        for row in top {
            let number = row.number;
            self.rows.push(row);
            self.rows.extend(
                held.iter()
                    .filter(|row| row.parent == Some(number))
                    .cloned(),
            );
        }
    }
}

/// What was typed, if anything was.
fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn of_signal(item: &TemplateItem, part: fn(&SignalBinding) -> &String) -> String {
    item.signal.as_ref().map(part).cloned().unwrap_or_default()
}

impl Row {
    /// Whether what was typed as its due date can be counted; also if nothing was.
    #[must_use]
    pub fn has_sound_due_date(&self) -> bool {
        self.item(None).due_offset_fault(None).is_none()
    }

    fn of(item: &TemplateItem) -> Self {
        Self {
            number: 0,
            key: item.key.clone(),
            fixed: false,
            kind: item.kind,
            parent: None,
            text: texts_of(&item.text),
            help: item.help.as_ref().map(texts_of).unwrap_or_default(),
            required: item.required,
            allow_not_applicable: item.allow_not_applicable,
            not_applicable_needs_reason: item.not_applicable_needs_reason,
            needs_person: item.needs_person,
            second_person: item.second_person,
            requires_evidence: item.requires_evidence,
            answer: AnswerDraft::of(item.answer_format.as_ref()),
            has_signal: item.signal.is_some(),
            signal_source: of_signal(item, |signal| &signal.source),
            signal_key: of_signal(item, |signal| &signal.key),
            stale_after: (item.signal.as_ref())
                .and_then(|signal| signal.stale_after.clone())
                .unwrap_or_default(),
            when: When::of(item.when.as_ref()),
            on_text_change: item.on_text_change,
            assignee_role: item.assignee_role.clone().unwrap_or_default(),
            due_offset: item.due_offset.clone().unwrap_or_default(),
            due_counted_in: item.due_counted_in,
        }
    }

    fn item(&self, parent_key: Option<String>) -> TemplateItem {
        TemplateItem {
            key: self.key.clone(),
            kind: self.kind,
            parent_key,
            text: language_map(&self.text),
            help: language_map_unless_empty(&self.help),
            required: self.required,
            allow_not_applicable: self.allow_not_applicable,
            not_applicable_needs_reason: self.allow_not_applicable
                && self.not_applicable_needs_reason,
            needs_person: self.needs_person && !self.has_signal,
            second_person: self.second_person && !self.has_signal,
            requires_evidence: self.requires_evidence,
            answer_format: (self.answer.format()).filter(|_| !self.has_signal),
            signal: self.has_signal.then(|| SignalBinding {
                source: self.signal_source.trim().to_owned(),
                key: self.signal_key.trim().to_owned(),
                stale_after: filled(&self.stale_after),
            }),
            when: self.when.condition(),
            on_text_change: self.on_text_change,
            assignee_role: filled(&self.assignee_role),
            due_offset: filled(&self.due_offset),
            due_counted_in: self.due_counted_in,
        }
    }
}
