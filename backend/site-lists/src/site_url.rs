//! The address of a site as people paste it, and which protocol it is spoken to in.

use url::Url;

use crate::error::{ErrorKind, Result, SiteError};
use crate::options::Protocol;

/// Hosts of Microsoft Graph.
const GRAPH_HOSTS: [&str; 5] = [
    "graph.microsoft.com",
    "graph.microsoft.us",
    "dod-graph.microsoft.us",
    "graph.microsoft.de",
    "microsoftgraph.chinacloudapi.cn",
];

/// The base URL of a site, as people paste it.
pub(crate) fn parse_site_url(text: &str) -> Result<Url> {
    let invalid = |why: String| SiteError::new(ErrorKind::InvalidConnection, why).with_field("Url");
    let mut url = Url::parse(text.trim())
        .map_err(|error| invalid(format!("{text:?} is no URL: {error}.")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(invalid(format!(
            "A site is reached by http or https, not by {}.",
            url.scheme()
        )));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid(
            "A URL must not hold a user name or a password; they have properties of their own."
                .to_owned(),
        ));
    }
    url.set_query(None);
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/');
    let lower = path.to_ascii_lowercase();
    let cut = ["/_api", "/_layouts", "/_vti_bin", "/sitepages/", "/lists/"]
        .iter()
        .filter_map(|mark| lower.find(mark))
        .min();
    let path = cut.map_or(path, |at| &path[..at]).to_owned();
    url.set_path(&path);
    Ok(url)
}

/// The protocol that an address is spoken to in, where the caller does not say.
pub(crate) fn resolve_protocol(url: &Url, wanted: Protocol) -> Protocol {
    if wanted != Protocol::Auto {
        return wanted;
    }
    let is_graph = url
        .host_str()
        .is_some_and(|host| GRAPH_HOSTS.contains(&host));
    if is_graph || url.path().starts_with("/v1.0/") {
        Protocol::Graph
    } else {
        Protocol::Rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_page_leads_to_its_site() {
        for text in [
            "https://a.example/sites/it",
            "https://a.example/sites/it/",
            "https://a.example/sites/it/_api/web?x=y",
            "https://a.example/sites/it/SitePages/Home.aspx",
            "https://a.example/sites/it/Lists/Computers/AllItems.aspx#top",
        ] {
            assert_eq!(
                parse_site_url(text).expect(text).as_str(),
                "https://a.example/sites/it"
            );
        }
        for text in [
            "",
            "sites/it",
            "ftp://a.example/",
            "https://ada:secret@a.example/",
            "https://",
        ] {
            assert_eq!(
                parse_site_url(text).expect_err(text).kind(),
                ErrorKind::InvalidConnection
            );
        }
    }

    #[test]
    fn graph_is_told_by_its_host_or_its_path() {
        let auto = |text: &str| resolve_protocol(&Url::parse(text).expect("a URL"), Protocol::Auto);
        assert_eq!(
            auto("https://graph.microsoft.com/v1.0/sites/x"),
            Protocol::Graph
        );
        assert_eq!(auto("https://localhost:8443/v1.0/sites/x"), Protocol::Graph);
        assert_eq!(
            auto("https://contoso.sharepoint.com/sites/it"),
            Protocol::Rest
        );
        assert_eq!(
            resolve_protocol(
                &Url::parse("https://x/v1.0/").expect("a URL"),
                Protocol::Rest
            ),
            Protocol::Rest
        );
    }
}
