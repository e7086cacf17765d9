//! The dialogues by which people sign in with a name and a password: the form's (SOAP) and the
//! legacy one of SiteOnline. Both end in cookies.

mod forms;
mod site_online;

use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use percent_encoding::percent_decode_str;
use roxmltree::Document;

use crate::clock;
use crate::core::Core;
use crate::request::{Answer, Incoming};
use crate::store::Site;

/// The cookie of a session.
pub const COOKIE: &str = "FedAuth";

/// The sessions that have not ended.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<Vec<Session>>);

#[derive(Clone, Debug)]
struct Session {
    value: String,
    name: String,
    ends: Timestamp,
}

impl Sessions {
    /// Begins one; the cookie's value.
    fn begin(&self, name: &str, seconds: i64) -> String {
        let now = clock::now();
        // As long as the service's own, with what has to be encoded in some places.
        let value = format!("77u/{}+{}==", clock::random_hex(48), clock::random_hex(8));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|session| session.ends > now);
        all.push(Session {
            value: value.clone(),
            name: name.to_owned(),
            ends: now + SignedDuration::from_secs(seconds),
        });
        value
    }

    /// Ends all of them, as if their time were over.
    pub fn end_all(&self) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    /// Who a request's cookie belongs to; the inner `None` when it has ended, the outer one when
    /// there is no cookie.
    #[must_use]
    pub fn named_in(&self, incoming: &Incoming) -> Option<Option<String>> {
        let cookies = incoming.header("cookie")?;
        let sent = cookies.split(';').find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == COOKIE).then(|| value.to_owned())
        })?;
        // Some clients decode a cookie before they send it back.
        let decoded = percent_decode_str(&sent).decode_utf8_lossy().into_owned();
        let now = clock::now();
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut valid = all.iter().filter(|session| session.ends > now);
        let found = valid.find(|session| session.value == sent || session.value == decoded);
        Some(found.map(|session| session.name.clone()))
    }
}

/// Whether an address belongs to one of the dialogues, which nobody has to be signed in for.
#[must_use]
pub fn is_dialogue(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    [
        "/_vti_bin/authentication.asmx",
        "/_forms/default.aspx",
        "/extsts.srf",
        "/getuserrealm.srf",
    ]
    .iter()
    .any(|end| path.ends_with(end))
}

/// Answers a dialogue; `None` for other addresses.
#[must_use]
pub fn answer(core: &Core, site: &Site, incoming: &Incoming) -> Option<Answer> {
    let path = incoming.path.to_ascii_lowercase();
    if path.ends_with("/_vti_bin/authentication.asmx") {
        return Some(forms::answer(core, site, incoming));
    }
    if is_dialogue(&path) {
        return Some(site_online::answer(core, site, incoming, &path));
    }
    None
}

/// Whether a person has that password: one for all of them. Their names, in every spelling.
fn knows(core: &Core, site: &Site, name: &str, password: &str) -> Option<String> {
    let person = site.person_named(name).or_else(|| {
        let bare = name.rsplit('\\').next().unwrap_or(name);
        let mut people = site.people.iter();
        people.find(|person| person.short_name().eq_ignore_ascii_case(bare))
    })?;
    let right = !person.is_group() && password == core.options.password;
    right.then(|| person.principal_name().to_owned())
}

/// The text of an element of a message.
fn text_in<'a>(message: &'a Document<'_>, name: &str) -> &'a str {
    let mut nodes = message.descendants();
    let node = nodes.find(|node| node.tag_name().name() == name);
    node.and_then(|node| node.text()).unwrap_or_default()
}

/// What a cookie may hold without harm to whoever splits it.
fn cookie(name: &str, value: &str) -> String {
    let value = crate::odata::query::encoded(value);
    format!("{name}={value}; path=/; HttpOnly")
}
