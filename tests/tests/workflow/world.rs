//! A world made from a seed: an inventory, a list with entries of all sorts, a site in trouble, people
//! who edit the list meanwhile; and what it has to look like when the trouble is over.
//!
//! Lived through by `worlds`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use checklist_shared::computer::{Computer, ComputerStatus};
use checklist_site_server::store::{Item, list::List};
use checklist_site_server::{Kind, Rule};
use serde_json::Value;

use crate::chance::Chance;
use crate::lane::{Home, Lane, Protocol, list_of};
use crate::list::{KEY, computer, content, entry_of, key_of, with_key_column};

const TROUBLES: [Kind; 19] = [
    Kind::ThrottledSeconds,
    Kind::ThrottledDate,
    Kind::Busy,
    Kind::ThrottledAs401,
    Kind::BadRequestPage,
    Kind::SignInEnded,
    Kind::DigestEnded,
    Kind::Conflict,
    Kind::Stale,
    Kind::ServerError,
    Kind::Duplicate,
    Kind::TimeoutBefore,
    Kind::TimeoutAfter,
    Kind::ResetBefore,
    Kind::ResetAfter,
    Kind::HalfBody,
    Kind::WrongType,
    Kind::TruncatedPage,
    Kind::EmptyPage,
];

/// What people have made and written in a list, and taken away.
#[derive(Default)]
struct People {
    /// Entries as the last person left them.
    entries: BTreeMap<u32, BTreeMap<String, Value>>,
    taken: BTreeSet<u32>,
}

type Hands = Arc<Mutex<People>>;

/// A world.
pub struct World {
    pub seed: u32,
    title: String,
    pub selected: Vec<Computer>,
    /// In the inventory and in the list, and none of this run's business.
    unselected: Vec<Computer>,
    people: Hands,
    /// Entries with keys that no export has made: nobody remembers who did.
    forgotten: BTreeSet<u32>,
}

impl World {
    pub fn make(lane: &Lane, seed: u32, chance: &mut Chance) -> Self {
        let title = format!("World {seed}");
        lane.new_list(&title);
        with_key_column(lane, &title);
        let mut world = Self {
            seed,
            title,
            selected: Vec::new(),
            unselected: Vec::new(),
            people: Hands::default(),
            forgotten: BTreeSet::new(),
        };
        let count = chance.between(3, 24);
        for number in 0..count {
            let mut one = computer(&format!("w{seed}-{number}"));
            if chance.percent(15) {
                one.serial_number = chance
                    .percent(50)
                    .then(|| "To be filled by O.E.M.".to_owned());
            }
            if chance.percent(20) {
                one.status = ComputerStatus::Scrapped;
            }
            world.place(lane, &one, chance);
            if chance.percent(85) {
                world.selected.push(one);
            } else {
                world.unselected.push(one);
            }
        }
        for number in 0..chance.below(4) {
            let title = format!("The printer {number}");
            world.by_hand(lane, &[("Title", &title)]);
        }
        lane.import(&world.selected);
        lane.import(&world.unselected);
        world
    }

    /// What the list has of a computer before anything was exported.
    fn place(&mut self, lane: &Lane, one: &Computer, chance: &mut Chance) {
        let key = key_of(one);
        let serial = one.serial_number.as_deref().unwrap_or_default();
        match chance.below(10) {
            // Nothing.
            0..=3 => {}
            // Its own entry, perhaps an old one.
            4..=6 => {
                let mut entry = entry_of(one);
                if chance.percent(50) {
                    entry.insert("Model".to_owned(), "Armada 1750".into());
                }
                entry.insert(KEY.to_owned(), key.into());
                let id = lane.by_hand(&self.title, |list| {
                    list.add(entry.into_iter().collect(), 11)
                        .expect("an entry")
                        .id
                });
                self.forgotten.insert(id);
            }
            // One that somebody made for it.
            7 => self.by_hand(
                lane,
                &[
                    ("Title", "A computer"),
                    ("SerialNumber", &format!(" {} ", serial.to_lowercase())),
                ],
            ),
            8 => self.by_hand(lane, &[("Title", &one.name.to_lowercase())]),
            // Two of them.
            _ => {
                self.by_hand(lane, &[("Title", &one.name), ("SerialNumber", serial)]);
                self.by_hand(lane, &[("Title", &one.name), ("SerialNumber", serial)]);
            }
        }
    }

