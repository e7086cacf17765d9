//! The order of items: right whatever was moved, how often and whereto, and cheap to keep.
//!
//! Each story is played against a plain vector of ids.

use std::collections::HashMap;
use std::sync::Arc;

use checklist_shared::change::{Applied, Change, ItemPatch, NewItem, Session, apply};
use checklist_shared::item::{Actor, Kind, Origin};
use checklist_shared::limits::Limits;
use checklist_shared::order::{self, Place};
use checklist_shared::permission::Permissions;
use checklist_shared::template::Template;
use checklist_shared::{Checklist, Context, ItemId, Timestamp, projection, refresh, sort_key};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn id(number: u64) -> ItemId {
    ItemId::from_millis_and_random(number, [0; 10])
}

/// A list, the order that it has to have, and what keeping it has cost.
struct Story {
    list: Checklist,
    model: Vec<ItemId>,
    next: u64,
    /// Siblings whose key was changed though nobody moved them.
    rekeyed: usize,
    limits: Limits,
    actor: Actor,
}

impl Story {
    fn new(items: u64) -> Self {
        let mut story = Self {
            list: Checklist::empty(Context::new("incident", "1", ""), Timestamp::from_millis(0)),
            model: Vec::new(),
            next: 0,
            rekeyed: 0,
            limits: Limits {
                items: 20_000,
                ..Limits::default()
            },
            actor: Actor::person("ada", "Ada"),
        };
        for _ in 0..items {
            story.add(Place::Last);
        }
        story
    }

    /// A list whose items have these keys; they stand in the order of the keys.
    fn with_keys(keys: &[&str]) -> Self {
        let mut story = Self::new(keys.len() as u64);
        for (item, key) in story.list.items.iter_mut().zip(keys) {
            (*key).clone_into(&mut Arc::make_mut(item).sort_key);
        }
        story.model = order::display(&story.list)
            .iter()
            .map(|item| item.id)
            .collect();
        story
    }

    fn change(&mut self, change: &Change) -> Applied {
        let before = self.list.clone();
        let session = Session {
            actor: &self.actor,
            permissions: Permissions::all(),
            now: Timestamp::from_millis(0),
            limits: &self.limits,
            languages: &[],
        };
        let applied = apply(&mut self.list, change, &session).expect("it can be changed");
        let changed = before.items.iter().zip(&self.list.items);
        self.rekeyed += changed
            .filter(|(old, new)| old.sort_key != new.sort_key && old.version == new.version)
            .count();
        applied
    }

    fn add(&mut self, place: Place) -> ItemId {
        self.next += 1;
        let new = NewItem {
            id: id(self.next),
            origin: Origin::Local,
            text: self.next.to_string(),
            kind: Kind::Item,
            parent: None,
            place,
            required: false,
            help: None,
            note: None,
            assignee: None,
            due: None,
        };
        self.change(&Change::Add(new));
        self.put(id(self.next), place);
        id(self.next)
    }

    fn move_to(&mut self, item: ItemId, place: Place) {
        if matches!(place, Place::After(other) | Place::Before(other) if other == item) {
            return;
        }
        self.change(&Change::Update(Box::new(ItemPatch {
            base_version: self.list.any(item).map(|item| item.version),
            place: Some(place),
            ..ItemPatch::of(item)
        })));
        self.model.retain(|other| *other != item);
        self.put(item, place);
    }

    fn put(&mut self, item: ItemId, place: Place) {
        let of = |other| self.model.iter().position(|known| *known == other);
        let at = match place {
            Place::First => Some(0),
            Place::Last => Some(self.model.len()),
            Place::After(other) => of(other).map(|at| at + 1),
            Place::Before(other) => of(other),
        };
        self.model.insert(at.expect("the neighbour is there"), item);
    }

    fn shown(&self) -> Vec<ItemId> {
        order::display(&self.list)
            .iter()
            .map(|item| item.id)
            .collect()
    }

    fn longest_key(&self) -> usize {
        let keys = self.list.items.iter().map(|item| item.sort_key.len());
        keys.max().unwrap_or(0)
    }
}

fn template_of(items: &[&str], version: u32) -> Template {
    let items: Vec<_> = items
        .iter()
        .map(|key| serde_json::json!({ "Key": key, "Text": { "en": key } }))
        .collect();
    serde_json::from_value(serde_json::json!({
        "Id": "t", "Key": "t", "Name": { "en": "T" }, "Version": version, "Items": items,
    }))
    .expect("a template")
}

