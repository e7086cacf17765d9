//! The form of the export while it is filled in: what was chosen, and what of it is sent.
//!
//! The map is always sent as it is shown, so that what happens is what the person has seen.

use std::collections::BTreeMap;

use checklist_shared::computer::ComputerField;
use checklist_shared::export::default_map;
use checklist_shared::wire::site_lists::{SiteColumn, SiteColumns};
use checklist_shared::wire::workflow::{ConnectionReference, FieldMapping, SYNC_KEY, StartRun};

use crate::computers::selection::Selection;

/// The form while it is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The id of the service connection; empty while none is chosen.
    pub connection: String,
    /// The id of the list; empty while none is chosen.
    pub list: String,
    /// What the list is called on the wire: its title.
    pub title: String,
    /// The column of each field that goes to the list, by internal name.
    pub lines: BTreeMap<ComputerField, String>,
    /// Whether entries made by hand are found by serial number.
    pub by_serial_number: bool,
    /// Whether entries made by hand are found by name.
    pub by_name: bool,
    /// The column that holds the keys; empty for the usual one.
    pub key_column: String,
    /// Whether nothing is to be written.
    pub dry_run: bool,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            connection: String::new(),
            list: String::new(),
            title: String::new(),
            lines: BTreeMap::new(),
            by_serial_number: true,
            by_name: true,
            key_column: String::new(),
            dry_run: false,
        }
    }
}

/// Something that has to be chosen first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A service connection.
    Connection,
    /// A list.
    List,
    /// At least one line of the map.
    Map,
}

impl Draft {
    /// Chooses a connection; what was chosen of another site is forgotten.
    pub fn choose_connection(&mut self, id: String) {
        if self.connection != id {
            self.connection = id;
            self.choose_list(String::new());
        }
    }

    /// Chooses a list; its map is made when its columns are known.
    pub fn choose_list(&mut self, id: String) {
        if self.list != id {
            self.list = id;
            self.title.clear();
            self.lines.clear();
            self.key_column.clear();
        }
    }

    /// Fills the map with its default for these columns.
    pub fn take(&mut self, columns: &SiteColumns) {
        self.title.clone_from(&columns.list.title);
        let there = |name: &str| columns.columns.iter().any(|one| one.internal_name == name);
        let usual = default_map(&columns.columns).into_iter();
        let usual = usual.filter(|line| there(&line.column));
        self.lines = usual.map(|line| (line.field, line.column)).collect();
    }

    /// Lets a field go to a column, or leaves it out.
    pub fn put(&mut self, field: ComputerField, column: String) {
        if column.is_empty() {
            self.lines.remove(&field);
        } else {
            self.lines.insert(field, column);
        }
    }

    /// What has to be chosen before anything can be sent.
    #[must_use]
    pub fn missing(&self) -> Option<Missing> {
        if self.connection.is_empty() {
            Some(Missing::Connection)
        } else if self.list.is_empty() || self.title.is_empty() {
            Some(Missing::List)
        } else if self.lines.is_empty() {
            Some(Missing::Map)
        } else {
            None
        }
    }

    /// Another field that goes to the same column.
    #[must_use]
    pub fn rival(&self, field: ComputerField) -> Option<ComputerField> {
        let column = self.lines.get(&field)?;
        let mut same = self.lines.iter().filter(|(_, other)| *other == column);
        same.find_map(|(other, _)| (*other != field).then_some(*other))
    }

    /// What is sent for these computers.
    #[must_use]
    pub fn wish(&self, selection: &Selection) -> StartRun {
        let mut match_fields = Vec::new();
        if self.by_serial_number {
            match_fields.push(ComputerField::SerialNumber);
        }
        if self.by_name {
            match_fields.push(ComputerField::Name);
        }
        let map = self.lines.iter().map(|(field, column)| FieldMapping {
            field: *field,
            column: column.clone(),
        });
        StartRun {
            service_connection: ConnectionReference::Id(self.connection.clone()),
            list: self.title.clone(),
            computer_ids: selection.ids().to_vec(),
            field_map: Some(map.collect()),
            match_fields: Some(match_fields),
            key_column: (!self.key_column.is_empty()).then(|| self.key_column.clone()),
            dry_run: self.dry_run,
            operation_id: None,
        }
    }

    /// The field whose line a pointer into what was sent names.
    #[must_use]
    pub fn field_at(&self, pointer: &str) -> Option<ComputerField> {
        let line = pointer.strip_prefix("/FieldMap/")?.split('/').next()?;
        let line: usize = line.parse().ok()?;
        self.lines.keys().nth(line).copied()
    }
}

/// Columns that can hold keys: plain texts that are indexed and unique, but not the usual one.
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

    fn filled() -> Draft {
        let mut draft = Draft::default();
        draft.choose_connection("c".to_owned());
        draft.choose_list("l".to_owned());
        draft.take(&SiteColumns {
            list: SiteListFacts {
                id: "l".to_owned(),
                title: "Computers".to_owned(),
                ..SiteListFacts::default()
            },
            columns: ["Title", "Model", "Note"].map(column).to_vec(),
        });
        draft
    }

    #[test]
    fn the_map_is_sent_as_it_is_shown() {
        let mut draft = filled();
        draft.put(ComputerField::Note, String::new());
        draft.put(ComputerField::Location, "Note".to_owned());
        draft.by_name = false;
        let chosen = Selection::from(vec!["b".to_owned(), "a".to_owned()]);
        let wish = draft.wish(&chosen);
        let map: Vec<_> = wish.field_map.iter().flatten().collect();
        let map: Vec<_> = map.iter().map(|one| (one.field, &*one.column)).collect();
        assert_eq!(
            map,
            [
                (ComputerField::Name, "Title"),
                (ComputerField::Model, "Model"),
                (ComputerField::Location, "Note"),
            ]
        );
        assert_eq!(wish.list, "Computers");
        assert_eq!(wish.computer_ids, ["b", "a"]);
        assert_eq!(wish.match_fields, Some(vec![ComputerField::SerialNumber]));
        assert_eq!(wish.key_column, None);
    }

    #[test]
    fn a_fault_of_a_line_is_told_at_its_field() {
        let draft = filled();
        assert_eq!(
            draft.field_at("/FieldMap/1/Column"),
            Some(ComputerField::Model)
        );
        assert_eq!(draft.field_at("/FieldMap/9/Column"), None);
        assert_eq!(draft.field_at("/FieldMap"), None);
        assert_eq!(draft.field_at("/List"), None);
    }

    #[test]
    fn what_was_chosen_of_another_site_is_forgotten() {
        let mut draft = filled();
        assert_eq!(draft.missing(), None);
        draft.choose_connection("c".to_owned());
        assert_eq!(draft, filled());
        draft.choose_connection("other".to_owned());
        assert_eq!(draft.missing(), Some(Missing::List));
        assert!(draft.lines.is_empty());
        assert_eq!(Draft::default().missing(), Some(Missing::Connection));
    }

    #[test]
    fn two_fields_of_one_column_are_told() {
        let mut draft = filled();
        assert_eq!(draft.rival(ComputerField::Model), None);
        draft.put(ComputerField::Location, "Model".to_owned());
        assert_eq!(
            draft.rival(ComputerField::Model),
            Some(ComputerField::Location)
        );
        assert_eq!(
            draft.rival(ComputerField::Location),
            Some(ComputerField::Model)
        );
    }

    #[test]
    fn keys_go_to_texts_that_are_indexed_and_unique() {
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
