//! Keys and people: `ApiKeys`, `EmbedKeys`, `Users` and `Revocations` for administrators, and
//! `EmbedTokens` for programs with an API key.
//!
//! The services check permissions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use checklist_services::listing::ListQuery;
use checklist_services::{
    admin_links, api_keys, embed_keys, embed_tokens, erasure, revocations, users,
};
use checklist_shared::permission::Role;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::access::{
    ApiKeys, CreatedAdminLink, CreatedApiKey, EmbedKey, EmbedKeys, EmbedTokenRequest, NewApiKey,
    PutEmbedKey, PutUser, Revocation, Revoked, User, UserRef, Users,
};
use checklist_shared::wire::admin::Token;
use checklist_shared::wire::erasure::{Erasure, PutRetention, Retention};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::extract::{Body, Caller, Parameters, Precondition, Segment};
use super::listing::ListParameters;
use super::problems::Writes;
use super::session::has_provider;
use crate::http::problem::ProblemResponse;

/// The tenant's API keys, without their secrets.
///
/// A page of them, the newest first, found by name, id and maker.
#[utoipa::path(get, path = "/ApiKeys", operation_id = "ListApiKeys", tag = "Access", params(ListParameters),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "Keys, revoked ones too.", body = ApiKeys)))]
pub async fn api_keys(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(listing): Parameters<ListParameters>,
) -> Result<Json<ApiKeys>, ProblemResponse> {
    Ok(Json(
        api_keys::list(&web.app, &caller, &listing.into()).await?,
    ))
}

/// Make an API key.
///
/// The answer is the one place that tells its `Secret`. Programs send it as
/// `Authorization: Bearer`; requests of pages (with an `Origin`) are refused with it.
#[utoipa::path(post, path = "/ApiKeys", operation_id = "CreateApiKey", tag = "Access", request_body = NewApiKey,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The key with its secret.", body = CreatedApiKey)))]
pub async fn create_api_key(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<NewApiKey>,
) -> Result<Json<CreatedApiKey>, ProblemResponse> {
    Ok(Json(api_keys::create(&web.app, &caller, request).await?))
}

