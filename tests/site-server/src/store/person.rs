//! People and groups of the site, and how a name that somebody signs in with finds its person.
//!
//! Numbers, logins and kinds are as the service's own; used by `identity`, `rest::users` and Graph.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Refusal, Site};
use crate::clock;

/// What a principal is, with the number that the protocol has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PrincipalType {
    User = 1,
    SecurityGroup = 4,
    SiteGroup = 8,
}

/// A person or a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Person {
    pub id: u32,
    /// What it is known by in the directory; in Graph, people are named by this.
    pub directory_id: Uuid,
    /// The claim, e.g. `i:0#.f|membership|alice@demo.test`.
    pub login: String,
    pub title: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub kind: PrincipalType,
    pub is_site_admin: bool,
    /// For a group of the site: who is in it.
    #[serde(default)]
    pub members: Vec<u32>,
}

/// Who a request acts as when nobody has signed in.
pub const ANONYMOUS: u32 = 8;
/// The first ordinary person; opaque tokens act as her.
pub const ALICE: u32 = 11;
/// The second ordinary person.
pub const BOB: u32 = 12;
/// Who may do everything.
pub const ADMIN: u32 = 9;
/// The group that Alice and Bob are in.
pub const MEMBERS: u32 = 5;
/// The domain of the people.
pub const DOMAIN: &str = "demo.test";
/// The domain of those whom the directory knows without the site having seen them.
const COMPANY: &str = "example.org";

/// The prefix of logins.
const CLAIM: &str = "i:0#.f|membership|";

/// The people of a new site.
#[must_use]
pub fn everybody() -> Vec<Person> {
    let mut anonymous = user(ANONYMOUS, "anonymous", "Anonymous", "");
    anonymous.email = String::new();
    let mut admin = user(ADMIN, "admin", "Ada", "Admin");
    admin.is_site_admin = true;
    let mut members = user(MEMBERS, "Demo Members", "Demo Members", "");
    members.login = "Demo Members".to_owned();
    members.email = String::new();
    members.kind = PrincipalType::SiteGroup;
    members.members = vec![ALICE, BOB];
    vec![
        members,
        anonymous,
        admin,
        user(ALICE, "alice", "Alice", "Archer"),
        user(BOB, "bob", "Bob", "Baker"),
    ]
}

fn user(id: u32, name: &str, first: &str, last: &str) -> Person {
    let mail = format!("{name}@{DOMAIN}");
    // Always the same, so that a test can name it.
    let directory_id = Uuid::from_u128(0xd1e0_0000_0000_4000_8000_0000_0000_0000 | u128::from(id));
    Person {
        id,
        directory_id,
        login: format!("{CLAIM}{mail}"),
        title: format!("{first} {last}").trim().to_owned(),
        email: mail,
        first_name: first.to_owned(),
        last_name: last.to_owned(),
        kind: PrincipalType::User,
        is_site_admin: false,
        members: Vec::new(),
    }
}

impl Person {
    /// The part that a person types, e.g. `alice@demo.test`.
    #[must_use]
    pub fn principal_name(&self) -> &str {
        self.login.rsplit('|').next().unwrap_or(&self.login)
    }

    /// `alice`, whatever stands around it.
    #[must_use]
    pub fn short_name(&self) -> &str {
        short(self.principal_name())
    }

    /// Whether this is a group, of the site or of the directory.
    #[must_use]
    pub fn is_group(&self) -> bool {
        self.kind != PrincipalType::User
    }
}

/// What stands behind the claim.
fn bare(login: &str) -> &str {
    login.rsplit('|').next().unwrap_or(login).trim()
}