#[test]
fn after_140_moves_to_the_top_there_is_room_after_the_first_item() {
    let first = template_of(&["a", "b", "c"], 1);
    let mut story = Story::new(0);
    story.list = projection::project(&story.list.context, Some(&first), Timestamp::from_millis(0));
    story.model = story.shown();
    for _ in 0..140 {
        let last = story.model[2];
        story.move_to(last, Place::First);
    }
    assert_eq!(story.shown(), story.model);
    // A new version puts an item into the gap after the first one.
    let top = story.model[0];
    let top_key = story
        .list
        .any(top)
        .and_then(|item| item.template_key.clone());
    let mut keys = vec!["a", "b", "c"];
    let at = keys.iter().position(|key| Some(*key) == top_key.as_deref());
    keys.insert(at.expect("a template's item") + 1, "new");
    let next = template_of(&keys, 2);
    let refreshed = |story: &Story| {
        let session = Session {
            actor: &story.actor,
            permissions: Permissions::all(),
            now: Timestamp::from_millis(0),
            limits: &story.limits,
            languages: &[],
        };
        let mut list = story.list.clone();
        refresh::refresh(&mut list, Some(&first), &next, &session).expect("it fits");
        let new = ItemId::projected(&list.context, "new");
        (
            order::display(&list)
                .iter()
                .map(|item| item.id)
                .collect::<Vec<_>>(),
            new,
        )
    };
    let (shown, new) = refreshed(&story);
    assert_eq!(shown, [story.model[0], new, story.model[1], story.model[2]]);

    // Somebody adds one there, and it stays with its neighbour.
    let mine = story.add(Place::After(top));
    assert_eq!(story.shown(), story.model);
    let (shown, new) = refreshed(&story);
    assert_eq!(shown[..3], [top, mine, new]);
}

#[test]
fn ten_thousand_moves_to_one_place_keep_the_order_and_cost_little() {
    for count in [3, 60] {
        for place in [
            Place::First,
            Place::Last,
            Place::After(id(1)),
            Place::Before(id(2)),
        ] {
            let mut story = Story::new(count);
            for round in 0..10_000 {
                // Whoever stands farthest from the place is moved to it.
                let far = match place {
                    Place::First | Place::After(_) => story.model.len() - 1,
                    Place::Last | Place::Before(_) => 0,
                };
                let item = story.model[far];
                story.move_to(item, place);
                if round % 499 == 0 {
                    assert_eq!(story.shown(), story.model, "{count} {place:?} {round}");
                }
            }
            assert_eq!(story.shown(), story.model, "{count} {place:?}");
            assert!(story.longest_key() <= sort_key::LONGEST);
            assert!(story.rekeyed <= 200, "{count} {place:?}: {}", story.rekeyed);
        }
    }
}

#[test]
fn five_thousand_items_added_at_one_spot_give_few_others_a_fresh_key() {
    let chain = |story: &mut Story, last: &mut ItemId| *last = story.add(Place::After(*last));
    let same = |story: &mut Story, last: &mut ItemId| {
        story.add(Place::After(*last));
    };
    // Into the middle of the two that came last, on one side and the other: the worst there is.
    let zigzag = |story: &mut Story, last: &mut ItemId| {
        *last = match story.next % 2 {
            0 => story.add(Place::After(*last)),
            _ => story.add(Place::Before(*last)),
        };
    };
    for add in [&chain as &dyn Fn(&mut Story, &mut ItemId), &same, &zigzag] {
        let mut story = Story::new(10);
        let mut last = id(5);
        for _ in 0..5_000 {
            add(&mut story, &mut last);
        }
        assert_eq!(story.shown(), story.model);
        assert!(story.longest_key() <= sort_key::LONGEST);
        assert!(story.rekeyed <= 3 * 5_000, "{}", story.rekeyed);
    }
}

#[test]
fn more_than_three_thousand_items_at_the_end_touch_no_other_item_and_have_short_keys() {
    for place in [Place::Last, Place::First] {
        let mut story = Story::new(0);
        for _ in 0..3_200 {
            story.add(place);
        }
        assert_eq!(story.shown(), story.model);
        assert_eq!((story.rekeyed, story.longest_key()), (0, 5));
    }
}

/// The keys that the library before this arithmetic made for a list of that many items.
fn stored_before(count: usize) -> Vec<String> {
    let key = |number: usize| {
        let (level, digit) = ((number - 1) / 127, (number - 1) % 127 + 0x81);
        format!("{}{digit:02x}80", "ff".repeat(level))
    };
    let mut keys = vec!["80".to_owned()];
    keys.extend((1..count).map(key));
    keys
}

#[test]
fn lists_that_were_stored_before_keep_their_order_and_are_cheap_to_add_to() {
    // Up to where each addition renumbered all of them.
    let keys = stored_before(3_100);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let mut story = Story::with_keys(&keys);
    let ids: Vec<ItemId> = (1..=3_100).map(id).collect();
    assert_eq!(story.shown(), ids);
    for _ in 0..100 {
        story.add(Place::Last);
        story.add(Place::First);
    }
    assert_eq!(story.rekeyed, 0);
    for at in [1, 100, 1_500, 3_000, 3_099] {
        for _ in 0..100 {
            story.add(Place::After(id(at)));
        }
    }
    assert_eq!(story.shown(), story.model);
    assert!(story.rekeyed <= 100, "{}", story.rekeyed);
}

