//! TLS to the database: which certificates are trusted.
//!
//! Without a CA (`sslmode=require` alone), the connection is protected from eavesdropping, but not
//! from a man in the middle.

use std::path::PathBuf;
use std::sync::Arc;

use checklist_runtime::authorities;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Which certificates are trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CertificateCheck {
    /// Any certificate.
    Anybody,
    /// Certificates of a CA, for any host name (`verify-ca`).
    Authority(Roots),
    /// Certificates of a CA for the requested host name (`verify-full`).
    Name(Roots),
}

/// The trusted CAs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Roots {
    /// Those that the operating system trusts, and those that the operator names.
    System,
    /// Those in a PEM file.
    File(PathBuf),
}

impl Roots {
    fn load(&self) -> Result<RootCertStore, String> {
        let mut store = RootCertStore::empty();
        match self {
            Self::System => {
                store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
                let own = authorities::trusted().iter();
                store.add_parsable_certificates(own.map(|one| CertificateDer::from(one.clone())));
                if store.is_empty() {
                    return Err(
                        "the system trusts no authority; name one with sslrootcert".to_owned()
                    );
                }
            }
            Self::File(file) => {
                let unread = |reason: String| {
                    format!("sslrootcert {} cannot be read: {reason}", file.display())
                };
                let certificates = CertificateDer::pem_file_iter(file)
                    .map_err(|error| unread(error.to_string()))?;
                for certificate in certificates {
                    let certificate = certificate.map_err(|error| unread(error.to_string()))?;
                    store
                        .add(certificate)
                        .map_err(|error| unread(error.to_string()))?;
                }
                if store.is_empty() {
                    return Err(unread("there is no certificate in it".to_owned()));
                }
            }
        }
        Ok(store)
    }
}

/// Builds TLS connections with that check.
pub(super) fn connector(trust: &CertificateCheck) -> Result<MakeRustlsConnect, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let authority = match trust {
        CertificateCheck::Anybody => None,
        CertificateCheck::Authority(roots) | CertificateCheck::Name(roots) => Some(
            WebPkiServerVerifier::builder_with_provider(
                Arc::new(roots.load()?),
                Arc::clone(&provider),
            )
            .build()
            .map_err(|error| error.to_string())?,
        ),
    };
    let judge = CertificateVerifier {
        authority,
        asks_for_name: matches!(trust, CertificateCheck::Name(_)),
        provider: Arc::clone(&provider),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(judge))
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Verifies certificates. The handshake signature, which proves that the server has the private
/// key, is always verified.
#[derive(Debug)]
struct CertificateVerifier {
    authority: Option<Arc<WebPkiServerVerifier>>,
    asks_for_name: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for CertificateVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        stapled: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authority) = &self.authority else {
            return Ok(ServerCertVerified::assertion());
        };
        match authority.verify_server_cert(certificate, between, name, stapled, now) {
            // The name is checked last, after the CA.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.asks_for_name => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
