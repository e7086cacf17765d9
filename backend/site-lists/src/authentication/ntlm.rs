//! `NTLM`: two tokens, the second of which proves the password over the site's challenge.

use async_trait::async_trait;
use sspi::ntlm::NtlmConfig;
use sspi::{CredentialUse, Ntlm, Sspi};

use super::authenticator::{SendResult, Sender};
use super::connection_bound::{Handshake, Mechanism};
use super::windows::{SecurityContext, WindowsAccount, unfit_error, workstation};
use crate::error::Result;

pub(super) struct NtlmMechanism(pub(super) WindowsAccount);

struct NtlmHandshake(SecurityContext<Ntlm>);

impl Mechanism for NtlmMechanism {
    fn scheme(&self) -> &'static str {
        "NTLM"
    }

    fn begin(&self) -> Result<Box<dyn Handshake>> {
        let mut package = Ntlm::with_config(NtlmConfig::new(workstation()));
        let handle = package
            .acquire_credentials_handle()
            .with_credential_use(CredentialUse::Outbound)
            .with_auth_data(&self.0.identity())
            .execute(&mut package)
            .map_err(unfit_error)?;
        Ok(Box::new(NtlmHandshake(SecurityContext {
            package,
            handle: handle.credentials_handle,
            target: self.0.target.clone(),
        })))
    }
}

#[async_trait]
impl Handshake for NtlmHandshake {
    async fn next(
        &mut self,
        server_token: Option<&[u8]>,
        sender: Sender<'_>,
    ) -> SendResult<Vec<u8>> {
        self.0.step(server_token, sender).await
    }

    async fn finish(&mut self, _server_token: &[u8], _sender: Sender<'_>) -> SendResult<()> {
        // NTLM has no third token: there is nothing that would prove the site.
        Ok(())
    }
}
