//! An address below the service root, taken apart: names, and the arguments in their parentheses.
//!
//! Literals are read as literals: a raw `/` inside quotes separates nothing, a doubled quote is
//! one. Called with the path as it came; it is decoded here, once.

use percent_encoding::percent_decode_str;

/// One part of an address: `GetByTitle('Computers')`.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The name as it was written.
    pub name: String,
    /// What stands in parentheses; `None` where there are none.
    pub arguments: Option<Vec<Argument>>,
}

/// What stands in parentheses.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A quoted text, or the inside of `guid'…'`.
    Text(String),
    /// Anything without quotes: a number, `true`.
    Bare(String),
    /// `@name`, whose value is a query parameter.
    Alias(String),
}

impl Segment {
    /// Whether this is that name, in whatever case.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The first argument as text, with an alias looked up among the query parameters.
    #[must_use]
    pub fn argument(&self, alias: impl Fn(&str) -> Option<String>) -> Option<String> {
        self.argument_at(0, alias)
    }

    /// The argument at that place.
    #[must_use]
    pub fn argument_at(&self, at: usize, alias: impl Fn(&str) -> Option<String>) -> Option<String> {
        match self.arguments.as_ref()?.get(at)? {
            Argument::Text(text) | Argument::Bare(text) => Some(text.clone()),
            Argument::Alias(name) => {
                let value = alias(name)?;
                Some(literal(&value).unwrap_or(value))
            }
        }
    }
}

/// The text inside `'…'` or `guid'…'`.
#[must_use]
pub fn literal(text: &str) -> Option<String> {
    let text = text.trim();
    let start = text.find('\'')?;
    let inner = text[start + 1..].strip_suffix('\'')?;
    Some(inner.replace("''", "'"))
}

/// Takes an address apart; `None` when a quote or a parenthesis stays open.
#[must_use]
pub fn segments(raw: &str) -> Option<Vec<Segment>> {
    let decoded = percent_decode_str(raw).decode_utf8().ok()?;
    let mut letters = decoded.chars().peekable();
    let mut segments = Vec::new();
    let mut name = String::new();
    let mut arguments = None;
    loop {
        match letters.next() {
            Some('(') if arguments.is_none() => arguments = Some(read_arguments(&mut letters)?),
            Some('/') | None if name.is_empty() && arguments.is_none() => {}
            Some('/') => segments.push(Segment {
                name: std::mem::take(&mut name),
                arguments: arguments.take(),
            }),
            None => segments.push(Segment {
                name: std::mem::take(&mut name),
                arguments: arguments.take(),
            }),
            Some(letter) => {
                name.push(letter);
                continue;
            }
        }
        if letters.peek().is_none() && name.is_empty() && arguments.is_none() {
            return Some(segments);
        }
    }
}

fn read_arguments(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Vec<Argument>> {
    let mut arguments = Vec::new();
    let mut word = String::new();
    let mut text: Option<String> = None;
    loop {
        match letters.next()? {
            '\'' => text = Some(read_text(letters)?),
            end @ (',' | ')') => {
                let bare = std::mem::take(&mut word);
                // `name='value'` and `guid'value'` are the value.
                let bare = bare.rsplit('=').next().unwrap_or(&bare).trim();
                match (text.take(), bare) {
                    (Some(text), _) => arguments.push(Argument::Text(text)),
                    (None, "") => {}
                    (None, bare) => arguments.push(match bare.strip_prefix('@') {
                        Some(_) => Argument::Alias(bare.to_owned()),
                        None => Argument::Bare(bare.to_owned()),
                    }),
                }
                if end == ')' {
                    return Some(arguments);
                }
            }
            letter => word.push(letter),
        }
    }
}

/// What follows an opening quote, up to the one that closes it.
fn read_text(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    let mut text = String::new();
    loop {
        match letters.next()? {
            '\'' if letters.peek() == Some(&'\'') => {
                letters.next();
                text.push('\'');
            }
            '\'' => return Some(text),
            letter => text.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title_in(path: &str) -> (Vec<String>, Option<String>) {
        let segments = segments(path).expect("a whole address");
        let names = segments.iter().map(|part| part.name.clone()).collect();
        let argument = segments
            .iter()
            .find_map(|part| part.argument(|_| Some("'/sites/t/Lists/X'".to_owned())));
        (names, argument)
    }

    #[test]
    fn a_title_with_quotes_and_slashes_is_read_from_either_spelling() {
        for path in [
            "web/lists/GetByTitle('It''s%20a%20/%20list')/items",
            "web/lists/getByTitle('It%27%27s%20a%20%2F%20list')/items",
        ] {
            let (names, title) = title_in(path);
            assert_eq!(names.len(), 4, "{names:?}");
            assert_eq!(title.as_deref(), Some("It's a / list"));
        }
    }

    #[test]
    fn ids_numbers_and_aliases_are_arguments() {
        assert_eq!(title_in("lists(guid'ab')").1.as_deref(), Some("ab"));
        assert_eq!(title_in("items(12)").1.as_deref(), Some("12"));
        assert_eq!(
            title_in("GetList(@u)").1.as_deref(),
            Some("/sites/t/Lists/X")
        );
        assert_eq!(title_in("a(x='y')").1.as_deref(), Some("y"));
        assert_eq!(title_in("currentuser()").1, None);
    }

    #[test]
    fn an_open_quote_or_parenthesis_is_no_address() {
        assert_eq!(segments("lists('a"), None);
        assert_eq!(segments("lists('a'"), None);
        assert_eq!(segments("").map(|parts| parts.len()), Some(0));
        assert_eq!(segments("/web//lists/").map(|parts| parts.len()), Some(2));
    }
}
