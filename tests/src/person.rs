//! People: signed in with certain permissions, acting on one list, in sentences.
//!
//! `Place` names a list, `Grant` says what somebody may do, `Person` does it. Called by tests:
//! `server.as_editor("Erin").on(&incident("INC-1")).tick("Confirm the impact")`.

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::API;
use crate::client::{Answer, Http, json as with_json, send};
use crate::list::{List, Written};
use crate::server::Server;

/// Which list: the context of the calls.
#[derive(Clone, Debug)]
pub struct Place {
    /// The platform type.
    pub object_type: String,
    /// The object.
    pub object_id: String,
    /// Which list of the object.
    pub purpose: String,
    /// The template that the list is made from.
    pub template: Option<String>,
}

/// An object of a type with both classes.
#[must_use]
pub fn incident(object_id: &str) -> Place {
    Place::new("incident", object_id)
}

/// An object of a type that lacks the unit-of-work class.
#[must_use]
pub fn task(object_id: &str) -> Place {
    Place::new("task", object_id)
}

/// An object of a type that lacks the checklist-item class.
#[must_use]
pub fn asset(object_id: &str) -> Place {
    Place::new("asset", object_id)
}

impl Place {
    /// The default list of an object.
    #[must_use]
    pub fn new(object_type: &str, object_id: &str) -> Self {
        Self {
            object_type: object_type.to_owned(),
            object_id: object_id.to_owned(),
            purpose: String::new(),
            template: None,
        }
    }

    /// The object's list of that purpose.
    #[must_use]
    pub fn for_purpose(mut self, purpose: &str) -> Self {
        purpose.clone_into(&mut self.purpose);
        self
    }

    /// The list as that template makes it.
    #[must_use]
    pub fn from_template(mut self, template: &str) -> Self {
        self.template = Some(template.to_owned());
        self
    }