/// Whether the directory knows the owner of an address, seen on the site or not.
#[must_use]
pub fn works_here(login: &str) -> bool {
    let (name, domain) = bare(login).split_once('@').unwrap_or_default();
    !name.is_empty() && domain.eq_ignore_ascii_case(COMPANY)
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The bare name in a claim, `DOMAIN\name` or `name@domain`.
fn short(name: &str) -> &str {
    let name = bare(name);
    let name = name.rsplit('\\').next().unwrap_or(name);
    name.split('@').next().unwrap_or(name)
}

impl Site {
    /// Who is meant by a login, a mail address, a principal name, or a title.
    #[must_use]
    pub fn person_named(&self, name: &str) -> Option<&Person> {
        let name = name.trim();
        let same = |text: &str| text.eq_ignore_ascii_case(name);
        let exactly = |person: &&Person| {
            same(&person.login)
                || same(person.principal_name())
                || (!person.email.is_empty() && same(&person.email))
        };
        let titled = |person: &&Person| same(&person.title) && person.is_group();
        let people = || self.people.iter();
        people().find(exactly).or_else(|| people().find(titled))
    }

    /// Who has signed in by that name; whoever was never seen is added, as the service does.
    pub fn signed_in(&mut self, name: &str) -> u32 {
        let bare = short(name).to_lowercase();
        let known = |person: &&Person| {
            !person.is_group() && person.short_name().eq_ignore_ascii_case(&bare)
        };
        if let Some(person) = self.people.iter().find(known) {
            return person.id;
        }
        let id = self.next_person();
        let mut person = user(id, &bare, short(name), "");
        person.directory_id = clock::new_id();
        self.people.push(person);
        self.list_people();
        id
    }

    /// The person of a login whom the site has seen.
    #[must_use]
    pub fn person_of_login(&self, login: &str) -> Option<&Person> {
        let short = short(login);
        let known = |person: &&Person| {
            !person.is_group() && person.short_name().eq_ignore_ascii_case(short)
        };
        // `DOMAIN\alice` and `i:0#.w|domain\alice` mean the same person on this one server.
        let of_windows = || {
            let mut people = self.people.iter();
            people.find(known).filter(|_| login.contains('\\'))
        };
        self.person_named(login).or_else(of_windows)
    }

    /// The person of a login, added where it is one of the directory.
    ///
    /// # Errors
    /// Nobody is known by that name.
    pub fn ensure_person(&mut self, login: &str) -> Result<u32, Refusal> {
        match self.person_of_login(login) {
            Some(person) => Ok(person.id),
            None if works_here(login) => Ok(self.newcomer(login)),
            None => Err(Refusal::Invalid {
                field: login.to_owned(),
                reason: "The specified user could not be found.".to_owned(),
            }),
        }
    }

    /// Somebody of the directory whom the site has not seen so far.
    fn newcomer(&mut self, login: &str) -> u32 {
        let mail = bare(login).to_lowercase();
        let name = short(&mail).to_owned();
        let (first, last) = name.split_once('.').unwrap_or((&name, ""));
        let id = self.next_person();
        let mut person = user(id, &name, &capital(first), &capital(last));
        person.directory_id = clock::new_id();
        person.login = format!("{CLAIM}{mail}");
        person.email = mail;
        self.people.push(person);
        self.list_people();
        id
    }

    fn next_person(&self) -> u32 {
        self.people
            .iter()
            .map(|person| person.id)
            .max()
            .unwrap_or(0)
            + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_the_directory_knows_is_added_once_and_others_are_nobody() {
        let mut site = Site::new("/sites/demo", "UTC");
        let before = site.people.len();
        let added = site.ensure_person("Ada.Lovelace@Example.org").unwrap();
        let again = site.ensure_person("i:0#.f|membership|ada.lovelace@example.org");
        assert_eq!(again, Ok(added));
        let ada = site.person_named("ada.lovelace@example.org").unwrap();
        assert_eq!((ada.id, ada.title.as_str()), (added, "Ada Lovelace"));
        assert_eq!(site.people.len(), before + 1);
        assert!(site.ensure_person("ada@nowhere.example").is_err());
        assert!(site.ensure_person("@example.org").is_err());
    }
}
