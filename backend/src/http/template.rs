//! Templates: the published versions that lists are made from, drafts, publishing.
//!
//! `GET /Template/{fragmentId}` serves the control and other readers; the calls under `/Templates`
//! are for authors of templates.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use checklist_auth::Principal;
use checklist_services::template::ExpectedState;
use checklist_services::{check_language, template};
use checklist_shared::problem::ProblemCode;
use checklist_shared::template::Template;
use checklist_shared::template_import::Format;
use checklist_shared::wire::admin::{
    ImportedTemplates, PublishedTemplate, TemplateBundle, TemplateHistory, TemplateImpact,
    Templates,
};
use checklist_shared::wire::template::LocalTemplate;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};

use super::Web;
use super::assets::is_known;
use super::extract::{
    Body, Caller, JsonOrText, Parameters, Precondition, Segment, facts_parameter,
};
use super::listing::ListParameters;
use super::preview::local_template;
use super::problem::internal;
use super::problems::{ConditionalTemplate, Writes};
use crate::http::problem::ProblemResponse;

/// Which version, in which language.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TemplateParameters {
    /// The version; the newest published one otherwise.
    version: Option<u32>,
    /// A language tag; texts are then strings in it, else objects of all languages.
    language: Option<String>,
    /// A JSON object of facts; only the items that apply by them are returned.
    facts: Option<String>,
}

/// What `GET /Template` answers: texts in all languages, or strings when `Language` was given.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the document's name for two shapes, never built")]
#[schema(as = TemplateAnswer)]
enum AnyTemplate {
    Whole(Box<Template>),
    Local(Box<LocalTemplate>),
}

/// The checklist template of a fragment id.
///
/// The newest published version, or the one asked for. Every item is in it, with its condition if it has
/// one, unless `Facts` are given. Published versions never change, so the
/// answer carries an `ETag` and `If-None-Match` is answered with 304.
#[utoipa::path(get, path = "/Template/{fragmentId}", operation_id = "GetTemplate", tag = "Templates",
    params(("fragmentId" = String, Path, description = "The template's id: any text, percent-encoded."), TemplateParameters),
    extensions(("x-needs" = json!(["Read", "Templates"]))),
    responses((status = 200, description = "The template.", body = AnyTemplate), (status = 304, description = "The version that the client has.")))]
pub async fn get_template(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Parameters(wanted): Parameters<TemplateParameters>,
    headers: HeaderMap,
) -> Result<Response, ProblemResponse> {
    check_language(wanted.language.as_deref())?;
    let facts = facts_parameter(wanted.facts.as_deref())?;
    let template = template::get(&web.app, &caller, &id, wanted.version).await?;
    let template = match &facts {
        Some(facts) => template.applying_to(facts),
        None => Cow::Borrowed(&*template),
    };
    match wanted.language.as_deref() {
        Some(language) => with_etag(
            &local_template(&template, language, facts.is_none()),
            &headers,
        ),
        None => with_etag(&*template, &headers),
    }
}

/// Serializes to JSON with a tag of the content; 304 if the client has it.
fn with_etag<T: Serialize>(answer: &T, asked: &HeaderMap) -> Result<Response, ProblemResponse> {
    let body = serde_json::to_vec(answer).map_err(|_| internal())?;
    let hash = Sha256::digest(&body);
    let tag = format!(
        "\"{}\"",
        hash[..12]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    );
    let mut headers = HeaderMap::new();
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    headers.insert(
        header::ETAG,
        HeaderValue::from_str(&tag).map_err(|_| internal())?,
    );
    if is_known(asked, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    Ok((headers, body).into_response())
}

/// The templates.
///
/// A page of them, by id, found by id, key and name in any language. One row a template: its newest
/// published version, and whether there is a draft. A token for some lists is shown the templates
/// that their types name.
#[utoipa::path(get, path = "/Templates", operation_id = "ListTemplates", tag = "Templates", params(ListParameters),
    extensions(("x-needs" = json!(["Read", "Templates"]))),
    responses((status = 200, description = "The templates.", body = Templates)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(listing): Parameters<ListParameters>,
) -> Result<Json<Templates>, ProblemResponse> {
    Ok(Json(
        template::list(&web.app, &caller, &listing.into()).await?,
    ))
}

/// Every template, to be kept or taken elsewhere.
///
/// The newest published version of each.
#[utoipa::path(get, path = "/Templates/Export", operation_id = "ExportTemplates", tag = "Templates",
    extensions(("x-needs" = json!(["Templates"]))),
    responses((status = 200, description = "What `Templates/Import` takes.", body = TemplateBundle)))]
pub async fn export(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<TemplateBundle>, ProblemResponse> {
    Ok(Json(template::export(&web.app, &caller).await?))
}

/// How to import templates.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportParameters {
    /// Only say what would be written.
    #[serde(default)]
    #[param(required = false)]
    dry_run: bool,
    /// The language that a text or a table is in; `en` unless said otherwise.
    language: Option<String>,
    /// The name of a template whose text does not name it; `Checklist` unless said otherwise.
    name: Option<String>,
}

