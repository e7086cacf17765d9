//! A page of the documentation before it has its frame, and its headings.

/// A heading below the title.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    pub id: String,
    pub level: u8,
    pub text: String,
    /// The text up to the next heading, for the search.
    pub body: String,
}

/// What a page needs beside its text.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    Api,
    Gallery,
}

/// A page before it has its frame.
pub struct Page {
    /// Below `/docs/`.
    pub address: String,
    pub title: String,
    pub lead: String,
    pub headings: Vec<Heading>,
    pub html: String,
    pub kind: Kind,
}

impl Page {
    /// A page that is no Markdown file.
    pub fn generated(address: &str, title: &str, html: String, kind: Kind) -> Self {
        Self {
            address: address.to_owned(),
            title: title.to_owned(),
            lead: String::new(),
            headings: Vec::new(),
            html,
            kind,
        }
    }

    /// The name of its file in the site.
    pub fn file(&self) -> String {
        match self.address.as_str() {
            "" => "index".to_owned(),
            address if address.ends_with('/') => format!("{address}index"),
            address => address.to_owned(),
        }
    }
}
