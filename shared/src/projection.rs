//! Computes a list that was never written from its template.
//!
//! A read never writes: until the first change, a list exists only as this projection, with the same
//! ids for every reader. The first write stores exactly these items.

use std::sync::Arc;

use crate::assignee::Assignee;
use crate::checklist::{Checklist, TemplateRef};
use crate::context::Context;
use crate::due::Due;
use crate::due_dates::DueDates;
use crate::facts::Facts;
use crate::item::{Actor, Item, Origin};
use crate::order;
use crate::signal::Signal;
use crate::template::{Template, TemplateItem};
use crate::text::Text;
use crate::time::Timestamp;

/// The list that `template` projects to in `context` without facts; empty without a template.
#[must_use]
pub fn project(context: &Context, template: Option<&Template>, now: Timestamp) -> Checklist {
    project_with(context, template, Facts::default(), now)
}

/// The list that `template` projects to in `context`, with those items that apply by these facts.
#[must_use]
pub fn project_with(
    context: &Context,
    template: Option<&Template>,
    facts: Facts,
    now: Timestamp,
) -> Checklist {
    let list = Checklist {
        facts,
        ..Checklist::empty(context.clone(), now)
    };
    match template {
        Some(template) => filled(list, template, now),
        None => list,
    }
}

/// An empty list with the items of `template` in it that apply by its facts. It follows the template
/// from now on.
pub(crate) fn filled(mut list: Checklist, template: &Template, now: Timestamp) -> Checklist {
    list.template = Some(reference(template));
    let keys = order::fresh_keys(template.items.len());
    let applying = template.applying_to(&list.facts);
    let mut applying = applying.items.iter().peekable();
    let due_dates = DueDates::of(template, &list, now);
    // Keys ascend over the whole template; within a section that is still ascending. An item that does
    // not apply keeps its place, so those that apply have theirs whatever the facts are.
    for (theirs, sort_key) in template.items.iter().zip(keys) {
        if let Some(item) = applying.next_if(|item| item.key == theirs.key) {
            let due = due_dates.due(item);
            let item = project_item(&list, item, sort_key, due, now);
            list.items.push(Arc::new(item));
        }
    }
    list
}

/// The reference that a list stores to its template.
#[must_use]
pub fn reference(template: &Template) -> TemplateRef {
    TemplateRef {
        id: template.id.clone(),
        version: template.version,
        completion_rule: template.completion_rule,
        changeable: template.changeable,
    }
}

/// One item of the list as its template has it, at that position and due at that time.
#[must_use]
pub fn project_item(
    list: &Checklist,
    item: &TemplateItem,
    sort_key: String,
    due: Option<Due>,
    now: Timestamp,
) -> Item {
    let id = list.projected_id(&item.key);
    let text = Text::Localized(item.text.clone());
    Item {
        template_key: Some(item.key.clone()),
        kind: item.kind,
        parent_id: item.parent_key.as_deref().map(|key| list.projected_id(key)),
        sort_key,
        help: item.help.clone().map(Text::Localized),
        required: item.required,
        allow_not_applicable: item.allow_not_applicable,
        not_applicable_needs_reason: item.not_applicable_needs_reason,
        needs_person: item.needs_person,
        second_person: item.second_person,
        requires_evidence: item.requires_evidence,
        answer_format: item.answer_format.clone().map(Box::new),
        signal: (item.signal.as_ref()).map(|binding| Box::new(Signal::of(binding))),
        assignee: item.assignee_role.as_deref().map(Assignee::from),
        due,
        ..Item::new(id, Origin::Template, text, Actor::template(), now)
    }
}
