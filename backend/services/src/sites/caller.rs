//! Who calls a site, and whether they may.
//!
//! Invariant: no embed token reaches a site, whatever its permissions.

use checklist_auth::{Credential, Principal};
use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use checklist_store::error::{ServiceError, ServiceResult};
use secrecy::SecretString;

use crate::access;

/// The caller, and the credential for the site that it forwards.
pub struct SiteCaller<'a> {
    /// The authenticated caller of this server.
    pub principal: &'a Principal,
    /// The header `Site-Authorization`; only for `PassThrough`.
    pub site_authorization: Option<SecretString>,
}

/// Fails without the permission, and for every embed token: host pages need neither sites nor the
/// inventory that is exported to them.
pub(crate) fn need_sites(principal: &Principal) -> ServiceResult<()> {
    access::require_permission(principal, Permission::Sites)?;
    if matches!(principal.credential, Credential::EmbedToken { .. }) {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            "This is not for embed tokens; use an API key, a token of the identity provider or a session.",
        ));
    }
    Ok(())
}
