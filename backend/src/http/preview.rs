//! Previews as HTML: styled, without scripts, rendered by the control's own components.
//!
//! Only this module, `render` and `styling` depend on `checklist_control`. Available to readers,
//! and in the demo to everybody. Reads no list and writes nothing.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::header::{self, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use checklist_auth::demo::TENANT;
use checklist_auth::{Credential, Principal};
use checklist_control::i18n::Language;
use checklist_control::preview::condition::condition_line;
use checklist_control::preview::mail::render_mail;
use checklist_control::preview::page::{render_fragment, render_page};
use checklist_services::check_language;
use checklist_services::preview::{self, FragmentOrType};
use checklist_shared::item::Actor;
use checklist_shared::permission::Role;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::render::Styles;
use checklist_shared::wire::template::LocalTemplate;
use checklist_shared::{Facts, Template};
use checklist_store::scope::ContextScope;
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::extract::{Caller, Parameters, Segment, facts_parameter};
use super::styling;
use crate::http::problem::ProblemResponse;

/// The policy of a mail preview, whose styles are in attributes.
const POLICY_OF_MAIL: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
);

/// What is drawn is somebody's own, and of this moment.
pub(super) const NOT_KEPT: HeaderValue = HeaderValue::from_static("private, no-store");

/// How to draw it.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PreviewParameters {
    /// The language; else `Accept-Language`, else the template's first.
    #[serde(rename = "Language")]
    language: Option<String>,
    /// A JSON object of facts; only what applies by them is drawn. Without it every item is, with its
    /// condition in words.
    #[serde(rename = "Facts")]
    facts: Option<String>,
    /// Of a template: the version; the newest published one otherwise.
    #[serde(rename = "Version")]
    version: Option<u32>,
    /// Of a type: which of its templates; the empty purpose is the default list.
    #[serde(rename = "Purpose", default)]
    purpose: String,
    /// `1` for a `<checklist-preview>` with declarative shadow DOM instead of a page.
    #[serde(default)]
    fragment: Option<u8>,
    /// With `fragment=1`: whether it loads its styles or has them inside.
    #[serde(rename = "Styles", default)]
    #[param(inline)]
    styles: Styles,
    /// With `Styles=Inline`: the nonce of the policy of the page that the fragment is put into.
    #[serde(rename = "StyleNonce")]
    style_nonce: Option<String>,
    /// `1` for a page of tables with inline styles, to be put into a mail.
    #[serde(default)]
    mail: Option<u8>,
}

/// A template as a page.
///
/// The newest published version, without any data bound to it.
#[utoipa::path(get, path = "/Preview/{fragmentId}", operation_id = "PreviewTemplate", tag = "Preview",
    params(("fragmentId" = String, Path, description = "The template's id."), PreviewParameters),
    extensions(("x-needs" = json!(["Read", "Templates"]))),
    responses((status = 200, description = "A finished page.", content_type = "text/html", body = String)))]
pub async fn by_template(
    State(web): State<Arc<Web>>,
    Viewer(viewer): Viewer,
    Segment(id): Segment,
    Parameters(wish): Parameters<PreviewParameters>,
) -> Result<Response, ProblemResponse> {
    let facts = check(&wish)?;
    let template = preview::template_for(
        &web.app,
        &viewer,
        &FragmentOrType::Fragment {
            id,
            version: wish.version,
        },
    )
    .await?;
    draw(&web, &viewer, &template, facts.as_ref(), &wish)
}

/// The template of a type as a page.
///
/// The one that the type names for `Purpose`.
#[utoipa::path(get, path = "/Preview/Type/{name}", operation_id = "PreviewType", tag = "Preview",
    params(("name" = String, Path, description = "The type's name."), PreviewParameters),
    extensions(("x-needs" = json!(["Read", "Templates"]))),
    responses((status = 200, description = "A finished page.", content_type = "text/html", body = String)))]
pub async fn by_type(
    State(web): State<Arc<Web>>,
    Viewer(viewer): Viewer,
    Segment(name): Segment,
    Parameters(wish): Parameters<PreviewParameters>,
) -> Result<Response, ProblemResponse> {
    let facts = check(&wish)?;
    let wanted = FragmentOrType::Type {
        name,
        purpose: wish.purpose.clone(),
    };
    let template = preview::template_for(&web.app, &viewer, &wanted).await?;
    draw(&web, &viewer, &template, facts.as_ref(), &wish)
}

