//! Problems that only some calls answer with, as types for the `responses` of a handler.
//!
//! `complete` in `document` adds those that follow from what a call is (its path, its body); what a
//! call does is known to its handler alone, and stands there.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::response::Response;
use utoipa::openapi::{Ref, RefOr};

use super::examples::PROBLEMS;

macro_rules! problems {
    ($($(#[$about:meta])+ $group:ident: $($name:literal),+;)+) => {$(
        $(#[$about])+
        pub struct $group;

        impl IntoResponses for $group {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                responses_of(&[$($name),+])
            }
        }
    )+};
}

problems! {
    /// It writes: what it finds may not permit that, and the disk may be full.
    Writes: "Locked", "StorageFull";
    /// It sends requests to a site and can fail there.
    AsksSite: "SiteForbidden", "SiteFailed", "SiteTimedOut";
    /// It changes an item of a site's list.
    ChangesSiteItem: "SiteConflict";
    /// It asks a site by a connection that may wait for its owner.
    ReadsSite: "ConnectionNeedsSignIn";
    /// It is a step of signing in with the identity provider.
    SignsIn: "NoIdentityProvider";
    /// It writes a template, and only the one that the caller has seen.
    ConditionalTemplate: "TemplateChanged";
    /// It writes a platform type, and only the one that the caller has seen.
    ConditionalType: "TypeChanged";
    /// It writes a service connection, and only the one that the caller has seen.
    ConditionalConnection: "ConnectionChanged";
    /// It is for whoever has signed in with this browser.
    SignedIn: "Unauthenticated";
    /// It is for pages of this server alone.
    OwnPages: "OriginRefused";
    /// It is counted, though it is no call of the API.
    Counted: "TooManyRequests";
}

/// The shared problems of these names, by status.
fn responses_of(names: &[&str]) -> BTreeMap<String, RefOr<Response>> {
    let named = PROBLEMS
        .iter()
        .filter(|problem| names.contains(&problem.name));
    let by_status = named.map(|problem| {
        let response = RefOr::Ref(Ref::from_response_name(problem.name));
        (problem.status.to_owned(), response)
    });
    by_status.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_names_each_of_its_problems_with_its_status() {
        let writes = Writes::responses();
        assert_eq!(writes.keys().collect::<Vec<_>>(), ["409", "507"]);
        assert_eq!(AsksSite::responses().len(), 3);
    }
}
