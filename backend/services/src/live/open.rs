//! Opens a live stream.
//!
//! Invariant: the stream subscribes first and queries past changes second. A change in between is
//! in both, so none is missed.

use checklist_auth::{CredentialCheck, Principal};
use checklist_live::{FeedSource, SubscribeError, SubscriptionRequest};
use checklist_shared::context::Context;
use checklist_shared::item::ActorKind;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::live::OpenEvents;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::feed::ListProgress;
use checklist_store::list_key::ListKey;
use checklist_store::presence::Person;
use checklist_store::store::Purpose;

use super::stream::{FollowedList, LiveStream};
use crate::access::{self, FieldErrors};
use crate::app::App;
use crate::checklist;

/// Opens a stream of lists. A list that the caller may not see, or that has no template, does not
/// affect the others: the stream reports it in a `problem` event. With `presence`, a person sees
/// the others on the lists and is seen by them; a program never is.
///
/// # Errors
/// `InvalidRequest`, `LimitExceeded`, `PermissionDenied`, `TooManyRequests`, `Busy`.
pub async fn open(
    app: &App,
    principal: Principal,
    standing: Box<dyn CredentialCheck>,
    request: OpenEvents,
    presence: bool,
) -> ServiceResult<LiveStream> {
    access::require_permission(&principal, Permission::Read)?;
    access::check_language(request.language.as_deref())?;
    let after = check(app, &request)?;
    let mut followed: Vec<FollowedList> = Vec::with_capacity(request.contexts.len());
    for (place, context) in request.contexts.into_iter().enumerate() {
        if context.facts.is_some() {
            let mut faults = FieldErrors::default();
            let detail =
                "A stream follows what is stored; facts come with GetItems and with writes.";
            let pointer = format!("/Contexts/{place}/Facts");
            faults.say(pointer, FieldErrorCode::Invalid, detail);
            faults.refuse()?;
        }
        let refusal =
            access::require_context(&principal, &context, &format!("/Contexts/{place}")).err();
        followed.push(FollowedList::new(context, refusal));
    }
    let asked: Vec<usize> = (0..followed.len())
        .filter(|place| !followed[*place].is_refused())
        .collect();
    let names = asked.iter().map(|place| {
        let name = ListKey::of(&principal.tenant, &followed[*place].context);
        (*place, name)
    });
    let is_person = principal.actor.kind == ActorKind::Person;
    let follower = SubscriptionRequest {
        tenant: &principal.tenant,
        caller: &principal.idempotency_scope,
        person: (presence && is_person).then(|| Person {
            identity: principal.actor.identity(),
            id: principal.actor.id.clone(),
            name: principal.actor.name.clone(),
        }),
        lists: names.collect(),
    };
    let subscription = app
        .hub()
        .subscribe(follower, || source(app))
        .map_err(subscribe_error)?;
    let contexts: Vec<Context> = match after {
        Some(_) => asked
            .iter()
            .map(|place| followed[*place].context.clone())
            .collect(),
        None => Vec::new(),
    };
    // Read before the query for changes: the snapshot is a valid base for every list that the query
    // reports as unchanged.
    let wanted = contexts
        .iter()
        .map(|context| checklist::list_request(&principal, context, Purpose::Show))
        .collect();
    let facts = app.store().read_lists(&principal.tenant, wanted).await?;
    for (place, facts) in asked.iter().zip(&facts) {
        // A list that cannot be read is reported when the stream gets to it.
        if let Ok(facts) = facts {
            followed[*place].is_now(&principal, facts, app.clock().now());
        }
    }
    let since = app
        .store()
        .changes_since(&principal.tenant, contexts, after.unwrap_or(0))
        .await?;
    for (place, progressed) in asked.into_iter().zip(since.lists) {
        followed[place].has_seen(match progressed {
            ListProgress::Unchanged => None,
            ListProgress::After(revision) => Some(Ok(revision)),
            ListProgress::Unknown => Some(Err(())),
        });
    }
    let languages = request
        .language
        .into_iter()
        .chain(principal.languages.iter().cloned())
        .collect();
    Ok(LiveStream::new(
        app.clone(),
        principal,
        languages,
        standing,
        subscription,
        followed,
        since.newest,
    ))
}

/// Validates the request. Returns the row of the audit trail to resume after.
fn check(app: &App, request: &OpenEvents) -> ServiceResult<Option<u64>> {
    let mut faults = FieldErrors::default();
    faults.batch("/Contexts", request.contexts.len(), app.limits().batch);
    let after = request.last_event_id.as_deref().map(str::parse::<u64>);
    if matches!(after, Some(Err(_))) {
        faults.say(
            "/LastEventId",
            FieldErrorCode::Invalid,
            "An id as the stream has sent it, which is a number; leave it out to begin anew.",
        );
    }
    faults.refuse()?;
    Ok(after.and_then(Result::ok))
}

/// The hub's source of announcements.
pub(crate) fn source(app: &App) -> FeedSource {
    FeedSource {
        feed: app.store().commits(),
        voice: app.store().voice(),
    }
}

pub(crate) fn subscribe_error(why: SubscribeError) -> ServiceError {
    match why {
        SubscribeError::Full => ServiceError::new(
            ProblemCode::Busy,
            "The server follows as many lists as it can; go on without a stream, or try again later.",
        )
        .retry_after(30),
        SubscribeError::TooManyOfOne => ServiceError::new(
            ProblemCode::TooManyRequests,
            "This caller has too many streams open; close one.",
        )
        .retry_after(30),
        SubscribeError::Closed => {
            ServiceError::new(ProblemCode::Busy, "The server is stopping.").retry_after(5)
        }
    }
}
