//! `Kerberos` with the system's own ticket (`Identity::Service`): from its ticket cache, or by its
//! keytab.
//!
//! The system's library blocks while it asks its key distribution centre, so its steps run on blocking
//! threads. Invariant: nothing falls back to this identity.

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use tokio::sync::Semaphore;
use url::Url;

use super::authenticator::{SendError, SendResult, Sender};
use super::connection_bound::{Handshake, Mechanism};
use super::kerberos_errors::{is_spnego_reject, kdc_error};
use super::spnego;
use super::windows::unproved_error;
use crate::error::{ErrorKind, Result, SiteError};
use crate::system_kerberos::{SystemKerberos, TicketContext, TicketError};

/// So many steps wait for a key distribution centre at once, whatever the sites: a thread that
/// waits cannot be called back.
const AT_ONCE: usize = 8;
static PLACES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(AT_ONCE)));

/// No key distribution centre of the realm answers.
const UNREACHABLE: i32 = 156;

const HINT: &str = "Let the operator of this server give it a ticket: kinit into the cache that KRB5CCNAME names, or a keytab in \
     KRB5_CLIENT_KTNAME, and krb5.conf for the realm.";

/// The mechanism for a site.
pub(super) struct SystemTicket {
    /// `HTTP@intranet.example`, as the library calls services.
    service: String,
    library: &'static dyn SystemKerberos,
}

impl SystemTicket {
    pub(super) fn new(site: &Url, library: &'static dyn SystemKerberos) -> Self {
        let host = site.host_str().unwrap_or_default().trim_matches(['[', ']']);
        Self {
            service: format!("HTTP@{host}"),
            library,
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
            library: self.library,
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
    library: &'static dyn SystemKerberos,
    context: Option<Box<dyn TicketContext>>,
}

impl SystemHandshake {
    /// One step, on a thread that may wait.
    async fn step(
        &mut self,
        server_token: Option<Vec<u8>>,
        sender: Sender<'_>,
    ) -> SendResult<Vec<u8>> {
        let context = self.context.take();
        let (service, library) = (self.service.clone(), self.library);
        let working = async {
            // Goes with the thread, however long that waits.
            let place = Arc::clone(&*PLACES).acquire_owned().await;
            let stepping = tokio::task::spawn_blocking(move || {
                let _place = place;
                let stepped = context
                    .map_or_else(|| library.begin(&service), Ok)
                    .and_then(|mut context| {
                        let ours = context.step(server_token.as_deref())?;
                        Ok((context, ours))
                    });
                stepped.map_err(|error| ticket_error(&error, &service))
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

/// What it means that there is no ticket.
fn ticket_error(error: &TicketError, service: &str) -> SiteError {
    let TicketError { number, why, .. } = error;
    tracing::warn!(
        service,
        number,
        why,
        "the system's Kerberos gives no ticket"
    );
    if *number == UNREACHABLE {
        return unreachable(why);
    }
    if let Some(known) = u32::try_from(*number).ok().and_then(kdc_error) {
        return known;
    }
    let what = if error.is_without_ticket {
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
        let context = self.context.as_ref();
        if context.is_some_and(|context| context.is_proved()) {
            return Ok(());
        }
        Err(unproved_error("its proof is not the last word.").into())
    }
}
