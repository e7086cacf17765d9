//! Asks an expression of a row, by the rules of the service's database: text is the same in
//! whatever case, a missing value is smaller than every other.
//!
//! Rows are anything that has cells (`Row`); both protocols make theirs.

use std::cmp::Ordering;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Comparison, Expression, Operand};

/// What a row holds under a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Null,
    Text(String),
    Number(f64),
    Flag(bool),
    Instant(Timestamp),
    /// Several values: a comparison holds when it holds for one of them.
    Several(Vec<Cell>),
}

/// Something that can be asked.
pub trait Row {
    /// The cell under a name.
    fn cell(&self, path: &[String]) -> Cell;
    /// The zone of dates that name none.
    fn zone(&self) -> &TimeZone;
}

/// The expression calls a function that there is not, or compares what cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the expression cannot be answered")]
pub struct Unanswerable;

/// Whether an expression holds for a row.
///
/// # Errors
/// It cannot be answered for any row.
pub fn holds(expression: &Expression, row: &dyn Row) -> Result<bool, Unanswerable> {
    match expression {
        Expression::And(left, right) => Ok(holds(left, row)? & holds(right, row)?),
        Expression::Or(left, right) => Ok(holds(left, row)? | holds(right, row)?),
        Expression::Not(inner) => Ok(!holds(inner, row)?),
        Expression::Test(call) => Ok(cell_of(call, row)? == Cell::Flag(true)),
        Expression::Compare(left, comparison, right) => {
            let left = cell_of(left, row)?;
            let right = cell_of(right, row)?;
            Ok(compares(&left, *comparison, &right, row.zone()))
        }
    }
}

fn cell_of(operand: &Operand, row: &dyn Row) -> Result<Cell, Unanswerable> {
    Ok(match operand {
        Operand::Path(path) => row.cell(path),
        Operand::Text(text) => Cell::Text(text.clone()),
        Operand::Number(number) => Cell::Number(*number),
        Operand::Flag(flag) => Cell::Flag(*flag),
        Operand::Null => Cell::Null,
        Operand::Date(text) => {
            let at = crate::store::instant::instant(text, row.zone()).ok_or(Unanswerable)?;
            Cell::Instant(at)
        }
        Operand::Call(name, arguments) => {
            let cells = arguments.iter().map(|argument| cell_of(argument, row));
            called(name, &cells.collect::<Result<Vec<_>, _>>()?, row.zone())?
        }
    })
}

fn called(name: &str, arguments: &[Cell], zone: &TimeZone) -> Result<Cell, Unanswerable> {
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.to_lowercase(),
        Cell::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let some = |cell: &Cell| *cell != Cell::Null;
    Ok(match (name, arguments) {
        ("startswith", [whole, part]) => {
            Cell::Flag(some(whole) && text(whole).starts_with(&text(part)))
        }
        ("endswith", [whole, part]) => {
            Cell::Flag(some(whole) && text(whole).ends_with(&text(part)))
        }
        ("substringof", [part, whole]) | ("contains", [whole, part]) => {
            Cell::Flag(some(whole) && text(whole).contains(&text(part)))
        }
        ("year" | "month" | "day" | "hour" | "minute" | "second", [Cell::Instant(at)]) => {
            let local = at.to_zoned(zone.clone());
            Cell::Number(f64::from(match name {
                "year" => i32::from(local.year()),
                "month" => i32::from(local.month()),
                "day" => i32::from(local.day()),
                "hour" => i32::from(local.hour()),
                "minute" => i32::from(local.minute()),
                _ => i32::from(local.second()),
            }))
        }
        ("year" | "month" | "day" | "hour" | "minute" | "second", [Cell::Null]) => Cell::Null,
        _ => return Err(Unanswerable),
    })
}

