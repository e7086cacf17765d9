//! `Kerberos` with the system's own ticket (`Identity::Service`): from its ticket cache, or by its
//! keytab.
//!
//! The system's library (MIT Kerberos, by `libgssapi`) blocks while it asks its key distribution
//! centre, so its steps run on blocking threads. Invariant: nothing falls back to this identity.

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use libgssapi::context::{ClientCtx, CtxFlags, SecurityContext as _};
use libgssapi::credential::{Cred, CredUsage};
use libgssapi::error::{Error, MajorFlags};
use libgssapi::name::Name;
use libgssapi::oid::{GSS_MECH_KRB5, GSS_NT_HOSTBASED_SERVICE, OidSet};
use tokio::sync::Semaphore;
use url::Url;

use super::authenticator::{SendError, SendResult, Sender};
use super::connection_bound::{Handshake, Mechanism};
use super::kerberos_errors::{is_spnego_reject, kdc_error};
use super::spnego;
use super::windows::unproved_error;
use crate::error::{ErrorKind, Result, SiteError};

/// So many steps wait for a key distribution centre at once, whatever the sites: a thread that
/// waits cannot be called back.
const AT_ONCE: usize = 8;
static PLACES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(AT_ONCE)));

/// What Kerberos' own numbers for errors begin at, in the library's.
const KERBEROS_ERRORS: i32 = -1_765_328_384;
/// The bits of a GSS status that are its routine error.
const ROUTINE_ERRORS: u32 = 0x00ff_0000;
/// No key distribution centre of the realm answers.
const UNREACHABLE: i32 = 156;

const HINT: &str = "Let the operator of this server give it a ticket: kinit into the cache that KRB5CCNAME names, or a keytab in \
     KRB5_CLIENT_KTNAME, and krb5.conf for the realm.";

/// The mechanism for a site.
pub(super) struct SystemTicket {
    /// `HTTP@intranet.example`, as the library calls services.
    service: String,
}

impl SystemTicket {
    pub(super) fn new(site: &Url) -> Self {
        let host = site.host_str().unwrap_or_default().trim_matches(['[', ']']);
        Self {
            service: format!("HTTP@{host}"),
        }
    }
}

impl Mechanism for SystemTicket {
    fn scheme(&self) -> &'static str {
        "Negotiate"
    }

    fn begin(&self) -> Result<Box<dyn Handshake>> {
        Ok(Box::new(SystemHandshake {
            service: self.service.clone(),
            context: None,
        }))
    }

    fn refused_error(&self) -> SiteError {
        SiteError::new(
            ErrorKind::SignInRefused,
            "The site refuses the ticket of this server.",
        )
        .with_status(401)
        .with_hint("Let an administrator of the site give the server's own account access.")
    }
}

struct SystemHandshake {
    service: String,
    context: Option<ClientCtx>,
}

impl SystemHandshake {
    /// One step, on a thread that may wait.
    async fn step(
        &mut self,
        server_token: Option<Vec<u8>>,
        sender: Sender<'_>,
    ) -> SendResult<Vec<u8>> {
        let context = self.context.take();
        let service = self.service.clone();
        let working = async {
            // Goes with the thread, however long that waits.
            let place = Arc::clone(&*PLACES).acquire_owned().await;
            let stepping = tokio::task::spawn_blocking(move || {
                let _place = place;
                let mut context = match context {
                    Some(context) => context,
                    None => new_context(&service)?,
                };
                let ours = context.step(server_token.as_deref(), None);
                let ours = ours.map_err(|error| ticket_error(&error, &service))?;
                let ours = ours.map(|token| token.to_vec()).unwrap_or_default();
                Ok::<_, SiteError>((context, ours))
            });
            stepping.await.map_err(|_| {
                SiteError::new(
                    ErrorKind::SignInRefused,
                    "The system's Kerberos broke down.",
                )
            })?
        };
        let stepped = tokio::time::timeout(sender.limits.time, working).await;
        let (context, ours) = stepped.map_err(|_| unreachable("it does not answer"))??;
        self.context = Some(context);
        Ok(ours)
    }
}

