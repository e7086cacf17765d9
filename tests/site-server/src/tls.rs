//! A certificate authority of this one run, and the certificate that it signs for this machine.
//!
//! Clients that insist on TLS are told to trust the file that is written at the start.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;

/// What TLS takes.
pub struct Tls {
    pub acceptor: TlsAcceptor,
    /// The authority's certificate.
    pub ca_pem: String,
}

/// Makes an authority and a certificate for `localhost`, `127.0.0.1` and `::1`.
///
/// # Errors
/// Keys cannot be made here.
pub fn make() -> io::Result<Tls> {
    let failed = |error: rcgen::Error| io::Error::other(error);
    let mut authority = CertificateParams::new(Vec::<String>::new()).map_err(failed)?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let name = "Test authority of the local site server";
    authority.distinguished_name.push(DnType::CommonName, name);
    let authority_key = KeyPair::generate().map_err(failed)?;
    let ca = authority.self_signed(&authority_key).map_err(failed)?;
    let issuer = Issuer::from_params(&authority, &authority_key);

    let names = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let mut own = CertificateParams::new(names).map_err(failed)?;
    own.distinguished_name.push(DnType::CommonName, "localhost");
    own.use_authority_key_identifier_extension = true;
    own.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let own_key = KeyPair::generate().map_err(failed)?;
    let certificate = own.signed_by(&own_key, &issuer).map_err(failed)?;

    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(own_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .map_err(io::Error::other)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Tls {
        acceptor: TlsAcceptor::from(Arc::new(config)),
        ca_pem: ca.pem(),
    })
}

/// Where the authority's certificate is written when nobody says.
#[must_use]
pub fn usual_ca_file(port: u16) -> PathBuf {
    std::env::temp_dir().join(format!("checklist-site-server-ca-{port}.pem"))
}
