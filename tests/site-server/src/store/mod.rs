//! What the site holds: lists, their columns and items, people and groups, and what was recycled.
//!
//! Both protocols read and write this one store, so what one wrote the other reads. It knows the
//! rules of the data (unique columns, versions, who created what) and nothing of any protocol.

pub mod builtin;
pub mod calculated;
pub mod field;
pub mod field_kind;
pub mod file;
pub mod instant;
pub mod item;
mod kind_properties;
pub mod list;
pub mod person;
pub mod refusal;
pub mod seed;
pub mod value;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock;
pub use field::Field;
pub use field_kind::FieldKind;
pub use item::Item;
pub use list::List;
pub use person::{Person, PrincipalType};
pub use refusal::Refusal;

/// The one site, with everything in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Site {
    /// Where it lies below the server's root, e.g. `/sites/demo`.
    pub path: String,
    pub title: String,
    /// The id of the web, and that of the site collection it stands in.
    pub id: Uuid,
    pub collection_id: Uuid,
    pub created: Timestamp,
    /// The IANA name of the zone that dates without a time are in.
    pub zone: String,
    pub lists: Vec<List>,
    pub people: Vec<Person>,
    pub recycled: Vec<Recycled>,
}

/// An item in the recycle bin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recycled {
    pub id: Uuid,
    pub list: Uuid,
    pub item: Item,
    pub by: u32,
    pub at: Timestamp,
}

impl Site {
    /// An empty site with the people that every site has.
    #[must_use]
    pub fn new(path: &str, zone: &str) -> Self {
        let now = clock::now();
        let mut site = Self {
            path: path.to_owned(),
            title: path.rsplit('/').next().unwrap_or(path).to_owned(),
            id: clock::new_id(),
            collection_id: clock::new_id(),
            created: now,
            zone: zone.to_owned(),
            lists: Vec::new(),
            people: person::everybody(),
            recycled: Vec::new(),
        };
        let mut people = List::new(site.id, "User Information List", list::PEOPLE);
        people.url_name = "users".to_owned();
        people.hidden = true;
        site.lists.push(people);
        site.list_people();
        site
    }

    /// Gives everybody a row in the hidden list of people.
    pub(crate) fn list_people(&mut self) {
        let ids: Vec<u32> = self.people.iter().map(|person| person.id).collect();
        let hidden = self.lists.iter_mut();
        for list in hidden.filter(|list| list.template == list::PEOPLE) {
            for &id in &ids {
                let row = || Item::new(id, person::ADMIN);
                list.items.entry(id).or_insert_with(row);
            }
        }
    }

    /// The zone that dates without a time are in.
    #[must_use]
    pub fn time_zone(&self) -> jiff::tz::TimeZone {
        jiff::tz::TimeZone::get(&self.zone).unwrap_or(jiff::tz::TimeZone::UTC)
    }

    /// A list by its id.
    #[must_use]
    pub fn list(&self, id: Uuid) -> Option<&List> {
        self.lists.iter().find(|list| list.id == id)
    }

    /// A list by its id, to be changed.
    pub fn list_mut(&mut self, id: Uuid) -> Option<&mut List> {
        self.lists.iter_mut().find(|list| list.id == id)
    }

    /// A list by its title, in whatever case.
    #[must_use]
    pub fn list_titled(&self, title: &str) -> Option<&List> {
        let same = |list: &&List| list.title.to_lowercase() == title.to_lowercase();
        self.lists.iter().find(same)
    }

    /// A list by its path below the server's root.
    #[must_use]
    pub fn list_at(&self, path: &str) -> Option<&List> {
        let path = path.trim_end_matches('/').to_lowercase();
        let at = |list: &&List| self.path_of(list).to_lowercase() == path;
        self.lists.iter().find(at)
    }

    /// Where a list lies below the server's root.
    #[must_use]
    pub fn path_of(&self, list: &List) -> String {
        match list.template {
            list::LIBRARY => format!("{}/{}", self.path, list.url_name),
            list::PEOPLE => format!("{}/_catalogs/{}", self.path, list.url_name),
            _ => format!("{}/Lists/{}", self.path, list.url_name),
        }
    }

    /// A person or group by the number that the site gave.
    #[must_use]
    pub fn person(&self, id: u32) -> Option<&Person> {
        self.people.iter().find(|person| person.id == id)
    }

    /// Adds a list.
    ///
    /// # Errors
    /// Another one has that title.
    pub fn add_list(
        &mut self,
        title: &str,
        description: &str,
        template: u32,
    ) -> Result<Uuid, Refusal> {
        if title.trim().is_empty() {
            return Err(Refusal::Empty("Title"));
        }
        if self.list_titled(title).is_some() {
            return Err(Refusal::ListExists);
        }
        let mut list = List::new(self.id, title, template);
        list.description = description.to_owned();
        let wanted = list.url_name.clone();
        let mut number = 1;
        while self
            .lists
            .iter()
            .any(|other| other.url_name == list.url_name)
        {
            list.url_name = format!("{wanted}{number}");
            number += 1;
        }
        let id = list.id;
        self.lists.push(list);
        Ok(id)
    }

    /// Takes an item away, into the recycle bin when it is `recycled`; its id there.
    pub fn remove_item(&mut self, list: Uuid, item: u32, by: u32, recycled: bool) -> Option<Uuid> {
        let item = self.list_mut(list)?.remove(item)?;
        let id = clock::new_id();
        if recycled {
            let at = clock::now();
            self.recycled.push(Recycled {
                id,
                list,
                item,
                by,
                at,
            });
        }
        Some(id)
    }

    /// Puts an item back; whether it was there.
    pub fn restore(&mut self, id: Uuid) -> bool {
        let Some(at) = self.recycled.iter().position(|kept| kept.id == id) else {
            return false;
        };
        let kept = self.recycled.remove(at);
        match self.list_mut(kept.list) {
            Some(list) => {
                list.items.insert(kept.item.id, kept.item);
                list.changed(true);
                true
            }
            None => false,
        }
    }
}