/// A context for a service, with the credentials that the system has.
fn new_context(service: &str) -> Result<ClientCtx> {
    let to_site_error = |error: Error| ticket_error(&error, service);
    let name =
        Name::new(service.as_bytes(), Some(GSS_NT_HOSTBASED_SERVICE)).map_err(to_site_error)?;
    let mechanisms = OidSet::singleton(GSS_MECH_KRB5).map_err(to_site_error)?;
    let own =
        Cred::acquire(None, None, CredUsage::Initiate, Some(&mechanisms)).map_err(to_site_error)?;
    // Kerberos by name: with the system's own SPNEGO another mechanism might be agreed on.
    Ok(ClientCtx::new(
        Some(own),
        name,
        CtxFlags::GSS_C_MUTUAL_FLAG,
        Some(GSS_MECH_KRB5),
    ))
}

/// What an error of the library means. Called on the thread that met it, which alone knows the
/// words for it.
fn ticket_error(error: &Error, service: &str) -> SiteError {
    let said = error.to_string();
    // The number's own words stand behind those that only say what kind of number it is.
    let why = said.split_once(" (").map_or(said.as_str(), |(_, why)| {
        why.strip_suffix(')').unwrap_or(why)
    });
    let number = error.minor.cast_signed().wrapping_sub(KERBEROS_ERRORS);
    tracing::warn!(
        service,
        number,
        why,
        "the system's Kerberos gives no ticket"
    );
    if number == UNREACHABLE {
        return unreachable(why);
    }
    let kdc_error_code = u32::try_from(number).ok().and_then(kdc_error);
    if let Some(known) = kdc_error_code {
        return known;
    }
    let none = [
        MajorFlags::GSS_S_NO_CRED,
        MajorFlags::GSS_S_CREDENTIALS_EXPIRED,
    ];
    let kind = error.major.bits() & ROUTINE_ERRORS;
    let what = if none.iter().any(|none| none.bits() == kind) {
        "This server has no ticket of its own"
    } else {
        "The system's Kerberos gives no ticket"
    };
    SiteError::new(ErrorKind::SignInRefused, format!("{what}: {why}.")).with_hint(HINT)
}

fn unreachable(why: &str) -> SiteError {
    SiteError::new(
        ErrorKind::Unreachable,
        format!("The key distribution centre cannot be reached: {why}."),
    )
    .with_hint("Let the operator of this server look at the realm in its krb5.conf.")
}

#[async_trait]
impl Handshake for SystemHandshake {
    async fn next(
        &mut self,
        server_token: Option<&[u8]>,
        sender: Sender<'_>,
    ) -> SendResult<Vec<u8>> {
        let Some(server_token) = server_token else {
            return Ok(spnego::offer(&self.step(None, sender).await?));
        };
        // One token each way is all there is to Kerberos.
        tracing::debug!(
            bytes = server_token.len(),
            "the site asks for another token"
        );
        Err(SiteError::new(
            ErrorKind::SignInRefused,
            "The site asks for another token than Kerberos has.",
        )
        .into())
    }

    fn is_refused_by(&self, server_token: &[u8]) -> bool {
        is_spnego_reject(server_token)
    }

    async fn finish(&mut self, server_token: &[u8], sender: Sender<'_>) -> SendResult<()> {
        let Some(proof) = spnego::inner(server_token) else {
            return Err(unproved_error("it sends no proof.").into());
        };
        match self.step(Some(proof), sender).await {
            Ok(_) => {}
            Err(SendError::Site(error)) => return Err(unproved_error(&error.to_string()).into()),
            Err(failure) => return Err(failure),
        }
        let proved = self.context.as_ref().is_some_and(|context| {
            let flags = context.flags();
            context.is_complete()
                && flags.is_ok_and(|flags| flags.contains(CtxFlags::GSS_C_MUTUAL_FLAG))
        });
        if proved {
            return Ok(());
        }
        Err(unproved_error("its proof is not the last word.").into())
    }
}
