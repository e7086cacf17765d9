//! Calculated columns and validation formulas: columns, texts and numbers, joined by operators.
//!
//! Enough of the formula language for what the demo and the tests use: `[Column]`, `"text"`,
//! numbers, `+ - * / &`, comparisons, `LEN(…)`. What goes beyond gives `#NAME?`, as the service's
//! own would for a name that it does not know.

use serde_json::{Value, json};

use super::{Field, FieldKind, Item, List, Refusal, value};

/// What a calculated column holds in a row, in the type that it puts out.
#[must_use]
pub fn value(list: &List, item: &Item, field: &Field) -> Value {
    let formula = field.own.get("Formula").and_then(Value::as_str);
    let Some(formula) = formula.filter(|formula| !formula.is_empty()) else {
        return Value::Null;
    };
    let Some(result) = calculate(list, item, formula) else {
        return json!("#NAME?");
    };
    match (field.output_kind(), result) {
        (FieldKind::Number | FieldKind::Currency, Operand::Number(number)) => {
            value::plain_number(number)
        }
        (FieldKind::Boolean, Operand::Flag(flag)) => json!(flag),
        (_, result) => json!(result.text()),
    }
}

/// Whether the list's formula and those of its columns hold for a row.
///
/// # Errors
/// The one that does not.
pub fn validate(list: &List, item: &Item) -> Result<(), Refusal> {
    let of_fields = list.fields.iter().map(|field| {
        let message = field.validation_message.as_deref();
        (field.internal.as_str(), &field.validation_formula, message)
    });
    let message = list.validation_message.as_deref();
    let of_list = std::iter::once(("", &list.validation_formula, message));
    for (name, formula, message) in of_list.chain(of_fields) {
        let Some(formula) = formula.as_deref().filter(|formula| !formula.is_empty()) else {
            continue;
        };
        if let Some(Operand::Flag(false)) = calculate(list, item, formula) {
            return Err(Refusal::Invalid {
                field: name.to_owned(),
                reason: message.unwrap_or("List data validation failed.").to_owned(),
            });
        }
    }
    Ok(())
}

#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Number(f64),
    Text(String),
    Flag(bool),
}

impl Operand {
    fn text(&self) -> String {
        match self {
            Self::Number(number) => value::plain_number(*number).to_string(),
            Self::Text(text) => text.clone(),
            Self::Flag(flag) => if *flag { "Yes" } else { "No" }.to_owned(),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) if text.is_empty() => Some(0.0),
            Self::Text(text) => text.parse().ok(),
            Self::Flag(flag) => Some(f64::from(u8::from(*flag))),
        }
    }
}

fn calculate(list: &List, item: &Item, formula: &str) -> Option<Operand> {
    let mut reader = Reader {
        rest: formula.trim().trim_start_matches('='),
        list,
        item,
    };
    let result = reader.level(0)?;
    reader.rest.trim().is_empty().then_some(result)
}

/// Operators that bind alike, the loosest first; longer ones before those they begin with.
const LEVELS: [&[&str]; 4] = [
    &["<>", "<=", ">=", "=", "<", ">"],
    &["&"],
    &["+", "-"],
    &["*", "/"],
];

struct Reader<'a> {
    rest: &'a str,
    list: &'a List,
    item: &'a Item,
}

impl Reader<'_> {
    fn level(&mut self, level: usize) -> Option<Operand> {
        let Some(operators) = LEVELS.get(level) else {
            return self.operand();
        };
        let mut left = self.level(level + 1)?;
        loop {
            self.rest = self.rest.trim_start();
            let found = operators.iter().find(|sign| self.rest.starts_with(**sign));
            let Some(sign) = found else {
                return Some(left);
            };
            self.rest = &self.rest[sign.len()..];
            let right = self.level(level + 1)?;
            left = joined(&left, sign, &right)?;
        }
    }

    fn operand(&mut self) -> Option<Operand> {
        self.rest = self.rest.trim_start();
        let rest = self.rest;
        if let Some(inner) = rest.strip_prefix('(') {
            self.rest = inner;
            let value = self.level(0)?;
            self.rest = self.rest.trim_start().strip_prefix(')')?;
            return Some(value);
        }
        if rest.len() >= 4 && rest.is_char_boundary(4) && rest[..4].eq_ignore_ascii_case("len(") {
            self.rest = &rest[3..];
            let value = self.operand()?;
            #[expect(clippy::cast_precision_loss, reason = "the length of a text")]
            return Some(Operand::Number(value.text().chars().count() as f64));
        }
        if let Some(inner) = rest.strip_prefix('"') {
            let (text, after) = inner.split_once('"')?;
            self.rest = after;
            return Some(Operand::Text(text.to_owned()));
        }
        if let Some(inner) = rest.strip_prefix('[') {
            let (name, after) = inner.split_once(']')?;
            self.rest = after;
            return self.column(name);
        }
        let ends = |letter: char| !(letter.is_alphanumeric() || letter == '.' || letter == '_');
        let end = rest.find(ends).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.rest = after;
        match word.parse() {
            Ok(number) => Some(Operand::Number(number)),
            Err(_) if word.is_empty() => None,
            Err(_) => self.column(word),
        }
    }

    fn column(&self, name: &str) -> Option<Operand> {
        let field = self.list.field_called(name)?;
        let value = if field.internal == "ID" {
            json!(self.item.id)
        } else {
            let value = self.item.values.get(&field.internal).cloned();
            value.unwrap_or(Value::Null)
        };
        Some(match value {
            Value::Number(number) => Operand::Number(number.as_f64()?),
            Value::Bool(flag) => Operand::Flag(flag),
            Value::String(text) => Operand::Text(text),
            _ => Operand::Text(String::new()),
        })
    }
}

fn joined(left: &Operand, sign: &str, right: &Operand) -> Option<Operand> {
    if sign == "&" {
        return Some(Operand::Text(left.text() + &right.text()));
    }
    if let ("+" | "-" | "*" | "/", Some(left), Some(right)) = (sign, left.number(), right.number())
    {
        return Some(Operand::Number(match sign {
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            _ if right == 0.0 => return None,
            _ => left / right,
        }));
    }
    let order = match (left.number(), right.number()) {
        (Some(left), Some(right)) => left.partial_cmp(&right)?,
        _ => left.text().to_lowercase().cmp(&right.text().to_lowercase()),
    };
    Some(Operand::Flag(match sign {
        "=" => order.is_eq(),
        "<>" => order.is_ne(),
        "<" => order.is_lt(),
        ">" => order.is_gt(),
        "<=" => order.is_le(),
        ">=" => order.is_ge(),
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_join_columns_texts_and_numbers() {
        let mut list = List::new(crate::clock::new_id(), "Test", super::super::list::GENERIC);
        let amount = Field::new("Amount", "The amount", FieldKind::Number);
        list.add_field(amount).expect("a new column");
        let mut item = Item::new(7, 11);
        item.values.insert("Title".to_owned(), json!("PC"));
        item.values.insert("Amount".to_owned(), json!(2.5));
        let of = |formula: &str| calculate(&list, &item, formula).map(|value| value.text());
        assert_eq!(of("=[Title]&\"-\"&[ID]"), Some("PC-7".to_owned()));
        assert_eq!(of("=1+[The amount]*2"), Some("6".to_owned()));
        assert_eq!(of("=LEN(Title)>3"), Some("No".to_owned()));
        assert_eq!(of("=NOW()"), None);
        assert_eq!(of("=Amount/0"), None);
    }
}
