//! Children that come, go and change places: what stays keeps its node, and with it the focus
//! and what is typed there. Called by `dom`.
//! A node that is moved may lose its focus, so as few as possible are.

use super::dom::{Drawn, Held};
use super::{Key, View};

/// Makes the children of an element these, known by their keys.
pub(super) fn patch(held: &mut Held, keys: Vec<Key>, children: Vec<View>) {
    let known = std::mem::take(&mut held.keys);
    let drawn = std::mem::take(&mut held.children);
    let mut before: Vec<(Option<Key>, Option<Drawn>)> = known
        .into_iter()
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(drawn.into_iter().map(Some))
        .collect();
    // Most stand in the order in which they stood: looking goes on where it found the last.
    let mut next = 0;
    for (key, child) in keys.iter().zip(children) {
        let count = before.len();
        let found = (0..count)
            .map(|step| (next + step) % count)
            .find(|at| before[*at].0 == Some(*key));
        let kept = found.and_then(|at| {
            next = at + 1;
            before[at].0 = None;
            before[at].1.take()
        });
        held.children.push(match kept {
            Some(mut drawn) => {
                drawn.patch(child);
                drawn
            }
            None => Drawn::new(child),
        });
    }
    for (_, gone) in before {
        if let Some(gone) = gone {
            let _ = held.node.remove_child(&gone.node());
        }
    }
    held.keys = keys;
    put_in_order(held);
}

/// Moves as few nodes as is cheap to find out: one that stands elsewhere is moved, and not all
/// that it has left behind.
fn put_in_order(held: &Held) {
    let mut place = held.node.first_child();
    for drawn in &held.children {
        let node = drawn.node();
        let after = place.as_ref().and_then(web_sys::Node::next_sibling);
        if place.as_ref() == Some(&node) {
            place = after;
        } else if after.as_ref() == Some(&node) {
            // The one that stands here has its place further down, and is put there later.
            place = node.next_sibling();
        } else {
            let _ = held.node.insert_before(&node, place.as_ref());
        }
    }
}
