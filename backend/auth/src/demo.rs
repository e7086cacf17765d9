//! The demo's signing key: generated at each start and kept in memory only.
//!
//! Exists only with `--demo`. Its public half is in the same key ring as those of host platforms,
//! so demo tokens are verified like any other.

use checklist_runtime::clock::NoKey;
use checklist_shared::permission::{Permission, Role};
use checklist_shared::problem::{FieldError, FieldErrorCode};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{DemoTokenRequest, Token, TokenContext};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};

use super::ceiling::Ceiling;
use super::claims::{Audience, Claims, MOST_CONTEXTS, seconds};
use super::keys::EmbedKey;
use super::own_key::generate;

/// The tenant of the demo.
pub const TENANT: &str = "demo";
/// The key id of the demo's key.
const KID: &str = "demo";
/// The lifetime of a token, in seconds.
const LIFE: i32 = 10 * 60;
/// Signs tokens for the demo.
pub struct DemoIssuer {
    key: EncodingKey,
    audience: String,
}

impl DemoIssuer {
    /// Generates a key for tokens with this `audience`. Returns it with its public half.
    ///
    /// # Errors
    /// The operating system has no random numbers.
    pub fn new(audience: &str) -> Result<(Self, EmbedKey), NoKey> {
        let (key, mut public) = generate(KID, TENANT)?;
        public.ceiling = Ceiling::of_demo();
        Ok((
            Self {
                key,
                audience: audience.to_owned(),
            },
            public,
        ))
    }

    /// Signs a token as requested.
    ///
    /// # Errors
    /// The field errors of the request.
    pub fn mint(
        &self,
        request: DemoTokenRequest,
        now: Timestamp,
    ) -> Result<Token, Vec<FieldError>> {
        let listed = request.contexts.as_ref().map_or(0, Vec::len);
        if listed > MOST_CONTEXTS {
            let detail = "A token lists at most 200 contexts.";
            return Err(vec![FieldError::new(
                "/Contexts",
                FieldErrorCode::LimitExceeded,
                detail,
            )]);
        }
        // Tokens have whole seconds.
        let expires_at = Timestamp::from_millis((now.as_millis() / 1000 + i64::from(LIFE)) * 1000);
        let subject = request.subject.clone().unwrap_or_else(|| "demo".to_owned());
        let claims = Claims {
            act: None,
            iss: self.audience.clone(),
            aud: Audience::One(self.audience.clone()),
            name: request.name.clone().unwrap_or_else(|| name_of(&subject)),
            jti: format!("{subject}-{}", now.as_millis()),
            sub: subject,
            tenant: TENANT.to_owned(),
            contexts: contexts_of(&request),
            perm: permissions_of(&request),
            lang: None,
            origin: None,
            journal: None,
            template: None,
            iat: Some(seconds(now)),
            exp: seconds(expires_at),
            nbf: None,
            api_key: None,
        };
        claims
            .check(&self.audience, Some(TENANT), now)
            .map_err(|denied| {
                let pointer = if claims.name.chars().count() > 200 {
                    "/Name"
                } else {
                    "/Subject"
                };
                vec![FieldError::new(
                    pointer,
                    FieldErrorCode::Invalid,
                    denied.detail,
                )]
            })?;
        let header = Header {
            kid: Some(KID.to_owned()),
            ..Header::new(Algorithm::EdDSA)
        };
        match encode(&header, &claims, &self.key) {
            Ok(token) => Ok(Token { token, expires_at }),
            Err(error) => Err(vec![FieldError::new(
                "",
                FieldErrorCode::Invalid,
                error.to_string(),
            )]),
        }
    }
}

fn name_of(subject: &str) -> String {
    if subject == "demo" {
        "Demo".to_owned()
    } else {
        subject.to_owned()
    }
}

