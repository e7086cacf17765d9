//! Who calls a site, and whether they may.
//!
//! Invariant: no embed token reaches a site, whatever its permissions.

use checklist_auth::Principal;
use checklist_shared::permission::Permission;
use checklist_store::error::ServiceResult;
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
    access::refuse_embed_token(principal)
}
