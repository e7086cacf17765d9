//! A server with one template, whose people come with tokens of one host and work on one list.

use checklist_tests::template::publish;
use checklist_tests::{HostKey, Person, Server, incident};
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
        let claims = self.host.claims(&self.server.base_url(), id, permissions);
        let anybody = self.server.as_reader("Rita");
        let anybody = anybody.on(&incident("1").from_template(&self.template));
        anybody.with_token(&self.host.sign(&claims))
    }

    pub fn admin(&self) -> Person {
        self.server.as_admin().on(&incident("1"))
    }

    /// Erases a person, with the words of reasons, evidence and answers.
    pub fn erase(&self, id: &str) {
        let admin = self.admin();
        let retention = json!({ "Texts": ["Reasons"] });
        admin.put("Retention", &retention).ok();
        let claims = self.host.claims(&self.server.base_url(), id, &CHECKER);
        let who = json!({ "Issuer": claims["iss"], "Subject": id });
        admin.send("Users/Erase", &who).ok();
    }
}
