//! Binds a field map to the columns of a list: which field of a computer is written to which
//! column.
//!
//! The default map is in `checklist_shared::export`. Runs before a run is accepted, and whenever it
//! reads the list.

use checklist_shared::computer::{ComputerField, ComputerStatus};
use checklist_shared::export::{holds, not_offered};
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::wire::workflow::FieldMapping;
use site_lists::{Column, SiteFieldType};

/// A field and its column.
#[derive(Clone, Debug)]
pub struct FieldBinding {
    /// The field of a computer.
    pub field: ComputerField,
    /// The column.
    pub column: Column,
}

/// An error in a line of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    /// The index of the line, from 0.
    pub line: usize,
    /// The code, for programs.
    pub code: FieldErrorCode,
    /// The message, for people.
    pub detail: String,
}

/// Binds a map to the columns of a list.
///
/// # Errors
/// Everything that is wrong with it, line by line.
pub fn bind(
    map: &[FieldMapping],
    columns: &[Column],
    key_column: &str,
) -> Result<Vec<FieldBinding>, Vec<MapError>> {
    let mut bound: Vec<FieldBinding> = Vec::with_capacity(map.len());
    let mut faults = Vec::new();
    for (line, mapping) in map.iter().enumerate() {
        let column = match Column::by_name(columns, &mapping.column) {
            Ok(column) => column,
            Err(error) => {
                let hint = error
                    .hint()
                    .map(|hint| format!(" {hint}"))
                    .unwrap_or_default();
                faults.push(MapError {
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
            check_column(mapping.field, column)
        };
        match wrong {
            Some((code, detail)) => faults.push(MapError { line, code, detail }),
            None => bound.push(FieldBinding {
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

/// Whether a field contains free text.
const fn is_free(field: ComputerField) -> bool {
    use ComputerField as Field;
    !matches!(
        field,
        Field::Id
            | Field::Name
            | Field::SerialNumber
            | Field::Status
            | Field::AssignedTo
            | Field::Memory
            | Field::PurchasedOn
            | Field::WarrantyUntil
    )
}

/// Whether it depends on the value if a column accepts a text: a boolean, a number of an item in
/// another list, or a URL. A value that does not fit fails its computer only.
const fn takes_free_text(column: &Column) -> bool {
    use SiteFieldType as Kind;
    matches!(
        column.field_type,
        Some(Kind::Bool | Kind::Lookup | Kind::LookupMulti | Kind::Url)
    )
}

/// Why a column cannot hold a field.
fn check_column(field: ComputerField, column: &Column) -> Option<(FieldErrorCode, String)> {
    let name = &column.internal_name;
    let kind = column.field_type.map(SiteFieldType::name);
    let may_fit = is_free(field) && takes_free_text(column);
    if !may_fit && !holds(field, kind) {
        let shown = kind.unwrap_or(&column.site_type);
        let why = format!(
            "The column {name} is of the type {shown}, which does not hold {}.",
            field.name()
        );
        return Some((FieldErrorCode::Invalid, why));
    }
    let of_choices = matches!(
        column.field_type,
        Some(SiteFieldType::Choice | SiteFieldType::MultiChoice)
    );
    let is_open = column.fill_in || column.choices.is_empty();
    if field != ComputerField::Status || !of_choices || is_open {
        return None;
    }
    let lacking = not_offered(&column.choices);
    if lacking.is_empty() {
        return None;
    }
    let lacking: Vec<&str> = lacking.into_iter().map(ComputerStatus::label).collect();
    let why = format!(
        "The column {name} has no choice for {}. Let an administrator of the site add it, or allow \
         other values in the column; or send a FieldMap without it.",
        lacking.join(", ")
    );
    Some((FieldErrorCode::Invalid, why))
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
    fn everything_that_is_wrong_with_a_map_is_told_at_once() {
        let columns = [
            column("Title", "String"),
            column("Sum", "Calculated"),
            column("SyncKey", "String"),
        ];
        let map = ["Title", "Nowhere", "Sum", "Title", "SyncKey"].map(|column| FieldMapping {
            field: ComputerField::Name,
            column: column.to_owned(),
        });
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

    fn faults(field: ComputerField, column: Column) -> Vec<MapError> {
        let map = [FieldMapping {
            field,
            column: column.internal_name.clone(),
        }];
        bind(&map, &[column], "SyncKey").err().unwrap_or_default()
    }

    #[test]
    fn a_column_of_another_type_than_its_field_is_refused() {
        use ComputerField::{AssignedTo, Memory, Name, PurchasedOn};
        for (field, kind, fits) in [
            (Name, "String", true),
            (Name, "Number", false),
            (Name, "DateTime", false),
            (Name, "Bool", false),
            (Memory, "Number", true),
            (Memory, "String", true),
            (PurchasedOn, "DateTime", true),
            (PurchasedOn, "User", false),
            (AssignedTo, "UserMulti", true),
            (AssignedTo, "Lookup", false),
            (ComputerField::AssetTag, "Bool", true),
            (ComputerField::AssetTag, "Number", false),
        ] {
            let faults = faults(field, column("Any", kind));
            assert_eq!(faults.is_empty(), fits, "{field:?} {kind}: {faults:?}");
        }
    }

    #[test]
    fn a_column_without_a_choice_for_a_status_is_refused_unless_it_takes_others() {
        let mut status = column("Status", "Choice");
        status.choices = vec!["In use".to_owned(), "Scrapped".to_owned()];
        let told = faults(ComputerField::Status, status.clone());
        assert!(told[0].detail.contains("In stock"), "{told:?}");
        assert!(!told[0].detail.contains("Scrapped"), "{told:?}");
        status.fill_in = true;
        assert!(faults(ComputerField::Status, status).is_empty());
    }
}
