//! A connection while it is being written: every field as it is typed, and what of it is sent.
//!
//! Fields that the chosen way to sign in does not have are neither shown nor given, but stay typed
//! as long as the page is open. What is empty is sent as `null`, which clears; passwords that are
//! left empty are left out: the server keeps them.

use checklist_shared::patch::Patch;
use checklist_shared::wire::connections::{
    ConnectionIdentity, ConnectionMethod, GrantedAccess, PutServiceConnection, ServiceConnection,
    SiteProtocol,
};

/// Where Microsoft Graph lives.
const GRAPH: &str = "https://graph.microsoft.com";

/// A connection while it is being written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The name for people.
    pub name: String,
    /// How to sign in; nobody has said yet.
    pub method: Option<ConnectionMethod>,
    /// Whose identity that is with.
    pub identity: ConnectionIdentity,
    /// What the site speaks.
    pub protocol: SiteProtocol,
    /// The site.
    pub url: String,
    /// User name.
    pub username: String,
    /// A new password.
    pub password: String,
    /// Domain or realm.
    pub domain: String,
    /// Where Kerberos tickets come from.
    pub kdc: String,
    /// The token service of a farm's former dialogue.
    pub token_service: String,
    /// Certificates of the site's own authority, PEM.
    pub ca_bundle: String,
    /// Seconds, as typed.
    pub timeout: String,
    /// The authorization server.
    pub issuer: String,
    /// Who this server is there.
    pub client_id: String,
    /// What the client shows to prove who it is.
    pub proof: Proof,
    /// A new client secret.
    pub client_secret: String,
    /// A new certificate with its key, PEM.
    pub client_certificate: String,
    /// Whether the client secret that is kept shall go.
    pub remove_client_secret: bool,
    /// Whether the certificate that is kept shall go.
    pub remove_client_certificate: bool,
    /// What is asked for.
    pub access: GrantedAccess,
}

impl Draft {
    /// What stands in a connection. Nothing that authenticates is known here.
    #[must_use]
    pub fn of(connection: &ServiceConnection) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            name: connection.name.clone(),
            method: Some(connection.method),
            identity: connection.identity,
            protocol: connection.protocol,
            url: connection.url.clone(),
            username: text(&connection.username),
            password: String::new(),
            domain: text(&connection.domain),
            kdc: text(&connection.kdc),
            token_service: text(&connection.token_service),
            ca_bundle: text(&connection.ca_bundle),
            timeout: connection
                .timeout
                .map_or_else(String::new, |seconds| seconds.to_string()),
            issuer: text(&connection.issuer),
            client_id: text(&connection.client_id),
            proof: if connection.has_client_certificate {
                Proof::Certificate
            } else {
                Proof::Secret
            },
            client_secret: String::new(),
            client_certificate: String::new(),
            remove_client_secret: false,
            remove_client_certificate: false,
            access: connection.access,
        }
    }

    /// What is sent, based on that revision.
    #[must_use]
    pub fn wish(&self, revision: Option<u64>) -> PutServiceConnection {
        let has = |field: Field| self.has(field);
        let line = |field: Field, text: &str| given(text.trim()).filter(|_| has(field));
        // Blanks may belong to a secret.
        let secret = |field: Field, text: &str| given(text).filter(|_| has(field));
        // What is not chosen any more stays typed, and is not sent.
        let client_secret =
            secret(Field::Client, &self.client_secret).filter(|_| self.proof == Proof::Secret);
        let client_certificate = line(Field::Client, &self.client_certificate)
            .filter(|_| self.proof == Proof::Certificate);
        // Either takes the place of whatever is kept, so nothing has to be removed beside it.
        let keeps = client_secret.is_none() && client_certificate.is_none();
        // What is empty is cleared, but for secrets, which nobody reads back.
        let unless_empty = |secret: Option<String>| secret.map_or(Patch::Keep, Patch::Set);
        let removes = |ticked: bool| ticked && keeps && has(Field::Client);
        PutServiceConnection {
            name: self.name.trim().to_owned(),
            method: self.method.into(),
            identity: Some(self.identity).filter(|_| has(Field::Identity)).into(),
            protocol: Patch::Set(self.protocol),
            url: self.url.trim().to_owned(),
            username: line(Field::User, &self.username).into(),
            password: unless_empty(secret(Field::User, &self.password)),
            domain: line(Field::User, &self.domain).into(),
            kdc: line(Field::Kdc, &self.kdc).into(),
            token_service: line(Field::TokenService, &self.token_service).into(),
            ca_bundle: given(self.ca_bundle.trim()).into(),
            // What is no number is no number of seconds that the server takes, and it says so.
            timeout: given(self.timeout.trim())
                .map(|text| text.parse().unwrap_or(0))
                .into(),
            provider: Patch::Keep,
            issuer: line(Field::Client, &self.issuer).into(),
            client_id: line(Field::Client, &self.client_id).into(),
            client_secret: unless_empty(client_secret),
            client_certificate: unless_empty(client_certificate),
            remove_client_secret: removes(self.remove_client_secret),
            remove_client_certificate: removes(self.remove_client_certificate),
            access: Some(self.access).filter(|_| has(Field::Access)).into(),
            revision,
        }
    }

    /// Whether the chosen way to sign in has these fields.
    #[must_use]
    pub fn has(&self, field: Field) -> bool {
        let is_own = self.method == Some(ConnectionMethod::Kerberos)
            && self.identity == ConnectionIdentity::Service;
        self.method.is_some_and(|method| match field {
            Field::Identity => method == ConnectionMethod::Kerberos,
            Field::User => method.has_password() && !is_own,
            Field::Kdc => {
                !is_own
                    && matches!(
                        method,
                        ConnectionMethod::Kerberos | ConnectionMethod::Negotiate
                    )
            }
            Field::TokenService => method == ConnectionMethod::SiteOnline,
            Field::Client => method.is_oauth(),
            Field::Access => method == ConnectionMethod::Delegated,
        })
    }

    /// The scopes that a choice comes to for this site: those over REST or over Graph, with the
    /// site's origin where it is known by now.
    #[must_use]
    pub fn scopes(&self, rest: &[String], graph: &[String]) -> String {
        let origin = self.origin();
        let over_graph = match self.protocol {
            SiteProtocol::Graph => true,
            SiteProtocol::Rest => false,
            SiteProtocol::Auto => origin.is_some_and(|origin| {
                origin.eq_ignore_ascii_case(GRAPH)
                    || self.url.trim()[origin.len()..].starts_with("/v1.0/")
            }),
        };
        if over_graph {
            graph.join(" ")
        } else {
            let scopes = rest.join(" ");
            origin.map_or_else(
                || scopes.clone(),
                |origin| scopes.replace("{origin}", origin),
            )
        }
    }

    fn origin(&self) -> Option<&str> {
        let url = self.url.trim();
        let begin = url.find("://")? + 3;
        let end = url[begin..]
            .find(['/', '?', '#'])
            .map_or(url.len(), |end| begin + end);
        (end > begin).then(|| &url[..end])
    }
}

