//! Reads certificate authorities that the operator names.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

/// The certificates (DER) in a PEM text.
///
/// # Errors
/// What is wrong with the text: a certificate cannot be read, or there is none.
pub fn read_authorities(pem: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let mut store = RootCertStore::empty();
    let mut found = Vec::new();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| error.to_string())?;
        let bytes = certificate.to_vec();
        store.add(certificate).map_err(|error| error.to_string())?;
        found.push(bytes);
    }
    if found.is_empty() {
        return Err("there is no certificate in it".to_owned());
    }
    Ok(found)
}
