//! Addresses of the pages: which page a path means, and which path a page has.
//!
//! Paths stand below `{base_url}/admin`. A search is in the query, so that it can be bookmarked and
//! sent.

mod search;

use checklist_shared::Context;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

pub use self::search::*;

/// What stays as it is in a part of a path.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// What there is and what is missing, for administrators; for others their first page.
    Home,
    /// The checklists, searched.
    Lists(ListSearch),
    /// One checklist.
    List(Context),
    /// Open items of all checklists, searched.
    OpenItems(ItemSearch),
    /// All templates.
    Templates,
    /// A template that is not there yet.
    NewTemplate,
    /// One template: its draft, or what is published.
    Template(String),
    /// What differs between two versions of a template.
    Comparison(String),
    /// Statistics for each item of a template.
    Health(String),
    /// Templates from a file.
    Import,
    /// The form that applies a template to many checklists, and its runs.
    Apply,
    /// One of these runs.
    Applied(String),
    /// All types.
    Types,
    /// A type that is not there yet.
    NewType,
    /// One type.
    Type(String),
    /// Keys of programs.
    ApiKeys,
    /// Keys of host platforms.
    EmbedKeys,
    /// People and their roles, searched.
    Users(UserSearch),
    /// All service connections.
    Connections,
    /// A service connection that is not there yet.
    NewConnection,
    /// One service connection.
    Connection(String),
    /// All webhooks.
    Webhooks,
    /// One webhook, with what it was sent.
    Webhook(String),
    /// One delivery of a webhook.
    Delivery {
        /// The webhook.
        webhook: String,
        /// The delivery.
        id: String,
    },
    /// The computers, searched.
    Computers(Filter),
    /// The export of the chosen computers to a site list.
    Export,
    /// All runs.
    Runs,
    /// One run.
    Run(String),
    /// The journal, searched.
    Journal(Search),
    /// The audit trail, searched.
    Audit(Search),
    /// The passkeys of the person who is signed in.
    Passkeys,
    /// Signing in with a one-time link, whose secret stands behind the `#`.
    SignInLink,
    /// No page.
    Unknown,
}

/// A path with parameters, those that are empty left out.
pub(crate) fn with_query<N: AsRef<str>, V: AsRef<str>>(
    path: &str,
    fields: impl IntoIterator<Item = (N, V)>,
) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(
        fields
            .into_iter()
            .filter(|(_, value)| !value.as_ref().is_empty()),
    );
    let query = query.finish();
    let mark = if query.is_empty() { "" } else { "?" };
    [path, mark, &query].concat()
}

impl Route {
    /// The page of a path below `/admin` and what stands behind its `?`.
    #[must_use]
    pub fn of(path: &str, query: &str) -> Self {
        let query = query.trim_start_matches('?');
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let text = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
        match parts.as_slice() {
            [""] => Self::Home,
            ["lists"] => Self::Lists(ListSearch::of_query(query)),
            ["lists", "of", object_type, object_id] => {
                let mut pairs = form_urlencoded::parse(query.as_bytes());
                let purpose = pairs.find(|(name, _)| name == "Purpose");
                let purpose = purpose.map(|(_, value)| value.into_owned());
                Self::List(Context::new(
                    &text(object_type),
                    &text(object_id),
                    &purpose.unwrap_or_default(),
                ))
            }
            ["open-items"] => Self::OpenItems(ItemSearch::of_query(query)),
            ["templates"] => Self::Templates,
            ["templates", "new"] => Self::NewTemplate,
            ["templates", "import"] => Self::Import,
            ["templates", "of", id] => Self::Template(text(id)),
            ["templates", "of", id, "comparison"] => Self::Comparison(text(id)),
            ["templates", "of", id, "health"] => Self::Health(text(id)),
            ["apply"] => Self::Apply,
            ["apply", id] => Self::Applied(text(id)),
            ["types"] => Self::Types,
            ["types", "new"] => Self::NewType,
            ["types", "of", name] => Self::Type(text(name)),
            ["keys"] => Self::ApiKeys,
            ["keys", "embed"] => Self::EmbedKeys,
            ["people"] => Self::Users(UserSearch::of_query(query)),
            ["connections"] => Self::Connections,
            ["connections", "new"] => Self::NewConnection,
            ["connections", id] => Self::Connection(text(id)),
            ["webhooks"] => Self::Webhooks,
            ["webhooks", id] => Self::Webhook(text(id)),
            ["webhooks", webhook, "deliveries", id] => Self::Delivery {
                webhook: text(webhook),
                id: text(id),
            },
            ["computers"] => Self::Computers(Filter::of_query(query)),
            ["computers", "export"] => Self::Export,
            ["runs"] => Self::Runs,
            ["runs", id] => Self::Run(text(id)),
            ["journal"] => Self::Journal(Search::of_query(query)),
            ["audit"] => Self::Audit(Search::of_query(query)),
            ["passkeys"] => Self::Passkeys,
            ["link"] => Self::SignInLink,
            _ => Self::Unknown,
        }
    }