/// What a client shows to prove who it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// A secret; none for a public client.
    #[default]
    Secret,
    /// A certificate with its key.
    Certificate,
}

/// Fields that not every way to sign in has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Whose identity.
    Identity,
    /// User name, password, domain.
    User,
    /// Where tickets come from.
    Kdc,
    /// What takes a password for a token.
    TokenService,
    /// Authorization server, client and its secret.
    Client,
    /// What a person grants.
    Access,
}

fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(method: ConnectionMethod) -> Draft {
        let text = |text: &str| text.to_owned();
        Draft {
            name: text(" Intranet "),
            method: Some(method),
            url: text("https://intranet.example/sites/it"),
            username: text("svc"),
            password: text(" secret "),
            domain: text("CORP"),
            kdc: text("tcp://kdc.example:88"),
            token_service: text("https://intranet.example/extSTS.srf"),
            timeout: text("20"),
            issuer: text("https://login.example"),
            client_id: text("checklists"),
            client_secret: text("hidden"),
            access: GrantedAccess::SelectedSites,
            ..Draft::default()
        }
    }

    fn set(text: &str) -> Patch<String> {
        Patch::Set(text.to_owned())
    }

    #[test]
    fn what_was_emptied_is_sent_as_null_and_so_is_cleared() {
        let draft = Draft {
            domain: String::new(),
            timeout: " ".to_owned(),
            ..full(ConnectionMethod::Ntlm)
        };
        let sent = serde_json::to_value(draft.wish(Some(1))).expect("a request");
        for field in ["Domain", "Timeout", "CaBundle"] {
            assert_eq!(
                sent.get(field),
                Some(&serde_json::Value::Null),
                "{field}: {sent}"
            );
        }
        assert_eq!(sent["Username"], "svc");
    }

    #[test]
    fn only_what_the_way_to_sign_in_has_is_sent() {
        let ntlm = full(ConnectionMethod::Ntlm).wish(Some(3));
        assert_eq!(ntlm.name, "Intranet");
        assert_eq!(ntlm.username, set("svc"));
        assert_eq!(ntlm.password, set(" secret "));
        assert_eq!(
            (ntlm.kdc, ntlm.issuer, ntlm.client_secret),
            (Patch::Clear, Patch::Clear, Patch::Keep)
        );
        assert_eq!((ntlm.timeout, ntlm.revision), (Patch::Set(20), Some(3)));
        let kerberos = full(ConnectionMethod::Kerberos).wish(None);
        assert_eq!(kerberos.kdc, set("tcp://kdc.example:88"));
        assert_eq!(kerberos.token_service, Patch::Clear);
        let online = full(ConnectionMethod::SiteOnline).wish(None);
        assert_eq!(
            online.token_service,
            set("https://intranet.example/extSTS.srf")
        );
        let delegated = full(ConnectionMethod::Delegated).wish(None);
        assert_eq!(
            (delegated.username, delegated.password),
            (Patch::Clear, Patch::Keep)
        );
        assert_eq!(delegated.client_id, set("checklists"));
        assert_eq!(delegated.access, Patch::Set(GrantedAccess::SelectedSites));
        let application = full(ConnectionMethod::Application).wish(None);
        assert_eq!(application.client_secret, set("hidden"));
        assert_eq!(application.access, Patch::Clear);
        let anonymous = full(ConnectionMethod::Anonymous).wish(None);
        assert_eq!(
            (anonymous.username, anonymous.domain),
            (Patch::Clear, Patch::Clear)
        );
    }

    #[test]
    fn a_server_that_signs_in_as_itself_names_no_user_and_no_other_way_keeps_the_choice() {
        let own = |method| Draft {
            identity: ConnectionIdentity::Service,
            ..full(method)
        };
        let kerberos = own(ConnectionMethod::Kerberos).wish(None);
        assert_eq!(kerberos.identity, Patch::Set(ConnectionIdentity::Service));
        assert_eq!(
            (kerberos.username, kerberos.password, kerberos.kdc),
            (Patch::Clear, Patch::Keep, Patch::Clear)
        );
        let ntlm = own(ConnectionMethod::Ntlm).wish(None);
        assert_eq!(ntlm.identity, Patch::Clear);
        assert_eq!(ntlm.username, set("svc"));
    }

    #[test]
    fn a_secret_that_is_left_empty_is_left_out_and_so_is_kept() {
        let draft = Draft {
            password: String::new(),
            ..full(ConnectionMethod::Digest)
        };
        let sent = serde_json::to_value(draft.wish(Some(1))).expect("a request");
        assert!(sent.get("Password").is_none(), "{sent}");
    }

    #[test]
    fn a_secret_or_a_certificate_is_sent_and_nothing_is_removed_beside_it() {
        let mut draft = full(ConnectionMethod::Application);
        draft.client_certificate = " PEM ".to_owned();
        draft.remove_client_certificate = true;
        let wish = draft.wish(Some(1));
        assert_eq!(wish.client_secret, set("hidden"));
        assert_eq!(wish.client_certificate, Patch::Keep);
        assert!(!wish.remove_client_certificate, "the secret replaces it");
        draft.proof = Proof::Certificate;
        let wish = draft.wish(Some(1));
        assert_eq!(wish.client_secret, Patch::Keep);
        assert_eq!(wish.client_certificate, set("PEM"));
        draft.client_certificate.clear();
        let wish = draft.wish(Some(1));
        assert!(wish.remove_client_certificate && !wish.remove_client_secret);
        draft.method = Some(ConnectionMethod::Ntlm);
        assert!(!draft.wish(Some(1)).remove_client_certificate);
    }

    #[test]
    fn seconds_that_are_no_number_are_sent_as_none_that_is_taken() {
        for (typed, sent) in [
            ("", Patch::Clear),
            (" 40 ", Patch::Set(40)),
            ("soon", Patch::Set(0)),
            ("-1", Patch::Set(0)),
        ] {
            let draft = Draft {
                timeout: typed.to_owned(),
                ..full(ConnectionMethod::Anonymous)
            };
            assert_eq!(draft.wish(None).timeout, sent, "{typed}");
        }
    }

    #[test]
    fn scopes_are_those_of_the_site_that_is_typed() {
        let rest = ["openid".to_owned(), "{origin}/Sites.Selected".to_owned()];
        let graph = [
            "openid".to_owned(),
            "https://graph.microsoft.com/Sites.Selected".to_owned(),
        ];
        let scopes = |url: &str, protocol: SiteProtocol| {
            let draft = Draft {
                url: url.to_owned(),
                protocol,
                ..Draft::default()
            };
            draft.scopes(&rest, &graph)
        };
        let over_rest = scopes("https://acme.example/sites/it", SiteProtocol::Auto);
        assert_eq!(over_rest, "openid https://acme.example/Sites.Selected");
        assert_eq!(
            scopes("", SiteProtocol::Auto),
            "openid {origin}/Sites.Selected"
        );
        for (url, protocol) in [
            (
                "https://graph.microsoft.com/v1.0/sites/x",
                SiteProtocol::Auto,
            ),
            ("https://acme.example/v1.0/sites/x", SiteProtocol::Auto),
            ("https://acme.example", SiteProtocol::Graph),
        ] {
            assert_eq!(scopes(url, protocol), graph.join(" "), "{url}");
        }
    }
}