    fn by_hand(&self, lane: &Lane, values: &[(&str, &str)]) {
        let mut people = self.people.lock().expect("nobody panics here");
        lane.by_hand(&self.title, |list| people.make(list, values));
    }

    pub fn export(&self, lane: &Lane, computers: &[Computer]) -> Home {
        if computers.is_empty() {
            return Home::default();
        }
        let ids: Vec<&str> = computers.iter().map(|one| one.id.as_str()).collect();
        lane.bring_home(&lane.export(&self.title, &ids))
    }

    /// The inventory has changed since.
    pub fn change(&self, lane: &Lane, chance: &mut Chance) {
        let mut changed = self.selected.clone();
        changed.retain(|_| chance.percent(40));
        for one in &mut changed {
            one.note = Some("Third floor".to_owned());
        }
        lane.import(&changed);
    }

    pub fn trouble(&self, lane: &Lane, chance: &mut Chance) {
        for _ in 0..chance.between(1, 4) {
            let kind = chance.of_these(&TROUBLES);
            let rule = Rule::once(kind)
                .times(chance.between(1, 2))
                .after(chance.below(5));
            let rule = match kind {
                Kind::TimeoutBefore | Kind::TimeoutAfter => rule.lasting(3),
                _ => rule,
            };
            lane.site.fault(match chance.below(5) {
                0 => rule,
                1 => rule.of_method("GET").containing("/items"),
                2 => rule.of_method("POST").containing("$batch"),
                3 => rule.of_method("POST").containing("/items"),
                _ if lane.protocol == Protocol::Graph => rule.of_method("PATCH"),
                _ => rule.of_method("MERGE"),
            });
        }
    }

    /// People edit the list while it is exported.
    pub fn interfere(&self, lane: &Lane, chance: &mut Chance) {
        for _ in 0..chance.below(4) {
            let (title, people) = (self.title.clone(), Arc::clone(&self.people));
            let what = chance.below(4);
            let which = chance.below(1_000) as usize;
            let serial = chance
                .of_these(&self.selected.iter().collect::<Vec<_>>()[..])
                .serial_number
                .clone()
                .unwrap_or_default();
            lane.site.after(chance.between(1, 15), move |site| {
                let mut people = people.lock().expect("nobody panics here");
                let list = list_of(site, &title);
                let ids: Vec<u32> = list.items.keys().copied().collect();
                let some = (!ids.is_empty()).then(|| ids[which % ids.len()]);
                match (what, some) {
                    (0, Some(id)) => people.write(list, id),
                    (1, Some(id)) => people.take(list, id),
                    (2, _) => people.make(list, &[("Title", "Another"), ("SerialNumber", &serial)]),
                    _ => people.make(list, &[("Title", "A new printer")]),
                }
            });
        }
    }

    /// Whether an entry that somebody made could be of a computer that is scrapped.
    fn was_of_scrapped(&self, entry: &BTreeMap<String, Value>) -> bool {
        let says = |name: &str, value: Option<&str>| {
            let held = entry.get(name).and_then(Value::as_str).map(str::trim);
            held.zip(value)
                .is_some_and(|(held, value)| held.eq_ignore_ascii_case(value))
        };
        let mut scrapped = self
            .selected
            .iter()
            .filter(|one| one.status == ComputerStatus::Scrapped);
        scrapped.any(|one| {
            says("Title", Some(&one.name)) || says("SerialNumber", one.serial_number.as_deref())
        })
    }

