//! The person of a verified token: looked up, and where groups decide, with the roles that they give.
//!
//! A sign-in of a browser stores the roles, and registers people if that is allowed. A token takes
//! effect for its own request only, and registers nobody.

use checklist_shared::permission::Role;
use checklist_shared::time::Timestamp;
use checklist_store::administration::server;
use checklist_store::directory::{DirectoryChange, UserRecord};
use checklist_store::store::Stamp;

use super::Oidc;
use super::code_flow::SignInError;
use super::roles::{Groups, RoleMapping};
use super::token::IdentityClaims;
use crate::error::AuthError;
use crate::trust_cache::TrustCache;

impl Oidc {
    /// The person of an access token.
    pub(super) async fn person_of_token(
        &self,
        claims: &IdentityClaims,
        trusted: &TrustCache,
    ) -> Result<UserRecord, AuthError> {
        let subject = claims.subject();
        let user = self.registered(subject, None, trusted).await?;
        let mut user = user.ok_or_else(|| not_registered(subject))?;
        if let Some(mapping) = &self.settings.roles
            && mapping.decides(&user.tenant)
            && claims.has(&mapping.claim)
            && let Groups::Named(groups) = mapping.groups(claims.all())
        {
            user.roles = mapping.roles_in(&user.tenant, &groups);
        }
        if user.roles.is_empty() && self.decides(&user.tenant) {
            return Err(AuthError::invalid(format!(
                "Signed in as {subject}, whose groups have no role here; give this identifier to your administrator."
            )));
        }
        Ok(user)
    }

    /// The person who signs in with a browser, in `tenant` if given.
    pub(super) async fn person_of_sign_in(
        &self,
        claims: &IdentityClaims,
        tenant: Option<&str>,
        trusted: &TrustCache,
        now: Timestamp,
    ) -> Result<UserRecord, SignInError> {
        let failed = |_| SignInError::ProviderFailed;
        let subject = claims.subject();
        if let Some(mapping) = &self.settings.roles {
            match mapping.groups(claims.all()) {
                Groups::Named(groups) => {
                    let wanted = |tenant: &str| mapping.roles_in(tenant, &groups);
                    let followed = self.follow(mapping, wanted, claims, trusted, now);
                    followed.await.map_err(failed)?;
                }
                Groups::LeftOut => {
                    tracing::warn!(subject, "the provider has left the groups out of the token");
                    return Err(SignInError::GroupsLeftOut(self.account(subject)));
                }
            }
        }
        let found = self.registered(subject, tenant, trusted).await;
        let user = found.map_err(failed)?.ok_or_else(|| {
            tracing::info!(subject, "not registered");
            // Nobody has to be registered by hand where groups do it.
            match &self.settings.roles {
                Some(mapping) if mapping.registers => SignInError::NoRole(self.account(subject)),
                _ => SignInError::NotRegistered(self.account(subject)),
            }
        })?;
        if user.roles.is_empty() && self.decides(&user.tenant) {
            tracing::info!(subject, "no group has a role");
            return Err(SignInError::NoRole(self.account(subject)));
        }
        Ok(user)
    }

    /// Stores the roles that the groups give now, in every tenant in which groups decide.
    async fn follow(
        &self,
        mapping: &RoleMapping,
        wanted: impl Fn(&str) -> Vec<Role>,
        claims: &IdentityClaims,
        trusted: &TrustCache,
        now: Timestamp,
    ) -> Result<(), AuthError> {
        let (issuer, subject) = (&self.settings.issuer, claims.subject());
        let found = trusted.registrations(issuer, subject).await?;
        for tenant in mapping.tenants() {
            let roles = wanted(tenant);
            let known = found.iter().find(|user| user.tenant == tenant);
            let user = match known {
                // An administrator's word stands.
                Some(user) if user.disabled => continue,
                Some(user) if same(&user.roles, &roles) => continue,
                Some(user) => UserRecord {
                    roles,
                    ..user.clone()
                },
                None if roles.is_empty() || !mapping.registers => continue,
                None if trusted.of(tenant).await?.lets_in(Some(now)).is_err() => continue,
                None => UserRecord {
                    tenant: tenant.to_owned(),
                    issuer: issuer.clone(),
                    subject: subject.to_owned(),
                    name: claims.name(),
                    roles,
                    disabled: false,
                    epoch: Timestamp::from_millis(0),
                    created_at: now,
                    signed_in_at: None,
                },
            };
            tracing::info!(tenant, subject, roles = ?user.roles, "roles follow the groups");
            let stamp = Stamp {
                actor: server(),
                at: now,
            };
            let put = DirectoryChange::PutUser(user);
            trusted.change(put, stamp).await?;
        }
        Ok(())
    }

    fn decides(&self, tenant: &str) -> bool {
        let mapping = self.settings.roles.as_ref();
        mapping.is_some_and(|mapping| mapping.decides(tenant))
    }

    /// The first registration that lets the person in; a later one in another tenant cannot capture
    /// them. One with a role comes before one without.
    async fn registered(
        &self,
        subject: &str,
        tenant: Option<&str>,
        trusted: &TrustCache,
    ) -> Result<Option<UserRecord>, AuthError> {
        let found = trusted
            .registrations(&self.settings.issuer, subject)
            .await?;
        let fits = |user: &&UserRecord| {
            !user.disabled && tenant.is_none_or(|tenant| user.tenant == tenant)
        };
        let with_role = found
            .iter()
            .filter(fits)
            .find(|user| !user.roles.is_empty() || !self.decides(&user.tenant));
        Ok(with_role.or_else(|| found.iter().find(fits)).cloned())
    }
}

fn same(one: &[Role], other: &[Role]) -> bool {
    one.len() == other.len() && one.iter().all(|role| other.contains(role))
}

fn not_registered(subject: &str) -> AuthError {
    AuthError::invalid(format!(
        "Signed in as {subject}, who is not registered here; give this identifier to your administrator."
    ))
}
