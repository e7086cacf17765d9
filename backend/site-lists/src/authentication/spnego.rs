//! SPNEGO (RFC 4178) around a Kerberos token.
//!
//! Invariant: Kerberos is the only mechanism on offer, so that nothing else can be negotiated.

use picky_asn1_der::from_bytes;
use picky_krb::gss_api::NegTokenTarg1;

/// SPNEGO, 1.3.6.1.5.5.2, as an OBJECT IDENTIFIER in DER.
const SPNEGO: [u8; 8] = [6, 6, 0x2b, 6, 1, 5, 5, 2];
/// Kerberos, 1.2.840.113554.1.2.2, likewise.
const KERBEROS: [u8; 11] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 1, 2, 2];

/// A first token: Kerberos is offered, and its own first token comes along.
pub(super) fn offer(token: &[u8]) -> Vec<u8> {
    let mechanisms = der_element(0xa0, &der_element(0x30, &KERBEROS));
    let token = der_element(0xa2, &der_element(0x04, token));
    let init = der_element(0xa0, &der_element(0x30, &[mechanisms, token].concat()));
    der_element(0x60, &[SPNEGO.as_slice(), &init].concat())
}

/// The mechanism's token in a response; `None` where it carries none.
pub(super) fn inner(response: &[u8]) -> Option<Vec<u8>> {
    let response: NegTokenTarg1 = from_bytes(response).ok()?;
    let token = response.0.response_token.0.as_ref()?;
    Some(token.0.0.clone())
}

/// A tag, the length of what follows, and what follows.
fn der_element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len().to_be_bytes();
    let significant = length.iter().skip_while(|byte| **byte == 0);
    let mut all = vec![tag];
    if content.len() < 0x80 {
        all.extend(significant.take(1));
        if content.is_empty() {
            all.push(0);
        }
    } else {
        let bytes: Vec<u8> = significant.copied().collect();
        // Eight bytes at most, as many as an address has.
        all.push(0x80 | u8::try_from(bytes.len()).unwrap_or_default());
        all.extend(bytes);
    }
    all.extend_from_slice(content);
    all
}

#[cfg(test)]
mod tests {
    use picky_krb::gss_api::{ApplicationTag0, GssApiNegInit};

    use super::*;

    #[test]
    fn an_offer_of_any_length_is_read_by_others_and_offers_kerberos_alone() {
        for length in [0, 1, 0x60, 0x7f, 0x80, 0xff, 0x100, 5_000] {
            let token = vec![7; length];
            let offer = offer(&token);
            let read: ApplicationTag0<GssApiNegInit> = from_bytes(&offer).expect("SPNEGO");
            let init = &read.0.neg_token_init.0;
            let mechanisms = init.mech_types.0.as_ref().expect("mechanisms");
            assert_eq!(mechanisms.0.0.len(), 1, "{length}");
            let oid: String = (&mechanisms.0.0[0].0).into();
            assert_eq!(oid, "1.2.840.113554.1.2.2");
            let carried = init.mech_token.0.as_ref().expect("a token");
            assert_eq!(carried.0.0, token, "{length}");
        }
    }

    #[test]
    fn an_answer_gives_its_token_and_one_without_gives_none() {
        let response = [
            0xa1, 14, 0x30, 12, 0xa0, 3, 10, 1, 0, 0xa2, 5, 4, 3, 1, 2, 3,
        ];
        assert_eq!(inner(&response), Some(vec![1, 2, 3]));
        assert_eq!(inner(&[0xa1, 7, 0x30, 5, 0xa0, 3, 10, 1, 0]), None);
        assert_eq!(inner(b"nothing of the kind"), None);
    }
}