    pub fn check(&self, lane: &Lane, homes: &[Home], outcomes: &Value) {
        let seed = self.seed;
        let people = self.people.lock().expect("nobody panics here");
        let (found, recycled) = lane.site.with_site(|site| {
            let list = list_of(site, &self.title).clone();
            let gone = site.recycled.iter().filter(|gone| gone.list == list.id);
            let gone: Vec<Item> = gone.map(|gone| gone.item.clone()).collect();
            (list.items, gone)
        });
        let inventory: BTreeMap<String, Computer> = self
            .selected
            .iter()
            .chain(&self.unselected)
            .map(|one| (one.id.clone(), shown(lane, &one.id)))
            .collect();
        let held = |item: &Item| Some(item.values.get(KEY)?.as_str()?.to_owned());
        let mut by_key: BTreeMap<String, &Item> = BTreeMap::new();
        for item in found.values() {
            if let Some(key) = held(item) {
                let twice = by_key.insert(key, item);
                assert!(twice.is_none(), "world {seed}: one key twice: {item:?}");
            }
        }

        for one in self.selected.iter().map(|one| &inventory[&one.id]) {
            let own = by_key.remove(&key_of(one));
            if one.status == ComputerStatus::Scrapped {
                assert!(own.is_none(), "world {seed}: {} is scrapped", one.id);
            } else if let Some(own) = own {
                assert_eq!(content(own), entry_of(one), "world {seed}: {}", one.id);
            } else {
                assert_eq!(
                    outcome(outcomes, &one.id),
                    "Ambiguous",
                    "world {seed}: {}",
                    one.id
                );
                let alike = |name: &str, value: Option<&str>| {
                    let value = value.unwrap_or_default().trim().to_lowercase();
                    let same = |item: &&Item| {
                        let theirs = item.values.get(name).and_then(Value::as_str);
                        held(item).is_none()
                            && theirs.is_some_and(|theirs| theirs.trim().to_lowercase() == value)
                    };
                    found.values().filter(same).count()
                };
                let most = alike("SerialNumber", one.serial_number.as_deref())
                    .max(alike("Title", Some(&one.name)));
                assert!(
                    most >= 2,
                    "world {seed}: nothing is ambiguous about {}",
                    one.id
                );
            }
        }
        // What is left belongs to computers that were not selected, and was there before.
        for (key, item) in &by_key {
            let is_known = self.unselected.iter().any(|one| key_of(one) == **key);
            assert!(
                is_known && self.forgotten.contains(&item.id),
                "world {seed}: {item:?}"
            );
        }
        for item in found.values().filter(|item| held(item).is_none()) {
            let left = people.entries.get(&item.id);
            assert_eq!(left, Some(&item.values), "world {seed}: entry {}", item.id);
        }
        let is_gone = |id: u32| !found.contains_key(&id);
        for id in people.entries.keys().copied().filter(|id| is_gone(*id)) {
            // Graph knows no bin: who is scrapped, and was found by what the entry held?
            let ours = recycled.iter().any(|item| item.id == id)
                || lane.protocol == Protocol::Graph && self.was_of_scrapped(&people.entries[&id]);
            assert!(
                ours || people.taken.contains(&id),
                "world {seed}: entry {id} is gone"
            );
        }
        for item in &recycled {
            let key = held(item).unwrap_or_default();
            let of = inventory.values().find(|one| key_of(one) == key);
            let scrapped = of.is_some_and(|one| one.status == ComputerStatus::Scrapped);
            assert!(
                scrapped,
                "world {seed}: deleted though nobody scrapped it: {item:?}"
            );
            if self.forgotten.contains(&item.id) || people.entries.contains_key(&item.id) {
                let asked = homes.iter().flat_map(|home| &home.confirmed);
                let deletes: u64 = asked.filter_map(|asked| asked["Deletes"].as_u64()).sum();
                assert!(
                    deletes > 0,
                    "world {seed}: deleted and nobody was asked: {item:?}"
                );
            }
        }
    }
}

impl People {
    fn make(&mut self, list: &mut List, values: &[(&str, &str)]) {
        let values = values
            .iter()
            .filter(|(_, value)| !value.trim().is_empty())
            .map(|(name, value)| ((*name).to_owned(), Value::from(*value)));
        let made = list.add(values.collect(), 11).expect("people make entries");
        self.entries.insert(made.id, made.values.clone());
    }

    fn write(&mut self, list: &mut List, id: u32) {
        let values = [("Note".to_owned(), "Written by hand".into())].into();
        let written = list.update(id, values, None, 11).expect("a note fits");
        if let (Some(item), Some(left)) = (written, self.entries.get_mut(&id)) {
            left.clone_from(&item.values);
        }
    }

    fn take(&mut self, list: &mut List, id: u32) {
        list.remove(id);
        self.taken.insert(id);
    }
}

/// A computer as the inventory has it now.
fn shown(lane: &Lane, id: &str) -> Computer {
    let mut shown = lane.program.get(&format!("Computers/{id}"));
    if let Some(fields) = shown.as_object_mut() {
        fields.remove("CreatedAt");
        fields.remove("UpdatedAt");
    }
    serde_json::from_value(shown).expect("a computer")
}

fn outcome<'a>(run: &'a Value, computer: &str) -> &'a str {
    let rows = run["Computers"].as_array().expect("the computers of a run");
    let row = rows.iter().find(|row| row["ComputerId"] == computer);
    row.and_then(|row| row["Outcome"].as_str())
        .unwrap_or("none")
}
