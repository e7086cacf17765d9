//! One step of a handshake of `sspi`'s security packages, with tickets fetched over the caller's
//! transport.
//!
//! Invariant: an unreachable key distribution centre is never reported as a wrong password.

use secrecy::{ExposeSecret, SecretString};
use sspi::generator::GeneratorState;
use sspi::{
    AuthIdentity, BufferType, ClientRequestFlags, DataRepresentation, NetworkProtocol,
    NetworkRequest, SecurityBuffer, Sspi, SspiImpl, Username,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Url;

use super::authenticator::{SendResult, Sender};
use super::credentials::credentials;
use super::kerberos_errors;
use super::password_guard::refused_error;
use crate::connection::SiteConnection;
use crate::error::{ErrorKind, Result, SiteError};

/// The largest answer of a key distribution centre.
const TICKET_BYTES: usize = 1 << 20;
const KERBEROS_PORT: u16 = 88;

/// Who signs in, and to what.
#[derive(Clone)]
pub(super) struct WindowsAccount {
    username: Username,
    password: SecretString,
    /// `HTTP/intranet.example`, without the port.
    pub(super) target: String,
}

impl WindowsAccount {
    pub(super) fn new(connection: &SiteConnection, site: &Url) -> Result<Self> {
        let (username, password) = credentials(connection)?;
        let domain = connection
            .domain
            .as_deref()
            .filter(|domain| !domain.is_empty());
        // A user name that has its domain already keeps it.
        let domain = domain.filter(|_| !username.contains(['\\', '@']));
        // Domain and name stay apart: a name that is written with its realm behind it is another
        // kind of name to Kerberos, which not every key distribution centre knows.
        let username = Username::new(username, domain);
        let username = username.map_err(|error| {
            SiteError::new(
                ErrorKind::InvalidConnection,
                format!("The user name cannot be used: {error}."),
            )
            .with_field("Username")
        })?;
        let host = site.host_str().unwrap_or_default().trim_matches(['[', ']']);
        Ok(Self {
            username,
            password: password.clone(),
            target: format!("HTTP/{host}"),
        })
    }

    pub(super) fn identity(&self) -> AuthIdentity {
        AuthIdentity {
            username: self.username.clone(),
            password: self.password.expose_secret().to_owned().into(),
        }
    }
}

/// The name that this machine gives itself; sites write it into their logs.
pub(super) fn workstation() -> String {
    "CHECKLIST".to_owned()
}

/// The error for a site that answers well and does not say how it could know to.
pub(super) fn unproved_error(why: &str) -> SiteError {
    SiteError::new(
        ErrorKind::SignInRefused,
        format!("The site does not prove that it is the one it says: {why}"),
    )
    .with_hint("Somebody else may answer in its place. Let an administrator look.")
}

/// The error for credentials that a package does not take.
pub(super) fn unfit_error(error: sspi::Error) -> SiteError {
    SiteError::new(
        ErrorKind::InvalidConnection,
        format!("The credentials cannot be used: {}.", error.description),
    )
}

/// A security package in a handshake with a site.
pub(super) struct SecurityContext<P: SspiImpl> {
    pub(super) package: P,
    pub(super) handle: P::CredentialsHandle,
    /// `HTTP/intranet.example`, without the port.
    pub(super) target: String,
}

impl<P> SecurityContext<P>
where
    P: Sspi + SspiImpl + Send,
    P::CredentialsHandle: Send,
{
    /// One step of the handshake.
    pub(super) async fn step(
        &mut self,
        server_token: Option<&[u8]>,
        sender: Sender<'_>,
    ) -> SendResult<Vec<u8>> {
        let Self {
            package,
            handle,
            target,
        } = self;
        let mut input = vec![SecurityBuffer::new(
            server_token.unwrap_or_default().to_vec(),
            BufferType::Token,
        )];
        let mut output = vec![SecurityBuffer::new(Vec::new(), BufferType::Token)];
        {
            let mut builder = package
                .initialize_security_context()
                .with_credentials_handle(handle)
                .with_context_requirements(
                    ClientRequestFlags::MUTUAL_AUTH | ClientRequestFlags::ALLOCATE_MEMORY,
                )
                .with_target_data_representation(DataRepresentation::Native)
                .with_target_name(target)
                .with_input(&mut input)
                .with_output(&mut output);
            let mut generator = package
                .initialize_security_context_impl(&mut builder)
                .map_err(|error| failure(&error))?;
            let mut state = generator.start();
            let mut no = None;
            loop {
                match state {
                    GeneratorState::Suspended(request) => {
                        // An unreachable server is no wrong password.
                        let ticket = ticket(&request, sender).await?;
                        no = kerberos_errors::kdc_error_code(&ticket)
                            .and_then(kerberos_errors::kdc_error);
                        state = generator.resume(Ok(ticket));
                    }
                    GeneratorState::Completed(done) => {
                        done.map_err(|error| no.unwrap_or_else(|| failure(&error)))?;
                        break;
                    }
                }
            }
        }
        Ok(output.pop().map(|buffer| buffer.buffer).unwrap_or_default())
    }
}

fn failure(error: &sspi::Error) -> SiteError {
    use sspi::ErrorKind as Kind;
    match error.error_type {
        Kind::LogonDenied | Kind::WrongCredentialHandle | Kind::UnknownCredentials | Kind::NoCredentials => refused_error(&format!("({})", error.description)),
        Kind::NoAuthenticatingAuthority | Kind::NoKerbKey | Kind::TargetUnknown | Kind::WrongPrincipalName => SiteError::new(
            ErrorKind::SignInRefused,
            format!("Kerberos gives no ticket: {}.", error.description),
        )
        .with_hint("Check the realm (Domain), the address of the key distribution centre, and that the site has a service principal HTTP/host."),
        _ => SiteError::new(ErrorKind::SignInRefused, format!("Signing in failed: {}.", error.description)),
    }
}

/// Asks a key distribution centre, over the caller's transport.
async fn ticket(request: &NetworkRequest, sender: Sender<'_>) -> Result<Vec<u8>> {
    let unreachable = |why: String| {
        SiteError::new(
            ErrorKind::Unreachable,
            format!("The key distribution centre cannot be reached: {why}."),
        )
        .with_hint("Check its address and that it speaks TCP.")
    };
    if request.protocol != NetworkProtocol::Tcp {
        return Err(unreachable(format!(
            "it is only asked over TCP, not at {}",
            request.url
        )));
    }
    let host = request
        .url
        .host_str()
        .ok_or_else(|| unreachable("it has no address".to_owned()))?;
    let port = request.url.port().unwrap_or(KERBEROS_PORT);
    let asking = async {
        let mut stream = sender
            .transport
            .dial(host, port)
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        stream
            .write_all(&request.data)
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        stream
            .flush()
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        let length = stream
            .read_u32()
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        let bytes = usize::try_from(length)
            .ok()
            .filter(|bytes| *bytes <= TICKET_BYTES);
        let bytes = bytes.ok_or_else(|| unreachable("its answer is too large".to_owned()))?;
        let mut response = vec![0; 4 + bytes];
        response[..4].copy_from_slice(&length.to_be_bytes());
        stream
            .read_exact(&mut response[4..])
            .await
            .map_err(|error| unreachable(error.to_string()))?;
        Ok(response)
    };
    tokio::time::timeout(sender.limits.time, asking)
        .await
        .map_err(|_| unreachable("it does not answer".to_owned()))?
}
