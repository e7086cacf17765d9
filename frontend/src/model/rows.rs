//! The state of rows besides their items: editors, notices, marks.
//!
//! Only rows with such a state are stored. A row that is being edited stays
//! here even if its item is deleted, until the editor is closed.

use checklist_shared::ItemId;

use super::view_data::Row;

/// The rows that show something besides their item, sorted.
#[derive(Clone, Debug, Default)]
pub struct Rows(Vec<(ItemId, Row)>);

impl Rows {
    /// The display state of a row.
    #[must_use]
    pub fn get(&self, id: ItemId) -> Option<&Row> {
        let (_, row) = self.0.get(self.place(id).ok()?)?;
        Some(row)
    }

    /// The same to be changed; what shows nothing is not there.
    pub fn get_mut(&mut self, id: ItemId) -> Option<&mut Row> {
        let mut rows = self.0.iter_mut();
        rows.find(|(there, _)| *there == id).map(|(_, row)| row)
    }

    /// Changes what a row shows.
    pub fn change<T>(&mut self, id: ItemId, change: impl FnOnce(&mut Row) -> T) -> T {
        let place = self.place(id);
        let mut row = place.map_or_else(|_| Row::default(), |at| self.0.remove(at).1);
        let changed = change(&mut row);
        if row != Row::default() {
            let (Ok(at) | Err(at)) = place;
            self.0.insert(at, (id, row));
        }
        changed
    }

    fn place(&self, id: ItemId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |(there, _)| *there)
    }

    /// The rows that somebody is typing into.
    #[must_use]
    pub fn edited_rows(&self) -> Vec<ItemId> {
        let edited = self.0.iter().filter(|(_, row)| row.panel.is_edited());
        edited.map(|(id, _)| *id).collect()
    }

    /// Forgets the rows of items that are gone.
    pub fn retain(&mut self, is_there: impl Fn(ItemId) -> bool) {
        self.0.retain(|(id, _)| is_there(*id));
    }

    /// Removes the mark of that change; returns the row that had it.
    pub fn fade(&mut self, news: u32) -> Vec<ItemId> {
        let is_old = |row: &Row| row.fresh.as_ref().is_some_and(|fresh| fresh.news == news);
        let marked = self.0.iter().filter(|(_, row)| is_old(row));
        let faded: Vec<ItemId> = marked.map(|(id, _)| *id).collect();
        for id in &faded {
            self.change(*id, |row| row.fresh = None);
        }
        faded
    }
}
