//! Which field of a computer goes to which column: a map held against the columns of a list.
//!
//! The default where nobody has written one is a rule of `checklist_shared::export`. Called before
//! a run is accepted and again whenever it looks at the list.

use checklist_shared::computer::ComputerField;
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::wire::workflow::FieldMapping;
use site_lists::Column;

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
}