fn draw(
    web: &Web,
    viewer: &Principal,
    template: &Template,
    facts: Option<&Facts>,
    wish: &PreviewParameters,
) -> Result<Response, ProblemResponse> {
    // A reader who names a language gets it; one whose browser lists some gets the first of them
    // that the template has anything in.
    let known = || {
        viewer
            .languages
            .iter()
            .find(|tag| speaks(template, tag))
            .map(String::as_str)
    };
    let first = || template.name.iter().next().map(|(tag, _)| tag);
    let language = wish
        .language
        .as_deref()
        .or_else(known)
        .or_else(first)
        .unwrap_or("en");
    let (html, policy) = if wish.mail == Some(1) {
        (render_mail(template, language, facts), POLICY_OF_MAIL)
    } else if wish.fragment == Some(1) {
        let styles = styling::of_part(web, wish.styles, wish.style_nonce.clone());
        let base = web.base.to_string();
        let policy = styling::policy(wish.style_nonce.as_deref())?;
        let html = render_fragment(template, language, facts, &styles, &base);
        (html, policy)
    } else {
        let (styles, nonce) = styling::of_page()?;
        let policy = styling::policy(Some(&nonce))?;
        (render_page(template, language, facts, &styles), policy)
    };
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (header::CACHE_CONTROL, NOT_KEPT),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok((headers, html).into_response())
}

/// A template in one language, with its conditions in words unless it is known what applies.
pub(super) fn local_template(
    template: &Template,
    language: &str,
    says_conditions: bool,
) -> LocalTemplate {
    let mut local = LocalTemplate::of(template, &[language]);
    let tongue = Language::of(language);
    for item in &mut local.items {
        let when = item.when.as_ref().filter(|_| says_conditions);
        item.when_text = when.map(|when| condition_line(tongue, when));
    }
    local
}

/// Validates the language and the options for styles, and reads the facts. Only fragments can have
/// inline styles.
fn check(wish: &PreviewParameters) -> Result<Option<Facts>, ProblemResponse> {
    let inline = if wish.fragment == Some(1) {
        Ok(())
    } else {
        Err(
            "\"Inline\" goes with fragment=1: a page has its styles inside anyway, and so has a mail.",
        )
    };
    check_language(wish.language.as_deref())?;
    let mut errors = Vec::new();
    styling::check(
        wish.styles,
        wish.style_nonce.as_deref(),
        inline,
        &mut errors,
    );
    if errors.is_empty() {
        return facts_parameter(wish.facts.as_deref());
    }
    let detail = "A query parameter is not as it should be.";
    Err(ProblemResponse::fields(
        ProblemCode::InvalidRequest,
        detail,
        errors,
    ))
}

/// Whether the template has any text in this language, in any region.
fn speaks(template: &Template, tag: &str) -> bool {
    let primary = |tag: &str| tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
    let names = std::iter::once(&template.name);
    let mut texts = names.chain(template.items.iter().map(|item| &item.text));
    texts.any(|text| text.iter().any(|(own, _)| primary(own) == primary(tag)))
}

/// Whoever may see previews: a caller with a token, and in the demo everybody.
pub struct Viewer(Principal);

impl FromRequestParts<Arc<Web>> for Viewer {
    type Rejection = ProblemResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        web: &Arc<Web>,
    ) -> Result<Self, ProblemResponse> {
        if web.demo.is_some() && !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(Self(demo_reader(super::extract::accepted_languages(
                &parts.headers,
            ))));
        }
        Caller::from_request_parts(parts, web)
            .await
            .map(|Caller(caller)| Self(caller))
    }
}

fn demo_reader(languages: Vec<String>) -> Principal {
    Principal {
        tenant: TENANT.to_owned(),
        actor: Actor::person("viewer", "Viewer"),
        permissions: Role::Reader.permissions(),
        contexts: ContextScope::Listed(Vec::new()),
        languages,
        sources: Vec::new(),
        journal: false,
        template: None,
        idempotency_scope: "demo:viewer".to_owned(),
        expires_at: None,
        credential: Credential::Own,
    }
}
