//! The draft of an export, and the request that it becomes.
//!
//! The draft has a line for every field of a computer, empty where the field is left out; only the
//! others are sent. The list is its id in the draft, and its title in the request.

use checklist_shared::computer::ComputerField;
use checklist_shared::export::default_map;
use checklist_shared::wire::site_lists::{SiteColumn, SiteColumns};
use checklist_shared::wire::workflow::{ConnectionReference, FieldMapping, SYNC_KEY, StartRun};

use crate::computers::selection::Selection;

/// A draft with this connection, if any.
#[must_use]
pub fn draft(connection: Option<String>) -> StartRun {
    StartRun {
        service_connection: ConnectionReference::Id(connection.unwrap_or_default()),
        field_map: Some(default_lines(&[])),
        match_fields: Some(vec![ComputerField::SerialNumber, ComputerField::Name]),
        ..StartRun::default()
    }
}

/// A line for every field, with the column that it has by default.
#[must_use]
pub fn default_lines(columns: &[SiteColumn]) -> Vec<FieldMapping> {
    let defaults = default_map(columns);
    let is_there = |name: &str| columns.iter().any(|column| column.internal_name == name);
    let line = |field| {
        let default = defaults.iter().find(|line| line.field == field);
        let column = default.map_or("", |line| &line.column);
        FieldMapping {
            field,
            column: if is_there(column) { column } else { "" }.to_owned(),
        }
    };
    ComputerField::ALL.into_iter().map(line).collect()
}

/// Another field that is mapped to the same column.
#[must_use]
pub fn rival(lines: &[FieldMapping], field: ComputerField) -> Option<ComputerField> {
    let column = &lines.iter().find(|line| line.field == field)?.column;
    let mut others = lines.iter().filter(|line| line.field != field);
    let rival = others.find(|line| !column.is_empty() && line.column == *column)?;
    Some(rival.field)
}

/// What is sent for these computers.
#[must_use]
pub fn request(draft: StartRun, columns: &SiteColumns, selection: &Selection) -> StartRun {
    let lines = draft.field_map.into_iter().flatten();
    // By serial number first, in whichever order the boxes were ticked.
    let mut match_fields = draft.match_fields.unwrap_or_default();
    match_fields.sort_by_key(|field| *field == ComputerField::Name);
    StartRun {
        list: columns.list.title.clone(),
        computer_ids: selection.ids().to_vec(),
        field_map: Some(lines.filter(|line| !line.column.is_empty()).collect()),
        match_fields: Some(match_fields),
        ..draft
    }
}

/// The pointer into the draft where the server's pointer names a line of the request.
#[must_use]
pub fn draft_pointer(request: &StartRun, pointer: &str) -> Option<String> {
    let line: usize = pointer
        .strip_prefix("/FieldMap/")?
        .split('/')
        .next()?
        .parse()
        .ok()?;
    let field = request.field_map.as_ref()?.get(line)?.field;
    let line = ComputerField::ALL.iter().position(|one| *one == field)?;
    Some(column_pointer(line))
}

/// The pointer to the column of a line.
#[must_use]
pub fn column_pointer(line: usize) -> String {
    format!("/FieldMap/{line}/Column")
}

/// Columns that can hold keys beside the default one: indexed and unique text columns.
pub fn key_columns(columns: &[SiteColumn]) -> impl Iterator<Item = &SiteColumn> {
    columns.iter().filter(|column| {
        column.r#type.as_deref() == Some("String")
            && column.writable
            && column.indexed
            && column.unique
            && column.internal_name != SYNC_KEY
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::wire::site_lists::SiteListFacts;

    fn column(name: &str) -> SiteColumn {
        SiteColumn {
            internal_name: name.to_owned(),
            display_name: name.to_owned(),
            r#type: Some("String".to_owned()),
            writable: true,
            ..SiteColumn::default()
        }
    }

    fn columns() -> SiteColumns {
        SiteColumns {
            list: SiteListFacts {
                title: "Computers".to_owned(),
                ..SiteListFacts::default()
            },
            columns: ["Title", "Model", "Note"].map(column).to_vec(),
        }
    }

    /// The default lines with some of them changed.
    fn lines(changes: &[(ComputerField, &str)]) -> Vec<FieldMapping> {
        let mut lines = default_lines(&columns().columns);
        for (field, column) in changes {
            let line = lines.iter_mut().find(|line| line.field == *field).unwrap();
            line.column = (*column).to_owned();
        }
        lines
    }

    fn sent(lines: Vec<FieldMapping>) -> StartRun {
        let draft = StartRun {
            field_map: Some(lines),
            match_fields: Some(vec![ComputerField::Name, ComputerField::SerialNumber]),
            list: "id".to_owned(),
            ..draft(None)
        };
        let selection = Selection::from(vec!["b".to_owned(), "a".to_owned()]);
        request(draft, &columns(), &selection)
    }

    #[test]
    fn lines_with_a_column_are_sent_and_the_list_by_its_title() {
        let request = sent(lines(&[
            (ComputerField::Note, ""),
            (ComputerField::Location, "Note"),
        ]));
        let map = request.field_map.iter().flatten();
        let map: Vec<_> = map.map(|line| (line.field, &*line.column)).collect();
        assert_eq!(
            map,
            [
                (ComputerField::Name, "Title"),
                (ComputerField::Model, "Model"),
                (ComputerField::Location, "Note"),
            ]
        );
        assert_eq!(request.list, "Computers");
        assert_eq!(request.computer_ids, ["b", "a"]);
        assert_eq!(request.key_column, None);
        let in_order = vec![ComputerField::SerialNumber, ComputerField::Name];
        assert_eq!(request.match_fields, Some(in_order));
    }

    #[test]
    fn an_error_of_a_line_leads_to_the_line_of_its_field() {
        let request = sent(lines(&[]));
        let line = ComputerField::ALL
            .iter()
            .position(|field| *field == ComputerField::Model);
        assert_eq!(
            draft_pointer(&request, "/FieldMap/1/Column"),
            line.map(column_pointer)
        );
        for pointer in ["/FieldMap/9/Column", "/FieldMap", "/List"] {
            assert_eq!(draft_pointer(&request, pointer), None, "{pointer}");
        }
    }

    #[test]
    fn two_fields_of_one_column_are_rivals() {
        let own = lines(&[]);
        assert_eq!(rival(&own, ComputerField::Model), None);
        assert_eq!(rival(&own, ComputerField::Department), None, "left out");
        let both = lines(&[(ComputerField::Location, "Model")]);
        let (model, location) = (ComputerField::Model, ComputerField::Location);
        assert_eq!(rival(&both, model), Some(location));
        assert_eq!(rival(&both, location), Some(model));
    }

    #[test]
    fn nothing_is_mapped_before_a_list_is_chosen() {
        let lines = default_lines(&[]);
        assert_eq!(lines.len(), ComputerField::ALL.len());
        assert!(lines.iter().all(|line| line.column.is_empty()));
    }

    #[test]
    fn keys_go_to_text_columns_that_are_indexed_and_unique() {
        let fit = SiteColumn {
            indexed: true,
            unique: true,
            ..column("Inventory")
        };
        let usual = SiteColumn {
            internal_name: SYNC_KEY.to_owned(),
            ..fit.clone()
        };
        let columns = [column("Title"), fit.clone(), usual];
        let found: Vec<_> = key_columns(&columns).collect();
        assert_eq!(found, [&fit]);
    }
}
