//! Puts a view into a place of the page, for as long as it is held. Called by the custom
//! elements, whose place is their shadow root; a Leptos application mounts the same view by way
//! of `mounted`.

use web_sys::Node;

use super::View;
use super::dom::Drawn;

/// A view that is on the page until this is dropped.
pub struct Placed(Drawn);

impl Placed {
    /// Draws a view as the last child of a node.
    #[must_use]
    pub fn inside(parent: &Node, view: View) -> Self {
        let drawn = Drawn::new(view);
        let _ = parent.append_child(&drawn.node());
        Self(drawn)
    }
}

impl Drop for Placed {
    fn drop(&mut self) {
        self.0.remove();
    }
}