const TABLE: &str = include_str!("examples/ImportTemplates.request.csv");
const TASK_LIST: &str = include_str!("examples/ImportTemplates.request.md");
const LINES: &str = include_str!("examples/ImportTemplates.request.txt");

/// Take templates over as drafts.
///
/// All are checked before the first is written; a dry run answers with the drafts that would be.
///
/// Besides JSON the call reads Markdown task lists (`text/markdown`), the text of HeroCoders'
/// checklists (`text/plain`) and tables (`text/csv`, with commas, semicolons or tabs) whose first row
/// names the columns: `Text`, and if wanted `Template`, `Section`, `Help`, `Required`, `Assignee`,
/// `Due`. They may be UTF-8, UTF-16 or Windows-1252. Errors then point at the line: `/12/Due`.
/// `Notes` name the lines that are not imported as they stand there.
#[utoipa::path(post, path = "/Templates/Import", operation_id = "ImportTemplates", tag = "Templates", params(ImportParameters),
    request_body(content((TemplateBundle = "application/json"), (String = "text/csv", example = json!(TABLE)),
        (String = "text/markdown", example = json!(TASK_LIST)), (String = "text/plain", example = json!(LINES)))),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, (status = 200, description = "What was imported, or would be.", body = ImportedTemplates)))]
pub async fn import(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(options): Parameters<ImportParameters>,
    body: JsonOrText<TemplateBundle>,
) -> Result<Json<ImportedTemplates>, ProblemResponse> {
    let read = match body {
        JsonOrText::Json(bundle) => bundle.into(),
        JsonOrText::Text(media_type, bytes) => {
            let format = match media_type.as_str() {
                "text/markdown" => Format::Markdown,
                "text/plain" => Format::Lines,
                "text/csv" => Format::Table,
                _ => {
                    return Err(ProblemResponse::new(
                        ProblemCode::UnsupportedMediaType,
                        "Send the body with Content-Type: application/json, text/markdown, text/csv or text/plain.",
                    ));
                }
            };
            let name = options.name.as_deref().unwrap_or("Checklist");
            let language = options.language.as_deref().unwrap_or("en");
            template::read_text(&web.app, &caller, format, &bytes, name, language)?
        }
    };
    let answer = template::import(&web.app, &caller, read, options.dry_run);
    Ok(Json(answer.await?))
}

