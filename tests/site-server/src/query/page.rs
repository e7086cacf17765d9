//! One page of rows, and the token that says where the next one begins.
//!
//! The token holds what the service's own holds: the id of the last row, and its values under the
//! names that the rows are sorted by.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::Plan;
use crate::odata::filter::{Cell, compare};
use crate::store::{Item, List, Site};

/// Where a page begins: behind this row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Token {
    pub id: u32,
    /// Names and values of the order, as texts.
    pub values: Vec<(String, String)>,
    /// Whether the page ends there instead.
    pub backwards: bool,
}

/// A page.
pub struct Page<'a> {
    pub rows: Vec<&'a Item>,
    /// Where the next one begins, when there is one.
    pub next: Option<Token>,
}

impl Token {
    /// Reads `Paged=TRUE&p_ID=100`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut token = Self::default();
        let mut paged = false;
        let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        for pair in text.split('&') {
            let (name, value) = pair.split_once('=')?;
            match name {
                "Paged" => paged = value.eq_ignore_ascii_case("true"),
                "p_ID" => token.id = value.parse().ok()?,
                "PagedPrev" => token.backwards = value.eq_ignore_ascii_case("true"),
                "p_SortBehavior" | "p_FSObjType" => {}
                name => {
                    let name = name.strip_prefix("p_")?;
                    token.values.push((decode(name), decode(value)));
                }
            }
        }
        paged.then_some(token)
    }

    /// The text of it.
    #[must_use]
    pub fn written(&self) -> String {
        let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let mut text = "Paged=TRUE".to_owned();
        for (name, value) in &self.values {
            text.push_str(&format!("&p_{}={}", encode(name), encode(value)));
        }
        text.push_str(&format!("&p_ID={}", self.id));
        text
    }
}

/// The page of `rows` that begins behind `after`.
#[must_use]
pub fn pages<'a>(
    plan: &Plan,
    site: &Site,
    list: &List,
    rows: Vec<&'a Item>,
    after: Option<&Token>,
    size: usize,
) -> Page<'a> {
    let begins = match after {
        None => 0,
        Some(token) if plan.order.is_empty() => rows.partition_point(|item| item.id <= token.id),
        Some(token) => behind(plan, site, list, &rows, token),
    };
    let begins = match after {
        // The row itself is on neither page.
        Some(token) if token.backwards => {
            let ends =
                begins.saturating_sub(usize::from(rows.iter().any(|item| item.id == token.id)));
            ends.saturating_sub(size)
        }
        _ => begins,
    };
    let mut rows: Vec<_> = rows.into_iter().skip(begins).take(size + 1).collect();
    let more = rows.len() > size;
    rows.truncate(size);
    let next = rows
        .last()
        .filter(|_| more)
        .map(|last| token_of(plan, site, list, last));
    Page { rows, next }
}

fn token_of(plan: &Plan, site: &Site, list: &List, item: &Item) -> Token {
    let values = plan.order.iter().map(|order| {
        let text = match order.column.cell(site, list, item) {
            Cell::Text(text) => text,
            Cell::Number(number) => number.to_string(),
            Cell::Flag(flag) => u8::from(flag).to_string(),
            Cell::Instant(at) => at.to_string(),
            Cell::Null | Cell::Several(_) => String::new(),
        };
        (order.name.clone(), text)
    });
    Token {
        id: item.id,
        values: values.collect(),
        backwards: false,
    }
}

/// How many rows lie up to the one that the token names, which may have gone since.
fn behind(plan: &Plan, site: &Site, list: &List, rows: &[&Item], token: &Token) -> usize {
    if let Some(at) = rows.iter().position(|item| item.id == token.id) {
        return at + 1;
    }
    let zone = site.time_zone();
    rows.partition_point(|item| {
        for (order, (_, value)) in plan.order.iter().zip(&token.values) {
            let cell = order.column.cell(site, list, item);
            let last = if value.is_empty() {
                Cell::Null
            } else {
                Cell::Text(value.clone())
            };
            let found = compare(&cell, &last, &zone).unwrap_or(std::cmp::Ordering::Equal);
            let found = if order.descending {
                found.reverse()
            } else {
                found
            };
            if found.is_ne() {
                return found.is_lt();
            }
        }
        item.id <= token.id
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_written() {
        let token = Token {
            id: 100,
            values: vec![("Title".to_owned(), "a&b=c".to_owned())],
            backwards: false,
        };
        assert_eq!(Token::read(&token.written()), Some(token));
        assert_eq!(
            Token::read("Paged=TRUE&p_SortBehavior=0&p_ID=7").map(|token| token.id),
            Some(7)
        );
        assert_eq!(Token::read("p_ID=7"), None);
        assert_eq!(Token::read("Paged=TRUE&p_ID=x"), None);
    }
}
