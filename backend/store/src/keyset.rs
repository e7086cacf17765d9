//! Keyset pagination: at most so many rows after a key.
//!
//! The key is the sort key of the rows, compared byte by byte in both databases. A page costs the
//! same wherever it starts, and rows that are added or removed do not move others between pages. No
//! text in a key is empty, but a purpose, which stands last, and a name before an issuer.

/// A page of a sorted list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyset<K> {
    /// The page starts after this key.
    pub after: K,
    /// The maximum number of rows.
    pub limit: u32,
}

/// A sort key with a value below every row's key.
pub trait Key {
    /// The value below every row's key.
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

impl Key for (String, String, String) {
    fn before_all() -> Self {
        Self::default()
    }
}

/// A time in milliseconds since 1970, and an id; newest first.
impl Key for (i64, String) {
    fn before_all() -> Self {
        (i64::MAX, String::new())
    }
}

impl<K: Key> Keyset<K> {
    /// All rows.
    #[must_use]
    pub fn whole() -> Self {
        Self {
            after: K::before_all(),
            limit: u32::MAX,
        }
    }
}

impl Keyset<String> {
    /// Applies the page to rows in memory, sorted by a text.
    #[must_use]
    pub fn of<T: Clone>(&self, rows: &[T], key: impl Fn(&T) -> &str) -> Vec<T> {
        let past = rows.iter().filter(|row| key(row) > self.after.as_str());
        past.take(usize::try_from(self.limit).unwrap_or(usize::MAX))
            .cloned()
            .collect()
    }
}
