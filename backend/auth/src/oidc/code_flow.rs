//! Browser sign-in: the authorization code flow with PKCE, `state` and `nonce`.
//!
//! Invariant: a sign-in completes within ten minutes, once, in the browser that began it (bound by
//! a cookie).

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_egress::Egress;
use checklist_egress::oauth::discovery::ProviderMetadata;
use checklist_egress::oauth::{EgressHttpClient, ResultFuture};
use checklist_shared::time::Timestamp;
use checklist_store::directory::{PendingSignIn, UserRecord};
use checklist_vault::HandleSeal;
use oauth2::basic::{
    BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse,
    BasicTokenType,
};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet,
    EndpointSet, ExtraTokenFields, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    StandardRevocableToken, StandardTokenResponse, TokenUrl,
};
use serde::{Deserialize, Serialize};

use super::{Oidc, token};
use crate::api_key::{hash, new_secret};
use crate::trust_cache::TrustCache;

/// The lifetime of a pending sign-in, in milliseconds.
pub const LASTS: i64 = 10 * 60 * 1_000;
/// The encryption purpose of nonce and verifier. Their key is derived from the browser's cookie, so
/// a database or a backup does not suffice to complete a sign-in.
const PURPOSE: &str = "sign-in";

/// A sign-in that was begun.
pub struct SignInRedirect {
    /// The URL to redirect to.
    pub address: String,
    /// The cookie for the browser.
    pub cookie: String,
    /// The record to store.
    pub pending: PendingSignIn,
}

/// The query parameters of the redirect.
#[derive(Debug)]
pub struct AuthorizationResponse {
    /// The authorization code.
    pub code: Option<String>,
    /// The error code of the provider.
    pub error: Option<String>,
    /// The issuer (RFC 9207).
    pub issuer: Option<String>,
}

/// Why a sign-in failed. The page that the browser returns to gets the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInError {
    /// The provider or the person denied it.
    Refused,
    /// It expired, was completed before, or belongs to another browser.
    Expired,
    /// The person is not registered, or disabled.
    NotRegistered(Account),
    /// None of the person's groups has a role.
    NoRole(Account),
    /// The person has so many groups that the provider has not named them.
    GroupsLeftOut(Account),
    /// The provider did not respond, or its response is invalid.
    ProviderFailed,
}

/// An account at the provider, for the administrator who lets the person in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The issuer that the provider's tokens name.
    pub issuer: String,
    /// The person's id at the provider.
    pub subject: String,
}

impl SignInError {
    /// Whose sign-in failed, where the provider has said who it is.
    #[must_use]
    pub const fn account(&self) -> Option<&Account> {
        match self {
            Self::NotRegistered(account) | Self::NoRole(account) | Self::GroupsLeftOut(account) => {
                Some(account)
            }
            Self::Refused | Self::Expired | Self::ProviderFailed => None,
        }
    }

    /// The name on the wire.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Refused => "Refused",
            Self::Expired => "Expired",
            Self::NotRegistered(_) => "NotRegistered",
            Self::NoRole(_) => "NoRole",
            Self::GroupsLeftOut(_) => "GroupsLeftOut",
            Self::ProviderFailed => "ProviderFailed",
        }
    }
}

#[derive(Debug, Deserialize, Serialize)]
struct WithIdToken {
    id_token: String,
}

impl ExtraTokenFields for WithIdToken {}

type Tokens = StandardTokenResponse<WithIdToken, BasicTokenType>;
type CodeFlow = oauth2::Client<
    BasicErrorResponse,
    Tokens,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

fn seal_secret(seal: &HandleSeal, secret: &str) -> Result<String, SignInError> {
    let sealed = seal.seal(secret.as_bytes());
    let sealed = sealed.map_err(|_| SignInError::ProviderFailed)?;
    Ok(URL_SAFE_NO_PAD.encode(sealed))
}

fn unseal(seal: &HandleSeal, sealed: &str) -> Result<String, SignInError> {
    let sealed = URL_SAFE_NO_PAD.decode(sealed);
    let opened = seal.open(&sealed.map_err(|_| SignInError::Expired)?);
    let opened = opened.map_err(|_| SignInError::Expired)?;
    String::from_utf8(opened.to_vec()).map_err(|_| SignInError::Expired)
}

/// Exchanges a code for tokens.
fn exchange(
    flow: CodeFlow,
    code: String,
    verifier: String,
    egress: Arc<Egress>,
) -> ResultFuture<Tokens, SignInError> {
    Box::pin(async move {
        flow.exchange_code(AuthorizationCode::new(code))
            .set_pkce_verifier(PkceCodeVerifier::new(verifier))
            .request_async(&EgressHttpClient(egress))
            .await
            .map_err(|error| {
                tracing::warn!(%error, "the identity provider gave no token for a code");
                SignInError::ProviderFailed
            })
    })
}