/// Revoke an API key.
///
/// Holds within two seconds everywhere, and for good.
#[utoipa::path(delete, path = "/ApiKeys/{id}", operation_id = "RevokeApiKey", tag = "Access",
    params(("id" = String, Path, description = "The key's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 204, description = "It was revoked, now or before.")))]
pub async fn revoke_api_key(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<StatusCode, ProblemResponse> {
    api_keys::revoke(&web.app, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The public keys of the tenant's host platforms.
///
/// A page of them, by name, found by name and origin. Those of the server's configuration are not
/// among them.
#[utoipa::path(get, path = "/EmbedKeys", operation_id = "ListEmbedKeys", tag = "Access", params(ListParameters),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "Keys, revoked ones too.", body = EmbedKeys)))]
pub async fn embed_keys(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(listing): Parameters<ListParameters>,
) -> Result<Json<EmbedKeys>, ProblemResponse> {
    Ok(Json(
        embed_keys::list(&web.app, &caller, &listing.into()).await?,
    ))
}

/// Register the public key of a host platform.
///
/// `Permissions` and `Contexts` are the key's ceiling: a token is narrowed to what both it and its
/// key allow. Without them a key's tokens do the work on lists (`Read` to `Lock`, `DeleteRequired`, `Waive`) on every list;
/// `Audit`, `Templates` and `Sites` have to be named, and `Admin` cannot be.
///
/// To change keys, register the new one under another `kid`, sign with it, and revoke the old
/// one when its last token has ended.
#[utoipa::path(put, path = "/EmbedKeys/{kid}", operation_id = "PutEmbedKey", tag = "Access", request_body = PutEmbedKey,
    params(("kid" = String, Path, description = "The name in the header of its tokens.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The key as it is kept.", body = EmbedKey)))]
pub async fn put_embed_key(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(kid): Segment,
    Body(request): Body<PutEmbedKey>,
) -> Result<Json<EmbedKey>, ProblemResponse> {
    Ok(Json(
        embed_keys::put(&web.app, &caller, &kid, request).await?,
    ))
}

/// Revoke the key of a host platform, and with it all tokens that it has signed.
///
/// Holds within two seconds everywhere, and for good: its `kid` cannot be used again.
#[utoipa::path(delete, path = "/EmbedKeys/{kid}", operation_id = "RevokeEmbedKey", tag = "Access",
    params(("kid" = String, Path, description = "The key's name.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 204, description = "It was revoked, now or before.")))]
pub async fn revoke_embed_key(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(kid): Segment,
) -> Result<StatusCode, ProblemResponse> {
    embed_keys::revoke(&web.app, &caller, &kid).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which people.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UsersParameters {
    /// Words that all have to stand in a name, subject or issuer, whatever the case of their letters.
    search: Option<String>,
    /// Only people who have that role.
    role: Option<Role>,
    /// The `Next` of the previous page.
    after: Option<String>,
    /// How many: 1 to 500, 100 unless said otherwise.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// The people who may sign in.
///
/// A page of them, sorted by name whatever its case and accents; those of one name by issuer and subject.
/// Words and a role are looked for in 10,000 people, and then the answer is what was found: `Next` says
/// where to go on.
#[utoipa::path(get, path = "/Users", operation_id = "ListUsers", tag = "Access", params(UsersParameters),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "The tenant's people.", body = Users)))]
pub async fn users(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(wanted): Parameters<UsersParameters>,
) -> Result<Json<Users>, ProblemResponse> {
    let query = ListQuery {
        search: wanted.search,
        after: wanted.after,
        limit: wanted.limit,
    };
    Ok(Json(
        users::list(&web.app, &caller, &query, wanted.role).await?,
    ))
}

/// Register a person of the identity provider, or change them.
///
/// A person is known by `Issuer` and `Subject`. A disabled one, or one without roles, loses what
/// they had with the next request; whoever is let in again signs in again. The last person with
/// administration keeps it (`LastAdministrator`). With `If-Match: *` nobody is registered: a person
/// who was deleted meanwhile is not brought back (`UserNotFound`).
#[utoipa::path(put, path = "/Users", operation_id = "PutUser", tag = "Access", request_body = PutUser,
    params(("If-Match" = Option<String>, Header, description = "`*`: only if the person is registered.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The person as they are kept.", body = User)))]
pub async fn put_user(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Precondition(expected): Precondition,
    Body(user): Body<PutUser>,
) -> Result<Json<User>, ProblemResponse> {
    Ok(Json(users::put(&web.app, &caller, user, &expected).await?))
}

/// Delete a person.
///
/// Their sessions end with it, and nobody signs in with that issuer and subject until they are
/// registered again. What they did stays in journal and audit trail. The last person with
/// administration cannot be deleted (`LastAdministrator`).
#[utoipa::path(post, path = "/Users/Delete", operation_id = "DeleteUser", tag = "Access", request_body = UserRef,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 204, description = "The person is deleted.")))]
pub async fn delete_user(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(user): Body<UserRef>,
) -> Result<StatusCode, ProblemResponse> {
    users::delete(&web.app, &caller, user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make a one-time link for another administrator.
///
/// For servers without an identity provider; with one the call is refused. Whoever opens it first, within ten minutes, becomes an
/// administrator of this server with a name of their own, and can add a passkey. It ends when the
/// administrator who made it is one no longer.
#[utoipa::path(post, path = "/Users/AdminLink", operation_id = "CreateAdminLink", tag = "Access",
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The link, which is shown once.", body = CreatedAdminLink)))]
pub async fn create_admin_link(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<CreatedAdminLink>, ProblemResponse> {
    if has_provider(&web) {
        return Err(ProblemResponse::new(
            ProblemCode::PermissionDenied,
            "People sign in with the identity provider here: it decides who is an administrator.",
        ));
    }
    let created = admin_links::create(&web.app, &caller, None).await?;
    Ok(Json(created.to_wire(&web.base)))
}

/// Erase a person.
///
/// Their registration, sessions and tokens end, and their name goes wherever the tenant's data has it:
/// from the audit trail, the journal, checklists, remembered answers, deliveries, runs and templates. So
/// do texts that they wrote, if `Retention` says so. Rows and proofs of the audit trail stay; who acted is
/// `{"Id": "", "Name": "", "Kind": "Erased"}` then. It cannot be undone, and can be repeated, e.g. after a
/// backup was restored. Whoever is not registered can be erased as well: `Issuer` and `Subject` are `iss`
/// and `sub` of their embed tokens then. The last person with administration cannot be erased
/// (`LastAdministrator`).
#[utoipa::path(post, path = "/Users/Erase", operation_id = "EraseUser", tag = "Access", request_body = UserRef,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "What has lost a name or a text.", body = Erasure)))]
pub async fn erase_user(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(user): Body<UserRef>,
) -> Result<Json<Erasure>, ProblemResponse> {
    Ok(Json(erasure::erase_person(&web.app, &caller, user).await?))
}

/// How long names are kept.
#[utoipa::path(get, path = "/Retention", operation_id = "GetRetention", tag = "Access",
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "What the tenant has decided.", body = Retention)))]
pub async fn retention(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<Retention>, ProblemResponse> {
    Ok(Json(erasure::retention(&web.app, &caller).await?))
}

/// Decide how long names are kept, and which texts are erased with them.
///
/// Names older than `PersonalDays` are erased once a day, the first time within an hour: in the audit
/// trail, the journal, checklists and templates. `Texts` that people wrote are erased with them in the audit
/// trail; a checklist itself keeps its texts until a person is erased. What is not named stays as it is.
#[utoipa::path(put, path = "/Retention", operation_id = "PutRetention", tag = "Access", request_body = PutRetention,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "What the tenant has decided.", body = Retention)))]
pub async fn put_retention(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<PutRetention>,
) -> Result<Json<Retention>, ProblemResponse> {
    Ok(Json(
        erasure::put_retention(&web.app, &caller, request).await?,
    ))
}

/// End the sessions of a person.
///
/// Everything that they were given before ends with the next request: sessions on every browser,
/// and tokens of the identity provider. They can sign in again.
#[utoipa::path(post, path = "/Users/EndSessions", operation_id = "EndSessions", tag = "Access", request_body = UserRef,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 204, description = "No session is left.")))]
pub async fn end_sessions(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(user): Body<UserRef>,
) -> Result<StatusCode, ProblemResponse> {
    users::end_sessions(&web.app, &caller, user).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Revoke one token, or everything that was given out in the tenant.
///
/// `Everything` ends all that was given out: tokens, sessions, API keys and embed keys, the caller's
/// own credential among them. Registered people stay and sign in again; new keys are made by an
/// administrator or at the command line. Keys of the server's configuration stay, but their tokens
/// from before end.
#[utoipa::path(post, path = "/Revocations", operation_id = "Revoke", tag = "Access", request_body = Revocation,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "What was revoked.", body = Revoked)))]
pub async fn revoke(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<Revocation>,
) -> Result<Json<Revoked>, ProblemResponse> {
    Ok(Json(revocations::revoke(&web.app, &caller, request).await?))
}

/// A token for a page, for programs with an API key.
///
/// It allows at most what the API key allows, on at most its lists. What a `token-url` answers.
#[utoipa::path(post, path = "/EmbedTokens", operation_id = "MintEmbedToken", tag = "Access",
    request_body = EmbedTokenRequest,
    extensions(("x-needs" = json!(["ApiKey"]))),
    responses(Writes, (status = 200, description = "The token.", body = Token)))]
pub async fn mint(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<EmbedTokenRequest>,
) -> Result<Json<Token>, ProblemResponse> {
    Ok(Json(
        embed_tokens::mint(&web.app, &web.minter, &caller, request).await?,
    ))
}
