//! The default mapping of a computer's fields to columns, and the fields that each type of column
//! accepts.

use crate::computer::{ComputerField, ComputerStatus};
use crate::wire::site_lists::SiteColumn;
use crate::wire::workflow::FieldMapping;

/// The column that every list calls its items by.
const TITLE: &str = "Title";

/// The map where nobody has written one: `Name` to `Title`, and every field to the column that
/// has its name, as far as that can hold it.
///
/// ```
/// use checklist_shared::computer::ComputerField;
/// use checklist_shared::export::default_map;
/// use checklist_shared::wire::site_lists::SiteColumn;
///
/// let serial = SiteColumn {
///     internal_name: "Serial_x0020_Number".into(),
///     display_name: "Serial number".into(),
///     r#type: Some("String".into()),
///     writable: true,
///     ..SiteColumn::default()
/// };
/// let map = default_map(&[serial]);
/// assert_eq!(map[0].column, "Title");
/// assert_eq!((map[1].field, &*map[1].column), (ComputerField::SerialNumber, "Serial_x0020_Number"));
/// ```
#[must_use]
pub fn default_map(columns: &[SiteColumn]) -> Vec<FieldMapping> {
    let mut map = vec![FieldMapping {
        field: ComputerField::Name,
        column: TITLE.to_owned(),
    }];
    for field in ComputerField::ALL {
        let name = normalize_name(field.name());
        let by = |shown: fn(&SiteColumn) -> &str| {
            columns.iter().find(|column| {
                !column.hidden && fits(field, column) && normalize_name(shown(column)) == name
            })
        };
        let found =
            by(|column| &column.internal_name).or_else(|| by(|column| &column.display_name));
        if let Some(column) = found
            && map.iter().all(|line| line.column != column.internal_name)
        {
            map.push(FieldMapping {
                field,
                column: column.internal_name.clone(),
            });
        }
    }
    map
}

/// Whether a column suits a field, judged by its type.
#[must_use]
pub fn fits(field: ComputerField, column: &SiteColumn) -> bool {
    column.writable && holds(field, column.r#type.as_deref())
}

/// Whether columns of a type hold what a field does.
#[must_use]
pub fn holds(field: ComputerField, kind: Option<&str>) -> bool {
    match kind {
        Some("String" | "Note" | "Choice" | "MultiChoice") => true,
        Some("Number" | "Currency" | "Integer") => field == ComputerField::Memory,
        Some("DateTime") => {
            field == ComputerField::PurchasedOn || field == ComputerField::WarrantyUntil
        }
        Some("User" | "UserMulti") => field == ComputerField::AssignedTo,
        _ => false,
    }
}

/// The statuses that a column of choices does not take; none for any other column.
#[must_use]
pub fn lacks(column: &SiteColumn) -> Vec<ComputerStatus> {
    let of_choices = matches!(column.r#type.as_deref(), Some("Choice" | "MultiChoice"));
    if column.fill_in || !of_choices {
        return Vec::new();
    }
    not_offered(&column.choices)
}

/// The statuses that are not among these choices.
#[must_use]
pub fn not_offered(choices: &[String]) -> Vec<ComputerStatus> {
    let offers = |status: &ComputerStatus| choices.iter().any(|one| one == status.label());
    let all = ComputerStatus::ALL.into_iter();
    all.filter(|status| !offers(status)).collect()
}

/// Letters and digits alone, in lower case.
fn normalize_name(name: &str) -> String {
    name.replace("_x0020_", "")
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(internal: &str, kind: &str) -> SiteColumn {
        SiteColumn {
            internal_name: internal.to_owned(),
            display_name: internal.to_owned(),
            r#type: Some(kind.to_owned()),
            writable: true,
            ..SiteColumn::default()
        }
    }

    fn map(columns: &[SiteColumn]) -> Vec<(ComputerField, String)> {
        let map = default_map(columns).into_iter();
        map.map(|line| (line.field, line.column)).collect()
    }

    #[test]
    fn fields_go_to_the_columns_of_their_names_that_can_hold_them() {
        let mut shown = column("field_7", "String");
        shown.display_name = "Operating system".to_owned();
        let mut hidden = column("AssetTag", "String");
        hidden.hidden = true;
        let columns = [
            column("Title", "String"),
            column("Serial_x0020_Number", "String"),
            column("Memory", "Number"),
            column("AssignedTo", "User"),
            column("Location", "Lookup"),
            column("Model", "DateTime"),
            hidden,
            shown,
        ];
        let expected = [
            (ComputerField::Name, "Title"),
            (ComputerField::SerialNumber, "Serial_x0020_Number"),
            (ComputerField::AssignedTo, "AssignedTo"),
            (ComputerField::OperatingSystem, "field_7"),
            (ComputerField::Memory, "Memory"),
        ]
        .map(|(field, column)| (field, column.to_owned()));
        assert_eq!(map(&columns), expected);
    }

    #[test]
    fn a_column_of_choices_that_lacks_statuses_is_not_left_out_but_says_which() {
        let mut status = column("Status", "Choice");
        status.choices = vec!["In use".to_owned()];
        assert_eq!(map(std::slice::from_ref(&status)).len(), 2);
        assert!(fits(ComputerField::Status, &status));
        assert_eq!(lacks(&status).len(), ComputerStatus::ALL.len() - 1);
        status.fill_in = true;
        assert_eq!(lacks(&status), []);
        assert_eq!(map(&[status]).len(), 2);
    }

    #[test]
    fn numbers_dates_and_persons_go_to_columns_of_their_kind_and_to_texts() {
        use ComputerField as Field;
        let takes = |kind: &str| {
            let all = Field::ALL.into_iter();
            all.filter(|field| fits(*field, &column("any", kind)))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            takes("DateTime"),
            [Field::PurchasedOn, Field::WarrantyUntil]
        );
        for kind in ["Number", "Currency", "Integer"] {
            assert_eq!(takes(kind), [Field::Memory], "{kind}");
        }
        assert_eq!(takes("User"), [Field::AssignedTo]);
        assert_eq!(takes("Note"), Field::ALL);
        assert_eq!(takes("Lookup"), []);
    }

    #[test]
    fn no_column_is_named_twice_and_none_that_cannot_be_written() {
        let mut sealed = column("Model", "String");
        sealed.writable = false;
        let mut name = column("Title", "String");
        name.display_name = "Name".to_owned();
        assert_eq!(map(&[name, sealed]), map(&[]));
    }
}
