//! Renders lists as HTML for the first paint of a host's page.
//!
//! A host's server calls it with its API key or the reader's embed token while it builds a page.
//! `GetItems` checks permissions; its answer is rendered by the control's own components and
//! embedded for hydration. Writes nothing.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};
use checklist_auth::Principal;
use checklist_control::control::rendered::{Drawing, Reader};
use checklist_services::checklist::{self, GetItemsAnswer};
use checklist_shared::language_tag;
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_shared::wire::list::{GetItems, ListAnswer, ListResult, View};
use checklist_shared::wire::render::{Render, RenderAnswer, RenderResult, RenderedList};
use checklist_store::error::ServiceError;
use jiff::tz::TimeZone;

use super::Web;
use super::extract::{Body, Caller};
use super::preview::NOT_KEPT;
use super::problem::internal;
use super::styling;
use crate::http::problem::ProblemResponse;

/// The maximum length of `Language` and of texts for the page, in bytes.
const LONGEST: usize = 2_000;

/// Lists as finished HTML.
///
/// For the first paint of a host's page: a `<checklist-control>` with declarative shadow DOM that
/// can be read before any script has arrived, drawn by the control's own views. The element takes
/// it over without asking for the list again; the list that it was drawn from travels inside,
/// without `Blockers` and `TextHash`, which the element computes.
/// Give `Context` for one list, which is answered as HTML, or `Contexts` (at most 200) for many,
/// answered as JSON in the same order, HTML or a problem each. Nothing is written.
///
/// `Styles: "Inline"` writes the styles of one list into its HTML, so that its first paint waits
/// for nothing; `StyleNonce` has a strict policy of the page allow them.
#[utoipa::path(post, path = "/Render", operation_id = "Render", tag = "Checklists", request_body = Render,
    extensions(("x-needs" = json!(["Read"]))),
    responses((status = 200, description = "The HTML for `Context`; JSON for `Contexts`.",
        content((String = "text/html"), (RenderAnswer = "application/json"))),
        (status = 204, description = "The list of `Context` has more than `MaxItems` items.")))]
pub async fn render(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(mut request): Body<Render>,
) -> Result<Response, ProblemResponse> {
    let asked = (request.context.take(), request.contexts.take());
    let drawing = drawing(&web, &caller, &request, asked.1.is_some())?;
    let asked = GetItems {
        context: asked.0,
        contexts: asked.1,
        since_revision: None,
        language: Some(drawing.reader.language.clone()),
        view: View::Full,
        include_deleted: false,
        run: None,
    };
    let answer = checklist::get_items(&web.app, &caller, asked).await?;
    let permissions = request.permissions;
    let max_items = request.max_items.map(|max| max as usize);
    let policy = styling::policy(request.style_nonce.as_deref())?;
    // Two hundred long lists are work that others should not have to wait for.
    let tenant = caller.tenant.clone();
    let drawn = tokio::task::spawn_blocking(move || -> Result<Response, ProblemResponse> {
        let draw = |mut list: ListAnswer| {
            if let Some(permissions) = permissions {
                list.permissions = list.permissions.intersection(permissions);
            }
            // What the element does not read, or computes itself.
            list.blockers.clear();
            list.facts = None;
            for item in list.items.iter_mut().flatten() {
                item.text_hash.clear();
            }
            let data = serde_json::to_string(&list).map_err(|_| internal().0)?;
            let html = drawing.fragment(&list, &data);
            Ok::<_, ServiceError>(RenderedList {
                context: list.context,
                revision: list.revision,
                html,
            })
        };
        match answer {
            GetItemsAnswer::One(list)
                if max_items.is_some_and(|max| list.items.as_ref().map_or(0, Vec::len) > max) =>
            {
                Ok(([(header::CACHE_CONTROL, NOT_KEPT)], StatusCode::NO_CONTENT).into_response())
            }
            GetItemsAnswer::One(list) => Ok(html(draw(*list)?.html, policy)),
            GetItemsAnswer::Many(lists) => {
                let results = lists.results.into_iter().map(|result| match result {
                    ListResult::List(list) => {
                        let context = list.context.clone();
                        match checklist::isolate(&tenant, &context, || draw(*list)) {
                            Ok(list) => RenderResult::List(list),
                            Err(error) => RenderResult::Problem(error.problem),
                        }
                    }
                    ListResult::Problem(problem) => RenderResult::Problem(problem),
                });
                let results = results.collect();
                let kept = [(header::CACHE_CONTROL, NOT_KEPT)];
                Ok((kept, Json(RenderAnswer { results })).into_response())
            }
        }
    });
    drawn.await.map_err(|_| internal())?
}

fn html(html: String, policy: HeaderValue) -> Response {
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (header::CACHE_CONTROL, NOT_KEPT),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, html).into_response()
}

/// The settings for rendering.
///
/// # Errors
/// `InvalidRequest` for an unknown time zone, texts that are too long, and contradictory options
/// for styles.
fn drawing(
    web: &Web,
    caller: &Principal,
    request: &Render,
    many: bool,
) -> Result<Drawing, ProblemResponse> {
    let mut errors = Vec::new();
    let zone = match request.time_zone.as_deref() {
        None => TimeZone::UTC,
        Some(name) => TimeZone::get(name).unwrap_or_else(|_| {
            let detail = "No time zone of that name is known.";
            errors.push(FieldError::new(
                "/TimeZone",
                FieldErrorCode::Invalid,
                detail,
            ));
            TimeZone::UTC
        }),
    };
    let texts = [("Language", &request.language)];
    for (option, text) in texts.into_iter().chain(request.page_texts()) {
        if text.as_ref().is_some_and(|text| text.len() > LONGEST) {
            let detail = format!("Longer than {LONGEST} bytes.");
            errors.push(FieldError::new(
                format!("/{option}"),
                FieldErrorCode::LimitExceeded,
                detail,
            ));
        }
    }
    if request
        .language
        .as_deref()
        .is_some_and(|tag| !tag.is_empty() && !language_tag::is_language_tag(tag))
    {
        errors.push(FieldError::new(
            "/Language",
            FieldErrorCode::Invalid,
            language_tag::EXPECTED,
        ));
    }
    let inline = if !many {
        Ok(())
    } else {
        Err("\"Inline\" goes with Context: many lists load their one style sheet together.")
    };
    styling::check(
        request.styles,
        request.style_nonce.as_deref(),
        inline,
        &mut errors,
    );
    if !errors.is_empty() {
        let detail = "The request is not as it should be.";
        return Err(ProblemResponse::fields(
            ProblemCode::InvalidRequest,
            detail,
            errors,
        ));
    }
    let language = request.language.as_ref().or(caller.languages.first());
    Ok(Drawing {
        reader: Reader {
            now: web.now(),
            zone,
            language: language.cloned().unwrap_or_else(|| "en".to_owned()),
        },
        me: caller.actor.clone(),
        base_url: web.base.to_string(),
        styling: styling::of_part(web, request.styles, request.style_nonce.clone()),
        options: request.clone(),
    })
}
