//! Makes a view a view of Leptos: what its `mount_to` mounts and what a Leptos application puts
//! among its own. Called by `control::component` and `preview::component`.
//! What was mounted goes with the view of Leptos around it.

use leptos::prelude::*;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::no_attrs;
use leptos::tachys::view::{Mountable, Position, PositionState};
use leptos::web_sys::{Element, Node};
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast;

use super::View;
use super::dom::Drawn;

/// A view for Leptos. Lives on the page's one thread, whatever Leptos could do with others.
pub struct Whole(SendWrapper<View>);

/// A view that is mounted.
pub struct Mounted(Drawn);

impl Whole {
    /// Makes it one.
    #[must_use]
    pub fn new(view: View) -> Self {
        Self(SendWrapper::new(view))
    }
}

impl Render for Whole {
    type State = Mounted;

    fn build(self) -> Mounted {
        Mounted(Drawn::new(self.0.take()))
    }

    fn rebuild(self, state: &mut Mounted) {
        state.0.patch(self.0.take());
    }
}

impl Mountable for Mounted {
    fn unmount(&mut self) {
        self.0.remove();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        let _ = parent.insert_before(&self.0.node(), marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let node = self.0.node();
        let parent = node.parent_node();
        if let Some(parent) = &parent {
            child.mount(parent.unchecked_ref(), Some(&node));
        }
        parent.is_some()
    }

    fn elements(&self) -> Vec<Element> {
        self.0.node().dyn_into().into_iter().collect()
    }
}

no_attrs!(Whole);

impl RenderHtml for Whole {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        buf: &mut String,
        position: &mut Position,
        _escape: bool,
        _mark_branches: bool,
        _extra_attrs: Vec<AnyAttribute>,
    ) {
        buf.push_str(&self.0.take().to_html());
        *position = Position::NextChild;
    }

    fn hydrate<const FROM_SERVER: bool>(
        self,
        cursor: &Cursor,
        position: &PositionState,
    ) -> Mounted {
        // What a server has drawn stands in until now; nothing in it is worth being taken over.
        let drawn = self.build();
        if position.get() == Position::FirstChild {
            cursor.child();
        } else {
            cursor.sibling();
        }
        position.set(Position::NextChild);
        let before = cursor.current();
        if let Some(parent) = before.parent_node() {
            let _ = parent.replace_child(&drawn.0.node(), &before);
            cursor.set(drawn.0.node());
        }
        drawn
    }

    fn into_owned(self) -> Self {
        self
    }
}
