//! A site whose access is granted by a person at a real authorization server, and the server under
//! test between the two.
//!
//! The site takes the provider's tokens alone, and a refresh token that is used twice ends the
//! consent.

use checklist_site_server::{Options, SiteServer};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::host::HostKey;
use crate::identity_provider::{IdentityProvider, SECRET, Visitor};
use crate::person::Person;
use crate::place::incident;
use crate::server::Server;
use crate::setup::Setup;

/// An administrator in a browser.
pub struct Admin {
    /// What they look at it with.
    pub browser: Visitor,
    /// Who they are.
    pub person: Person,
}

/// An identity provider, a site that takes its tokens alone, and a server between them.
pub struct World {
    /// Grants access.
    pub provider: IdentityProvider,
    /// The site.
    pub site: SiteServer,
    /// The server.
    pub server: Server,
}

impl World {
    /// All three, with a vault.
    ///
    /// # Panics
    /// When one does not start.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        let provider = IdentityProvider::start();
        let site = SiteServer::start(Options {
            check_tokens: Some(provider.issuer.clone()),
            ..Options::default()
        });
        let site = site.expect("a site server");
        let hosts = Setup::for_hosts(&[HostKey::of("north")])
            .with_vault()
            .argument("--allow-origin")
            .argument(&site.origin());
        Self {
            server: provider.trusted_by(hosts).start(),
            provider,
            site,
        }
    }

    /// An administrator of that name, signed in in a browser.
    ///
    /// # Panics
    /// When that does not work.
    #[must_use]
    #[track_caller]
    pub fn admin(&self, name: &str) -> Admin {
        let first = self.server.as_admin().on(&incident("1"));
        let user = json!({ "Issuer": self.provider.issuer, "Subject": name, "Name": name, "Roles": ["admin"] });
        first.put("Users", &user).ok();
        let mut browser = Visitor::default();
        browser.sign_in(&self.server, name, "/admin/");
        let cookie = browser.cookie(&self.server, "checklist-session");
        Admin {
            browser,
            person: first.with_cookie(&cookie).about_sites(),
        }
    }

    /// A program that runs activities.
    ///
    /// # Panics
    /// When it gets no key.
    #[must_use]
    #[track_caller]
    pub fn operator(&self) -> Person {
        let admin = self.server.as_admin().on(&incident("1"));
        admin.program("Program", &["site-operator"]).about_sites()
    }

    /// A connection that acts on behalf of a person.
    #[must_use]
    pub fn wish(&self) -> Value {
        json!({ "Name": "Team site", "Method": "Delegated", "Url": self.site.site_url(),
            "Issuer": self.provider.issuer, "ClientId": "site-app", "ClientSecret": SECRET })
    }

    /// A connection of that administrator; its path.
    ///
    /// # Panics
    /// When it is refused.
    #[must_use]
    #[track_caller]
    pub fn connection(&self, admin: &Admin) -> String {
        self.connection_as(admin, &self.wish())
    }

    /// The connection that is wished for, of that administrator; its path.
    ///
    /// # Panics
    /// When it is refused.
    #[must_use]
    #[track_caller]
    pub fn connection_as(&self, admin: &Admin, wish: &Value) -> String {
        let made = admin.person.send("ServiceConnections", wish).ok();
        format!("ServiceConnections/{}", made["Id"].as_str().expect("an id"))
    }

    /// Begins a consent and agrees to it; the address that the provider sends back to.
    ///
    /// # Panics
    /// When the way does not lead there.
    #[must_use]
    #[track_caller]
    pub fn agreed(&self, admin: &mut Admin, path: &str) -> String {
        let begun = admin.person.send(&format!("{path}/Connect"), &json!({}));
        admin.browser.keep_cookies_of(&self.server, &begun);
        let address = begun.ok()["AuthorizationUrl"].clone();
        let name = admin.person.get(path).ok()["Owner"].clone();
        let name = name.as_str().unwrap_or_default();
        admin
            .browser
            .agree(address.as_str().expect("an address"), name)
    }

    /// Connects, all the way.
    ///
    /// # Panics
    /// When nothing is granted.
    #[track_caller]
    pub fn connect(&self, admin: &mut Admin, path: &str) {
        let callback = self.agreed(admin, path);
        let back = admin.browser.get(&callback);
        assert!(
            back.header("location").ends_with("?Connected=true"),
            "{}",
            back.header("location")
        );
        assert_eq!(admin.person.get(path).ok()["State"], "Ready");
    }
}

/// Adds an item to a list of the site, over the connection of that path.
#[track_caller]
pub fn add(operator: &Person, path: &str) -> Answer {
    let id = path.trim_start_matches("ServiceConnections/");
    let body = json!({ "Connection": { "ServiceConnection": id }, "List": "Computers",
        "Fields": [{ "Name": "Title", "Value": "PC" }] });
    operator.send("AddSiteItem", &body)
}
