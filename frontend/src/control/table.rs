//! All controls of the page, each under a number: what makes a controller a plain copy.
//!
//! Views are closures by the dozen, and Leptos wants them to be sendable. Holding a number
//! instead of a counted pointer keeps them free of cloning, dropping and thread checks, which
//! would otherwise be the largest part of the download. Called by `controller` alone.

use std::cell::RefCell;
use std::rc::Rc;

use super::held::Inner;

/// A place in the table, and which tenant of the place is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    index: u32,
    tenancy: u32,
}

#[derive(Default)]
struct Slot {
    tenancy: u32,
    held: Option<Rc<Inner>>,
}

thread_local! {
    static TABLE: RefCell<Vec<Slot>> = const { RefCell::new(Vec::new()) };
    static NOBODY: Rc<Inner> = Rc::new(Inner::nobody());
}

/// Takes a place; one that was left is used again.
pub fn enter(inner: Inner) -> Place {
    TABLE.with_borrow_mut(|table| {
        let index = table
            .iter()
            .position(|slot| slot.held.is_none())
            .unwrap_or_else(|| {
                table.push(Slot::default());
                table.len() - 1
            });
        let slot = &mut table[index];
        slot.held = Some(Rc::new(inner));
        Place {
            index: index as u32,
            tenancy: slot.tenancy,
        }
    })
}

/// Who is at that place; after it was left an empty control that does nothing, because a view
/// or a request may still be on its way.
#[inline(never)]
pub fn at(place: Place) -> Rc<Inner> {
    let held = TABLE.with_borrow(|table| {
        let slot = table.get(place.index as usize)?;
        if slot.tenancy == place.tenancy {
            slot.held.clone()
        } else {
            None
        }
    });
    held.unwrap_or_else(|| NOBODY.with(Rc::clone))
}

/// Leaves a place.
pub fn leave(place: Place) {
    let left = TABLE.with_borrow_mut(|table| {
        let slot = table
            .get_mut(place.index as usize)
            .filter(|slot| slot.tenancy == place.tenancy)?;
        slot.tenancy += 1;
        slot.held.take()
    });
    // Dropped outside of the borrow: what it holds may look into the table.
    drop(left);
}

impl Place {
    /// A number that no other control on the page has at this time.
    pub const fn number(self) -> u32 {
        self.index
    }
}
