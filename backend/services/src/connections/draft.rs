//! The requested state of a connection: a `PUT` request, merged with the stored settings.
//!
//! An absent field keeps its value and `null` clears it. A stored value that does not apply to the
//! requested sign-in method is dropped. `write` builds a draft, `validate` checks it.

use checklist_shared::patch::Patch;
use checklist_shared::wire::connections::{
    ConnectionIdentity, ConnectionMethod, GrantedAccess, PutServiceConnection, SiteProtocol,
};

use super::settings::ConnectionSettings;

/// All fields as requested. Secrets are present only if the request contains them.
#[derive(Clone, Default)]
pub(super) struct ConnectionDraft {
    pub(super) name: String,
    pub(super) method: Option<ConnectionMethod>,
    pub(super) identity: ConnectionIdentity,
    pub(super) protocol: SiteProtocol,
    pub(super) url: String,
    pub(super) username: Option<String>,
    pub(super) password: Option<String>,
    pub(super) domain: Option<String>,
    pub(super) kdc: Option<String>,
    pub(super) token_service: Option<String>,
    pub(super) ca_bundle: Option<String>,
    pub(super) timeout: Option<u32>,
    pub(super) provider: Option<String>,
    pub(super) issuer: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) client_secret: Option<String>,
    pub(super) client_certificate: Option<String>,
    pub(super) remove_password: bool,
    pub(super) remove_client_secret: bool,
    pub(super) remove_client_certificate: bool,
    pub(super) access: GrantedAccess,
    pub(super) revision: Option<u64>,
}

impl ConnectionDraft {
    /// Merges a request with the stored settings; `before` is `None` for a new connection.
    pub(super) fn of(request: PutServiceConnection, before: Option<&ConnectionSettings>) -> Self {
        let method = request.method.or(before.map(|before| before.method));
        let identity = request
            .identity
            .or(before
                .filter(|_| method == Some(ConnectionMethod::Kerberos))
                .map(|before| before.identity))
            .unwrap_or_default();
        let is_own = identity == ConnectionIdentity::Service;
        let has_user = method.is_some_and(ConnectionMethod::has_password) && !is_own;
        let asks_tickets = !is_own
            && matches!(
                method,
                Some(ConnectionMethod::Kerberos | ConnectionMethod::Negotiate)
            );
        let is_online = method == Some(ConnectionMethod::SiteOnline);
        let is_oauth = method.is_some_and(ConnectionMethod::is_oauth);
        let is_delegated = method == Some(ConnectionMethod::Delegated);
        let text = |said: Patch<String>,
                    belongs: bool,
                    field: fn(&ConnectionSettings) -> &Option<String>| {
            said.or(before
                .filter(|_| belongs)
                .and_then(|before| field(before).clone()))
        };
        let forgets = |said: &Patch<String>| matches!(said, Patch::Clear);
        Self {
            remove_password: has_user && forgets(&request.password),
            remove_client_secret: request.remove_client_secret
                || (is_oauth && forgets(&request.client_secret)),
            remove_client_certificate: request.remove_client_certificate
                || (is_oauth && forgets(&request.client_certificate)),
            name: request.name,
            method,
            identity,
            protocol: request
                .protocol
                .or(before.map(|before| before.protocol))
                .unwrap_or_default(),
            url: request.url,
            username: text(request.username, has_user, |before| &before.username),
            password: request.password.or(None),
            domain: text(request.domain, has_user, |before| &before.domain),
            kdc: text(request.kdc, asks_tickets, |before| &before.kdc),
            token_service: text(request.token_service, is_online, |before| {
                &before.token_service
            }),
            ca_bundle: text(request.ca_bundle, true, |before| &before.ca_bundle),
            timeout: request.timeout.or(before.and_then(|before| before.timeout)),
            provider: text(request.provider, is_oauth, |before| &before.provider),
            issuer: text(request.issuer, is_oauth, |before| &before.issuer),
            client_id: text(request.client_id, is_oauth, |before| &before.client_id),
            client_secret: request.client_secret.or(None),
            client_certificate: request.client_certificate.or(None),
            access: request
                .access
                .or(before.filter(|_| is_delegated).map(|before| before.access))
                .unwrap_or_default(),
            revision: request.revision,
        }
    }

    /// The names of the secrets that the request sets or removes.
    pub(super) fn secrets(&self) -> Vec<&'static str> {
        [
            ("Password", self.password.is_some() || self.remove_password),
            (
                "ClientSecret",
                self.client_secret.is_some() || self.remove_client_secret,
            ),
            (
                "ClientCertificate",
                self.client_certificate.is_some() || self.remove_client_certificate,
            ),
        ]
        .into_iter()
        .filter_map(|(name, is_changed)| is_changed.then_some(name))
        .collect()
    }
}
