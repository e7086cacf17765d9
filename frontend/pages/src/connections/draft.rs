//! The draft of a connection's form, and what of it is sent.
//!
//! The draft is the connection as JSON, with the fields of a request as they are typed, and with
//! `Proof`: `Secret` or `Certificate`. Fields that the chosen sign-in method does not have stay in
//! the draft as long as the page is open, and are sent as `null`, which clears them. Secrets that
//! are left empty are not sent at all: the server keeps them.

use checklist_shared::wire::connections::{ConnectionMethod, ServiceConnection};
use serde_json::{Map, Value, json};

/// The origin of Microsoft Graph.
const GRAPH: &str = "https://graph.microsoft.com";

/// Fields that not every sign-in method has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Whose identity is used.
    Identity,
    /// User name, password, domain.
    User,
    /// The KDC of Kerberos.
    Kdc,
    /// The token service of a farm.
    TokenService,
    /// Authorization server, client and its secret.
    Client,
    /// What a person grants.
    Access,
}

/// What is sent, with the group that it belongs to.
const FIELDS: [(&str, Option<Group>); 15] = [
    ("Name", None),
    ("Method", None),
    ("Protocol", None),
    ("Url", None),
    ("Timeout", None),
    ("CaBundle", None),
    ("Revision", None),
    ("Identity", Some(Group::Identity)),
    ("Username", Some(Group::User)),
    ("Domain", Some(Group::User)),
    ("Kdc", Some(Group::Kdc)),
    ("TokenService", Some(Group::TokenService)),
    ("Issuer", Some(Group::Client)),
    ("ClientId", Some(Group::Client)),
    ("Access", Some(Group::Access)),
];

/// The draft of a new connection.
#[must_use]
pub fn empty() -> Value {
    json!({ "Name": "", "Method": null, "Protocol": "Auto", "Url": "", "Timeout": null,
        "CaBundle": null, "Identity": "Credentials", "Username": null, "Password": null,
        "Domain": null, "Kdc": null, "TokenService": null, "Issuer": null, "ClientId": null,
        "Proof": "Secret", "ClientSecret": null, "RemoveClientSecret": false,
        "ClientCertificate": null, "RemoveClientCertificate": false, "Access": "AllSites" })
}

/// The draft of a connection that exists. The server tells no secrets.
#[must_use]
pub fn of(connection: &ServiceConnection) -> Value {
    let mut draft = empty();
    if let (Value::Object(draft), Value::Object(fields)) = (&mut draft, json!(connection)) {
        draft.extend(fields);
    }
    if connection.has_client_certificate {
        draft["Proof"] = "Certificate".into();
    }
    draft
}

/// A number of seconds as it is typed. What is no number is one that the server refuses, together
/// with everything else that it finds.
#[must_use]
pub fn seconds(typed: &str) -> Value {
    typed.trim().parse::<u32>().unwrap_or(0).into()
}

/// The body of the request that saves a draft.
#[must_use]
pub fn request(draft: &Value) -> Value {
    let sent = |(name, group): (&str, Option<Group>)| {
        let is_sent = group.is_none_or(|group| has(draft, group));
        let value = if is_sent { &draft[name] } else { &Value::Null };
        (name.to_owned(), value.clone())
    };
    let mut request: Map<String, Value> = FIELDS.into_iter().map(sent).collect();
    let secret = |name: &str| {
        let text = draft[name].as_str()?;
        (!text.trim().is_empty()).then(|| Value::from(text))
    };
    let mut set = |name: &str, value: Value| request.insert(name.to_owned(), value);
    if let Some(password) = secret("Password").filter(|_| has(draft, Group::User)) {
        set("Password", password);
    }
    if has(draft, Group::Client) {
        let proof = if draft["Proof"] == "Certificate" {
            "ClientCertificate"
        } else {
            "ClientSecret"
        };
        // A new secret or certificate replaces whatever is stored.
        match secret(proof) {
            Some(secret) => _ = set(proof, secret),
            None => {
                for removal in ["RemoveClientSecret", "RemoveClientCertificate"] {
                    set(removal, (draft[removal] == true).into());
                }
            }
        }
    }
    request.into()
}