fn permissions_of(request: &DemoTokenRequest) -> Vec<Permission> {
    let from_roles = |roles: &Vec<Role>| {
        roles
            .iter()
            .flat_map(|role| role.permissions().iter())
            .collect()
    };
    let mut permissions: Vec<Permission> = match (&request.permissions, &request.roles) {
        (None, None) => Role::Admin.permissions().iter().collect(),
        (Some(permissions), None) => permissions.clone(),
        (None, Some(roles)) => from_roles(roles),
        (Some(permissions), Some(roles)) => [permissions.clone(), from_roles(roles)].concat(),
    };
    permissions.sort_unstable();
    permissions.dedup();
    permissions
}

fn contexts_of(request: &DemoTokenRequest) -> Vec<TokenContext> {
    let any = || TokenContext {
        object_type: "*".into(),
        object_id: "*".into(),
        purpose: "*".into(),
        template_id: None,
        facts: None,
    };
    match (&request.context, &request.contexts) {
        (None, None) => vec![any()],
        (Some(one), None) => vec![one.clone()],
        (one, Some(many)) => many.iter().chain(one).cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::EmbedVerifier;
    use crate::keys::KeyRing;
    use crate::trust_cache::TenantTrust;
    use checklist_shared::Context;
    use checklist_shared::permission::Permissions;
    use checklist_store::scope::ContextScope;

    const BASE: &str = "http://127.0.0.1:8080";
    const NOW: Timestamp = Timestamp::from_millis(1_760_000_000_000);

    fn principal(request: DemoTokenRequest) -> crate::Principal {
        let (issuer, key) = DemoIssuer::new(BASE).expect("randomness");
        let mut ring = KeyRing::default();
        assert!(ring.add(key).is_ok());
        let token = issuer.mint(request, NOW).expect("a token");
        EmbedVerifier::new(ring, BASE)
            .verify(&token.token, &TenantTrust::default(), 0, NOW)
            .and_then(|verified| verified.admit(None, NOW))
            .expect("its own token")
    }

    #[test]
    fn without_fields_it_is_an_admin_on_anything_of_the_demo_tenant() {
        let principal = principal(DemoTokenRequest::default());
        assert_eq!(principal.permissions, Permissions::all());
        assert_eq!(principal.contexts, ContextScope::Any);
        assert_eq!(principal.tenant, "demo");
    }

    #[test]
    fn fields_narrow_it() {
        let context = TokenContext {
            object_type: "incident".into(),
            object_id: "1".into(),
            purpose: "*".into(),
            template_id: None,
            facts: None,
        };
        let principal = principal(DemoTokenRequest {
            roles: Some(vec![Role::Checker]),
            context: Some(context),
            subject: Some("ada".into()),
            ..DemoTokenRequest::default()
        });
        assert_eq!(principal.permissions, Role::Checker.permissions());
        assert_eq!(
            (principal.actor.id.as_str(), principal.actor.name.as_str()),
            ("ada", "ada")
        );
        assert!(
            principal
                .contexts
                .covers(&Context::new("incident", "1", "handover"))
        );
        assert!(
            !principal
                .contexts
                .covers(&Context::new("incident", "2", "handover"))
        );
    }

    #[test]
    fn another_start_has_another_key() {
        let (issuer, _) = DemoIssuer::new(BASE).expect("randomness");
        let (_, other) = DemoIssuer::new(BASE).expect("randomness");
        let mut ring = KeyRing::default();
        assert!(ring.add(other).is_ok());
        let token = issuer
            .mint(DemoTokenRequest::default(), NOW)
            .expect("a token");
        assert!(
            EmbedVerifier::new(ring, BASE)
                .verify(&token.token, &TenantTrust::default(), 0, NOW)
                .is_err()
        );
    }

    #[test]
    fn a_request_that_no_token_can_hold_is_refused_at_its_field() {
        let (issuer, _) = DemoIssuer::new(BASE).expect("randomness");
        let asked = DemoTokenRequest {
            subject: Some(String::new()),
            ..DemoTokenRequest::default()
        };
        let errors = issuer.mint(asked, NOW).expect_err("an empty subject");
        assert_eq!(errors[0].pointer, "/Subject");
    }
}
