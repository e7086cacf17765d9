//! Computes a list that was never written from its template.
//!
//! A read never writes: until the first change, a list exists only as this projection, with the same
//! ids for every reader. The first write stores exactly these items.

use std::sync::Arc;

use crate::checklist::{Checklist, TemplateRef};
use crate::context::Context;
use crate::due::Due;
use crate::id::ItemId;
use crate::item::{Actor, AspectVersions, Item, Origin, Status};
use crate::order;
use crate::template::{Template, TemplateItem};
use crate::text::Text;
use crate::time::Timestamp;

/// The list that `template` projects to in `context`; empty without a template.
#[must_use]
pub fn project(context: &Context, template: Option<&Template>, now: Timestamp) -> Checklist {
    let mut list = Checklist::empty(context.clone(), now);
    let Some(template) = template else {
        return list;
    };
    list.template = Some(reference(template));
    let keys = order::fresh_keys(template.items.len());
    // Keys ascend over the whole template; within a section that is still ascending.
    list.items = template
        .items
        .iter()
        .zip(keys)
        .map(|(item, sort_key)| Arc::new(project_item(context, item, sort_key, now, now)))
        .collect();
    list
}

/// The reference that a list stores to its template.
#[must_use]
pub fn reference(template: &Template) -> TemplateRef {
    TemplateRef {
        id: template.id.clone(),
        version: template.version,
        completion_rule: template.completion_rule,
    }
}

/// One item as its template has it, at that position. Its due date counts from `list_created`.
#[must_use]
pub fn project_item(
    context: &Context,
    item: &TemplateItem,
    sort_key: String,
    list_created: Timestamp,
    now: Timestamp,
) -> Item {
    Item {
        id: ItemId::projected(context, &item.key),
        template_key: Some(item.key.clone()),
        origin: Origin::Template,
        kind: item.kind,
        parent_id: item
            .parent_key
            .as_deref()
            .map(|key| ItemId::projected(context, key)),
        sort_key,
        text: Text::Localized(item.text.clone()),
        help: item.help.clone().map(Text::Localized),
        text_overridden: false,
        template_text: None,
        status: Status::Open,
        reason: None,
        status_by: None,
        status_at: None,
        attested: None,
        required: item.required,
        allow_not_applicable: item.allow_not_applicable,
        not_applicable_needs_reason: item.not_applicable_needs_reason,
        assignee: item.assignee_role.clone(),
        assignee_by_person: false,
        due: due(item, list_created),
        due_by_person: false,
        note: None,
        version: 1,
        changed_in: AspectVersions {
            status: 1,
            text: 1,
            note: 1,
            assignee: 1,
            due: 1,
            place: 1,
        },
        revision: 0,
        created_by: Actor::template(),
        created_at: now,
        modified_by: Actor::template(),
        modified_at: now,
        retired_at: None,
        deleted_at: None,
        changed_since_checked: false,
    }
}

/// The due date that a template item asks for, in a list made at that time: always a moment, never a
/// day, because a day would have to be counted in a time zone that nobody here knows.
#[must_use]
pub fn due(item: &TemplateItem, list_created: Timestamp) -> Option<Due> {
    item.due_offset
        .as_deref()
        .and_then(|offset| list_created.plus_iso(offset).ok())
        .map(Due::At)
}