/// Whether the chosen sign-in method has these fields.
#[must_use]
pub fn has(draft: &Value, group: Group) -> bool {
    use ConnectionMethod::{Delegated, Kerberos, Negotiate, SiteOnline};
    let Some(method) = method(draft) else {
        return false;
    };
    let is_server = method == Kerberos && draft["Identity"] == "Service";
    match group {
        Group::Identity => method == Kerberos,
        Group::User => method.has_password() && !is_server,
        Group::Kdc => matches!(method, Kerberos | Negotiate) && !is_server,
        Group::TokenService => method == SiteOnline,
        Group::Client => method.is_oauth(),
        Group::Access => method == Delegated,
    }
}

/// The chosen sign-in method.
#[must_use]
pub fn method(draft: &Value) -> Option<ConnectionMethod> {
    serde_json::from_value(draft["Method"].clone()).ok()
}

/// The scopes that are requested for the site as it is typed: those of REST or those of Graph, with
/// the site's origin filled in where it is known by now.
#[must_use]
pub fn scopes(draft: &Value, rest: &[String], graph: &[String]) -> String {
    let url = draft["Url"].as_str().unwrap_or_default().trim();
    let origin = origin(url);
    let is_graph = match draft["Protocol"].as_str() {
        Some("Graph") => true,
        Some("Rest") => false,
        _ => origin.is_some_and(|origin| {
            origin.eq_ignore_ascii_case(GRAPH) || url[origin.len()..].starts_with("/v1.0/")
        }),
    };
    if is_graph {
        return graph.join(" ");
    }
    let scopes = rest.join(" ");
    match origin {
        Some(origin) => scopes.replace("{origin}", origin),
        None => scopes,
    }
}

fn origin(url: &str) -> Option<&str> {
    let begin = url.find("://")? + 3;
    let end = url[begin..]
        .find(['/', '?', '#'])
        .map_or(url.len(), |end| begin + end);
    (end > begin).then(|| &url[..end])
}

#[cfg(test)]
mod tests {
    use checklist_shared::patch::Patch;
    use checklist_shared::wire::connections::{
        ConnectionIdentity, GrantedAccess, PutServiceConnection,
    };

    use super::*;

    /// A draft in which everything is typed.
    fn full(method: &str) -> Value {
        json!({ "Name": "Intranet", "Method": method, "Url": "https://intranet.example/sites/it",
            "Protocol": "Auto", "Identity": "Credentials", "Username": "svc", "Password": " secret ",
            "Domain": "CORP", "Kdc": "tcp://kdc.example:88", "Timeout": 20,
            "TokenService": "https://intranet.example/extSTS.srf", "Issuer": "https://login.example",
            "ClientId": "checklists", "ClientSecret": "hidden", "Access": "SelectedSites",
            "Proof": "Secret", "Id": "not sent", "Revision": 3 })
    }

    fn with(method: &str, changes: Value) -> Value {
        let mut draft = full(method);
        let changes = changes.as_object().expect("fields").clone();
        draft.as_object_mut().expect("fields").extend(changes);
        draft
    }

    /// What is sent, as the server reads it.
    fn sent(draft: &Value) -> PutServiceConnection {
        serde_json::from_value(request(draft)).expect("a request that the server takes")
    }

    fn set(text: &str) -> Patch<String> {
        Patch::Set(text.to_owned())
    }

    #[test]
    fn what_was_emptied_is_sent_as_null_and_so_is_cleared() {
        let request = request(&with("NTLM", json!({ "Domain": null, "Timeout": null })));
        for field in ["Domain", "Timeout", "CaBundle"] {
            assert_eq!(request.get(field), Some(&Value::Null), "{field}: {request}");
        }
        assert_eq!(request["Username"], "svc");
    }