/// What publishing would touch.
///
/// How many written lists follow an older version than the draft (or, without a draft, than the
/// newest published version), and what its author may not have meant (`Warnings`).
#[utoipa::path(get, path = "/Templates/{id}/Impact", operation_id = "GetTemplateImpact", tag = "Templates",
    params(("id" = String, Path, description = "The template's id.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses((status = 200, description = "The lists that would be behind.", body = TemplateImpact)))]
pub async fn impact(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Json<TemplateImpact>, ProblemResponse> {
    Ok(Json(template::impact(&web.app, &caller, &id).await?))
}

/// A template with its history.
///
/// Every published version in short, the newest one and the draft in full. For those who write
/// templates the answer carries an `ETag`: with it as `If-Match` nobody overwrites what they have
/// not seen.
#[utoipa::path(get, path = "/Templates/{id}", operation_id = "GetTemplateHistory", tag = "Templates",
    params(("id" = String, Path, description = "The template's id.")),
    extensions(("x-needs" = json!(["Read", "Templates"]))),
    responses((status = 200, description = "The template's versions.", body = TemplateHistory)))]
pub async fn history(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<(HeaderMap, Json<TemplateHistory>), ProblemResponse> {
    let (history, state) = template::history(&web.app, &caller, &id).await?;
    Ok((tag_of(state.as_deref()), Json(history)))
}

/// `ETag` with the state of a template or a type.
pub(super) fn tag_of(state: Option<&str>) -> HeaderMap {
    let tag = state.and_then(|state| HeaderValue::from_str(&["\"", state, "\""].concat()).ok());
    tag.map(|tag| (header::ETAG, tag)).into_iter().collect()
}

/// Write the draft of a template.
///
/// Makes the template when there is none of that id. The draft gets the next version number,
/// whatever the body says; published versions stay as they are. With `If-Match` and the `ETag` of
/// what was read (or `If-None-Match: *` for a new one) it is written only if nobody else has
/// changed the template meanwhile, else the answer is 412 `TemplateChanged`. The answer carries
/// the next `ETag`.
#[utoipa::path(put, path = "/Templates/{id}", operation_id = "PutTemplateDraft", tag = "Templates", request_body = Template,
    params(("id" = String, Path, description = "The template's id; the body has the same."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read."),
        ("If-None-Match" = Option<String>, Header, description = "`*`: only if there is none of that id.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, ConditionalTemplate, (status = 200, description = "The draft as it is kept.", body = Template)))]
pub async fn put_draft(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Precondition(expected): Precondition,
    Body(draft): Body<Template>,
) -> Result<(HeaderMap, Json<Template>), ProblemResponse> {
    let written = template::put_draft(&web.app, &caller, &id, draft, expected).await?;
    Ok((tag_of(Some(&written.state)), Json(written.template)))
}

/// Discard the draft of a template.
///
/// Published versions stay; a template that has none is gone.
#[utoipa::path(delete, path = "/Templates/{id}", operation_id = "DiscardTemplateDraft", tag = "Templates",
    params(("id" = String, Path, description = "The template's id."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, ConditionalTemplate, (status = 204, description = "There is no draft any more.")))]
pub async fn discard_draft(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Precondition(expected): Precondition,
) -> Result<StatusCode, ProblemResponse> {
    template::discard_draft(&web.app, &caller, &id, expected).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Delete a template with all its versions.
///
/// Refused while checklists follow it or types name it (`InUse`, with their number). With `If-Match`
/// and the `ETag` of what was read it is deleted only if nobody has changed it meanwhile. A template that
/// gets the same id later goes on with the version numbers.
#[utoipa::path(delete, path = "/Templates/{id}/Versions", operation_id = "DeleteTemplate", tag = "Templates",
    params(("id" = String, Path, description = "The template's id."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, ConditionalTemplate, (status = 204, description = "The template is deleted.")))]
pub async fn delete(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Precondition(expected): Precondition,
) -> Result<StatusCode, ProblemResponse> {
    template::delete(&web.app, &caller, &id, expected).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `PUT` at the fixed addresses among the templates: no template can have their names.
pub async fn reserved_id(uri: Uri) -> ProblemResponse {
    let id = uri.path().rsplit('/').next().unwrap_or_default();
    template::reserved_id(id).into()
}

/// Publish the draft.
///
/// From then on it never changes, and new lists are made from it. Lists of a template with
/// `RefreshPolicy: Auto` follow in the background, unless they are locked or complete. `Warnings`
/// names what its author may not have meant, as `Impact` does before: a rule that only required
/// items count where none is, no item at all, a text without one of the languages, an item that is
/// late from the start.
#[utoipa::path(post, path = "/Templates/{id}/Publish", operation_id = "PublishTemplate", tag = "Templates",
    params(("id" = String, Path, description = "The template's id."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, ConditionalTemplate, (status = 200, description = "The version that is in force now.", body = PublishedTemplate)))]
pub async fn publish(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Precondition(expected): Precondition,
) -> Result<(HeaderMap, Json<PublishedTemplate>), ProblemResponse> {
    let published = template::publish(&web.app, &caller, &id, expected).await?;
    let answer = PublishedTemplate {
        template: Template::clone(&published.template),
        warnings: published.template.warnings(),
    };
    Ok((tag_of(Some(&published.state)), Json(answer)))
}

/// Retire a template.
///
/// From then on no new list is begun from it: one that was never written is empty, as if its type named
/// no template; `BeginLists`, `ApplyTemplate` and a refresh that would move a list to it answer
/// `TemplateRetired`, a type may not newly name it, and `EmbedTokens` pins it no longer. Lists that
/// follow it go on, and drafts are written and published for them. `OfferTemplate` takes it back. With
/// `If-Match` and the `ETag` of what was read only if nobody has changed it meanwhile.
#[utoipa::path(post, path = "/Templates/{id}/Retire", operation_id = "RetireTemplate", tag = "Templates",
    params(("id" = String, Path, description = "The template's id."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, ConditionalTemplate, (status = 200, description = "The template, with `RetiredAt`.", body = TemplateHistory)))]
pub async fn retire(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Precondition(expected): Precondition,
) -> Result<(HeaderMap, Json<TemplateHistory>), ProblemResponse> {
    set_retired(&web, &caller, &id, true, expected).await
}

/// Offer a retired template again.
///
/// New lists are begun from it as before; also those that were never written while it was retired.
#[utoipa::path(post, path = "/Templates/{id}/Offer", operation_id = "OfferTemplate", tag = "Templates",
    params(("id" = String, Path, description = "The template's id."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, ConditionalTemplate, (status = 200, description = "The template.", body = TemplateHistory)))]
pub async fn offer(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Precondition(expected): Precondition,
) -> Result<(HeaderMap, Json<TemplateHistory>), ProblemResponse> {
    set_retired(&web, &caller, &id, false, expected).await
}

async fn set_retired(
    web: &Web,
    caller: &Principal,
    id: &str,
    is_retired: bool,
    expected: ExpectedState,
) -> Result<(HeaderMap, Json<TemplateHistory>), ProblemResponse> {
    let changed = template::retire(&web.app, caller, id, is_retired, expected).await?;
    Ok((tag_of(Some(&changed.state)), Json(changed.template)))
}
