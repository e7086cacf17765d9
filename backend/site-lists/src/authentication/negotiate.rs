//! `Negotiate`: Kerberos where there is a key distribution centre, NTLM otherwise, as the site chooses.

use async_trait::async_trait;
use sspi::negotiate::ProtocolConfig;
use sspi::ntlm::NtlmConfig;
use sspi::{CredentialUse, KerberosConfig, Negotiate, NegotiateConfig, Sspi};
use url::Url;

use super::authenticator::{SendError, SendResult, Sender};
use super::connection_bound::{Handshake, Mechanism};
use super::kerberos_errors::is_spnego_reject;
use super::windows::{SecurityContext, WindowsAccount, unfit_error, unproved_error, workstation};
use crate::error::Result;

/// Which packages may be agreed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Packages {
    /// Kerberos with tickets from there, or NTLM.
    Either(Url),
    /// Kerberos with tickets from there.
    KerberosOnly(Url),
    /// NTLM, for want of a key distribution centre.
    NtlmOnly,
}

pub(super) struct NegotiateMechanism {
    pub(super) account: WindowsAccount,
    pub(super) packages: Packages,
}

struct NegotiateHandshake {
    context: SecurityContext<Negotiate>,
    proves_site: bool,
}

impl Mechanism for NegotiateMechanism {
    fn scheme(&self) -> &'static str {
        "Negotiate"
    }

    fn begin(&self) -> Result<Box<dyn Handshake>> {
        let kerberos = |centre: &Url| -> Box<dyn ProtocolConfig> {
            Box::new(KerberosConfig::new_with_kdc_url(
                centre.as_str(),
                workstation(),
            ))
        };
        let (config, list): (Box<dyn ProtocolConfig>, &str) = match &self.packages {
            Packages::Either(centre) => (kerberos(centre), "kerberos,ntlm,!pku2u"),
            Packages::KerberosOnly(centre) => (kerberos(centre), "kerberos,!ntlm,!pku2u"),
            Packages::NtlmOnly => (
                Box::new(NtlmConfig::new(workstation())),
                "!kerberos,ntlm,!pku2u",
            ),
        };
        let mut package = Negotiate::new_client(NegotiateConfig::new(
            config,
            Some(list.to_owned()),
            workstation(),
        ))
        .map_err(unfit_error)?;
        let handle = package
            .acquire_credentials_handle()
            .with_credential_use(CredentialUse::Outbound)
            .with_auth_data(&self.account.identity().into())
            .execute(&mut package)
            .map_err(unfit_error)?;
        Ok(Box::new(NegotiateHandshake {
            context: SecurityContext {
                package,
                handle: handle.credentials_handle,
                target: self.account.target.clone(),
            },
            proves_site: matches!(self.packages, Packages::KerberosOnly(_)),
        }))
    }
}

#[async_trait]
impl Handshake for NegotiateHandshake {
    async fn next(
        &mut self,
        server_token: Option<&[u8]>,
        sender: Sender<'_>,
    ) -> SendResult<Vec<u8>> {
        self.context.step(server_token, sender).await
    }

    fn is_refused_by(&self, server_token: &[u8]) -> bool {
        is_spnego_reject(server_token)
    }

    async fn finish(&mut self, server_token: &[u8], sender: Sender<'_>) -> SendResult<()> {
        // With NTLM inside, the last word is only "accepted".
        if !self.proves_site {
            return Ok(());
        }
        if server_token.is_empty() {
            return Err(unproved_error("it sends no proof.").into());
        }
        let looked_at = self.context.step(Some(server_token), sender).await;
        match looked_at {
            Err(SendError::Site(error)) => Err(unproved_error(&error.to_string()).into()),
            looked_at => looked_at.map(drop),
        }
    }
}
