//! The words of a filter: names, literals, parentheses and commas.

use super::Operand;

/// One word.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Open,
    Close,
    Comma,
    /// A name or keyword, with its slashes.
    Word(String),
    Literal(Operand),
}

/// The words of a text; `None` when a quote stays open or a sign has no meaning.
pub fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        match first {
            '(' => {
                tokens.push(Token::Open);
                rest = &rest[1..];
            }
            ')' => {
                tokens.push(Token::Close);
                rest = &rest[1..];
            }
            ',' => {
                tokens.push(Token::Comma);
                rest = &rest[1..];
            }
            '\'' => {
                let (text, after) = quoted(rest)?;
                tokens.push(Token::Literal(Operand::Text(text)));
                rest = after;
            }
            _ => {
                let (token, after) = word(rest)?;
                tokens.push(token);
                rest = after;
            }
        }
        let trimmed = rest.trim_start();
        // Two literals or names need something between them: `'a'b'` is a mistake of its writer.
        let touching = trimmed.len() == rest.len() && !rest.is_empty();
        let ends = |token: &Token| matches!(token, Token::Literal(_) | Token::Word(_));
        if touching && tokens.last().is_some_and(ends) && !rest.starts_with(['(', ')', ',']) {
            return None;
        }
        rest = trimmed;
    }
    Some(tokens)
}

/// The text of a literal that begins with a quote, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut rest = text.strip_prefix('\'')?;
    loop {
        let at = rest.find('\'')?;
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.strip_prefix('\'') {
            Some(after) => {
                out.push('\'');
                rest = after;
            }
            None => return Some((out, rest)),
        }
    }
}

fn word(text: &str) -> Option<(Token, &str)> {
    let part = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '_' | '/' | '.' | '-' | ':' | '+' | '@')
    };
    let end = text.find(|letter| !part(letter)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if word.is_empty() {
        return None;
    }
    if rest.starts_with('\'') {
        let (inner, after) = quoted(rest)?;
        let literal = match word.to_ascii_lowercase().as_str() {
            "datetime" | "datetimeoffset" | "time" => Operand::Date(inner),
            "guid" | "binary" => Operand::Text(inner),
            _ => return None,
        };
        return Some((Token::Literal(literal), after));
    }
    Some((named(word), rest))
}

fn named(word: &str) -> Token {
    let literal = match word {
        "true" => Some(Operand::Flag(true)),
        "false" => Some(Operand::Flag(false)),
        "null" => Some(Operand::Null),
        _ => None,
    };
    let begins_as_number = word.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    let literal = literal.or_else(|| {
        // `12L`, `1.5d` and the like name the type of the number.
        let number = word.trim_end_matches(['L', 'l', 'd', 'D', 'f', 'F', 'm', 'M']);
        number
            .parse()
            .ok()
            .filter(|_| begins_as_number)
            .map(Operand::Number)
    });
    let literal = literal.or_else(|| {
        let dated = begins_as_number && word.len() >= 10 && word.as_bytes().get(4) == Some(&b'-');
        dated.then(|| {
            // Without quotes an id of 36 letters looks much like a date.
            if word.len() == 36 && !word.contains(':') {
                Operand::Text(word.to_owned())
            } else {
                Operand::Date(word.to_owned())
            }
        })
    });
    literal.map_or_else(|| Token::Word(word.to_owned()), Token::Literal)
}