    /// The context as it travels.
    #[must_use]
    pub fn context(&self) -> Value {
        let mut context = json!({ "ObjectType": self.object_type, "ObjectId": self.object_id, "Purpose": self.purpose });
        if let Some(template) = &self.template {
            context["TemplateId"] = json!(template);
        }
        context
    }
}

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

    /// One permission less.
    #[must_use]
    pub fn but_not(mut self, permission: &str) -> Self {
        self.permissions.retain(|held| held != permission);
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

    /// A token with that grant: the host's, or the demo's own.
    ///
    /// # Panics
    /// When the demo does not give one.
    #[must_use]
    #[track_caller]
    pub fn token(&self) -> String {
        let permissions: Vec<&str> = self.permissions.iter().map(String::as_str).collect();
        if let Some(host) = self.server.host() {
            let mut claims = host.claims(&self.server.base_url(), &self.subject(), &permissions);
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
        Person {
            http: self.server.http(),
            token: self.token(),
            place: place.clone(),
            language: None,
        }
    }

    fn subject(&self) -> String {
        self.name.to_lowercase().replace(' ', ".")
    }
}

/// Somebody signed in, acting on one list.
#[derive(Clone)]
pub struct Person {
    http: Http,
    /// The credential.
    pub token: String,
    /// The list.
    pub place: Place,
    language: Option<String>,
}

impl Person {
    /// The same person on another list, with the same token.
    #[must_use]
    pub fn at(&self, place: &Place) -> Self {
        Self {
            place: place.clone(),
            ..self.clone()
        }
    }

    /// The same list with another credential.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self {
            token: token.to_owned(),
            ..self.clone()
        }
    }

    /// The same person reading another language.
    #[must_use]
    pub fn reading(&self, language: &str) -> Self {
        Self {
            language: Some(language.to_owned()),
            ..self.clone()
        }
    }

    /// Sends a body to a call just as it is; nothing is added to it.
    #[track_caller]
    pub fn send(&self, call: &str, body: &Value) -> Answer {
        send(with_json(self.request(Method::POST, call), body))
    }

    /// Sends a call about this person's list.
    #[track_caller]
    pub fn call(&self, call: &str, mut body: Value) -> Answer {
        if body.get("Context").is_none() {
            body["Context"] = self.place.context();
        }
        self.send(call, &body)
    }

    /// `GET` below the prefix.
    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path))
    }

    /// `PUT` below the prefix.
    #[track_caller]
    pub fn put(&self, path: &str, body: &Value) -> Answer {
        send(with_json(self.request(Method::PUT, path), body))
    }

    /// A request below the prefix with this person's credential.
    pub fn request(&self, method: Method, path: &str) -> reqwest::blocking::RequestBuilder {
        let path = path.strip_prefix('/').unwrap_or(path);
        let request = self
            .http
            .request(method, &format!("{API}/{path}"))
            .bearer_auth(&self.token);
        match &self.language {
            Some(language) => request.header("accept-language", language),
            None => request,
        }
    }

    /// The list as it is.
    #[track_caller]
    pub fn list(&self) -> List {
        List(self.call("GetItems", json!({})).ok())
    }

    /// The id of the item with that text.
    #[must_use]
    #[track_caller]
    pub fn id(&self, text: &str) -> String {
        self.list().id(text)
    }

    /// Adds an item at the end; gives its id.
    #[track_caller]
    pub fn add(&self, text: &str) -> String {
        let written = self.add_items(json!([{ "Text": text }]));
        written.only("Created")["Id"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Adds items as the call takes them.
    #[track_caller]
    pub fn add_items(&self, items: Value) -> Written {
        Written(self.call("AddItems", json!({ "Items": items })).ok())
    }

    /// Sets the item of that text to done, whatever is on its screen.
    #[track_caller]
    pub fn tick(&self, text: &str) -> Written {
        self.set(text, "Done")
    }

    /// Sets it to open.
    #[track_caller]
    pub fn untick(&self, text: &str) -> Written {
        self.set(text, "Open")
    }

    /// Sets its status.
    #[track_caller]
    pub fn set(&self, text: &str, status: &str) -> Written {
        self.change(text, json!({ "Status": status }))
    }

    /// Changes fields of the item with that text.
    #[track_caller]
    pub fn change(&self, text: &str, fields: Value) -> Written {
        self.update(json!([with_id(fields, &self.id(text))]))
    }

    /// Changes items as the call takes them.
    #[track_caller]
    pub fn update(&self, items: Value) -> Written {
        Written(self.call("UpdateItems", json!({ "Items": items })).ok())
    }

    /// Gives the item another text, based on the version just read.
    #[track_caller]
    pub fn reword(&self, text: &str, new_text: &str) -> Written {
        let version = self.list().item(text)["Version"].clone();
        self.change(text, json!({ "Text": new_text, "BaseVersion": version }))
    }

    /// Deletes the item with that text.
    #[track_caller]
    pub fn delete(&self, text: &str) -> Written {
        Written(
            self.call("DeleteItems", json!({ "Ids": [self.id(text)] }))
                .ok(),
        )
    }

    /// Brings the list to the newest version of its template.
    #[track_caller]
    pub fn refresh(&self) -> Written {
        Written(self.call("RefreshItemsOnTemplateChange", json!({})).ok())
    }

    /// Says what a refresh would change.
    #[track_caller]
    pub fn try_refresh(&self) -> Written {
        Written(
            self.call("RefreshItemsOnTemplateChange", json!({ "DryRun": true }))
                .ok(),
        )
    }

    /// Takes an operation back.
    #[track_caller]
    pub fn undo(&self, operation: &str) -> Answer {
        self.call("Undo", json!({ "Undoes": operation }))
    }

    /// Locks the list.
    #[track_caller]
    pub fn lock(&self, reason: &str) -> Written {
        Written(
            self.call("Lock", json!({ "Locked": true, "Reason": reason }))
                .ok(),
        )
    }

    /// Unlocks the list.
    #[track_caller]
    pub fn unlock(&self) -> Written {
        Written(self.call("Lock", json!({ "Locked": false })).ok())
    }

    /// The journal's entries about this person's object.
    #[must_use]
    #[track_caller]
    pub fn journal(&self) -> Vec<Value> {
        let Place {
            object_type,
            object_id,
            ..
        } = &self.place;
        let page = self
            .get(&format!(
                "Journal?ObjectType={object_type}&ObjectId={object_id}"
            ))
            .ok();
        page["Entries"].as_array().cloned().unwrap_or_default()
    }

    /// The audit rows of the tenant, from the first.
    #[must_use]
    #[track_caller]
    pub fn audit(&self) -> Vec<Value> {
        let mut rows = Vec::new();
        let mut cursor = 0;
        loop {
            let page = self.get(&format!("Audit?After={cursor}")).ok();
            rows.extend(page["Rows"].as_array().cloned().unwrap_or_default());
            cursor = page["Cursor"].as_u64().unwrap_or(cursor);
            if page["More"] != true {
                return rows;
            }
        }
    }
}

/// Fields of an update, for the item of that id.
#[must_use]
pub fn with_id(mut fields: Value, id: &str) -> Value {
    fields["Id"] = json!(id);
    fields
}