fn compares(left: &Cell, comparison: Comparison, right: &Cell, zone: &TimeZone) -> bool {
    if let Cell::Several(cells) = left {
        return cells
            .iter()
            .any(|cell| compares(cell, comparison, right, zone));
    }
    let nothing = *left == Cell::Null || *right == Cell::Null;
    let order = compare(left, right, zone);
    match comparison {
        Comparison::Equal => order == Some(Ordering::Equal),
        Comparison::NotEqual => order != Some(Ordering::Equal),
        // Nothing is neither more nor less than something.
        _ if nothing => false,
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// How two cells stand to each other; `None` when they have nothing in common.
#[must_use]
pub fn compare(left: &Cell, right: &Cell, zone: &TimeZone) -> Option<Ordering> {
    match (left, right) {
        (Cell::Null, Cell::Null) => Some(Ordering::Equal),
        (Cell::Null, _) => Some(Ordering::Less),
        (_, Cell::Null) => Some(Ordering::Greater),
        (Cell::Text(left), Cell::Text(right)) => {
            Some(left.to_lowercase().cmp(&right.to_lowercase()))
        }
        (Cell::Number(left), Cell::Number(right)) => left.partial_cmp(right),
        (Cell::Flag(left), Cell::Flag(right)) => Some(left.cmp(right)),
        (Cell::Instant(left), Cell::Instant(right)) => Some(left.cmp(right)),
        // A flag is also written 0 and 1, a number as text.
        (Cell::Flag(left), Cell::Number(right)) => f64::from(u8::from(*left)).partial_cmp(right),
        (Cell::Number(left), Cell::Text(right)) => left.partial_cmp(&right.parse().ok()?),
        (Cell::Flag(left), Cell::Text(right)) => {
            Some(left.cmp(&matches!(right.to_lowercase().as_str(), "1" | "true")))
        }
        (Cell::Text(left), Cell::Number(right)) => left
            .parse()
            .ok()
            .and_then(|left: f64| left.partial_cmp(right)),
        (Cell::Instant(left), Cell::Text(right)) => {
            Some(left.cmp(&crate::store::instant::instant(right, zone)?))
        }
        (Cell::Text(_) | Cell::Number(_), Cell::Flag(_) | Cell::Instant(_)) => {
            compare(right, left, zone).map(Ordering::reverse)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odata::filter::parse;

    struct Fixed(TimeZone);

    impl Row for Fixed {
        fn cell(&self, path: &[String]) -> Cell {
            match path.join("/").as_str() {
                "Title" => Cell::Text("PC-1".to_owned()),
                "Id" => Cell::Number(7.0),
                "Flag" => Cell::Flag(true),
                "Created" => Cell::Instant("2026-01-01T05:00:00Z".parse().expect("a date")),
                "Owners" => Cell::Several(vec![Cell::Number(11.0), Cell::Number(8.0)]),
                _ => Cell::Null,
            }
        }

        fn zone(&self) -> &TimeZone {
            &self.0
        }
    }

    #[test]
    fn rows_are_asked_by_the_rules_of_the_service() {
        let row = Fixed(TimeZone::get("America/Los_Angeles").expect("a zone that all know"));
        let asked = |text: &str| holds(&parse(text).expect("a filter"), &row);
        for text in [
            "Title eq 'pc-1'",
            "startswith(Title,'PC') and substringof('-', Title)",
            "Flag eq 1 and Flag eq true and not (Flag eq 0)",
            "Id ge 7 and Id lt 8 and Id ne 9",
            "Nothing eq null and Nothing ne 'x'",
            "Created ge '2026-01-01T05:00:00Z' and Created lt datetime'2026-01-01T05:00:01Z'",
            "year(Created) eq 2025 and hour(Created) eq 21",
            "Owners eq 8",
            "Title eq 'x' or Id eq 7",
        ] {
            assert_eq!(asked(text), Ok(true), "{text}");
        }
        for text in [
            "Nothing gt 1",
            "Nothing lt 1",
            "Title gt 'pd'",
            "Owners eq 9",
        ] {
            assert_eq!(asked(text), Ok(false), "{text}");
        }
        assert_eq!(asked("tolower(Title) eq 'x'"), Err(Unanswerable));
    }
}
