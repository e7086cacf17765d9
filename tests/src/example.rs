//! The demo's types and templates, for servers that may not be in `--demo` because they keep
//! their data in PostgreSQL.
//!
//! Written once for all tests, through the web services like anybody's; `data` copies the result.

use serde_json::{Value, json};

use crate::data::{Data, Database};
use crate::host::HostKey;
use crate::place::incident;
use crate::server::Server;
use crate::setup::Setup;
use crate::template::publish;

/// The tenant of the demo.
pub const TENANT: &str = "demo";

const TEMPLATES: [&str; 5] = [
    include_str!("../../backend/src/demo/templates/incident-standard.json"),
    include_str!("../../backend/src/demo/templates/handover.json"),
    include_str!("../../backend/src/demo/templates/onboarding.json"),
    include_str!("../../backend/src/demo/templates/server-decommission-1.json"),
    include_str!("../../backend/src/demo/templates/server-decommission-2.json"),
];

/// A database with these in it, and nobody connected to it.
pub(crate) fn database() -> Database {
    let setup = Setup::for_hosts(&[HostKey::of(TENANT)]);
    let data = std::sync::Arc::new(Data::to_be_filled());
    let mut server = Server::open(setup, data.clone(), None);
    for template in TEMPLATES {
        let template: Value = serde_json::from_str(template).expect("the demo's template is JSON");
        publish(&server, &template);
    }
    let admin = server.as_admin().on(&incident("none"));
    for (name, classes, templates) in [
        (
            "incident",
            json!(["UnitOfWork", "ChecklistItem"]),
            json!({ "": "incident-standard", "handover-demo": "handover" }),
        ),
        (
            "task",
            json!(["ChecklistItem"]),
            json!({ "": "onboarding" }),
        ),
        (
            "asset",
            json!(["UnitOfWork"]),
            json!({ "": "server-decommission" }),
        ),
    ] {
        let kind = json!({ "Name": name, "Classes": classes, "Templates": templates });
        admin.put(&format!("Types/{name}"), &kind).ok();
    }
    server.stop();
    drop(server);
    std::sync::Arc::into_inner(data)
        .and_then(Data::into_database)
        .expect("the stopped server was the only one")
}