impl Oidc {
    /// Begins a sign-in that redirects to `callback` and finally to `return_to`.
    ///
    /// # Errors
    /// The provider does not respond, or browser sign-in is not configured.
    pub async fn begin(
        &self,
        callback: &str,
        return_to: String,
        tenant: Option<String>,
        now: Timestamp,
    ) -> Result<SignInRedirect, SignInError> {
        let failed = |_| SignInError::ProviderFailed;
        let known = self.provider.metadata().await.map_err(failed)?;
        let client = self.client(&known.addresses, callback)?;
        let cookie = new_secret().map_err(|_| SignInError::ProviderFailed)?;
        let nonce = new_secret().map_err(|_| SignInError::ProviderFailed)?;
        let state = new_secret().map_err(|_| SignInError::ProviderFailed)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (address, _) = client
            .authorize_url(|| CsrfToken::new(state.clone()))
            .add_scope(Scope::new("openid".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .add_scopes(self.settings.sign_in_scopes.iter().cloned().map(Scope::new))
            .add_extra_param("nonce", &nonce)
            .set_pkce_challenge(challenge)
            .url();
        let seal = HandleSeal::of(&cookie, PURPOSE);
        Ok(SignInRedirect {
            address: address.to_string(),
            pending: PendingSignIn {
                state: hash(&state),
                browser: hash(&cookie),
                nonce: seal_secret(&seal, &nonce)?,
                verifier: seal_secret(&seal, verifier.secret())?,
                tenant,
                return_to,
                expires_at: Timestamp::from_millis(now.as_millis() + LASTS),
            },
            cookie,
        })
    }

    /// Completes a sign-in in the browser with that cookie. Returns the registered person.
    ///
    /// # Errors
    /// The reason why the sign-in failed.
    pub async fn finish(
        &self,
        callback: &str,
        pending: &PendingSignIn,
        cookie: &str,
        returned: AuthorizationResponse,
        trusted: &TrustCache,
        now: Timestamp,
    ) -> Result<UserRecord, SignInError> {
        if pending.expires_at <= now {
            return Err(SignInError::Expired);
        }
        let of_another = returned
            .issuer
            .is_some_and(|issuer| !self.is_issuer(&issuer));
        let (Some(code), None, false) = (returned.code, returned.error, of_another) else {
            return Err(SignInError::Refused);
        };
        let seal = HandleSeal::of(cookie, PURPOSE);
        let (nonce, verifier) = (
            unseal(&seal, &pending.nonce)?,
            unseal(&seal, &pending.verifier)?,
        );
        let failed = |_| SignInError::ProviderFailed;
        let known = self.provider.metadata().await.map_err(failed)?;
        let flow = self.client(&known.addresses, callback)?;
        let exchanged = exchange(flow, code, verifier, self.provider.egress());
        let tokens = exchanged.await?;
        let client = self.settings.client.as_ref();
        let client = client.ok_or(SignInError::ProviderFailed)?;
        let id_token = &tokens.extra_fields().id_token;
        let subject = &self.settings.subject_claim;
        let claims = token::identity(id_token, &self.provider, &client.id, &nonce, subject, now)
            .await
            .map_err(|denied| {
                tracing::warn!(reason = denied.detail, "an ID token was not accepted");
                SignInError::ProviderFailed
            })?;
        let tenant = pending.tenant.as_deref();
        let user = self.person_of_sign_in(&claims, tenant, trusted, now);
        let user = user.await?;
        let trust = trusted.of(&user.tenant).await;
        let trust = trust.map_err(|_| SignInError::ProviderFailed)?;
        trust.lets_in(Some(now)).map_err(|denied| {
            let subject = claims.subject();
            tracing::info!(subject, reason = denied.detail, "not let in");
            SignInError::NotRegistered(self.account(subject))
        })?;
        Ok(user)
    }

    pub(super) fn account(&self, subject: &str) -> Account {
        Account {
            issuer: self.settings.issuer.clone(),
            subject: subject.to_owned(),
        }
    }

    fn client(
        &self,
        addresses: &ProviderMetadata,
        callback: &str,
    ) -> Result<CodeFlow, SignInError> {
        let client = self.settings.client.as_ref();
        let (Some(client), Some(authorization), Some(token)) = (
            client,
            addresses.authorization_endpoint.clone(),
            addresses.token_endpoint.clone(),
        ) else {
            return Err(SignInError::ProviderFailed);
        };
        let failed = |_| SignInError::ProviderFailed;
        let in_body = addresses.wants_secret_in_body();
        let flow = oauth2::Client::new(ClientId::new(client.id.clone()))
            .set_auth_uri(AuthUrl::new(authorization).map_err(failed)?)
            .set_token_uri(TokenUrl::new(token).map_err(failed)?)
            .set_redirect_uri(RedirectUrl::new(callback.to_owned()).map_err(failed)?)
            .set_auth_type(if in_body {
                AuthType::RequestBody
            } else {
                AuthType::BasicAuth
            });
        Ok(match &client.secret {
            Some(secret) => flow.set_client_secret(ClientSecret::new(secret.clone())),
            None => flow,
        })
    }
}
