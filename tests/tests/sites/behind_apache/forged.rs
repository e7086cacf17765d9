//! What a client says about itself in the header that Apache names people in.
//! Whoever stands before a site has to drop it: only what was proved may reach the site.
//! Part of `behind_apache`.

use std::sync::Arc;

use async_trait::async_trait;
use checklist_tests::sign_in::{Person, REMOTE_USER, Realm, VirtualHost};
use http::HeaderValue;
use site_lists::{
    AuthenticationType, DirectTransport, Limits, Request, Response, Transport, TransportError,
};

use crate::work::{self, Program, run};

/// Says with every request that it is the administrator's.
struct Boasting(Arc<dyn Transport>);

#[async_trait]
impl Transport for Boasting {
    async fn send(&self, mut request: Request, limits: Limits) -> Result<Response, TransportError> {
        let admin = HeaderValue::from_static("admin");
        request.headers_mut().insert(REMOTE_USER, admin);
        self.0.send(request, limits).await
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        Ok(Arc::new(Self(self.0.open_dedicated()?)))
    }
}

#[test]
fn a_forged_identity_is_dropped_at_every_door() {
    for (virtual_host, method, domain) in [
        (VirtualHost::Digest, AuthenticationType::Digest, None),
        (VirtualHost::Ntlm, AuthenticationType::Ntlm, Some("SITE")),
        (
            VirtualHost::Windows,
            AuthenticationType::Negotiate,
            Some("SITE"),
        ),
    ] {
        let mut program = Program::new();
        program.transport = Arc::new(Boasting(Arc::new(
            DirectTransport::new().expect("a client"),
        )));
        let mut connection = super::right(virtual_host, method, Person::Bob);
        connection.domain = domain.map(str::to_owned);
        let item = run(async { work::add(&program.open(&connection), "whose is it?").await });
        assert_eq!(work::author(&item), "Bob Baker");
        work::all_acted_as("bob", &Realm::get().reached_site(&program.agent));
    }
}
