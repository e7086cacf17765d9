//! The live stream: one connection for all lists of a page.
//!
//! Server-sent events, read with `fetch` because `EventSource` cannot send a token.
//! `services::live` produces the chunks; here they become a body, with backpressure from the
//! reader.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body as Stream, Bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use checklist_auth::{CredentialCheck, Principal};
use checklist_services::live;
use checklist_shared::wire::live::{
    ItemsChanged, ItemsRemoved, ListChanged, LockChanged, NotFollowed, OpenEvents, PresenceChanged,
    ReadAgain, SignInAgain, TemplateChanged, WaiverChanged,
};
use futures_util::stream::unfold;

use super::Web;
use super::extract::{Body, Caller, Parameters};
use crate::http::problem::ProblemResponse;

/// Asks proxies not to buffer the response.
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How to follow.
#[derive(Debug, serde::Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsParameters {
    /// Be seen by the other people on these lists, and see them (`presence`). For people alone:
    /// an API key is never seen.
    #[serde(default)]
    #[param(required = false)]
    presence: bool,
}

/// Follow lists.
///
/// Answers a stream of server-sent events that goes on until the token ends. First comes, for
/// each context, a `list` event with its present state (or a `problem`, as GetItems would answer),
/// then every change as it happens: `items`, `removed`, `locked` and `waived` as far as they apply, and
/// `list` as its end. With `LastEventId`, the last `id` received, whatever changed since comes
/// first; `reset` asks to read a list whole instead. `template` tells of a new version of a
/// list's template, `presence` who else is on a list, `reauth` comes some seconds before the token ends. A slow reader gets the
/// newest state, not every step to it. After 15 seconds of silence comes a comment.
#[utoipa::path(post, path = "/Events", operation_id = "FollowEvents", tag = "Checklists", params(EventsParameters), request_body = OpenEvents,
    extensions(("x-needs" = json!(["Read"]))),
    responses((status = 200, description = "Events; the schema is that of their data.", content_type = "text/event-stream",
        body = EventData, example = json!(EXAMPLE))))]
pub async fn events(
    State(web): State<Arc<Web>>,
    parts: Parts,
    Caller(caller): Caller,
    Parameters(manner): Parameters<EventsParameters>,
    Body(request): Body<OpenEvents>,
) -> Result<Response, ProblemResponse> {
    let credential = LiveCredential {
        web: Arc::clone(&web),
        parts,
        caller: caller.clone(),
    };
    let stream = live::open(
        &web.app,
        caller,
        Box::new(credential),
        request,
        manner.presence,
    )
    .await?;
    let chunks = unfold(stream, |mut stream| async move {
        let chunk = Bytes::from_owner(stream.next().await?);
        Some((Ok::<_, std::convert::Infallible>(chunk), stream))
    });
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (UNBUFFERED, HeaderValue::from_static("no")),
    ];
    Ok((headers, Stream::from_stream(chunks)).into_response())
}

/// Authenticates the credential of an open stream again, as that of a new request would be.
pub(super) struct LiveCredential {
    pub(super) web: Arc<Web>,
    pub(super) parts: Parts,
    pub(super) caller: Principal,
}

impl CredentialCheck for LiveCredential {
    fn holds(&mut self) -> Pin<Box<dyn Future<Output = bool> + Send + '_>> {
        Box::pin(async {
            let admitted = Caller::again(&self.parts, &self.web).await;
            admitted.is_ok_and(|Caller(caller)| caller == self.caller)
        })
    }
}

/// The data of an event; its `event` line says which of these it is.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the document's name for many shapes, never built")]
enum EventData {
    List(Box<ListChanged>),
    Items(ItemsChanged),
    Removed(ItemsRemoved),
    Template(TemplateChanged),
    Locked(LockChanged),
    Waived(WaiverChanged),
    Presence(PresenceChanged),
    Reset(ReadAgain),
    Problem(NotFollowed),
    Reauth(SignInAgain),
}

/// The events after somebody ticks an item.
const EXAMPLE: &str = include_str!("examples/FollowEvents.answer.txt");
