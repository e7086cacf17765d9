//! Makes the site under `/docs/`: every page of `docs/`, the API reference, the frame of the gallery
//! and the search index, as finished HTML that needs no script to be read.
//!
//! Invariant: links between pages are relative, so the site works below any base path. A link or an
//! anchor that leads nowhere is a fault, which `cargo xtask check` refuses.

mod api;
mod frame;
mod gallery;
mod html;
mod links;
mod markdown;
mod navigation;
mod page;
mod search;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use markdown::Document;
use navigation::Navigation;
use page::Page;

/// One file of the site.
pub struct File {
    /// Relative to `/docs/`; pages have no extension, a folder's own page is `…/index`.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// Files that are served as they are: where they lie, and their names in the site.
const AS_THEY_ARE: [(&str, &str); 8] = [
    ("frontend/docs/docs.js", "docs.js"),
    ("frontend/docs/theme.js", "theme.js"),
    ("frontend/docs/api.js", "api.js"),
    ("frontend/docs/gallery.css", "gallery.css"),
    ("frontend/docs/gallery.js", "gallery.js"),
    ("frontend/docs/gallery-states.js", "gallery-states.js"),
    ("frontend/demo/icon.svg", "icon.svg"),
    ("frontend/package/llms.txt", "llms.txt"),
];

/// The parts of `docs.css`, in their order.
const STYLES: [&str; 5] = [
    "frontend/docs/base.css",
    "frontend/docs/bar.css",
    "frontend/docs/frame.css",
    "frontend/docs/text.css",
    "frontend/docs/api.css",
];

/// Makes the site of the project at `root`.
///
/// # Errors
/// When a source cannot be read.
pub fn site(root: &Path) -> Result<Vec<File>> {
    let navigation = Navigation::read(root)?;
    let documents = documents(root, &navigation)?;
    let openapi = serde_json::from_str(&read(root, "docs/openapi.json")?)
        .context("reading docs/openapi.json")?;
    let manifest = serde_json::from_str(&read(root, "frontend/package/custom-elements.json")?)
        .context("reading the elements' manifest")?;
    let chapters = gallery::chapters(&read(root, "frontend/docs/gallery-states.js")?)?;

    let mut pages: Vec<Page> = documents.into_iter().map(Page::from).collect();
    pages.push(navigation.decisions(&pages));
    pages.extend(api::pages(&openapi)?);
    pages.push(gallery::page(&chapters));

    let styles: Result<Vec<String>> = STYLES.iter().map(|part| read(root, part)).collect();
    let mut files = vec![
        File {
            path: "docs.css".to_owned(),
            bytes: styles?.concat().into_bytes(),
        },
        File {
            path: "search.json".to_owned(),
            bytes: search::index(&pages, &chapters).into_bytes(),
        },
        File {
            path: "elements.json".to_owned(),
            bytes: gallery::elements(&manifest).into_bytes(),
        },
    ];
    for page in &pages {
        files.push(File {
            path: page.file(),
            bytes: frame::complete(page, &navigation, &pages).into_bytes(),
        });
    }
    for (source, path) in AS_THEY_ARE {
        files.push(File {
            path: path.to_owned(),
            bytes: read(root, source)?.into_bytes(),
        });
    }
    let images = root.join("docs/images");
    for entry in fs::read_dir(&images).with_context(|| images.display().to_string())? {
        let entry = entry?;
        files.push(File {
            path: format!("images/{}", entry.file_name().to_string_lossy()),
            bytes: fs::read(entry.path())?,
        });
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))
}

fn documents(root: &Path, navigation: &Navigation) -> Result<Vec<Document>> {
    let pages = navigation.sources().map(|(source, address)| {
        let text = read(root, source)?;
        markdown::render(source, address, &text, navigation)
            .with_context(|| format!("rendering {source}"))
    });
    pages.collect()
}

/// What is wrong with the pages: the file and a sentence each. Every link leads to a page, and every
/// `page#section` to a heading of it.
///
/// # Errors
/// When a source cannot be read.
pub fn faults(root: &Path) -> Result<Vec<(String, String)>> {
    let documents = documents(root, &Navigation::read(root)?)?;
    let mut found = Vec::new();
    for document in &documents {
        for sentence in &document.faults {
            found.push((document.source.clone(), sentence.clone()));
        }
        for (address, anchor) in &document.anchors {
            let target = documents.iter().find(|one| one.address == *address);
            let there =
                target.is_some_and(|one| one.headings.iter().any(|head| head.id == *anchor));
            if !there {
                let sentence = format!("there is no section #{anchor} in {address}");
                found.push((document.source.clone(), sentence));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> Vec<File> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        site(&root).expect("the documents of the project")
    }

    #[test]
    fn every_page_of_the_documents_is_in_the_site() {
        let files = project();
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        for path in [
            "index",
            "element",
            "guides/administrator",
            "adr/index",
            "adr/0001-rules-run-inside-the-writers-transaction",
            "api/index",
            "api/checklists",
            "api/schemas",
            "gallery",
            "changelog",
            "search.json",
        ] {
            assert!(paths.contains(&path), "{path} is not in {paths:?}");
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        for entry in fs::read_dir(root).expect("the documents").flatten() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if let Some(stem) = name.strip_suffix(".md") {
                assert!(paths.contains(&stem), "{stem} is not in the site");
            }
        }
    }

    #[test]
    fn no_page_has_a_fault() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        assert_eq!(faults(&root).expect("the documents"), []);
    }

    #[test]
    fn every_link_within_the_site_leads_to_a_file_and_an_id() {
        let files = project();
        let text = |path: &str| {
            let file = files.iter().find(|file| file.path == path);
            file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned())
        };
        let mut count = 0;
        for file in files.iter().filter(|file| !file.path.contains('.')) {
            let html = String::from_utf8_lossy(&file.bytes);
            for link in html.split("href=\"").skip(1) {
                let link = link.split('"').next().unwrap_or_default();
                if link.contains("://") || link.starts_with("mailto:") {
                    continue;
                }
                let (path, id) = link.split_once('#').unwrap_or((link, ""));
                let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let Some(target) = resolve(folder, path, &file.path) else {
                    continue;
                };
                let Some(page) = text(&target) else {
                    panic!(
                        "{}: {link} leads to {target}, which is not there",
                        file.path
                    )
                };
                // The gallery's states come about in the browser.
                if !id.is_empty() && target != "gallery" {
                    let there = page.contains(&format!("id=\"{id}\""));
                    assert!(there, "{}: {link} has no such section", file.path);
                }
                count += 1;
            }
        }
        assert!(count > 2_000, "only {count} links were followed");
    }

    /// The file that a link leads to; none outside of the site.
    fn resolve(folder: &str, path: &str, own: &str) -> Option<String> {
        if path.is_empty() {
            return Some(own.to_owned());
        }
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "." | "" => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        let joined = parts.join("/");
        Some(match (joined.is_empty(), path.ends_with('/')) {
            (true, _) => "index".to_owned(),
            (false, true) => format!("{joined}/index"),
            (false, false) => joined,
        })
    }
}
