//! Which field of a computer goes to which column: the default for a list's columns, and the
//! check of a map that a caller has written.
//!
//! Called before a run is accepted and again whenever it looks at the list.

use checklist_shared::computer::{ComputerField, ComputerStatus};
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::wire::workflow::FieldMapping;
use site_lists::{Column, SiteFieldType};

/// A field and the column that it goes to.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The computer's field.
    pub field: ComputerField,
    /// The column.
    pub column: Column,
}

/// What is wrong with a line of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapFault {
    /// Which line, from 0.
    pub line: usize,
    /// For programs.
    pub code: FieldErrorCode,
    /// For people.
    pub detail: String,
}

/// The map where nobody has written one: `Name` to `Title`, and every field to the column that
/// has its name, as far as that can hold it.
#[must_use]
pub fn default_map(columns: &[Column]) -> Vec<FieldMapping> {
    let mut map = vec![line(ComputerField::Name, "Title")];
    for field in ComputerField::ALL {
        let name = folded(field.name());
        let fits = |column: &&Column| {
            !column.built_in && !column.hidden && column.is_writable() && holds(column, field)
        };
        let by = |shown: fn(&Column) -> &str| {
            columns
                .iter()
                .filter(fits)
                .find(|column| folded(shown(column)) == name)
        };
        let found =
            by(|column| &column.internal_name).or_else(|| by(|column| &column.display_name));
        if let Some(column) = found
            && column.internal_name != "Title"
        {
            map.push(line(field, &column.internal_name));
        }
    }
    map
}

fn line(field: ComputerField, column: &str) -> FieldMapping {
    FieldMapping {
        field,
        column: column.to_owned(),
    }
}

/// Letters and digits alone, in lower case.
fn folded(name: &str) -> String {
    name.replace("_x0020_", "")
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a column is meant for what a field holds, as far as its type tells.
fn holds(column: &Column, field: ComputerField) -> bool {
    use SiteFieldType as Kind;
    match column.field_type {
        Some(Kind::Choice) => {
            field != ComputerField::Status
                || column.fill_in
                || ComputerStatus::ALL
                    .iter()
                    .all(|status| column.choices.iter().any(|choice| choice == status.label()))
        }
        Some(Kind::String | Kind::Note) => true,
        Some(Kind::Number | Kind::Currency | Kind::Integer) => field == ComputerField::Memory,
        Some(Kind::DateTime) => matches!(
            field,
            ComputerField::PurchasedOn | ComputerField::WarrantyUntil
        ),
        Some(Kind::User) => field == ComputerField::AssignedTo,
        _ => false,
    }
}

/// Binds a map to the columns of a list.
///
/// # Errors
/// Everything that is wrong with it, line by line.
pub fn bind(
    map: &[FieldMapping],
    columns: &[Column],
    key_column: &str,
) -> Result<Vec<Bound>, Vec<MapFault>> {
    let mut bound: Vec<Bound> = Vec::with_capacity(map.len());
    let mut faults = Vec::new();
    for (line, mapping) in map.iter().enumerate() {
        let column = match Column::named(columns, &mapping.column) {
            Ok(column) => column,
            Err(error) => {
                let hint = error
                    .hint()
                    .map(|hint| format!(" {hint}"))
                    .unwrap_or_default();
                faults.push(MapFault {
                    line,
                    code: FieldErrorCode::Invalid,
                    detail: format!("{error}{hint}"),
                });
                continue;
            }
        };
        let name = &column.internal_name;
        let wrong = if !column.is_writable() {
            Some(FieldErrorCode::Invalid)
                .map(|code| (code, format!("The column {name} cannot be written.")))
        } else if name == key_column {
            Some((
                FieldErrorCode::Invalid,
                format!("The column {name} holds the keys; nothing else goes there."),
            ))
        } else if bound
            .iter()
            .any(|other| other.column.internal_name == *name)
        {
            Some((
                FieldErrorCode::Duplicate,
                format!("Two fields go to the column {name}."),
            ))
        } else {
            None
        };
        match wrong {
            Some((code, detail)) => faults.push(MapFault { line, code, detail }),
            None => bound.push(Bound {
                field: mapping.field,
                column: column.clone(),
            }),
        }
    }
    if faults.is_empty() {
        Ok(bound)
    } else {
        Err(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn column(internal: &str, kind: &str) -> Column {
        serde_json::from_value(
            json!({"InternalName": internal, "DisplayName": internal, "Type": kind}),
        )
        .expect("a column")
    }

    #[test]
    fn fields_go_to_the_columns_of_their_names_that_can_hold_them() {
        let mut shown = column("field_7", "String");
        shown.display_name = "Operating system".to_owned();
        let columns = [
            column("Title", "String"),
            column("Serial_x0020_Number", "String"),
            column("Memory", "Number"),
            column("AssignedTo", "User"),
            column("Location", "Lookup"),
            shown,
        ];
        let map: Vec<(ComputerField, String)> = default_map(&columns)
            .into_iter()
            .map(|line| (line.field, line.column))
            .collect();
        let expected = [
            (ComputerField::Name, "Title"),
            (ComputerField::SerialNumber, "Serial_x0020_Number"),
            (ComputerField::AssignedTo, "AssignedTo"),
            (ComputerField::OperatingSystem, "field_7"),
            (ComputerField::Memory, "Memory"),
        ]
        .map(|(field, column)| (field, column.to_owned()));
        assert_eq!(map, expected);
    }

    #[test]
    fn a_column_of_choices_gets_the_status_only_when_it_has_all_of_them() {
        let mut status = column("Status", "Choice");
        status.choices = vec!["In use".to_owned()];
        let columns = [status.clone()];
        assert_eq!(default_map(&columns).len(), 1);
        status.fill_in = true;
        assert_eq!(default_map(&[status]).len(), 2);
    }

    #[test]
    fn everything_that_is_wrong_with_a_map_is_told_at_once() {
        let columns = [
            column("Title", "String"),
            column("Sum", "Calculated"),
            column("SyncKey", "String"),
        ];
        let map = ["Title", "Nowhere", "Sum", "Title", "SyncKey"]
            .map(|column| line(ComputerField::Name, column));
        let faults = bind(&map, &columns, "SyncKey").expect_err("four of them");
        let told: Vec<(usize, FieldErrorCode)> = faults
            .iter()
            .map(|fault| (fault.line, fault.code))
            .collect();
        assert_eq!(
            told,
            [
                (1, FieldErrorCode::Invalid),
                (2, FieldErrorCode::Invalid),
                (3, FieldErrorCode::Duplicate),
                (4, FieldErrorCode::Invalid),
            ]
        );
    }
}
