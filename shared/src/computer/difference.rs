//! The difference between two states of a computer, field by field.

use super::{Computer, ComputerField, ComputerValue};
use crate::wire::computers::FieldChange;

impl Computer {
    /// What a field holds, as text: numbers in digits, days as `2026-11-20`, the status by its
    /// name on the wire.
    #[must_use]
    pub fn text(&self, field: ComputerField) -> Option<String> {
        if field == ComputerField::Status {
            return Some(self.status.name().to_owned());
        }
        Some(match self.value(field)? {
            ComputerValue::Text(text) | ComputerValue::Person(text) => text.to_owned(),
            ComputerValue::Number(number) => number.to_string(),
            ComputerValue::Day(day) => day.to_string(),
        })
    }

    /// What becomes different when this computer becomes `after`; every field that is not empty
    /// when there was `None` before.
    ///
    /// ```
    /// use checklist_shared::computer::{Computer, ComputerField, ComputerStatus};
    /// let before = Computer::new("c-17", "PC-0815", ComputerStatus::InUse);
    /// let after = Computer { status: ComputerStatus::Scrapped, ..before.clone() };
    /// let changes = Computer::changes(Some(&before), &after);
    /// assert_eq!(changes.len(), 1);
    /// assert_eq!(changes[0].field, ComputerField::Status);
    /// assert_eq!(changes[0].after.as_deref(), Some("Scrapped"));
    /// ```
    #[must_use]
    pub fn changes(before: Option<&Self>, after: &Self) -> Vec<FieldChange> {
        ComputerField::ALL
            .into_iter()
            .filter_map(|field| {
                let old = before.and_then(|computer| computer.text(field));
                let new = after.text(field);
                (old != new).then_some(FieldChange {
                    field,
                    before: old,
                    after: new,
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::computer::ComputerStatus;

    #[test]
    fn a_new_computer_changes_every_field_that_it_has() {
        let new = Computer {
            memory: Some(16),
            purchased_on: "2024-02-29".parse().ok(),
            ..Computer::new("c-17", "PC-0815", ComputerStatus::InStock)
        };
        let told: Vec<_> = Computer::changes(None, &new)
            .into_iter()
            .map(|change| (change.field, change.before, change.after))
            .collect();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            told,
            [
                (ComputerField::Id, None, text("c-17")),
                (ComputerField::Name, None, text("PC-0815")),
                (ComputerField::Status, None, text("InStock")),
                (ComputerField::Memory, None, text("16")),
                (ComputerField::PurchasedOn, None, text("2024-02-29")),
            ]
        );
    }

    #[test]
    fn what_is_emptied_is_a_change_and_what_stays_is_none() {
        let before = Computer {
            location: Some("Köln".to_owned()),
            ..Computer::new("c-17", "PC-0815", ComputerStatus::InUse)
        };
        let after = Computer {
            location: None,
            ..before.clone()
        };
        let changes = Computer::changes(Some(&before), &after);
        assert_eq!(
            changes,
            [FieldChange {
                field: ComputerField::Location,
                before: Some("Köln".to_owned()),
                after: None
            }]
        );
        assert_eq!(Computer::changes(Some(&after), &after), []);
    }
}
