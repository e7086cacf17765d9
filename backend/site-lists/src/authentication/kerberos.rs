//! `Kerberos`: tickets of the configured key distribution centre, without fall-back to NTLM. On the
//! wire it is the scheme Negotiate.
//!
//! Invariant: the site has to prove itself as well (mutual authentication).

use super::negotiate::{NegotiateMechanism, Packages};
use super::windows::WindowsAccount;
use crate::error::{ErrorKind, Result, SiteError};
use crate::options::SiteOptions;

/// The mechanism for an account.
///
/// # Errors
/// The caller named no key distribution centre.
pub(super) fn kerberos_mechanism(
    account: WindowsAccount,
    options: &SiteOptions,
) -> Result<NegotiateMechanism> {
    let centre = options.key_distribution_centre.clone().ok_or_else(|| {
        SiteError::new(
            ErrorKind::InvalidConnection,
            "Kerberos needs the address of a key distribution centre, and none is configured.",
        )
        .with_field("AuthenticationType")
        .with_hint("Let an administrator configure it (tcp://kdc.corp.example:88), or use NTLM.")
    })?;
    Ok(NegotiateMechanism {
        account,
        packages: Packages::KerberosOnly(centre),
    })
}
