//! Renders a Markdown page: headings get addresses, code a block that can be copied, links lead to
//! pages of the site.
//!
//! Invariant: HTML inside Markdown never reaches the page; comments are dropped in silence.

use anyhow::{Result, ensure};
use pulldown_cmark::{
    Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

use crate::html::{code_block, escape, for_this_server, slug};
use crate::links::{join, up};
use crate::navigation::Navigation;
use crate::page::Heading;

/// Stands before code whose address is that of the server that shows the page.
const THIS_SERVER: &str = "<!-- this server -->";

/// A rendered page.
pub struct Document {
    pub source: String,
    pub address: String,
    pub title: String,
    /// The text before the first heading below the title.
    pub lead: String,
    pub headings: Vec<Heading>,
    pub html: String,
    /// Pages and their sections that links lead to.
    pub anchors: Vec<(String, String)>,
    /// What cannot be shown as it is written, in words.
    pub faults: Vec<String>,
}

/// Renders a page.
///
/// # Errors
/// When it has no title.
pub fn render(
    source: &str,
    address: &str,
    text: &str,
    navigation: &Navigation,
) -> Result<Document> {
    let mut renderer = Renderer {
        page: Document {
            source: source.to_owned(),
            address: address.to_owned(),
            title: String::new(),
            lead: String::new(),
            headings: Vec::new(),
            html: String::new(),
            anchors: Vec::new(),
            faults: Vec::new(),
        },
        events: Vec::new(),
        heading: None,
        code: None,
        is_about_this_server: false,
    };
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        renderer.take(event, navigation);
    }
    let Renderer {
        mut page, events, ..
    } = renderer;
    ensure!(!page.title.is_empty(), "there is no title");
    html::push_html(&mut page.html, events.into_iter());
    // A column without a name has no header.
    page.html = page.html.replace("<th></th>", "<td></td>");
    Ok(page)
}

/// Renders a paragraph or two without headings or links into the site.
pub fn fragment(text: &str) -> String {
    let mut out = String::new();
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        // Comes from our own documents, and is shown as it is written.
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    });
    html::push_html(&mut out, events);
    out
}

/// The words of a text without its markup, as the search shows them.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Text(words) | Event::Code(words) => out.push_str(&words),
            Event::Html(words) | Event::InlineHtml(words) => out.push_str(&words),
            Event::SoftBreak | Event::HardBreak => out.push(' '),
            Event::End(TagEnd::Link | TagEnd::Strong | TagEnd::Emphasis) => {}
            Event::End(_) => out.push(' '),
            _ => {}
        }
    }
    out
}

struct Renderer<'a> {
    page: Document,
    events: Vec<Event<'a>>,
    /// The heading that is being read: level, text, events inside.
    heading: Option<(HeadingLevel, String, Vec<Event<'a>>)>,
    /// The code that is being read: language, text.
    code: Option<(String, String)>,
    /// Whether the next code is for the server that shows the page.
    is_about_this_server: bool,
}

impl<'a> Renderer<'a> {
    fn take(&mut self, event: Event<'a>, navigation: &Navigation) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => {
                if text.trim() == THIS_SERVER {
                    self.is_about_this_server = true;
                } else if !text.trim().starts_with("<!--") {
                    self.fault(format!("HTML is left out: {}", text.trim()));
                }
            }
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            Event::Start(Tag::Heading { level, .. }) => {
                self.heading = Some((level, String::new(), Vec::new()));
            }
            Event::End(TagEnd::Heading(_)) => self.end_heading(),
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((language, text)) = self.code.take() {
                    let block = code_block(&language, &text);
                    let is_about_this_server = std::mem::take(&mut self.is_about_this_server);
                    self.push_html(match is_about_this_server {
                        true => for_this_server(&block),
                        false => block,
                    });
                }
            }
            Event::Start(Tag::Table(columns)) => {
                self.push_html("<div class=\"table\">".to_owned());
                // An alignment would be a style of the element, which the policy refuses.
                let columns = columns.iter().map(|_| Alignment::None).collect();
                self.events.push(Event::Start(Tag::Table(columns)));
            }
            Event::End(TagEnd::Table) => {
                self.events.push(Event::End(TagEnd::Table));
                self.push_html("</div>\n".to_owned());
            }
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let dest_url = self.link(&dest_url, navigation);
                self.push(Event::Start(Tag::Link {
                    link_type,
                    dest_url: dest_url.into(),
                    title,
                    id,
                }));
            }
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let name = dest_url.rsplit('/').next().unwrap_or_default();
                if !dest_url.contains("images/") {
                    self.fault(format!("the image {dest_url} is not in docs/images"));
                }
                let dest_url = format!("{}images/{name}", up(&self.page.address));
                self.push(Event::Start(Tag::Image {
                    link_type,
                    dest_url: dest_url.into(),
                    title,
                    id,
                }));
            }
            Event::Text(text) => self.text(text),
            Event::Code(text) => {
                self.note(&text);
                self.push(code(text));
            }
            Event::SoftBreak => {
                self.note(" ");
                self.push(Event::SoftBreak);
            }
            Event::End(end) => {
                if self.heading.is_none()
                    && !matches!(end, TagEnd::Link | TagEnd::Strong | TagEnd::Emphasis)
                {
                    self.note(" ");
                }
                self.push(Event::End(end));
            }
            other => self.push(other),
        }
    }

    fn text(&mut self, text: CowStr<'a>) {
        if let Some((_, code)) = &mut self.code {
            code.push_str(&text);
            return;
        }
        self.note(&text);
        self.push(Event::Text(text));
    }

    fn push(&mut self, event: Event<'a>) {
        match &mut self.heading {
            Some((_, _, inside)) => inside.push(event),
            None => self.events.push(event),
        }
    }

    fn push_html(&mut self, text: String) {
        self.events.push(Event::Html(text.into()));
    }

    /// Adds to the text that the search looks through.
    fn note(&mut self, text: &str) {
        let into = match (&mut self.heading, self.page.headings.last_mut()) {
            (Some((_, heading, _)), _) => heading,
            (None, Some(heading)) => &mut heading.body,
            (None, None) => &mut self.page.lead,
        };
        into.push_str(text);
    }

    fn end_heading(&mut self) {
        let Some((level, text, inside)) = self.heading.take() else {
            return;
        };
        if level == HeadingLevel::H1 && self.page.title.is_empty() {
            self.page.title = text.trim().to_owned();
            self.push_html("<h1>".to_owned());
            self.events.extend(inside);
            self.push_html("</h1>\n".to_owned());
            return;
        }
        let base = slug(&text);
        let mut id = base.clone();
        let mut number = 0;
        while self.page.headings.iter().any(|one| one.id == id) {
            number += 1;
            id = format!("{base}-{number}");
        }
        let level = level as u8;
        self.push_html(format!("<h{level} id=\"{}\">", escape(&id)));
        self.events.extend(inside);
        self.push_html(anchor(&id, &text) + &format!("</h{level}>\n"));
        self.page.headings.push(Heading {
            id,
            level,
            text: text.trim().to_owned(),
            body: String::new(),
        });
    }

    /// Where a link of the repository leads in the site.
    fn link(&mut self, link: &str, navigation: &Navigation) -> String {
        if link.contains("://") || link.starts_with("mailto:") {
            return link.to_owned();
        }
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let own = self.page.address.clone();
        let address = if path.is_empty() {
            own.clone()
        } else {
            let target = join(&self.page.source, path);
            match navigation.address_of(&target) {
                Some(address) => address.to_owned(),
                None => {
                    self.fault(format!(
                        "the link {link} leads to {target}, which is no page"
                    ));
                    own.clone()
                }
            }
        };
        if anchor.is_empty() {
            return format!("{}{address}", up(&own));
        }
        self.page.anchors.push((address.clone(), anchor.to_owned()));
        match path {
            "" => format!("#{anchor}"),
            _ => format!("{}{address}#{anchor}", up(&own)),
        }
    }

    fn fault(&mut self, sentence: String) {
        self.page.faults.push(sentence);
    }
}