    /// Its path below `/admin`, with what stands behind it.
    #[must_use]
    pub fn path(&self) -> String {
        let part = encoded;
        match self {
            Self::Home | Self::Unknown => "/".to_owned(),
            Self::Lists(search) => with_query("/lists", search.fields()),
            Self::List(context) => {
                let path = format!(
                    "/lists/of/{}/{}",
                    part(&context.object_type),
                    part(&context.object_id)
                );
                with_query(&path, [("Purpose", &context.purpose)])
            }
            Self::OpenItems(search) => with_query("/open-items", search.fields()),
            Self::Templates => "/templates".to_owned(),
            Self::NewTemplate => "/templates/new".to_owned(),
            Self::Import => "/templates/import".to_owned(),
            Self::Template(id) => format!("/templates/of/{}", part(id)),
            Self::Comparison(id) => format!("/templates/of/{}/comparison", part(id)),
            Self::Health(id) => format!("/templates/of/{}/health", part(id)),
            Self::Apply => "/apply".to_owned(),
            Self::Applied(id) => format!("/apply/{}", part(id)),
            Self::Types => "/types".to_owned(),
            Self::NewType => "/types/new".to_owned(),
            Self::Type(name) => format!("/types/of/{}", part(name)),
            Self::ApiKeys => "/keys".to_owned(),
            Self::EmbedKeys => "/keys/embed".to_owned(),
            Self::Users(search) => with_query("/people", search.fields()),
            Self::Connections => "/connections".to_owned(),
            Self::NewConnection => "/connections/new".to_owned(),
            Self::Connection(id) => format!("/connections/{}", part(id)),
            Self::Webhooks => "/webhooks".to_owned(),
            Self::Webhook(id) => format!("/webhooks/{}", part(id)),
            Self::Delivery { webhook, id } => {
                format!("/webhooks/{}/deliveries/{}", part(webhook), part(id))
            }
            Self::Computers(filter) => with_query("/computers", filter.fields()),
            Self::Export => "/computers/export".to_owned(),
            Self::Runs => "/runs".to_owned(),
            Self::Run(id) => format!("/runs/{}", part(id)),
            Self::Journal(search) => with_query("/journal", search.fields()),
            Self::Audit(search) => with_query("/audit", search.fields()),
            Self::Passkeys => "/passkeys".to_owned(),
            Self::SignInLink => "/link".to_owned(),
        }
    }

    /// The first page of the section that a page belongs to.
    #[must_use]
    pub fn section(&self) -> Self {
        match self {
            Self::NewTemplate
            | Self::Template(_)
            | Self::Comparison(_)
            | Self::Health(_)
            | Self::Import => Self::Templates,
            Self::Applied(_) => Self::Apply,
            Self::NewType | Self::Type(_) => Self::Types,
            Self::EmbedKeys => Self::ApiKeys,
            Self::NewConnection | Self::Connection(_) => Self::Connections,
            Self::Webhook(_) | Self::Delivery { .. } => Self::Webhooks,
            Self::Lists(_) | Self::List(_) => Self::Lists(ListSearch::default()),
            Self::OpenItems(_) => Self::OpenItems(ItemSearch::default()),
            Self::Users(_) => Self::Users(UserSearch::default()),
            Self::Computers(_) | Self::Export => Self::Computers(Filter::default()),
            Self::Run(_) => Self::Runs,
            Self::Journal(_) => Self::Journal(Search::default()),
            Self::Audit(_) => Self::Audit(Search::default()),
            other => other.clone(),
        }
    }

