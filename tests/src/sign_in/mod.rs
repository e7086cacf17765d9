//! Real servers that a site is signed in to: Apache before a local site server, one scheme a
//! port, and a Kerberos realm.
//!
//! Started once by a test program, ended with it however that goes. `cargo xtask test` unpacks what
//! is started here.

pub mod apache;
pub mod kdc;
pub mod log;
pub mod people;
mod unpacked;

use std::sync::OnceLock;

use checklist_site_server::{Options, Seen, SiteServer};

use apache::Sites;
pub use apache::{Apache, VirtualHost};
pub use kdc::Kdc;
pub use log::Visit;
pub use people::{PASSWORD, Person};

/// The header in which Apache names who has proved to be whom.
pub const REMOTE_USER: &str = "x-remote-user";

/// A site behind Apache, and the realm that its people belong to.
pub struct Realm {
    /// What Apache forwards to; it lets in nobody whom Apache does not name.
    pub site: SiteServer,
    /// What the open virtual hosts lead to; it lets in everybody.
    pub open_site: SiteServer,
    /// The realm.
    pub kdc: Kdc,
    /// What asks people who they are.
    pub apache: Apache,
}

impl Realm {
    /// The one of this test program.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn get() -> &'static Self {
        static REALM: OnceLock<Realm> = OnceLock::new();
        REALM.get_or_init(Self::start)
    }

    fn start() -> Self {
        let options = Options {
            remote_user_header: Some(REMOTE_USER.to_owned()),
            sign_in_required: true,
            ..Options::default()
        };
        let site = SiteServer::start(options).expect("a site server on this machine");
        let open = Options {
            remote_user_header: Some(REMOTE_USER.to_owned()),
            ..Options::default()
        };
        let open_site = SiteServer::start(open).expect("a site server on this machine");
        let kdc = Kdc::start();
        let sites = Sites {
            closed: &site.origin(),
            open: &open_site.origin(),
        };
        let apache = Apache::start(sites, &kdc);
        Self {
            site,
            open_site,
            kdc,
            apache,
        }
    }

    /// The address of the site behind a virtual host.
    #[must_use]
    pub fn site_url(&self, virtual_host: VirtualHost) -> String {
        format!("{}/sites/demo", self.apache.origin(virtual_host))
    }

    /// What a program of that name has asked the site for, behind Apache.
    #[must_use]
    pub fn reached_site(&self, agent: &str) -> Vec<Seen> {
        let mut seen = self.site.requests();
        seen.extend(self.open_site.requests());
        seen.retain(|seen| seen.user_agent.as_deref() == Some(agent));
        seen
    }
}
