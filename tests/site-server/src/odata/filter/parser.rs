//! The grammar of a filter, by descent: `or` binds loosest, then `and`, `not`, comparisons.

use super::lexer::{Token, tokens};
use super::{Comparison, Expression, Operand};

/// The text is no filter.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the expression is not valid")]
pub struct Malformed;

/// How deep parentheses may nest; far beyond what anybody writes.
const DEEPEST: usize = 64;

/// Reads a filter.
///
/// # Errors
/// The text is none.
pub fn parse(text: &str) -> Result<Expression, Malformed> {
    let tokens = tokens(text).ok_or(Malformed)?;
    let mut reader = Reader {
        tokens: &tokens,
        depth: 0,
    };
    let expression = reader.any()?;
    if reader.tokens.is_empty() {
        Ok(expression)
    } else {
        Err(Malformed)
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    depth: usize,
}

impl Reader<'_> {
    fn keyword(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.first(), Some(Token::Word(text)) if text == word);
        if found {
            self.tokens = &self.tokens[1..];
        }
        found
    }

    fn take(&mut self, token: &Token) -> bool {
        let found = self.tokens.first() == Some(token);
        if found {
            self.tokens = &self.tokens[1..];
        }
        found
    }

    fn any(&mut self) -> Result<Expression, Malformed> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Malformed);
        }
        let mut left = self.all()?;
        while self.keyword("or") {
            left = Expression::Or(Box::new(left), Box::new(self.all()?));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn all(&mut self) -> Result<Expression, Malformed> {
        let mut left = self.one()?;
        while self.keyword("and") {
            left = Expression::And(Box::new(left), Box::new(self.one()?));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Expression, Malformed> {
        if self.keyword("not") {
            return Ok(Expression::Not(Box::new(self.one()?)));
        }
        if self.take(&Token::Open) {
            let inner = self.any()?;
            return if self.take(&Token::Close) {
                Ok(inner)
            } else {
                Err(Malformed)
            };
        }
        let left = self.operand()?;
        let comparison = match self.tokens.first() {
            Some(Token::Word(word)) => comparison(word),
            _ => None,
        };
        match comparison {
            Some(comparison) => {
                self.tokens = &self.tokens[1..];
                Ok(Expression::Compare(left, comparison, self.operand()?))
            }
            None if matches!(left, Operand::Call(..)) => Ok(Expression::Test(left)),
            None => Err(Malformed),
        }
    }

    fn operand(&mut self) -> Result<Operand, Malformed> {
        let (first, rest) = self.tokens.split_first().ok_or(Malformed)?;
        self.tokens = rest;
        match first {
            Token::Literal(literal) => Ok(literal.clone()),
            Token::Word(name) if self.take(&Token::Open) => {
                let mut arguments = Vec::new();
                while !self.take(&Token::Close) {
                    if !arguments.is_empty() && !self.take(&Token::Comma) {
                        return Err(Malformed);
                    }
                    arguments.push(self.operand()?);
                }
                Ok(Operand::Call(name.clone(), arguments))
            }
            Token::Word(name) if is_path(name) => {
                Ok(Operand::Path(name.split('/').map(str::to_owned).collect()))
            }
            _ => Err(Malformed),
        }
    }
}

fn is_path(word: &str) -> bool {
    word.split('/').all(|part| {
        let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '@' | '.');
        !part.is_empty() && part.chars().all(plain)
    })
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "eq" => Comparison::Equal,
        "ne" => Comparison::NotEqual,
        "lt" => Comparison::Less,
        "le" => Comparison::LessOrEqual,
        "gt" => Comparison::Greater,
        "ge" => Comparison::GreaterOrEqual,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(text: &str) -> bool {
        parse(text).is_ok()
    }

    #[test]
    fn or_binds_looser_than_and() {
        let read = parse("A eq 1 or B eq 2 and C eq 3").expect("a filter");
        let Expression::Or(_, right) = read else {
            panic!("{read:?}")
        };
        assert!(matches!(*right, Expression::And(..)));
    }

    #[test]
    fn everything_that_clients_write_is_read() {
        for text in [
            "Title eq 'it''s'",
            "(Id gt 5000 and Id le 10000) and startswith(Title,'x')",
            "substringof('x',Title) or Modified ge datetime'2026-01-01T00:00:00Z'",
            "year(Created) eq 2026",
            "Author/Title eq 'Alice Archer'",
            "fields/Number lt -1.5 and fields/Flag eq true",
            "Modified gt 2026-01-01T00:00:00Z and Owner eq null",
            "Id eq guid'8246e3c1-19ea-4b22-8ae3-df9cbc150a74'",
            "startswith(Title,'a') eq true",
        ] {
            assert!(reads(text), "{text}");
        }
    }

    #[test]
    fn a_quote_that_was_not_doubled_is_no_filter() {
        for text in [
            "Title eq 'a'b'",
            "Title eq 'a",
            "Title eq",
            "Title",
            "Title eq 'a' and",
            "(Title eq 'a'",
            "Title = 'a'",
            "Title add 1 eq 2",
            "",
        ] {
            assert!(!reads(text), "{text}");
        }
    }

    #[test]
    fn nesting_has_an_end() {
        let deep = format!("{}A eq 1{}", "(".repeat(5_000), ")".repeat(5_000));
        assert!(!reads(&deep));
    }
}
