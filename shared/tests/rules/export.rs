//! Properties of the export's rules, over arbitrary inventories, lists and choices.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use checklist_shared::computer::ComputerField;
use checklist_shared::export::{
    Entry, Inventory, Link, Linkage, ListState, PlannedWrite, Subject, guard, link, normal_name,
    normal_serial,
};
use checklist_shared::wire::workflow::PlannedAction;
use proptest::prelude::*;

const FIELDS: [ComputerField; 2] = [ComputerField::SerialNumber, ComputerField::Name];

/// Few of each, so that they meet.
const SERIALS: [&str; 8] = [
    "5CG1",
    "5cg1 ",
    "5CG2",
    "5CG3",
    "5CG4",
    "To be filled by O.E.M.",
    "0000",
    "",
];
const NAMES: [&str; 7] = ["PC-1", "pc-1", "PC-2", "PC-3", "PC-4", "unknown", ""];

/// An inventory, of which some computers are selected, a list, and what persons chose.
#[derive(Clone, Debug)]
struct World {
    computers: Vec<(Subject, bool)>,
    entries: Vec<Entry>,
    choices: BTreeMap<String, Option<i64>>,
}

impl World {
    fn inventory(&self) -> Inventory {
        let mut inventory = Inventory::new("default");
        for (computer, _) in &self.computers {
            inventory.insert(
                &computer.computer_id,
                computer.serial.as_deref(),
                &computer.name,
            );
        }
        inventory
    }

    fn selected(&self) -> Vec<Subject> {
        let selected = self.computers.iter().filter(|(_, selected)| *selected);
        selected.map(|(computer, _)| computer.clone()).collect()
    }

    fn linked(&self) -> Linkage {
        link(
            &self.inventory(),
            &self.selected(),
            &self.entries,
            &FIELDS,
            &self.choices,
        )
    }

    fn by_computer(&self) -> BTreeMap<String, Link> {
        let ids = self.selected().into_iter();
        ids.map(|computer| computer.computer_id)
            .zip(self.linked().links)
            .collect()
    }

    fn entry(&self, item_id: i64) -> &Entry {
        let found = self.entries.iter().find(|entry| entry.item_id == item_id);
        found.expect("a link leads to an entry of the list")
    }
}

fn text(from: &'static [&'static str]) -> impl Strategy<Value = Option<String>> {
    prop::option::weighted(
        0.8,
        prop::sample::select(from).prop_map(std::borrow::ToOwned::to_owned),
    )
}

fn world() -> impl Strategy<Value = World> {
    let computer = (
        text(&SERIALS),
        prop::sample::select(&NAMES[..]),
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.7),
    );
    // A key of a computer, somebody else's, or none.
    let entry = (
        prop::option::weighted(0.4, 0..10_usize),
        text(&SERIALS),
        text(&NAMES),
    );
    let choice = (0..8_usize, prop::option::of(0..10_i64));
    (
        prop::collection::vec(computer, 0..8),
        prop::collection::vec(entry, 0..10),
        prop::collection::vec(choice, 0..3),
    )
        .prop_map(|(computers, entries, choices)| {
            let computers = computers.into_iter().enumerate();
            let computers: Vec<(Subject, bool)> = computers
                .map(|(number, (serial, name, scrapped, selected))| {
                    let subject = Subject {
                        computer_id: format!("c-{number}"),
                        serial,
                        name: name.to_owned(),
                        scrapped,
                    };
                    (subject, selected)
                })
                .collect();
            let keys = Inventory::new("default");
            let entries = entries.into_iter().zip(0..);
            let entries = entries.map(|((key, serial, name), item_id)| Entry {
                item_id,
                key: key.map(|number| keys.key(&format!("c-{number}")).to_string()),
                serial,
                name,
            });
            let choices = choices.into_iter();
            let choices = choices.map(|(number, item_id)| (format!("c-{number}"), item_id));
            World {
                entries: entries.collect(),
                computers,
                choices: choices.collect(),
            }
        })
}

