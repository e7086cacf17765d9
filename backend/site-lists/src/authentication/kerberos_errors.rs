//! Errors of a key distribution centre (KRB-ERROR, RFC 4120) and SPNEGO's reject (RFC 4178).
//!
//! Invariant: only the codes about the password count as a rejected password, which is not sent again.

use picky_asn1_der::from_bytes;
use picky_krb::constants::error_codes::{
    KDC_ERR_C_PRINCIPAL_UNKNOWN, KDC_ERR_CLIENT_REVOKED, KDC_ERR_KEY_EXPIRED,
    KDC_ERR_PREAUTH_FAILED, KDC_ERR_S_PRINCIPAL_UNKNOWN, KRB_AP_ERR_SKEW,
};
use picky_krb::gss_api::NegTokenTarg1;
use picky_krb::messages::KrbError;

use super::password_guard::refused_error;
use crate::error::{ErrorKind, SiteError};

/// SPNEGO's `negState` of a refusal, an ENUMERATED in DER.
const REJECT: [u8; 3] = [10, 1, 2];

/// The number in a response of a key distribution centre, length first, where it is an error.
pub(super) fn kdc_error_code(response: &[u8]) -> Option<u32> {
    let error: KrbError = from_bytes(response.get(4..)?).ok()?;
    Some(error.0.error_code.0)
}

/// What a number of a key distribution centre means for a person; `None` for those that say
/// nothing about the account, the service or the clock.
pub(super) fn kdc_error(code: u32) -> Option<SiteError> {
    let no_ticket = |why: &str, hint: &str| {
        SiteError::new(
            ErrorKind::SignInRefused,
            format!("Kerberos gives no ticket: {why}."),
        )
        .with_service_code(code.to_string())
        .with_hint(hint)
    };
    let account = |why: &str| refused_error(why).with_service_code(code.to_string());
    Some(match code {
        KDC_ERR_PREAUTH_FAILED => account(""),
        KDC_ERR_C_PRINCIPAL_UNKNOWN => account("The realm knows no such user."),
        KDC_ERR_CLIENT_REVOKED => account("The account is locked or disabled."),
        KDC_ERR_KEY_EXPIRED => account("The password has expired."),
        KDC_ERR_S_PRINCIPAL_UNKNOWN => no_ticket(
            "the realm knows no service for the site's host",
            "Let an administrator register the service principal HTTP/host for the site.",
        ),
        KRB_AP_ERR_SKEW => no_ticket(
            "the clocks differ too much",
            "Set the clock of this machine and of the key distribution centre.",
        ),
        _ => return None,
    })
}

/// Whether a site's token of SPNEGO refuses.
pub(super) fn is_spnego_reject(token: &[u8]) -> bool {
    from_bytes::<NegTokenTarg1>(token)
        .ok()
        .and_then(|token| token.0.neg_result.0)
        .is_some_and(|state| state.0.0 == REJECT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_from_a_token_that_goes_on() {
        assert!(is_spnego_reject(&[0xa1, 7, 0x30, 5, 0xa0, 3, 10, 1, 2]));
        assert!(!is_spnego_reject(&[0xa1, 7, 0x30, 5, 0xa0, 3, 10, 1, 1]));
        assert!(!is_spnego_reject(&[0xa1, 7]));
        assert!(!is_spnego_reject(b"NTLMSSP\0"));
    }

    #[test]
    fn an_answer_with_a_ticket_or_without_sense_is_no_error() {
        assert_eq!(kdc_error_code(&[]), None);
        assert_eq!(kdc_error_code(&[0, 0, 0, 2, 0x6b, 0]), None);
    }

    #[test]
    fn only_what_is_about_the_account_counts_as_a_tried_password() {
        let status = |code| kdc_error(code).and_then(|error| error.status());
        assert_eq!(status(KDC_ERR_PREAUTH_FAILED), Some(401));
        assert_eq!(status(KDC_ERR_CLIENT_REVOKED), Some(401));
        assert_eq!(status(KDC_ERR_S_PRINCIPAL_UNKNOWN), None);
        assert_eq!(kdc_error(60).map(|error| error.kind()), None);
    }
}
