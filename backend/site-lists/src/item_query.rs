//! A query over a list: filter, selected fields, and which page of the result.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{ErrorKind, Result, SiteError};
use crate::item::SiteItem;

/// How a field is compared with a value.
///
/// What is compared is what a column holds, the same way on every protocol: texts without regard
/// to case, numbers and points in time by value. A column of several values holds something where
/// *one of them* does, and `Equals` with several values looks for items that hold *one of these*.
/// Nothing (null, or no value) equals nothing alone, and is neither less nor greater than anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Operator {
    /// Holds the value, or one of the values.
    #[default]
    Equals,
    /// Everything that `Equals` does not find.
    NotEquals,
    /// Numbers and times before the value.
    Less,
    /// The same, or the value itself.
    LessOrEquals,
    /// Numbers and times after the value.
    Greater,
    /// The same, or the value itself.
    GreaterOrEquals,
    /// Texts that begin with the value.
    StartsWith,
    /// Texts in which the value stands.
    Contains,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Equals,
        Self::NotEquals,
        Self::Less,
        Self::LessOrEquals,
        Self::Greater,
        Self::GreaterOrEquals,
        Self::StartsWith,
        Self::Contains,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equals => "Equals",
            Self::NotEquals => "NotEquals",
            Self::Less => "Less",
            Self::LessOrEquals => "LessOrEquals",
            Self::Greater => "Greater",
            Self::GreaterOrEquals => "GreaterOrEquals",
            Self::StartsWith => "StartsWith",
            Self::Contains => "Contains",
        }
    }

    /// Whether it asks for an order.
    pub(crate) const fn orders(self) -> bool {
        matches!(
            self,
            Self::Less | Self::LessOrEquals | Self::Greater | Self::GreaterOrEquals
        )
    }

    /// Whether it looks into texts.
    pub(crate) const fn searches(self) -> bool {
        matches!(self, Self::StartsWith | Self::Contains)
    }
}

impl std::fmt::Display for Operator {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name())
    }
}

impl std::str::FromStr for Operator {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let found = Self::ALL
            .into_iter()
            .find(|operator| operator.name() == text);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!("{text:?} is no operator; there are {}", names.join(", "))
        })
    }
}

/// A field and the value it is compared with.
///
/// ```
/// use site_lists::{ItemFilter, Operator};
///
/// let filter = ItemFilter::new("SerialNumber", "PC-0815");
/// assert_eq!((filter.field.as_str(), filter.operator), ("SerialNumber", Operator::Equals));
/// let filter = ItemFilter::new("MemoryGB", 16).with_operator(Operator::GreaterOrEquals);
/// assert_eq!(filter.operator, Operator::GreaterOrEquals);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ItemFilter {
    /// The field, by internal, entity or display name.
    pub field: String,
    /// What it is compared with; null for nothing.
    pub value: Value,
    /// How it is compared.
    pub operator: Operator,
}

impl ItemFilter {
    /// Items whose `field` holds `value`.
    #[must_use]
    pub fn new(field: impl Into<String>, value: impl Into<Value>) -> Self {
        Self {
            field: field.into(),
            value: value.into(),
            operator: Operator::Equals,
        }
    }

    /// The same with another operator.
    #[must_use]
    pub fn with_operator(mut self, operator: Operator) -> Self {
        self.operator = operator;
        self
    }
}

/// A query over a list.
///
/// ```
/// use site_lists::{ItemFilter, ItemQuery};
///
/// let query = ItemQuery {
///     filter: Some(ItemFilter::new("Status", "In use")),
///     select: vec!["Title".into(), "SerialNumber".into()],
///     top: Some(500),
///     ..ItemQuery::default()
/// };
/// assert_eq!(query.after, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemQuery {
    /// What items have to hold; all of them without.
    pub filter: Option<ItemFilter>,
    /// The fields that are wanted, by internal, entity or display name; all of them where it is
    /// empty. The standard output fields are always there.
    pub select: Vec<String>,
    /// How many items at most, 1 to 5,000; all of them without.
    pub top: Option<usize>,
    /// Where the part before this one ended, as its `next` said.
    pub after: Option<String>,
}

/// A page of what was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemPage {
    /// The items, by ascending id.
    pub items: Vec<SiteItem>,
    /// What to ask for as `after` to go on; absent at the end. Where it is there, more items may
    /// follow, or none.
    pub next: Option<String>,
    /// Warnings about the page.
    pub warnings: Vec<String>,
}

/// Most items of one part.
pub(crate) const MAX_PAGE: usize = 5_000;

/// A position in a list: after the item of this id, on the page that begins at `$skiptoken`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) after: i64,
    pub(crate) token: Option<String>,
}

impl Position {
    /// Reads what `written` wrote.
    pub(crate) fn decode(text: &str) -> Result<Self> {
        use base64::Engine as _;
        let wrong = || {
            SiteError::new(
                ErrorKind::InvalidValue,
                "After is no place in a list: it has to be what Next was.",
            )
            .with_field("After")
        };
        let (after, token) = match text.split_once('.') {
            Some((after, token)) => {
                let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(token);
                let token = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
                (after, Some(token.ok_or_else(wrong)?))
            }
            None => (text, None),
        };
        let after: i64 = after.parse().map_err(|_| wrong())?;
        if after < 0 {
            return Err(wrong());
        }
        Ok(Self { after, token })
    }

    /// As callers are given it.
    pub(crate) fn encode(&self) -> String {
        use base64::Engine as _;
        let token = self.token.as_ref().map_or_else(String::new, |token| {
            let text = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(token);
            format!(".{text}")
        });
        format!("{}{token}", self.after)
    }
}

/// The token of a page's address, by which the site knows where the page begins.
pub(crate) fn skip_token(url: &url::Url) -> Option<String> {
    let mut pairs = url.query_pairs();
    pairs
        .find(|(name, _)| name.eq_ignore_ascii_case("$skiptoken"))
        .map(|(_, token)| token.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        for token in [None, Some("Paged=TRUE&p_ID=100".to_owned())] {
            let place = Position { after: 7, token };
            assert_eq!(Position::decode(&place.encode()).expect("a place"), place);
        }
        for wrong in ["", "x", "7.%", "-1", "7.8.9"] {
            let error = Position::decode(wrong).expect_err("no place");
            assert_eq!(error.field(), Some("After"), "{wrong}");
        }
    }

    #[test]
    fn the_token_is_the_one_of_the_next_page() {
        let url = "https://a.example/_api/items?%24skiptoken=Paged%3dTRUE%26p_ID%3d100&%24top=100";
        let url = url.parse().expect("an address");
        assert_eq!(skip_token(&url).as_deref(), Some("Paged=TRUE&p_ID=100"));
    }

    #[test]
    fn operators_go_by_their_names() {
        for operator in Operator::ALL {
            assert_eq!(operator.name().parse(), Ok(operator));
        }
        assert!("equals".parse::<Operator>().is_err());
    }
}