proptest! {
    #[test]
    fn no_entry_ever_belongs_to_two_computers(world in world()) {
        let mut taken = BTreeSet::new();
        for link in world.linked().links {
            if let Link::Own { item_id } | Link::Adopt { item_id, .. } = link {
                prop_assert!(taken.insert(item_id), "entry {item_id} twice");
            }
        }
    }

    #[test]
    fn the_entry_with_its_key_is_its_own_and_none_with_a_key_is_adopted(world in world()) {
        let inventory = world.inventory();
        for (computer, link) in world.by_computer() {
            let key = inventory.key(&computer).to_string();
            let own: Vec<i64> = world
                .entries
                .iter()
                .filter(|entry| entry.key.as_deref() == Some(&key))
                .map(|entry| entry.item_id)
                .collect();
            match (own.as_slice(), link) {
                ([only], link) => prop_assert_eq!(link, Link::Own { item_id: *only }),
                ([], Link::Own { .. }) => prop_assert!(false, "{} has no own entry", computer),
                ([], Link::Adopt { item_id, .. }) => {
                    prop_assert_eq!(&world.entry(item_id).key, &None);
                }
                ([], Link::Nothing | Link::Ambiguous { .. }) => {}
                (several, Link::Own { item_id }) => {
                    prop_assert!(several.contains(&item_id));
                    prop_assert_eq!(world.choices.get(&computer), Some(&Some(item_id)));
                }
                (_, Link::Ambiguous { .. }) => {}
                (_, other) => prop_assert!(false, "several own, but {:?}", other),
            }
        }
    }

    #[test]
    fn what_nobody_chose_is_adopted_only_by_the_one_computer_that_matches(world in world()) {
        for (computer, link) in world.by_computer() {
            let Link::Adopt { item_id, matched_by, chosen: false } = link else { continue };
            let entry = world.entry(item_id);
            let matches = |subject: &Subject, entry: &Entry| match matched_by {
                Some(ComputerField::SerialNumber) => {
                    let serial = subject.serial.as_deref().and_then(normal_serial);
                    serial.is_some() && serial == entry.serial.as_deref().and_then(normal_serial)
                }
                _ => {
                    let name = normal_name(&subject.name);
                    name.is_some() && name == entry.name.as_deref().and_then(normal_name)
                }
            };
            let who = world.computers.iter().filter(|(subject, _)| matches(subject, entry));
            let who: Vec<&str> = who.map(|(subject, _)| subject.computer_id.as_str()).collect();
            prop_assert_eq!(who, vec![computer.as_str()]);
            let of = world.computers.iter().find(|(subject, _)| subject.computer_id == computer);
            let (subject, _) = of.expect("a link belongs to a computer");
            let free = world.entries.iter().filter(|entry| entry.is_made_by_hand());
            prop_assert_eq!(free.filter(|entry| matches(subject, entry)).count(), 1);
        }
    }

    #[test]
    fn a_scrapped_computer_adopts_nothing(world in world()) {
        let links = world.by_computer();
        for (computer, _) in world.computers.iter().filter(|(computer, _)| computer.scrapped) {
            let link = links.get(&computer.computer_id);
            prop_assert!(!matches!(link, Some(Link::Adopt { .. })), "{link:?}");
        }
    }

    #[test]
    fn the_order_of_computers_and_entries_changes_nothing(
        world in world(),
        by in any::<prop::sample::Index>(),
    ) {
        let mut turned = world.clone();
        turned.computers.reverse();
        if !turned.entries.is_empty() {
            let by = by.index(turned.entries.len());
            turned.entries.rotate_left(by);
        }
        prop_assert_eq!(world.by_computer(), turned.by_computer());
    }

    #[test]
    fn one_more_computer_takes_nothing_from_the_others_and_gives_them_nothing(
        world in world(),
        serial in text(&SERIALS),
        name in prop::sample::select(&NAMES[..]),
    ) {
        let mut more = world.clone();
        let subject = Subject {
            computer_id: "another".into(),
            serial,
            name: name.to_owned(),
            scrapped: false,
        };
        more.computers.push((subject, false));
        let after = more.by_computer();
        for (computer, before) in world.by_computer() {
            let after = &after[&computer];
            let doubtful = matches!(
                (&before, after),
                (Link::Adopt { chosen: false, .. }, Link::Ambiguous { .. })
                    | (Link::Ambiguous { .. }, Link::Ambiguous { .. })
            );
            prop_assert!(before == *after || doubtful, "{before:?}, then {after:?}");
        }
    }

    /// What is written carries the key, so whoever was linked or created has its own entry at the
    /// next reading, and nothing is created a second time.
    #[test]
    fn after_writing_everybody_has_its_own_entry(world in world()) {
        let inventory = world.inventory();
        let mut written = world.clone();
        let mut next_id = 1_000;
        let before = world.by_computer();
        for (computer, _) in world.computers.iter().filter(|(computer, selected)| *selected && !computer.scrapped) {
            let key = Some(inventory.key(&computer.computer_id).to_string());
            match before[&computer.computer_id] {
                Link::Nothing => {
                    next_id += 1;
                    written.entries.push(Entry { item_id: next_id, key, ..Entry::default() });
                }
                Link::Adopt { item_id, .. } => {
                    let entry = written.entries.iter_mut().find(|entry| entry.item_id == item_id);
                    entry.expect("an adopted entry is in the list").key = key;
                }
                Link::Own { .. } | Link::Ambiguous { .. } => {}
            }
        }
        let after = written.by_computer();
        for (computer, _) in world.computers.iter().filter(|(computer, selected)| *selected && !computer.scrapped) {
            match &before[&computer.computer_id] {
                Link::Ambiguous { .. } => {}
                Link::Own { item_id } | Link::Adopt { item_id, .. } => {
                    prop_assert_eq!(&after[&computer.computer_id], &Link::Own { item_id: *item_id });
                }
                Link::Nothing => {
                    let own = matches!(after[&computer.computer_id], Link::Own { item_id } if item_id > 1_000);
                    prop_assert!(own, "{:?}", after[&computer.computer_id]);
                }
            }
        }
    }

    #[test]
    fn placeholders_find_nothing(
        serial in prop::sample::select(vec!["", " ", "0", "None", "N/A", "to be FILLED by o.e.m.", "------", "FFFFFFFF"]),
        name in prop::sample::select(vec!["", "none", "Unknown", "n/a"]),
    ) {
        let computer = Subject {
            computer_id: "1".into(),
            serial: Some(serial.to_owned()),
            name: name.to_owned(),
            scrapped: false,
        };
        let entry = Entry {
            item_id: 1,
            key: None,
            serial: Some(serial.to_owned()),
            name: Some(name.to_owned()),
        };
        let found = link(&Inventory::new("default"), &[computer], &[entry], &FIELDS, &BTreeMap::new());
        prop_assert_eq!(found.links, vec![Link::Nothing]);
    }

    #[test]
    fn the_normal_form_is_its_own_and_knows_no_letter_case(text in "\\PC{0,12}") {
        if let Some(normal) = normal_name(&text) {
            prop_assert_eq!(normal_name(&normal), Some(normal.clone()));
            prop_assert_eq!(normal_name(&text.to_uppercase()), Some(normal.clone()));
            prop_assert_eq!(normal_name(&format!(" \u{a0}{text}\t")), Some(normal));
        }
    }

    #[test]
    fn no_unconfirmed_adoption_and_no_unconfirmed_delete_of_many_or_adopted_passes(
        writes in prop::collection::vec((0..4_u8, any::<bool>(), prop::bool::weighted(0.3)), 0..120),
        own_entries in 0..400_u32,
        made_by_hand in 0..3_u32,
        deleted in 0..60_u32,
        list_confirmed: bool,
    ) {
        let writes: Vec<PlannedWrite> = writes.into_iter().map(|(action, adopted, confirmed)| PlannedWrite {
            action: [PlannedAction::Create, PlannedAction::Update, PlannedAction::Adopt, PlannedAction::Delete][usize::from(action)],
            adopted,
            confirmed,
        }).collect();
        let list = ListState { own_entries, made_by_hand, deleted, list_confirmed };
        let gate = guard(&writes, list);
        let open = || writes.iter().zip(&gate.open).filter(|(_, open)| **open).map(|(write, _)| write);

        prop_assert_eq!(gate.open.len(), writes.len());
        prop_assert!(open().filter(|write| write.action == PlannedAction::Adopt).all(|write| write.confirmed));
        let deletes: Vec<_> = open().filter(|write| write.action == PlannedAction::Delete).collect();
        let unconfirmed = deletes.iter().filter(|write| !write.confirmed).count();
        prop_assert!(deletes.iter().all(|write| write.confirmed || !write.adopted));
        if unconfirmed > 0 {
            let all = u32::try_from(deletes.len()).expect("few") + deleted;
            prop_assert!(all <= 50, "{all} deletes");
            prop_assert!(all < 10 || all * 5 <= own_entries + deleted, "{all} of {own_entries}");
        }
        // Whoever waits is told of, and only then.
        let waits = gate.open.iter().any(|open| !open);
        prop_assert_eq!(waits, gate.confirmation.is_some());

        // Once all of it is confirmed nothing waits.
        let confirmed: Vec<PlannedWrite> = writes.iter().map(|write| PlannedWrite { confirmed: true, ..*write }).collect();
        let gate = guard(&confirmed, ListState { list_confirmed: true, ..list });
        prop_assert_eq!(gate.confirmation, None);
        prop_assert!(gate.open.iter().all(|open| *open));
    }
}

