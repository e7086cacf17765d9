//! Converts credentials of every kind to principals.
//!
//! Independent of HTTP: the caller extracts the credential from the headers.

use std::sync::Arc;

use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_store::Store;
use checklist_store::directory::{SecretHash, SessionRecord};

use super::embed::{EmbedVerifier, UnverifiedClaims};
use super::error::AuthError;
use super::last_use::LastUse;
use super::oidc::Oidc;
use super::principal::Principal;
use super::trust_cache::TrustCache;
use super::{api_key, session};

/// The credential of a request.
#[derive(Clone, Copy)]
pub enum PresentedCredential<'a> {
    /// The header `Authorization: Bearer`.
    Bearer(&'a str),
    /// The session cookie, for pages of this server.
    Cookie(&'a str),
}

/// Authenticates requests.
pub struct Authenticator {
    embed: EmbedVerifier,
    oidc: Option<Arc<Oidc>>,
    trusted: Arc<TrustCache>,
    store: Arc<dyn Store>,
    last_use: LastUse,
}

impl Authenticator {
    /// An authenticator; without `oidc`, identity tokens are rejected.
    #[must_use]
    pub fn new(
        embed: EmbedVerifier,
        oidc: Option<Arc<Oidc>>,
        trusted: Arc<TrustCache>,
        store: Arc<dyn Store>,
    ) -> Self {
        Self {
            embed,
            oidc,
            trusted,
            store,
            last_use: LastUse::default(),
        }
    }

    /// The cached directory data that credentials are checked against.
    #[must_use]
    pub fn trust_cache(&self) -> &TrustCache {
        &self.trusted
    }

    /// Authenticates a credential, on a page of `origin` if the request has that header.
    ///
    /// # Errors
    /// `TokenExpired` for a valid credential that has expired, `OriginRefused` on a page of another
    /// origin, `Busy` if the store fails, else `Unauthenticated`.
    pub async fn admit(
        &self,
        shown: PresentedCredential<'_>,
        origin: Option<&str>,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let (principal, session) = self.check(shown, origin, now).await?;
        if let Some(session) = session.filter(|session| session::is_due(session, now)) {
            self.store.session_used(session.secret, now).await?;
        }
        Ok(principal)
    }

    /// Authenticates the credential of an open stream again. Does not count as use of a session: a
    /// page that somebody has left open must not keep it alive.
    ///
    /// # Errors
    /// Those of [`Self::admit`].
    pub async fn admit_again(
        &self,
        shown: PresentedCredential<'_>,
        origin: Option<&str>,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let (principal, _) = self.check(shown, origin, now).await?;
        Ok(principal)
    }

    /// The principal, and the session where a cookie is the credential.
    async fn check(
        &self,
        shown: PresentedCredential<'_>,
        origin: Option<&str>,
        now: Timestamp,
    ) -> Result<(Principal, Option<SessionRecord>), AuthError> {
        let principal = match shown {
            PresentedCredential::Bearer(key) if api_key::is_api_key(key) => {
                if origin.is_some() {
                    return Err(AuthError {
                        code: ProblemCode::OriginRefused,
                        detail: "An API key is for programs; a page needs an embed token.".into(),
                    });
                }
                self.by_api_key(api_key::hash(key), now).await?
            }
            PresentedCredential::Bearer(token) => self.by_token(token, origin, now).await?,
            PresentedCredential::Cookie(cookie) => {
                let (principal, session) = self.by_session(api_key::hash(cookie), now).await?;
                return Ok((principal, Some(session)));
            }
        };
        Ok((principal, None))
    }

    async fn by_token(
        &self,
        token: &str,
        origin: Option<&str>,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let generation = self.trusted.generation();
        let verified = match self.embed.recall(token, generation) {
            Some(verified) => verified,
            None => {
                let claimed = UnverifiedClaims::by(token)?;
                if let Some(oidc) = &self.oidc
                    && oidc.is_issuer(&claimed.iss)
                {
                    return oidc.admit(token, &self.trusted, now).await;
                }
                let trust = self.trusted.of(&claimed.tenant).await?;
                self.embed.verify(token, &trust, generation, now)?
            }
        };
        let principal = verified.admit(origin, now)?;
        self.last_use.note(&self.store, &principal, now);
        Ok(principal)
    }

    async fn by_api_key(&self, secret: SecretHash, now: Timestamp) -> Result<Principal, AuthError> {
        let key = self
            .trusted
            .api_key(secret)
            .await?
            .ok_or_else(|| AuthError::invalid("There is no such API key."))?;
        self.trusted.of(&key.tenant).await?.lets_in(None)?;
        let principal = api_key::admit(&key, now)?;
        self.last_use.note(&self.store, &principal, now);
        Ok(principal)
    }

    async fn by_session(
        &self,
        secret: SecretHash,
        now: Timestamp,
    ) -> Result<(Principal, SessionRecord), AuthError> {
        let (found, user) = self
            .store
            .session(secret)
            .await?
            .ok_or_else(|| AuthError::invalid("There is no such session; sign in."))?;
        let trust = self.trusted.of(&found.tenant).await?;
        trust.lets_in(Some(found.created_at))?;
        let principal = session::admit(&found, &user, now)?;
        Ok((principal, found))
    }
}
