//! The delegated capability provider and its scopes.
//!
//! The list shows the scope in its historical form. Today's identity platform requires the site's
//! origin before `AllSites.FullControl` and one audience per token, so requests use that form; the
//! listed form can be selected for servers that support nothing else.

use checklist_auth::Principal;
use checklist_shared::wire::connections::{
    AccessChoice, GrantedAccess, ServiceCapabilityProvider, ServiceCapabilityProviders,
    SiteProtocol,
};
use checklist_store::error::ServiceResult;
use url::Url;

use super::settings::ConnectionSettings;
use crate::access;

/// The id of the provider.
pub const PROVIDER: &str = "site-delegated";
/// Its scope, as listed.
pub const SCOPE: &str = "offline_access+openid+User.Read+AllSites.FullControl";
/// The origin of Microsoft Graph.
const GRAPH: &str = "https://graph.microsoft.com";

/// Lists the providers. `callback` is the redirect URI of consents.
///
/// # Errors
/// `PermissionDenied`.
pub fn list(principal: &Principal, callback: String) -> ServiceResult<ServiceCapabilityProviders> {
    access::need_admin(principal)?;
    let choice = |chosen: GrantedAccess, grants: &str| AccessChoice {
        access: chosen,
        rest_scopes: permissions_to_request(chosen, false, "{origin}"),
        graph_scopes: permissions_to_request(chosen, true, GRAPH),
        grants: grants.to_owned(),
    };
    Ok(ServiceCapabilityProviders {
        service_capability_providers: vec![ServiceCapabilityProvider {
            id: PROVIDER.to_owned(),
            name: "Site lists on behalf of a person".to_owned(),
            kind: "Delegated".to_owned(),
            scope: SCOPE.to_owned(),
            redirect_uri: callback,
            choices: vec![
                choice(
                    GrantedAccess::AllSites,
                    "Full control of every site that the person who signs in may use, until the consent is taken \
                     back, also while that person is away.",
                ),
                choice(
                    GrantedAccess::SelectedSites,
                    "Only the sites that an administrator there has opened to this application, until the consent \
                     is taken back, also while the person is away.",
                ),
                choice(
                    GrantedAccess::AsListed,
                    "What the authorization server takes the provider's listed scope for; meant for full control of \
                     every site that the person may use, also while that person is away.",
                ),
            ],
        }],
    })
}

/// The scopes to request for a connection.
#[must_use]
pub(super) fn scopes(settings: &ConnectionSettings) -> Vec<String> {
    if !settings.method.is_oauth() {
        return Vec::new();
    }
    let (graph, audience) = audience(settings);
    if settings.method == checklist_shared::wire::connections::ConnectionMethod::Application {
        return vec![format!("{audience}/.default")];
    }
    permissions_to_request(settings.access, graph, &audience)
}

/// Whether the site is accessed through Graph, and the audience of its tokens: Graph, or the site's
/// origin.
fn audience(settings: &ConnectionSettings) -> (bool, String) {
    let Ok(url) = Url::parse(&settings.url) else {
        return (false, settings.url.clone());
    };
    let origin = url.origin().ascii_serialization();
    let graph = match settings.protocol {
        SiteProtocol::Graph => true,
        SiteProtocol::Rest => false,
        SiteProtocol::Auto => origin == GRAPH || url.path().starts_with("/v1.0/"),
    };
    (graph, origin)
}

fn permissions_to_request(access: GrantedAccess, graph: bool, audience: &str) -> Vec<String> {
    let of_site = match (access, graph) {
        (GrantedAccess::AsListed, _) => return SCOPE.split('+').map(str::to_owned).collect(),
        (GrantedAccess::AllSites, false) => "AllSites.FullControl",
        (GrantedAccess::AllSites, true) => "Sites.FullControl.All",
        (GrantedAccess::SelectedSites, _) => "Sites.Selected",
    };
    vec![
        "offline_access".to_owned(),
        "openid".to_owned(),
        format!("{audience}/{of_site}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::wire::connections::{ConnectionIdentity, ConnectionMethod};

    fn settings(url: &str, access: GrantedAccess) -> ConnectionSettings {
        ConnectionSettings {
            method: ConnectionMethod::Delegated,
            identity: ConnectionIdentity::default(),
            protocol: SiteProtocol::Auto,
            url: url.to_owned(),
            username: None,
            domain: None,
            kdc: None,
            token_service: None,
            ca_bundle: None,
            timeout: None,
            provider: Some(PROVIDER.to_owned()),
            issuer: None,
            client_id: None,
            access,
            revision: 1,
        }
    }

    #[test]
    fn a_token_is_asked_for_one_audience_with_qualified_scopes() {
        let rest = settings(
            "https://acme.sharepoint.com/sites/it",
            GrantedAccess::AllSites,
        );
        assert_eq!(
            scopes(&rest),
            [
                "offline_access",
                "openid",
                "https://acme.sharepoint.com/AllSites.FullControl"
            ]
        );
        let graph = settings(
            "https://graph.microsoft.com/v1.0/sites/x",
            GrantedAccess::SelectedSites,
        );
        assert_eq!(
            scopes(&graph)[2],
            "https://graph.microsoft.com/Sites.Selected"
        );
        let local = settings(
            "https://127.0.0.1:8443/v1.0/sites/x",
            GrantedAccess::AllSites,
        );
        assert_eq!(
            scopes(&local)[2],
            "https://127.0.0.1:8443/Sites.FullControl.All"
        );
    }

    #[test]
    fn the_listed_scope_is_asked_for_word_by_word() {
        let listed = settings("https://acme.sharepoint.com", GrantedAccess::AsListed);
        assert_eq!(
            scopes(&listed),
            [
                "offline_access",
                "openid",
                "User.Read",
                "AllSites.FullControl"
            ]
        );
    }

    #[test]
    fn an_application_asks_for_what_it_was_given_there() {
        let mut unattended = settings(
            "https://acme.sharepoint.com/sites/it",
            GrantedAccess::AllSites,
        );
        unattended.method = ConnectionMethod::Application;
        assert_eq!(
            scopes(&unattended),
            ["https://acme.sharepoint.com/.default"]
        );
    }
}
