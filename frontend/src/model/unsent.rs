//! Where operations are kept that are not sent yet.

/// Milliseconds for which an operation that nobody has sent is kept.
pub const LIFE: i64 = 7 * 24 * 3_600_000;

/// Where operations are kept that are not sent yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnsentStorage {
    /// In this browser: another page of the same person sends them.
    #[default]
    InBrowser,
    /// In this tab, until it is closed.
    InTab,
    /// Nowhere: the browser keeps nothing, or not so much.
    Nowhere,
}
