//! The pages about computers: which of them are chosen, whatever page shows them.
//!
//! What decides without a browser is in `selection`. Called by `frame`.

pub mod selection;
