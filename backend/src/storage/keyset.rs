//! A page of rows by their key: those past a key, so many of them (keyset pagination).
//!
//! The key is the one that the rows are sorted by, compared byte by byte in both databases, so a
//! page costs the same wherever it begins, and a row that is added or removed meanwhile moves no
//! other one from page to page. No text of a key is empty.

/// Which rows of a sorted list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyset<K> {
    /// Past this key.
    pub after: K,
    /// So many at most.
    pub limit: u32,
}

/// A key, and the value of it that stands before every row.
pub trait Key {
    /// Before the first row.
    fn before_all() -> Self;
}

impl Key for String {
    fn before_all() -> Self {
        Self::new()
    }
}

impl Key for (String, String) {
    fn before_all() -> Self {
        Self::default()
    }
}

/// A time in milliseconds since 1970, and an id; the newest come first.
impl Key for (i64, String) {
    fn before_all() -> Self {
        (i64::MAX, String::new())
    }
}

impl<K: Key> Keyset<K> {
    /// Every row.
    #[must_use]
    pub fn whole() -> Self {
        Self {
            after: K::before_all(),
            limit: u32::MAX,
        }
    }
}

impl Keyset<String> {
    /// This page of rows that are in memory, sorted by a text.
    #[must_use]
    pub fn of<T: Clone>(&self, rows: &[T], key: impl Fn(&T) -> &str) -> Vec<T> {
        let past = rows.iter().filter(|row| key(row) > self.after.as_str());
        past.take(usize::try_from(self.limit).unwrap_or(usize::MAX))
            .cloned()
            .collect()
    }
}
