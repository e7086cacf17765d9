//! Validates and normalizes a computer of the inventory.

use super::{Computer, ComputerField};
use crate::problem::{FieldError, FieldErrorCode};

impl Computer {
    /// The longest id.
    pub const LONGEST_ID: usize = 128;
    /// The longest text besides id and note: the limit of a single-line text column.
    pub const LONGEST_TEXT: usize = 255;
    /// The longest note.
    pub const LONGEST_NOTE: usize = 4_000;
    /// The most memory, in GiB.
    pub const MOST_MEMORY: u32 = 1_048_576;

    /// The computer as the inventory keeps it: no blanks around texts, and nothing where a text
    /// is empty.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        tidy(&mut self.id);
        tidy(&mut self.name);
        for text in [
            &mut self.serial_number,
            &mut self.asset_tag,
            &mut self.manufacturer,
            &mut self.model,
            &mut self.assigned_to,
            &mut self.department,
            &mut self.location,
            &mut self.operating_system,
            &mut self.note,
        ] {
            if let Some(inside) = text {
                tidy(inside);
                if inside.is_empty() {
                    *text = None;
                }
            }
        }
        self
    }

    /// What is wrong with it, with a pointer into the computer for each field.
    ///
    /// ```
    /// use checklist_shared::computer::{Computer, ComputerStatus};
    /// let computer = Computer::new("c-17", "", ComputerStatus::InUse);
    /// assert_eq!(computer.faults()[0].pointer, "/Name");
    /// ```
    #[must_use]
    pub fn faults(&self) -> Vec<FieldError> {
        let mut faults: Vec<FieldError> = ComputerField::ALL
            .into_iter()
            .filter_map(|field| self.fault(field))
            .collect();
        // Addresses are made from ids, and these lead elsewhere.
        if matches!(self.id.as_str(), "." | ".." | "Import") {
            faults.push(FieldError::new(
                "/Id",
                FieldErrorCode::Invalid,
                format!("No computer can have the id '{}'.", self.id),
            ));
        }
        faults
    }

    fn fault(&self, field: ComputerField) -> Option<FieldError> {
        let wrong = |code, detail: String| {
            let pointer = format!("/{}", field.name());
            Some(FieldError::new(pointer, code, detail))
        };
        if field == ComputerField::Memory {
            let memory = self.memory?;
            return if (1..=Self::MOST_MEMORY).contains(&memory) {
                None
            } else {
                wrong(
                    FieldErrorCode::Invalid,
                    format!("1 to {} GiB.", Self::MOST_MEMORY),
                )
            };
        }
        let required = matches!(field, ComputerField::Id | ComputerField::Name);
        let text = match self.words(field) {
            Some(text) if !text.is_empty() => text,
            _ if required => {
                return wrong(FieldErrorCode::Required, "This has to be there.".to_owned());
            }
            _ => return None,
        };
        let longest = match field {
            ComputerField::Id => Self::LONGEST_ID,
            ComputerField::Note => Self::LONGEST_NOTE,
            _ => Self::LONGEST_TEXT,
        };
        if text.len() > longest && text.chars().count() > longest {
            return wrong(
                FieldErrorCode::LimitExceeded,
                format!("At most {longest} characters."),
            );
        }
        let lines = field == ComputerField::Note;
        let fits = |letter: char| !letter.is_control() || (lines && matches!(letter, '\n' | '\t'));
        if text.chars().all(fits) {
            None
        } else {
            wrong(
                FieldErrorCode::Invalid,
                if lines {
                    "No control characters but line breaks."
                } else {
                    "No line breaks and no control characters."
                }
                .to_owned(),
            )
        }
    }

    /// The text that somebody has written into a field.
    fn words(&self, field: ComputerField) -> Option<&str> {
        match field {
            ComputerField::Id => Some(&self.id),
            ComputerField::Name => Some(&self.name),
            ComputerField::SerialNumber => self.serial_number.as_deref(),
            ComputerField::AssetTag => self.asset_tag.as_deref(),
            ComputerField::Manufacturer => self.manufacturer.as_deref(),
            ComputerField::Model => self.model.as_deref(),
            ComputerField::AssignedTo => self.assigned_to.as_deref(),
            ComputerField::Department => self.department.as_deref(),
            ComputerField::Location => self.location.as_deref(),
            ComputerField::OperatingSystem => self.operating_system.as_deref(),
            ComputerField::Note => self.note.as_deref(),
            ComputerField::Status
            | ComputerField::Memory
            | ComputerField::PurchasedOn
            | ComputerField::WarrantyUntil => None,
        }
    }
}

/// No blanks around a text, and line breaks of one kind.
fn tidy(text: &mut String) {
    if text.contains('\r') {
        *text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    let trimmed = text.trim();
    if trimmed.len() != text.len() {
        *text = trimmed.to_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::computer::ComputerStatus;

    fn computer() -> Computer {
        Computer::new("c-17", "PC-0815", ComputerStatus::InUse)
    }

    fn found(computer: &Computer) -> Vec<(String, FieldErrorCode)> {
        let faults = computer.faults().into_iter();
        faults.map(|fault| (fault.pointer, fault.code)).collect()
    }

    #[test]
    fn blanks_around_texts_and_empty_texts_are_not_kept() {
        let typed = Computer {
            serial_number: Some("  ".to_owned()),
            location: Some(" Köln\u{a0}".to_owned()),
            note: Some("one\r\ntwo\n".to_owned()),
            ..Computer::new(" c-17 ", "PC-0815\n", ComputerStatus::InUse)
        };
        let kept = Computer {
            location: Some("Köln".to_owned()),
            note: Some("one\ntwo".to_owned()),
            ..computer()
        };
        assert_eq!(typed.normalized(), kept);
        assert_eq!(found(&kept), []);
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let wrong = Computer {
            serial_number: Some("a\nb".to_owned()),
            model: Some("x".repeat(256)),
            memory: Some(0),
            ..Computer::new("", "\u{7}", ComputerStatus::InUse)
        };
        let at = |field: &str, code| (format!("/{field}"), code);
        assert_eq!(
            found(&wrong),
            [
                at("Id", FieldErrorCode::Required),
                at("Name", FieldErrorCode::Invalid),
                at("SerialNumber", FieldErrorCode::Invalid),
                at("Model", FieldErrorCode::LimitExceeded),
                at("Memory", FieldErrorCode::Invalid),
            ]
        );
    }

    #[test]
    fn a_length_is_counted_in_characters() {
        let long = |more: usize| Computer {
            id: "c".repeat(128 + more),
            name: "ß".repeat(255 + more),
            note: Some("ü".repeat(4_000 + more)),
            ..computer()
        };
        assert_eq!(found(&long(0)), []);
        let beyond = ["Id", "Name", "Note"].map(|field| format!("/{field}"));
        assert_eq!(
            found(&long(1)),
            beyond.map(|pointer| (pointer, FieldErrorCode::LimitExceeded))
        );
    }

    #[test]
    fn a_note_may_have_lines_and_a_name_may_not() {
        let lines = |text: &str| Computer {
            name: text.to_owned(),
            note: Some(text.to_owned()),
            ..computer()
        };
        assert_eq!(
            found(&lines("one\ntwo")),
            [("/Name".to_owned(), FieldErrorCode::Invalid)]
        );
        assert_eq!(lines("one\u{0}two").faults().len(), 2);
    }

    #[test]
    fn ids_that_lead_elsewhere_are_refused() {
        for id in [".", "..", "Import"] {
            let computer = Computer::new(id, "PC", ComputerStatus::InUse);
            assert_eq!(computer.faults().len(), 1, "{id}");
        }
    }
}
