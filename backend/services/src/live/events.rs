//! Encodes server-sent events: `event`, `data` with one line of JSON, `id`.
//!
//! All events of a change form one chunk: its items, the removed ids, and finally the list. The id
//! is a chunk of its own, because it acknowledges the whole stream.

use std::sync::Arc;

use checklist_auth::Principal;
use checklist_live::rendered::{Key, Rendered};
use checklist_shared::context::Context;
use checklist_shared::limits::Limits;
use checklist_shared::problem::{Problem, ProblemCode};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::list::View;
use checklist_shared::wire::live::{
    EventName, ItemsChanged, ItemsRemoved, ListChanged, LockChanged, NotFollowed, PersonPresent,
    PresenceChanged, ReadAgain, SignInAgain, TemplateChanged, WaiverChanged,
};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::presence::People;
use checklist_store::store::ListFacts;
use serde::Serialize;

use crate::checklist::{self, ListReadRequest};

/// Encodes all events of one change of one list.
pub(super) fn change(
    key: &Key,
    facts: &ListFacts,
    now: Timestamp,
    principal: &Principal,
    limits: &Limits,
) -> ServiceResult<Rendered> {
    let languages: Vec<&str> = key.languages.iter().map(String::as_str).collect();
    let asked = ListReadRequest {
        context: &key.context,
        languages: &languages,
        since: key.since,
        view: match key.since {
            Some(_) => View::Full,
            None => View::Summary,
        },
        deleted: None,
        // What is encoded here goes to readers with the same facts only: the key has them.
        tells_facts: true,
        now,
    };
    let mut list = checklist::whole(facts, &asked, principal, limits)?;
    let context = || key.context.clone();
    let (items, removed) = (list.items.take(), std::mem::take(&mut list.removed));
    let mut chunk = Chunk::default();
    if let (true, Some(template_id), Some(template_update)) =
        (key.tells_template, &list.template_id, list.template_update)
    {
        let changed = TemplateChanged {
            context: context(),
            template_id: template_id.clone(),
            template_update,
        };
        chunk.event(EventName::Template, &changed)?;
    }
    // After a purge, a delta has gaps: then the answer holds all items although a delta was
    // requested.
    let told_one_by_one = list.delta;
    if key.resets || (key.since.is_some() && !told_one_by_one) {
        chunk.event(EventName::Reset, &ReadAgain { context: context() })?;
    } else if let Some(since) = key.since {
        let revision = list.revision;
        let items = items.unwrap_or_default();
        if !items.is_empty() {
            let changed = ItemsChanged {
                context: context(),
                since,
                revision,
                items,
            };
            chunk.event(EventName::Items, &changed)?;
        }
        if !removed.is_empty() {
            let gone = ItemsRemoved {
                context: context(),
                since,
                revision,
                removed,
            };
            chunk.event(EventName::Removed, &gone)?;
        }
    }
    if key.tells_lock {
        let locked = LockChanged {
            context: context(),
            locked: list.locked.clone(),
        };
        chunk.event(EventName::Locked, &locked)?;
    }
    if key.tells_waiver {
        let waived = WaiverChanged {
            context: context(),
            waived: list.waived.clone(),
        };
        chunk.event(EventName::Waived, &waived)?;
    }
    let changed = ListChanged {
        list,
        operation_id: key.operation.clone(),
    };
    chunk.event(EventName::List, &changed)?;
    Ok(chunk.into())
}

/// Encodes the problem of a list that the stream does not follow.
pub(super) fn not_followed(context: &Context, problem: &Problem) -> Option<Rendered> {
    let refused = NotFollowed {
        context: context.clone(),
        problem: problem.clone(),
    };
    let mut chunk = Chunk::default();
    chunk.event(EventName::Problem, &refused).ok()?;
    Some(chunk.into())
}

/// Encodes the other people on a list.
pub(super) fn presence(context: &Context, people: People) -> Option<Rendered> {
    let named = people.named.into_iter().map(|person| PersonPresent {
        id: person.id,
        name: person.name,
    });
    let changed = PresenceChanged {
        context: context.clone(),
        people: named.collect(),
        others: people.others,
    };
    let mut chunk = Chunk::default();
    chunk.event(EventName::Presence, &changed).ok()?;
    Some(chunk.into())
}

/// Encodes the request to renew a credential before it expires.
pub(super) fn sign_in_again(expires_at: Timestamp) -> Option<Rendered> {
    let mut chunk = Chunk::default();
    chunk
        .event(EventName::Reauth, &SignInAgain { expires_at })
        .ok()?;
    Some(chunk.into())
}

/// Encodes the id: everything up to this row of the audit trail has been sent.
pub(super) fn id(sequence: u64) -> Rendered {
    Arc::from(format!("id: {sequence}\n\n").into_bytes())
}

#[derive(Default)]
struct Chunk(Vec<u8>);

impl Chunk {
    fn event(&mut self, name: EventName, data: &impl Serialize) -> ServiceResult<()> {
        self.0
            .extend_from_slice(format!("event: {}\ndata: ", name.name()).as_bytes());
        // Compact JSON contains no line breaks.
        serde_json::to_writer(&mut self.0, data).map_err(|_| {
            ServiceError::new(ProblemCode::Internal, "An event could not be written.")
        })?;
        self.0.extend_from_slice(b"\n\n");
        Ok(())
    }
}

impl From<Chunk> for Rendered {
    fn from(chunk: Chunk) -> Self {
        Arc::from(chunk.0)
    }
}
