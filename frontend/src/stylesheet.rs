//! How server-rendered HTML gets its styles: by the URL of the style sheet, or inline, so that its
//! first paint waits for nothing.
//!
//! Rules that cannot match anything in the HTML are omitted; the element brings the complete sheet
//! when it takes over.

use std::collections::HashSet;

use crate::markup::escape;

/// Where the styles of what is drawn come from.
#[derive(Clone, Debug)]
pub enum Styling {
    /// From the style sheet's address.
    Linked(String),
    /// From inside: what is drawn loads nothing.
    Inline {
        /// All rules there are.
        sheet: &'static Sheet,
        /// The nonce by which the page's policy knows its own styles.
        nonce: Option<String>,
    },
}

impl Styling {
    /// Writes the styles for `content`.
    pub(crate) fn write(&self, content: &str, out: &mut String) {
        match self {
            Self::Linked(address) => {
                out.push_str("<link rel=\"stylesheet\" href=\"");
                escape(address, out);
                out.push_str("\">");
            }
            Self::Inline { sheet, nonce } => {
                out.push_str("<style");
                if let Some(nonce) = nonce {
                    out.push_str(" nonce=\"");
                    escape(nonce, out);
                    out.push('"');
                }
                out.push('>');
                sheet.write_for(content, out);
                out.push_str("</style>");
            }
        }
    }
}

/// A style sheet taken apart into its rules.
///
/// ```
/// use checklist_control::stylesheet::Sheet;
///
/// let sheet = Sheet::new(".row{margin:0}.menu,.row .text{color:red}");
/// let used = sheet.used_by("<p class=\"row\"><b class=\"text\">A</b></p>");
/// assert_eq!(used, ".row{margin:0}.row .text{color:red}");
/// ```
#[derive(Clone, Debug)]
pub struct Sheet {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
enum Rule {
    /// Needed whatever is drawn: animations, for example.
    Always(Box<str>),
    /// Selectors and what they set, with its braces.
    Style(Vec<Selector>, Box<str>),
    /// Rules under a condition.
    Conditional(Box<str>, Vec<Rule>),
}

#[derive(Clone, Debug)]
struct Selector {
    text: Box<str>,
    /// Without any one of these it matches nothing.
    classes: Vec<Box<str>>,
}

impl Sheet {
    /// Takes a sheet apart: one without comments and without rules inside of style rules, as the
    /// build makes it.
    #[must_use]
    pub fn new(css: &str) -> Self {
        Self { rules: rules(css) }
    }

    /// The rules that can match something in a piece of HTML, in their order.
    #[must_use]
    pub fn used_by(&self, html: &str) -> String {
        let mut used = String::new();
        self.write_for(html, &mut used);
        used
    }

    fn write_for(&self, html: &str, out: &mut String) {
        let classes = classes_in(html);
        for rule in &self.rules {
            rule.write_for(&classes, out);
        }
    }
}

impl Rule {
    fn new(prelude: &str, block: &str) -> Self {
        if ["@media", "@supports"]
            .iter()
            .any(|name| prelude.starts_with(name))
        {
            let inside = block.trim_start_matches('{').trim_end();
            let inside = inside.strip_suffix('}').unwrap_or(inside);
            return Self::Conditional(prelude.into(), rules(inside));
        }
        if prelude.starts_with('@') {
            return Self::Always([prelude, block].concat().into());
        }
        Self::Style(selectors(prelude), block.into())
    }