/// Keys as they may lie in a database: ours, those of before, those of nobody.
const FOUND: [&str; 16] = [
    "80", "8080", "8180", "7f80", "0080", "008080", "0000", "0", "00", "80", "i", "zz", "zzz01",
    "A", "é", "",
];

/// What somebody does to an item; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
enum Step {
    Add(u8, u16),
    Move(u16, u8, u16),
}

fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        any::<(u8, u16)>().prop_map(|(place, other)| Step::Add(place, other)),
        any::<(u16, u8, u16)>().prop_map(|(item, place, other)| Step::Move(item, place, other)),
        // Often the same spot.
        any::<(u16, u8)>().prop_map(|(item, place)| Step::Move(item, place, 1)),
    ];
    prop::collection::vec(step, 1..count)
}

fn play(story: &mut Story, steps: &[Step]) -> Result<(), TestCaseError> {
    for step in steps {
        let pick = |number: u16| story.model[usize::from(number) % story.model.len()];
        let place = |kind: u8, other: u16| match kind % 4 {
            0 => Place::First,
            1 => Place::Last,
            2 => Place::After(pick(other)),
            _ => Place::Before(pick(other)),
        };
        match *step {
            Step::Add(kind, other) => {
                let place = place(kind, other);
                story.add(place);
            }
            Step::Move(item, kind, other) => {
                let (item, place) = (pick(item), place(kind, other));
                story.move_to(item, place);
            }
        }
        prop_assert_eq!(story.shown(), story.model.clone(), "{:?}", step);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        // Proptest looks for seeds beside `lib.rs` only.
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct("tests/rules/order.proptest-regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_item_stands_where_it_was_put(count in 1_u64..40, steps in steps(300)) {
        let mut story = Story::new(count);
        play(&mut story, &steps)?;
        prop_assert!(story.longest_key() <= sort_key::LONGEST);
    }

    #[test]
    fn every_item_stands_where_it_was_put_whatever_keys_were_found(
        keys in prop::collection::vec(prop::sample::select(FOUND.to_vec()), 1..30),
        steps in steps(100),
    ) {
        let mut story = Story::with_keys(&keys);
        play(&mut story, &steps)?;
    }

    #[test]
    fn a_refresh_puts_new_items_behind_their_predecessors_whatever_keys_were_found(
        keys in prop::collection::vec(prop::sample::select(FOUND.to_vec()), 12),
        kept in prop::collection::vec(any::<bool>(), 12),
    ) {
        let all: Vec<String> = (0..12).map(|number| format!("k{number:02}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let old: Vec<&str> = all.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(key, _)| *key).collect();
        let mut list = projection::project(&Context::new("incident", "1", ""), Some(&template_of(&old, 1)), Timestamp::from_millis(0));
        for (item, key) in list.items.iter_mut().zip(&keys) {
            (*key).clone_into(&mut Arc::make_mut(item).sort_key);
        }
        let (actor, limits) = (Actor::person("ada", "Ada"), Limits::default());
        let session = Session {
            actor: &actor, permissions: Permissions::all(), now: Timestamp::from_millis(0), limits: &limits, languages: &[],
        };
        refresh::refresh(&mut list, Some(&template_of(&old, 1)), &template_of(&all, 2), &session).expect("it fits");
        let shown: Vec<&str> = order::display(&list).into_iter().filter_map(|item| item.template_key.as_deref()).collect();
        prop_assert_eq!(shown, all);
    }

    #[test]
    fn keys_are_between_their_neighbours_and_unlike_each_other(inserts in prop::collection::vec(any::<u16>(), 1..400)) {
        let mut keys: Vec<String> = Vec::new();
        for at in inserts {
            let at = usize::from(at) % (keys.len() + 1);
            let before = at.checked_sub(1).map(|before| keys[before].as_str());
            let key = sort_key::between(before, keys.get(at).map(String::as_str)).expect("there is room");
            keys.insert(at, key);
        }
        prop_assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn siblings_without_a_key_get_one_and_the_others_keep_theirs(
        present in prop::collection::vec(any::<bool>(), 1..200),
    ) {
        let all = order::fresh_keys(present.len());
        let slots: Vec<Option<&str>> = all.iter().zip(&present).map(|(key, present)| present.then_some(key.as_str())).collect();
        let fresh: HashMap<usize, String> = sort_key::assign(&slots).into_iter().collect();
        let keys: Vec<&str> = (0..slots.len()).map(|at| fresh.get(&at).map_or_else(|| slots[at].unwrap_or(""), String::as_str)).collect();
        prop_assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(fresh.keys().all(|at| slots[*at].is_none()));
    }
}
