//! A status that somebody proposes for an item, for a person to accept or decline.
//!
//! At most one proposal is open on an item. It is about the wording and the status that the item had
//! then, so it ends when either changes; a proposal that was accepted stays with the status that it
//! led to. Invariants of lists: an item that needs a person is resolved by nobody else, see
//! [`may_resolve`](crate::change::allowed::may_resolve); an item that takes a second person is resolved
//! by an accepted proposal of somebody else alone, see
//! [`may_confirm`](crate::change::allowed::may_confirm). Without the feature `records`, in the control,
//! what nobody shows or decides by is left out of the types, as it would be downloaded.

use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::item::{Actor, Item, Status};
#[cfg(feature = "records")]
use crate::limits::Limits;
use crate::names::names;
#[cfg(feature = "records")]
use crate::text::is_blank;
#[cfg(feature = "records")]
use crate::time::Timestamp;

/// A proposed status.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Proposal {
    /// The status to set.
    pub status: Status,
    /// Why; with `NotApplicable` it becomes the item's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// What was answered, where the item asks for an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// Who proposes.
    pub by: Actor,
    /// Since when.
    #[cfg(feature = "records")]
    pub at: Timestamp,
    /// The version of the item that made it: whoever decides has read that one or a later one.
    pub version: u64,
    /// The revision of the list that made it: its row in the audit trail.
    #[cfg(feature = "records")]
    pub revision: u64,
    /// Whether it is no longer open and has led to the present status: a person has accepted it, or
    /// whoever set the status gave evidence or an answer with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
}

/// A document or record elsewhere that supports a status or a proposal. The server does not read it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
#[cfg_attr(feature = "records", serde(deny_unknown_fields))]
pub struct Evidence {
    /// What it is, for people; 1 to 200 characters.
    pub name: String,
    /// Where it is: an `http` or `https` URL of at most 2,000 characters.
    pub url: String,
    /// Lowercase hex SHA-256 of what is there.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Its size in bytes.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

names! {
    /// What a person decides about a proposal.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Decision {
        /// The proposed status is set.
        Accept,
        /// The proposal is removed; its proposer takes it back with this, too.
        Decline,
    }
}

impl Evidence {
    /// The longest URL, in characters.
    pub const URL: usize = 2_000;

    /// Something by name and address.
    #[must_use]
    pub const fn new(name: String, url: String) -> Self {
        Self {
            name,
            url,
            #[cfg(feature = "records")]
            sha256: None,
            #[cfg(feature = "records")]
            size: None,
        }
    }
}

#[cfg(feature = "records")]
impl Evidence {
    /// What is wrong with it: names of fields, each with a sentence.
    #[must_use]
    pub fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let name = self.name.chars().count();
        let has_name = name <= Limits::IDENTIFIER && !is_blank(&self.name);
        let has_hash = self.sha256.as_deref().is_none_or(is_sha256);
        [
            (!has_name).then_some(("Name", "1 to 200 characters that can be seen.")),
            (!is_web_address(&self.url)).then_some((
                "Url",
                "An http or https URL with a host, without spaces, of at most 2,000 characters.",
            )),
            (!has_hash).then_some(("Sha256", "Lowercase hexadecimal SHA-256.")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Whether a text is a lowercase hexadecimal SHA-256.
#[must_use]
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a text can be the target of a link: `http` or `https` with a host, and nothing in it that
/// browsers would leave out or read differently. Whatever else it is, is shown as text.
#[must_use]
pub fn is_web_address(url: &str) -> bool {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| {
        url.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let is_plain = |letter: char| {
        !letter.is_whitespace()
            && !letter.is_control()
            && !matches!(letter, '\\' | '"' | '<' | '>' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    scheme.is_some_and(|scheme| {
        let rest = &url[scheme.len()..];
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        // A name before the host makes readers believe that they go elsewhere.
        !host.is_empty() && !host.starts_with(':') && !host.contains('@')
    }) && url.chars().all(is_plain)
        && url.chars().count() <= Evidence::URL
}

impl Item {
    /// The proposal that waits for a decision.
    #[must_use]
    pub fn open_proposal(&self) -> Option<&Proposal> {
        self.proposal.as_deref().filter(|one| !one.accepted)
    }

    /// Whether one person has done what it takes a second one to resolve, and nobody has confirmed it.
    #[must_use]
    pub fn awaits_confirmation(&self) -> bool {
        self.second_person && self.retired_at.is_none() && self.open_proposal().is_some()
    }

    /// What supports the present status.
    #[must_use]
    pub fn evidence(&self) -> Option<&Evidence> {
        let accepted = self.proposal.as_deref().filter(|one| one.accepted);
        accepted.and_then(|one| one.evidence.as_ref())
    }

    /// Ends the proposal that waits for a decision, because what it is about has changed.
    pub(crate) fn end_open_proposal(&mut self) {
        if self.open_proposal().is_some() {
            self.proposal = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_http_or_https_with_a_host_and_nothing_hidden() {
        for url in [
            "https://ci.example/runs/7?tab=log#end",
            "http://10.0.0.7:8080",
            "HTTPS://CI.EXAMPLE/",
        ] {
            assert!(is_web_address(url), "{url}");
        }
        for url in [
            "",
            "https://",
            "https:///x",
            "https://?x",
            "javascript:alert(1)",
            "java\nscript:alert(1)",
            " https://ci.example",
            "https://ci.example/a b",
            "https://bank.example@evil.example/",
            "https:\\\\evil.example",
            "data:text/html,x",
            "file:///etc/passwd",
            "//ci.example",
            "https://ci.example/\u{202e}gpj.exe",
        ] {
            assert!(!is_web_address(url), "{url}");
        }
        assert!(!is_web_address(&format!("https://a/{}", "x".repeat(2_000))));
    }

    #[test]
    fn each_fault_of_evidence_is_named() {
        let evidence = Evidence {
            name: " ".to_owned(),
            url: "ftp://x".to_owned(),
            sha256: Some("ABC".to_owned()),
            size: None,
        };
        let fields: Vec<&str> = evidence.faults().iter().map(|(field, _)| *field).collect();
        assert_eq!(fields, ["Name", "Url", "Sha256"]);
    }
}