    /// The same page without what it is searched for.
    #[must_use]
    pub fn without_search(&self) -> Self {
        match self {
            Self::Lists(_)
            | Self::OpenItems(_)
            | Self::Users(_)
            | Self::Computers(_)
            | Self::Journal(_)
            | Self::Audit(_) => self.section(),
            other => other.clone(),
        }
    }
}

/// A text as one part of a path.
#[must_use]
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_found_again_at_its_address() {
        let search = Search {
            text: "Übergabe & mehr = 100 %?".to_owned(),
            from: "2026-11-01".to_owned(),
            ..Search::default()
        };
        let odd = "my fragment/1 #ü?%2F..";
        for route in [
            Route::Home,
            Route::Lists(ListSearch::default()),
            Route::Lists(ListSearch {
                object_id: "10 %_ü".to_owned(),
                state: "Complete".to_owned(),
                ..ListSearch::default()
            }),
            Route::List(Context::new("incident", odd, "")),
            Route::List(Context::new(odd, "INC-1", "Übergabe & mehr")),
            Route::OpenItems(ItemSearch::default()),
            Route::OpenItems(ItemSearch {
                view: "Late".to_owned(),
                text: "Übergabe & mehr".to_owned(),
                ..ItemSearch::default()
            }),
            Route::Templates,
            Route::NewTemplate,
            Route::Import,
            Route::Template(odd.to_owned()),
            Route::Template("new".to_owned()),
            Route::Template("import".to_owned()),
            Route::Comparison(odd.to_owned()),
            Route::Health(odd.to_owned()),
            Route::Apply,
            Route::Applied(odd.to_owned()),
            Route::Types,
            Route::NewType,
            Route::Type(odd.to_owned()),
            Route::ApiKeys,
            Route::EmbedKeys,
            Route::Users(UserSearch::default()),
            Route::Users(UserSearch {
                search: "Müller & Söhne".to_owned(),
                role: "template-admin".to_owned(),
            }),
            Route::Connections,
            Route::NewConnection,
            Route::Connection("0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f".to_owned()),
            Route::Webhooks,
            Route::Webhook(odd.to_owned()),
            Route::Delivery {
                webhook: odd.to_owned(),
                id: odd.to_owned(),
            },
            Route::Computers(Filter::default()),
            Route::Computers(Filter {
                text: "Köln & 3".to_owned(),
                status: "InRepair".to_owned(),
            }),
            Route::Export,
            Route::Runs,
            Route::Run("0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f".to_owned()),
            Route::Journal(Search::default()),
            Route::Audit(search),
            Route::Passkeys,
            Route::SignInLink,
        ] {
            let address = route.path();
            let (path, query) = address.split_once('?').unwrap_or((&address, ""));
            assert_eq!(Route::of(path, query), route, "{address}");
        }
    }

    #[test]
    fn what_is_no_page_is_told_so_and_a_last_slash_makes_no_difference() {
        assert_eq!(Route::of("/templates/", ""), Route::Templates);
        assert_eq!(Route::of("", ""), Route::Home);
        assert_eq!(Route::of("/nothing", ""), Route::Unknown);
        assert_eq!(
            Route::of("/computers", "?Status=lost"),
            Route::Computers(Filter::default())
        );
        assert_eq!(
            Route::of("/open-items", "?View=Mine"),
            Route::OpenItems(ItemSearch::default())
        );
        assert_eq!(
            Route::of("/people", "?Role=boss"),
            Route::Users(UserSearch::default())
        );
        assert_eq!(
            Route::of("/lists", "?State=Late"),
            Route::Lists(ListSearch::default())
        );
        assert_eq!(
            Route::of("/audit", "?Colour=red&Text=x"),
            Route::Audit(Search {
                text: "x".to_owned(),
                ..Search::default()
            })
        );
    }
}
