//! What somebody may do, before they act: permissions, lists and further claims of a token.
//!
//! Made by `Server::as_editor` and its like; ends in a token or in a person on a list.

use serde_json::{Map, Value, json};

use crate::person::Person;
use crate::place::Place;
use crate::server::Server;

/// What somebody may do, before they act.
pub struct Grant<'a> {
    server: &'a Server,
    name: String,
    permissions: Vec<String>,
    contexts: Option<Vec<Value>>,
    extra_claims: Map<String, Value>,
}

impl<'a> Grant<'a> {
    pub(crate) fn new(server: &'a Server, name: &str, permissions: &[&str]) -> Self {
        Self {
            server,
            name: name.to_owned(),
            permissions: permissions
                .iter()
                .map(|&permission| permission.to_owned())
                .collect(),
            contexts: None,
            extra_claims: Map::new(),
        }
    }

    /// One more permission.
    #[must_use]
    pub fn and(mut self, permission: &str) -> Self {
        self.permissions.push(permission.to_owned());
        self
    }

    /// Only these lists; `*` stands for anything in a part.
    #[must_use]
    pub fn only_for(mut self, places: &[Place]) -> Self {
        self.contexts = Some(places.iter().map(Place::context).collect());
        self
    }

    /// A claim of the token beside the usual ones; only a host can sign it.
    #[must_use]
    pub fn with_claim(mut self, name: &str, value: Value) -> Self {
        self.extra_claims.insert(name.to_owned(), value);
        self
    }

    /// A token with that grant: the host's, or the demo's own. An administrator of a host's server
    /// has an API key.
    ///
    /// # Panics
    /// When the demo does not give one.
    #[must_use]
    #[track_caller]
    pub fn token(&self) -> String {
        let permissions: Vec<&str> = self.permissions.iter().map(String::as_str).collect();
        if let Some(host) = self.server.host() {
            let plain = self.contexts.is_none() && self.extra_claims.is_empty();
            if plain && permissions.contains(&"Admin") {
                return self.server.admin_key(&host.tenant, &self.name);
            }
            let mut claims = host.claims(&self.server.audience(), &self.subject(), &permissions);
            claims["name"] = json!(self.name);
            if let Some(contexts) = &self.contexts {
                claims["contexts"] = json!(contexts);
            }
            for (name, value) in &self.extra_claims {
                claims[name] = value.clone();
            }
            return host.sign(&claims);
        }
        let mut wish =
            json!({ "Permissions": permissions, "Subject": self.subject(), "Name": self.name });
        if let Some(contexts) = &self.contexts {
            wish["Contexts"] = json!(contexts);
        }
        assert!(
            self.extra_claims.is_empty(),
            "the demo signs no extra claims; use a host's key"
        );
        let answer = self.server.http().post("/demo/token", &wish).ok();
        answer["Token"]
            .as_str()
            .expect("the demo gives a token")
            .to_owned()
    }

    /// The person, acting on that list.
    #[must_use]
    #[track_caller]
    pub fn on(&self, place: &Place) -> Person {
        Person::new(self.server.http(), self.token(), place)
    }

    fn subject(&self) -> String {
        self.name.to_lowercase().replace(' ', ".")
    }
}
