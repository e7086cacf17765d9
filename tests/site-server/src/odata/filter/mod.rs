//! `$filter`, `$orderby`: read into an expression, and asked of rows.
//!
//! `read` takes the text, `evaluate` the rows. One grammar serves both protocols; what each of
//! them does not offer is refused by who calls.

mod evaluate;
mod lexer;
mod parser;

pub use evaluate::{Cell, Row, Unanswerable, compare, holds};
pub use parser::{Malformed, parse};

/// What is asked of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    Compare(Operand, Comparison, Operand),
    /// A function that is true or false: `startswith(Title,'x')`.
    Test(Operand),
}

/// How two values stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A name, `/` taken apart: `Author/Title`.
    Path(Vec<String>),
    Text(String),
    Number(f64),
    Flag(bool),
    /// `datetime'…'`, or a date that stands there without quotes.
    Date(String),
    Null,
    Call(String, Vec<Operand>),
}

impl Expression {
    /// Every name that is asked for, and every function that is called.
    pub fn visit(&self, seen: &mut impl FnMut(&Operand)) {
        match self {
            Self::And(left, right) | Self::Or(left, right) => {
                left.visit(seen);
                right.visit(seen);
            }
            Self::Not(inner) => inner.visit(seen),
            Self::Compare(left, _, right) => {
                left.visit(seen);
                right.visit(seen);
            }
            Self::Test(call) => call.visit(seen),
        }
    }

    /// The parts that all have to hold.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<&Self> {
        match self {
            Self::And(left, right) => {
                let mut parts = left.conjuncts();
                parts.extend(right.conjuncts());
                parts
            }
            other => vec![other],
        }
    }
}

impl Operand {
    fn visit(&self, seen: &mut impl FnMut(&Self)) {
        seen(self);
        if let Self::Call(_, arguments) = self {
            for argument in arguments {
                argument.visit(seen);
            }
        }
    }
}
