//! Somebody signed in, acting on one list, in sentences.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Answer, Http, json as with_json, send};
use crate::list::{List, Written};
use crate::place::Place;
use crate::server::Server;
use crate::{API, COMPUTERS, DELIVERIES, SITES, WEBHOOKS, WORKFLOWS};

/// Somebody signed in, acting on one list.
#[derive(Clone)]
pub struct Person {
    http: Http,
    /// The credential.
    pub token: String,
    /// What is shown instead by a browser that has signed in: `name=value`.
    cookie: Option<String>,
    /// The list.
    pub place: Place,
    language: Option<String>,
    prefix: &'static str,
}

impl Person {
    pub(crate) fn new(http: Http, token: String, place: &Place) -> Self {
        Self {
            http,
            token,
            cookie: None,
            place: place.clone(),
            language: None,
            prefix: API,
        }
    }

    /// The same person, asking another node.
    #[must_use]
    pub fn through(&self, node: &Server) -> Self {
        Self {
            http: node.http(),
            ..self.clone()
        }
    }

    /// The same person, asking by another way.
    #[must_use]
    pub fn over(&self, http: &Http) -> Self {
        Self {
            http: http.clone(),
            ..self.clone()
        }
    }

    /// The same person asking what is about sites.
    #[must_use]
    pub fn about_sites(&self) -> Self {
        Self {
            prefix: SITES,
            ..self.clone()
        }
    }

    /// The same person asking what is about computers.
    #[must_use]
    pub fn about_computers(&self) -> Self {
        Self {
            prefix: COMPUTERS,
            ..self.clone()
        }
    }

    /// The same person asking what is about runs of workflows.
    #[must_use]
    pub fn about_workflows(&self) -> Self {
        Self {
            prefix: WORKFLOWS,
            ..self.clone()
        }
    }

    /// The same person asking what is about webhooks.
    #[must_use]
    pub fn about_webhooks(&self) -> Self {
        Self {
            prefix: WEBHOOKS,
            ..self.clone()
        }
    }

    /// The same person asking what webhooks were sent.
    #[must_use]
    pub fn about_deliveries(&self) -> Self {
        Self {
            prefix: DELIVERIES,
            ..self.clone()
        }
    }

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

    /// A program with an API key of these roles, made by this administrator; on the same list.
    ///
    /// # Panics
    /// When no key is made.
    #[must_use]
    #[track_caller]
    pub fn program(&self, name: &str, roles: &[&str]) -> Self {
        self.program_as(&json!({ "Name": name, "Roles": roles }))
    }

    /// The same with a key as the call takes it.
    ///
    /// # Panics
    /// When no key is made.
    #[must_use]
    #[track_caller]
    pub fn program_as(&self, key: &Value) -> Self {
        let made = self.send("ApiKeys", key).ok();
        self.with_token(made["Secret"].as_str().expect("a secret"))
    }

    /// The same list in a browser that has this cookie, asked by a page of the server's own.
    #[must_use]
    pub fn with_cookie(&self, cookie: &str) -> Self {
        Self {
            cookie: Some(cookie.to_owned()),
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

    /// `DELETE` below the prefix.
    #[track_caller]
    pub fn remove(&self, path: &str) -> Answer {
        send(self.request(Method::DELETE, path))
    }

    /// A request below the prefix with this person's credential.
    pub fn request(&self, method: Method, path: &str) -> reqwest::blocking::RequestBuilder {
        let path = path.strip_prefix('/').unwrap_or(path);
        let slash = if path.is_empty() || path.starts_with('?') {
            ""
        } else {
            "/"
        };
        let request = self
            .http
            .request(method, &[self.prefix, slash, path].concat());
        let request = match &self.cookie {
            Some(cookie) => request
                .header("cookie", cookie)
                .header("sec-fetch-site", "same-origin"),
            None => request.bearer_auth(&self.token),
        };
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
        self.call("AddItems", json!({ "Items": items })).written()
    }

    /// Adds so many items, `Item 0` and so on; gives their ids.
    #[track_caller]
    pub fn add_many(&self, count: usize) -> Vec<String> {
        let texts = (0..count).map(|n| json!({ "Text": format!("Item {n}") }));
        let written = self.add_items(texts.collect());
        let ids = written.results().iter().map(|result| &result["Id"]);
        ids.filter_map(|id| id.as_str().map(str::to_owned))
            .collect()
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
        self.call("UpdateItems", json!({ "Items": items }))
            .written()
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
        self.call("DeleteItems", json!({ "Ids": [self.id(text)] }))
            .written()
    }

    /// Brings back the deleted items of these ids.
    #[track_caller]
    pub fn restore(&self, ids: &[&str]) -> Written {
        self.call("RestoreItems", json!({ "Ids": ids })).written()
    }

    /// The deleted items that are still kept.
    #[must_use]
    #[track_caller]
    pub fn deleted(&self) -> Vec<Value> {
        let answer = self
            .call("GetItems", json!({ "IncludeDeleted": true }))
            .ok();
        answer["Deleted"].as_array().expect("Deleted").clone()
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

    /// Waives the list.
    #[track_caller]
    pub fn waive(&self, reason: &str) -> Written {
        Written(self.call("Waive", json!({ "Reason": reason })).ok())
    }

    /// Revokes the waiver of the list.
    #[track_caller]
    pub fn revoke_waiver(&self, reason: &str) -> Written {
        let body = json!({ "Reason": reason, "Revoke": true });
        Written(self.call("Waive", body).ok())
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

    /// The audit rows of the tenant's checklists; what administrators do is not among them.
    #[must_use]
    #[track_caller]
    pub fn audit_of_lists(&self) -> Vec<Value> {
        let mut rows = self.audit();
        rows.retain(|row| row["Category"] == "Checklist");
        rows
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
