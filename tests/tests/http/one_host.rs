//! A server with one template, whose people come with tokens of one host and work on one list.

use checklist_tests::template::publish;
use checklist_tests::{HostKey, Person, Place, Server, incident};
use serde_json::{Value, json};

/// May read and check.
pub const CHECKER: [&str; 2] = ["Read", "Check"];

pub struct OneHost {
    host: HostKey,
    pub server: Server,
    /// The id of the template.
    template: String,
}

impl OneHost {
    pub fn with(template: &Value) -> Self {
        let (host, server) = Server::with_host();
        publish(&server, template);
        let template = template["Id"].as_str().expect("an id").to_owned();
        Self {
            host,
            server,
            template,
        }
    }

    pub fn checker(&self, id: &str) -> Person {
        self.person(id, &CHECKER)
    }

    pub fn person(&self, id: &str, permissions: &[&str]) -> Person {
        self.holder_of(&self.claims(id, permissions))
    }

    /// Whom that claim `act` names, who acts for that person.
    pub fn acting_for(&self, id: &str, permissions: &[&str], act: Value) -> Person {
        let mut claims = self.claims(id, permissions);
        claims["act"] = act;
        self.holder_of(&claims)
    }

    fn claims(&self, id: &str, permissions: &[&str]) -> Value {
        self.host.claims(&self.server.base_url(), id, permissions)
    }

    fn holder_of(&self, claims: &Value) -> Person {
        let anybody = self.server.as_reader("Rita").on(&self.place());
        anybody.with_token(&self.host.sign(claims))
    }

    /// A program with an API key as the call takes it.
    pub fn program(&self, key: &Value) -> Person {
        self.server.as_admin().on(&self.place()).program_as(key)
    }

    fn place(&self) -> Place {
        incident("1").from_template(&self.template)
    }

    pub fn admin(&self) -> Person {
        self.server.as_admin().on(&incident("1"))
    }

    /// Erases a person, and none of their words.
    pub fn erase_name(&self, id: &str) {
        let who = json!({ "Issuer": self.host.issuer, "Subject": id });
        self.admin().send("Users/Erase", &who).ok();
    }

    /// The same with the words of reasons, evidence and answers.
    pub fn erase(&self, id: &str) {
        let retention = json!({ "Texts": ["Reasons"] });
        self.admin().put("Retention", &retention).ok();
        self.erase_name(id);
    }
}