    fn write_for(&self, classes: &HashSet<&str>, out: &mut String) {
        match self {
            Self::Always(text) => out.push_str(text),
            Self::Style(selectors, block) => {
                let begin = out.len();
                for selector in selectors.iter().filter(|one| one.may_match(classes)) {
                    if out.len() > begin {
                        out.push(',');
                    }
                    out.push_str(&selector.text);
                }
                if out.len() > begin {
                    out.push_str(block);
                }
            }
            Self::Conditional(condition, rules) => {
                let begin = out.len();
                out.push_str(condition);
                out.push('{');
                let empty = out.len();
                for rule in rules {
                    rule.write_for(classes, out);
                }
                if out.len() == empty {
                    out.truncate(begin);
                } else {
                    out.push('}');
                }
            }
        }
    }
}

impl Selector {
    fn may_match(&self, classes: &HashSet<&str>) -> bool {
        self.classes.iter().all(|class| classes.contains(&**class))
    }
}

fn rules(css: &str) -> Vec<Rule> {
    let mut found = Vec::new();
    let (mut begin, mut block) = (0, None);
    for (at, byte) in outermost(css) {
        match (byte, block) {
            (b'{', _) => block = Some(at),
            (b'}', Some(open)) => {
                found.push(Rule::new(css[begin..open].trim(), &css[open..=at]));
                (begin, block) = (at + 1, None);
            }
            (b';', None) => {
                found.push(Rule::Always(css[begin..=at].trim().into()));
                begin = at + 1;
            }
            _ => {}
        }
    }
    found
}

fn selectors(prelude: &str) -> Vec<Selector> {
    let commas = outermost(prelude).filter(|&(_, byte)| byte == b',');
    let ends = commas.map(|(at, _)| at).chain([prelude.len()]);
    let mut begin = 0;
    ends.map(|end| {
        let text = prelude[begin..end].trim();
        begin = end + 1;
        Selector {
            text: text.into(),
            classes: classes_of(text),
        }
    })
    .collect()
}

/// The classes that a selector needs. Those in brackets are not counted: `:not(.a)` needs no `a`.
fn classes_of(selector: &str) -> Vec<Box<str>> {
    outermost(selector)
        .filter(|&(_, byte)| byte == b'.')
        .map(|(dot, _)| {
            let name = &selector[dot + 1..];
            let end = name.find(|one: char| !(one.is_alphanumeric() || "-_".contains(one)));
            name[..end.unwrap_or(name.len())].into()
        })
        .collect()
}

/// The bytes outside of strings and brackets, including the outermost brackets.
fn outermost(css: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut quote, mut escaped, mut depth) = (None, false, 0_usize);
    css.bytes().enumerate().filter(move |&(_, byte)| {
        if std::mem::take(&mut escaped) {
            return false;
        }
        match (quote, byte) {
            (_, b'\\') => escaped = true,
            (Some(end), _) if byte == end => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{' | b'(' | b'[') => {
                depth += 1;
                return depth == 1;
            }
            (None, b'}' | b')' | b']') => {
                depth = depth.saturating_sub(1);
                return depth == 0;
            }
            (None, _) => return depth == 0,
        }
        false
    })
}

/// The classes of all elements in finished HTML.
fn classes_in(html: &str) -> HashSet<&str> {
    html.split(" class=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .flat_map(str::split_whitespace)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Sheet, Styling};

    fn used(css: &str, html: &str) -> String {
        Sheet::new(css).used_by(html)
    }

    const ROW: &str = "<li class=\"row done\"><b class=\"text\">A</b></li>";

    #[test]
    fn a_selector_that_needs_a_class_that_is_not_there_goes() {
        let css = ".row.done{a:b}.row.late{a:b}.row>.menu{a:b}.done .text,.late .text{a:b}p{a:b}";
        assert_eq!(used(css, ROW), ".row.done{a:b}.done .text{a:b}p{a:b}");
    }

    #[test]
    fn what_stands_in_brackets_or_strings_is_no_need() {
        for css in [
            ".row:not(.late,.menu){a:b}",
            ":is(.row,.menu)>.text{a:b}",
            "[title=\".menu, {\"].text{a:b}",
            ".text::before{content:\"}.menu{\\\"\"}",
        ] {
            assert_eq!(used(css, ROW), css);
        }
    }

    #[test]
    fn conditions_go_with_the_last_of_their_rules() {
        let css = "@media print{.menu{a:b}}@media (hover){.menu{a:b}.row{a:b}}";
        assert_eq!(used(css, ROW), "@media (hover){.row{a:b}}");
    }

    #[test]
    fn what_is_no_style_rule_stays() {
        let css = "@charset \"utf-8\";@keyframes just{to{opacity:0}}:host{a:b}";
        assert_eq!(used(css, ""), css);
    }

    #[test]
    fn styles_of_applications_come_through_whole_where_every_class_is_used() {
        let all: String = crate::STYLES
            .split("/*")
            .map(|part| part.split_once("*/").map_or(part, |(_, rest)| rest))
            .collect();
        let names: String = all
            .split(['.', ' ', '{', ',', ':', '>', '+', '[', ')', '\n'])
            .map(|name| format!("{name} "))
            .collect();
        let kept = used(&all, &format!("<p class=\"{}\">", names.replace('"', "")));
        let plain = |text: &str| text.replace(char::is_whitespace, "");
        assert_eq!(plain(&kept), plain(&all));
        assert!(used(&all, ROW).len() < kept.len() * 2 / 3);
    }

    #[test]
    fn a_nonce_and_an_address_mean_themselves() {
        let mut html = String::new();
        let sheet = Box::leak(Box::new(Sheet::new("p{a:b}")));
        let nonce = Some("\"><script>".to_owned());
        Styling::Inline { sheet, nonce }.write("", &mut html);
        Styling::Linked("/a?b&\"c".to_owned()).write("", &mut html);
        assert_eq!(
            html,
            "<style nonce=\"&quot;&gt;&lt;script&gt;\">p{a:b}</style>\
             <link rel=\"stylesheet\" href=\"/a?b&amp;&quot;c\">"
        );
    }
}