/// Code within a line; the long names of tests may be broken.
fn code(text: CowStr<'_>) -> Event<'_> {
    if !text.contains("::") || !text.contains('_') {
        return Event::Code(text);
    }
    let broken = escape(&text).replace('_', "_<wbr>");
    Event::InlineHtml(format!("<code>{broken}</code>").into())
}

/// The link beside a heading.
pub fn anchor(id: &str, text: &str) -> String {
    format!(
        " <a class=\"anchor\" href=\"#{}\" aria-label=\"Link to “{}”\">#</a>",
        escape(id),
        escape(text.trim())
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn navigation() -> Navigation {
        let folder = tempfile::tempdir().expect("a folder");
        for folder_in in ["docs/guides", "docs/adr"] {
            fs::create_dir_all(folder.path().join(folder_in)).expect("a folder");
        }
        fs::write(folder.path().join("docs/OPERATION.md"), "# O").expect("a file");
        Navigation::read(folder.path()).expect("the pages")
    }

    fn render_guide(text: &str) -> Result<Document> {
        render("docs/guides/g.md", "guides/g", text, &navigation())
    }

    #[test]
    fn links_lead_to_pages_of_the_site() {
        let page =
            render_guide("# T\n[o](../OPERATION.md) [s](../../SECURITY.md) [x](https://x.example)")
                .expect("a page");
        for link in [
            "\"../operation\"",
            "\"../security\"",
            "\"https://x.example\"",
        ] {
            assert!(page.html.contains(link), "{link} in {}", page.html);
        }
        let page = render_guide("# T\n[n](../NOWHERE.md)").expect("a page");
        assert!(
            page.faults[0].contains("docs/NOWHERE.md"),
            "{:?}",
            page.faults
        );
    }

    #[test]
    fn headings_have_addresses_and_the_search_knows_what_is_below_them() {
        let page = render_guide("# T\nFirst.\n## A `b`\nSecond *word*.\n## A b\n").expect("a page");
        assert_eq!((page.title.as_str(), page.lead.trim()), ("T", "First."));
        assert!(page.html.contains("<h2 id=\"a-b\">"), "{}", page.html);
        assert_eq!(page.headings[0].body.trim(), "Second word.");
        assert_eq!(page.headings[1].id, "a-b-1");
    }

    #[test]
    fn html_is_left_out_with_a_fault_and_comments_are_dropped() {
        let page = render_guide("# T\n<script>alert(1)</script>").expect("a page");
        assert!(!page.html.contains("<script"), "{}", page.html);
        assert_eq!(page.faults.len(), 1, "{:?}", page.faults);
        let page = render_guide("# T\n<!-- x -->\nText").expect("a page");
        assert!(!page.html.contains("<!--"), "{}", page.html);
        assert!(fragment("a <b>").contains("&lt;b&gt;"));
    }

    #[test]
    fn the_words_of_a_text_have_no_markup() {
        let words = plain("Send `Authorization: <token>`.\n**Now.**\n\n* [one](x)\n* two_three");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "Send Authorization: <token>. Now. one two_three"
        );
    }
}