/// Large lists are linked in one go: no entry is looked at for each computer.
#[test]
fn ten_thousand_computers_find_their_entries_among_thirty_thousand() {
    let mut inventory = Inventory::new("default");
    let subjects: Vec<Subject> = (0..10_000)
        .map(|number| Subject {
            computer_id: format!("c-{number}"),
            serial: Some(format!("5CG{number:06}")),
            name: format!("PC-{number}"),
            scrapped: false,
        })
        .collect();
    for subject in &subjects {
        inventory.insert(
            &subject.computer_id,
            subject.serial.as_deref(),
            &subject.name,
        );
    }
    let entries: Vec<Entry> = (0..30_000)
        .map(|number| Entry {
            item_id: number,
            key: (number < 5_000).then(|| inventory.key(&format!("c-{number}")).to_string()),
            serial: Some(format!("5cg{number:06} ")),
            name: None,
        })
        .collect();
    let found = link(&inventory, &subjects, &entries, &FIELDS, &BTreeMap::new());
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (link, number) in found.links.iter().zip(0..) {
        let (what, item) = match link {
            Link::Own { item_id } => ("own", *item_id),
            Link::Adopt { item_id, .. } => ("adopted", *item_id),
            other => panic!("{other:?}"),
        };
        assert_eq!(item, number);
        *counts.entry(what).or_default() += 1;
    }
    assert_eq!((counts["own"], counts["adopted"]), (5_000, 5_000));
    assert_eq!((found.own_entries, found.made_by_hand), (5_000, 25_000));
}