    #[test]
    fn only_what_the_sign_in_method_has_is_sent() {
        let ntlm = sent(&full("NTLM"));
        assert_eq!(ntlm.username, set("svc"));
        assert_eq!(ntlm.password, set(" secret "));
        assert_eq!(
            (ntlm.kdc, ntlm.issuer, ntlm.client_secret),
            (Patch::Clear, Patch::Clear, Patch::Keep)
        );
        assert_eq!((ntlm.timeout, ntlm.revision), (Patch::Set(20), Some(3)));
        let kerberos = sent(&full("Kerberos"));
        assert_eq!(kerberos.kdc, set("tcp://kdc.example:88"));
        assert_eq!(kerberos.token_service, Patch::Clear);
        let online = sent(&full("SiteOnline"));
        assert_eq!(
            online.token_service,
            set("https://intranet.example/extSTS.srf")
        );
        let delegated = sent(&full("Delegated"));
        assert_eq!(
            (delegated.username, delegated.password),
            (Patch::Clear, Patch::Keep)
        );
        assert_eq!(delegated.client_id, set("checklists"));
        assert_eq!(delegated.access, Patch::Set(GrantedAccess::SelectedSites));
        let application = sent(&full("Application"));
        assert_eq!(application.client_secret, set("hidden"));
        assert_eq!(application.access, Patch::Clear);
        let anonymous = sent(&full("Anonymous"));
        assert_eq!(
            (anonymous.username, anonymous.domain),
            (Patch::Clear, Patch::Clear)
        );
    }

    #[test]
    fn a_server_that_signs_in_as_itself_names_no_user_and_no_other_method_keeps_the_choice() {
        let own = |method| sent(&with(method, json!({ "Identity": "Service" })));
        let kerberos = own("Kerberos");
        assert_eq!(kerberos.identity, Patch::Set(ConnectionIdentity::Service));
        assert_eq!(
            (kerberos.username, kerberos.password, kerberos.kdc),
            (Patch::Clear, Patch::Keep, Patch::Clear)
        );
        let ntlm = own("NTLM");
        assert_eq!(ntlm.identity, Patch::Clear);
        assert_eq!(ntlm.username, set("svc"));
    }

    #[test]
    fn a_secret_that_is_left_empty_is_left_out_and_so_is_kept() {
        for empty in [json!(null), json!("")] {
            let request = request(&with("Digest", json!({ "Password": empty })));
            assert!(request.get("Password").is_none(), "{request}");
        }
    }

    #[test]
    fn a_secret_or_a_certificate_is_sent_and_nothing_is_removed_beside_it() {
        let certificate = json!({ "ClientCertificate": "PEM", "RemoveClientCertificate": true });
        let mut draft = with("Application", certificate);
        let request = sent(&draft);
        assert_eq!(request.client_secret, set("hidden"));
        assert_eq!(request.client_certificate, Patch::Keep);
        assert!(!request.remove_client_certificate, "the secret replaces it");
        draft["Proof"] = "Certificate".into();
        let request = sent(&draft);
        assert_eq!(request.client_secret, Patch::Keep);
        assert_eq!(request.client_certificate, set("PEM"));
        draft["ClientCertificate"] = Value::Null;
        let request = sent(&draft);
        assert!(request.remove_client_certificate && !request.remove_client_secret);
        draft["Method"] = "NTLM".into();
        assert!(!sent(&draft).remove_client_certificate);
    }

    #[test]
    fn seconds_that_are_no_number_are_sent_as_a_number_that_is_refused() {
        for (typed, value) in [(" 40 ", 40), ("soon", 0), ("-1", 0)] {
            assert_eq!(seconds(typed), value, "{typed}");
        }
    }

    #[test]
    fn scopes_are_those_of_the_site_that_is_typed() {
        let rest = ["openid".to_owned(), "{origin}/Sites.Selected".to_owned()];
        let graph = [
            "openid".to_owned(),
            "https://graph.microsoft.com/Sites.Selected".to_owned(),
        ];
        let scopes = |url: &str, protocol: &str| {
            scopes(&json!({ "Url": url, "Protocol": protocol }), &rest, &graph)
        };
        let over_rest = scopes("https://acme.example/sites/it", "Auto");
        assert_eq!(over_rest, "openid https://acme.example/Sites.Selected");
        assert_eq!(scopes("", "Auto"), "openid {origin}/Sites.Selected");
        for (url, protocol) in [
            ("https://graph.microsoft.com/v1.0/sites/x", "Auto"),
            ("https://acme.example/v1.0/sites/x", "Auto"),
            ("https://acme.example", "Graph"),
        ] {
            assert_eq!(scopes(url, protocol), graph.join(" "), "{url}");
        }
    }
}
