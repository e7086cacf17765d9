//! Signs tokens for programs that request them with an API key.
//!
//! Each process generates a signing key per tenant. The private half is in memory only; the public
//! half is registered in the directory like that of a host platform, so every node accepts the
//! tokens, also after a restart.

use std::collections::HashMap;
use std::sync::Arc;

use checklist_runtime::clock::NoKey;
use checklist_shared::permission::Permissions;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::EmbedTokenRequest;
use checklist_shared::wire::admin::Token;
use checklist_store::administration::server;
use checklist_store::directory::{DirectoryChange, EmbedKeyRecord};
use checklist_store::store::{Stamp, StoreError};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use tokio::sync::Mutex;

use super::api_key::new_secret;
use super::claims::{Audience, Claims, seconds};
use super::error::AuthError;
use super::keys::public_jwk;
use super::own_key::generate;
use super::token_header::LONGEST_TOKEN;
use super::trust_cache::TrustCache;

/// How long a key signs, in milliseconds.
const SIGNS: i64 = 24 * 60 * 60 * 1_000;
/// How much longer its tokens are accepted, in milliseconds. Exceeds the maximum lifetime of a
/// token.
const OUTLIVES: i64 = 20 * 60 * 1_000;
/// The default lifetime of a token, in seconds.
const USUAL_LIFE: u32 = 600;

/// Signs tokens on behalf of API keys.
pub struct Minter {
    audience: String,
    keys: Mutex<HashMap<String, Arc<SigningKey>>>,
}

struct SigningKey {
    kid: String,
    key: EncodingKey,
    signs_until: Timestamp,
}

/// Why no token was signed.
#[derive(Debug, thiserror::Error)]
pub enum MintError {
    /// The claims violate a rule.
    #[error("{}", .0.detail)]
    Refused(AuthError),
    /// The token would have so many bytes, more than the server accepts.
    #[error("the token is too long: {0} bytes")]
    TooLong(usize),
    /// No key could be generated.
    #[error(transparent)]
    NoKey(#[from] NoKey),
    /// The key could not be registered.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Minter {
    /// A minter for tokens with this `audience`.
    #[must_use]
    pub fn new(audience: &str) -> Self {
        Self {
            audience: audience.to_owned(),
            keys: Mutex::default(),
        }
    }

    /// Signs a token of `tenant` with `permissions` that the API key with this id has requested. It
    /// expires no later than that key.
    ///
    /// # Errors
    /// The claims violate a rule, or no key could be generated.
    pub async fn mint(
        &self,
        trusted: &TrustCache,
        tenant: &str,
        (api_key, key_ends): (Option<String>, Option<Timestamp>),
        permissions: Permissions,
        request: EmbedTokenRequest,
        now: Timestamp,
    ) -> Result<Token, MintError> {
        let jti = new_secret()?;
        // Tokens have whole seconds.
        let life = i64::from(request.lifetime.unwrap_or(USUAL_LIFE));
        let ends = now.as_millis() / 1000 + life;
        let ends = key_ends.map_or(ends, |end| ends.min(end.as_millis() / 1000));
        let expires_at = Timestamp::from_millis(ends * 1000);
        let claims = Claims {
            iss: self.audience.clone(),
            aud: Audience::One(self.audience.clone()),
            sub: request.subject,
            name: request.name,
            tenant: tenant.to_owned(),
            contexts: request.contexts,
            perm: permissions.iter().collect(),
            act: request.act.map(Into::into),
            lang: request.lang,
            origin: request.origin,
            journal: request.journal,
            template: request.template,
            iat: Some(seconds(now)),
            exp: seconds(expires_at),
            nbf: None,
            jti,
            api_key,
        };
        claims
            .check(&self.audience, Some(tenant), now)
            .map_err(MintError::Refused)?;
        let key = self.key_of(trusted, tenant, now).await?;
        let header = Header {
            kid: Some(key.kid.clone()),
            ..Header::new(Algorithm::EdDSA)
        };
        let token = encode(&header, &claims, &key.key).map_err(|error| {
            MintError::Store(StoreError::Broken(format!("no token was signed: {error}")))
        })?;
        if token.len() > LONGEST_TOKEN {
            return Err(MintError::TooLong(token.len()));
        }
        Ok(Token { token, expires_at })
    }

    async fn key_of(
        &self,
        trusted: &TrustCache,
        tenant: &str,
        now: Timestamp,
    ) -> Result<Arc<SigningKey>, MintError> {
        let mut keys = self.keys.lock().await;
        if let Some(key) = keys.get(tenant)
            && key.signs_until > now
            // It may have been revoked.
            && matches!(trusted.of(tenant).await?.key(&key.kid, now), Ok(Some(_)))
        {
            return Ok(Arc::clone(key));
        }
        let kid = format!("own-{}", &new_secret()?[..16]);
        let (key, public) = generate(&kid, tenant)?;
        let signs_until = Timestamp::from_millis(now.as_millis() + SIGNS);
        let record = EmbedKeyRecord {
            tenant: tenant.to_owned(),
            kid: kid.clone(),
            algorithm: "EdDSA".to_owned(),
            public_key: public_jwk(&public).ok_or(NoKey)?,
            origins: None,
            issuer: None,
            permissions: None,
            contexts: None,
            own: true,
            created_at: now,
            expires_at: Some(Timestamp::from_millis(signs_until.as_millis() + OUTLIVES)),
            revoked_at: None,
            used_at: None,
        };
        let stamp = Stamp {
            actor: server(),
            at: now,
        };
        let put = DirectoryChange::PutEmbedKey(record);
        trusted.change(put, stamp).await?;
        let key = Arc::new(SigningKey {
            kid,
            key,
            signs_until,
        });
        keys.insert(tenant.to_owned(), Arc::clone(&key));
        Ok(key)
    }
}
