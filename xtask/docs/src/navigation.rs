//! Which pages there are, under which addresses, and in which order the navigation lists them.
//!
//! A page of `docs/` that has no place here is listed under "More", so that none is left out.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::html::escape;
use crate::page::{Kind, Page};

/// One heading of the navigation with its pages, by the names of their sources.
const SECTIONS: [(&str, &[&str]); 8] = [
    (
        "Start",
        &[
            "README.md",
            "docs/guides/form-designer.md",
            "docs/guides/administrator.md",
            "docs/guides/api-developer.md",
        ],
    ),
    (
        "Service desks",
        &["docs/guides/request-tracker.md", "docs/guides/redmine.md"],
    ),
    (
        "The element",
        &[
            "docs/ELEMENT.md",
            GALLERY,
            "docs/EMBEDDING.md",
            "docs/FIRST-PAINT.md",
        ],
    ),
    (
        "Web services",
        &[API, "docs/API-DESIGN.md", "docs/WEBHOOKS.md", "docs/MCP.md"],
    ),
    (
        "Operation",
        &[
            "docs/OPERATION.md",
            "docs/AUDIT.md",
            "docs/LOGGING.md",
            "docs/LIMITS.md",
            "docs/SCALE.md",
            "SECURITY.md",
        ],
    ),
    (
        "Extensions",
        &[
            "docs/SITES.md",
            "docs/COMPUTERS.md",
            "docs/EXPORT.md",
            "docs/SITE-SERVER.md",
        ],
    ),
    (
        "Decide",
        &[
            "docs/COMPARISON.md",
            "docs/TRUST.md",
            "docs/SPEED.md",
            "docs/BROWSERS.md",
            "docs/ACCESSIBILITY.md",
        ],
    ),
    (
        "Contribute",
        &[
            "docs/CONTRIBUTING.md",
            "docs/ARCHITECTURE.md",
            "docs/TICK.md",
            "docs/GLOSSARY.md",
            DECISIONS,
            "CHANGELOG.md",
        ],
    ),
];

/// Pages that are no Markdown files: by their addresses.
pub const GALLERY: &str = "gallery";
pub const API: &str = "api/";
pub const DECISIONS: &str = "adr/";

/// The pages with their addresses, and the sections that list them.
pub struct Navigation {
    /// Source and address of each Markdown page.
    sources: Vec<(String, String)>,
    /// Title and addresses.
    pub sections: Vec<(String, Vec<String>)>,
}

impl Navigation {
    /// Reads which pages there are.
    ///
    /// # Errors
    /// When a folder cannot be listed.
    pub fn read(root: &Path) -> Result<Self> {
        let mut found: BTreeSet<String> = BTreeSet::new();
        for folder in ["docs", "docs/guides", "docs/adr"] {
            let entries = fs::read_dir(root.join(folder));
            for entry in entries.with_context(|| format!("listing {folder}"))? {
                let name = entry?.file_name().to_string_lossy().into_owned();
                if name.ends_with(".md") {
                    found.insert(format!("{folder}/{name}"));
                }
            }
        }
        found.extend(["README.md", "CHANGELOG.md", "SECURITY.md"].map(str::to_owned));
        let mut listed: BTreeSet<&str> = BTreeSet::new();
        let mut sections = Vec::new();
        for (title, pages) in SECTIONS {
            let pages = pages.iter().filter(|page| {
                let generated = [GALLERY, API, DECISIONS].contains(page);
                generated || found.contains(**page)
            });
            let pages: Vec<&str> = pages.copied().collect();
            listed.extend(&pages);
            let addresses = pages.into_iter().map(address).collect();
            sections.push((title.to_owned(), addresses));
        }
        let rest = found
            .iter()
            .filter(|source| !listed.contains(source.as_str()) && !source.starts_with("docs/adr/"));
        let rest: Vec<String> = rest.map(|source| address(source)).collect();
        if !rest.is_empty() {
            sections.push(("More".to_owned(), rest));
        }
        let sources = found.into_iter().map(|source| {
            let address = address(&source);
            (source, address)
        });
        Ok(Self {
            sources: sources.collect(),
            sections,
        })
    }

    /// The Markdown pages: where they lie, and their addresses below `/docs/`.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        let pages = self.sources.iter();
        pages.map(|(source, address)| (source.as_str(), address.as_str()))
    }

    /// The address of a file or folder of the repository that is a page of the site.
    pub fn address_of(&self, source: &str) -> Option<&str> {
        match source {
            "docs/adr" => Some(DECISIONS),
            "docs/openapi.json" => Some("../openapi.json"),
            "LICENSE" => None,
            source => self
                .sources()
                .find(|(known, _)| *known == source)
                .map(|(_, address)| address),
        }
    }

    /// The list of decisions.
    pub fn decisions(&self, pages: &[Page]) -> Page {
        let mut html = String::from(
            "<h1>Decisions</h1>\n<p>What is costly to reverse, and why it was decided so; one page each.</p>\n<ul>\n",
        );
        for page in pages
            .iter()
            .filter(|page| page.address.starts_with(DECISIONS))
        {
            let _never_fails = writeln!(
                html,
                "<li><a href=\"{}\">{}</a></li>",
                escape(page.address.trim_start_matches(DECISIONS)),
                escape(&page.title)
            );
        }
        html.push_str("</ul>\n");
        Page::generated(DECISIONS, "Decisions", html, Kind::Text)
    }
}

/// `docs/API-DESIGN.md` → `api-design`; the README is the first page.
fn address(source: &str) -> String {
    if source == "README.md" {
        return String::new();
    }
    let name = source.strip_prefix("docs/").unwrap_or(source);
    name.trim_end_matches(".md").to_lowercase()
}
