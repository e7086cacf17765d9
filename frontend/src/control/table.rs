//! All controls of the page, each under a number: what makes a controller a plain copy.
//!
//! Views are closures by the dozen. Holding a number instead of a counted pointer keeps them
//! free of cloning and dropping, which would be a good part of the download. What stands at a
//! place stays as long as the page and is used again by the next control. Called by `controller`
//! alone.

use std::cell::RefCell;
use std::rc::Rc;

use super::held::Inner;
use super::port::{Host, Settings};

/// A place in the table, and which tenant of the place is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    index: u32,
    tenancy: u32,
}

thread_local! {
    /// The first is nobody's.
    static TABLE: RefCell<Vec<&'static Inner>> = RefCell::new(vec![place()]);
}

fn place() -> &'static Inner {
    Box::leak(Box::new(Inner::nobody()))
}

/// Takes a place; one that was left is used again.
pub fn enter(host: Rc<dyn Host>, settings: Settings) -> Place {
    let (index, inner) = TABLE.with_borrow_mut(|table| {
        let left = |(index, inner): &(usize, &&Inner)| *index > 0 && inner.disposed.get();
        match table.iter().enumerate().find(left) {
            Some((index, inner)) => (index, *inner),
            None => {
                let inner = place();
                table.push(inner);
                (table.len() - 1, inner)
            }
        }
    });
    // Outside of the borrow: what is given back may look into the table.
    inner.begin(host, settings, false);
    Place {
        index: index as u32,
        tenancy: inner.tenancy.get(),
    }
}

/// Who is at that place; after it was left an empty control that does nothing, because a view
/// or a request may still be on its way.
#[inline(never)]
pub fn at(place: Place) -> &'static Inner {
    TABLE.with_borrow(|table| {
        let inner = table.get(place.index as usize);
        match inner {
            Some(inner) if inner.tenancy.get() == place.tenancy => inner,
            _ => table[0],
        }
    })
}

/// Leaves a place.
pub fn leave(place: Place) {
    let inner = at(place);
    if !inner.disposed.get() {
        inner.tenancy.set(place.tenancy + 1);
        inner.end();
    }
}

impl Place {
    /// A number that no other control on the page has at this time.
    pub const fn number(self) -> u32 {
        self.index
    }
}
