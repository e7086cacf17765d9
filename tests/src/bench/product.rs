//! The product, made ready to be measured: as in production, with a host's key, the journal on.

use checklist_shared::ItemId;
use checklist_shared::context::Context;
use serde_json::{Value, json};

use super::run::On;
use super::{ITEMS, LISTS};
use crate::host::HostKey;
use crate::place::incident;
use crate::server::Server;
use crate::setup::Setup;
use crate::template::{fragment, item, publish};

/// A server with written lists.
pub(super) struct Product {
    pub(super) server: Server,
    key: HostKey,
    /// For each of the first [`LISTS`] lists the ids of its items.
    pub(super) ids: Vec<Vec<String>>,
}

impl Product {
    /// With [`LISTS`] lists.
    pub(super) fn start(on: On) -> Self {
        Self::start_as(on, |setup| setup)
    }

    /// The same, of a server that is set up further.
    pub(super) fn start_as(on: On, further: impl FnOnce(Setup) -> Setup) -> Self {
        let product = Self::without_lists_as(on, further);
        for (list, ids) in product.ids.iter().enumerate() {
            let person = product.server.as_admin().on(&incident(&list.to_string()));
            // The first write makes the list; what is measured are the ones after it.
            person.update(json!([{ "Id": ids[0], "Note": "written" }]));
        }
        product
    }

    /// With the template that lists are made from, and none of them written yet.
    pub(super) fn without_lists(on: On) -> Self {
        Self::without_lists_as(on, |setup| setup)
    }

    fn without_lists_as(on: On, further: impl FnOnce(Setup) -> Setup) -> Self {
        let key = HostKey::of("bench");
        let setup = further(Setup::for_hosts(std::slice::from_ref(&key)));
        let server = match on {
            On::Sqlite => setup.start(),
            On::Postgres => setup.in_postgres().start(),
        };
        let text = |n: usize| format!("Item number {n} of the list, with a text of usual length");
        publish(
            &server,
            &fragment(
                "bench",
                (0..ITEMS).map(|n| item(&format!("k{n}"), &text(n))),
            ),
        );
        let admin = server.as_admin().on(&incident("0"));
        let kind = json!({
            "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"], "Templates": { "": "bench" }
        });
        admin.put("Types/incident", &kind).ok();
        let ids = (0..LISTS)
            .map(|list| (0..ITEMS).map(move |item| id_of(list, item).to_string()))
            .map(Iterator::collect)
            .collect();
        Self { server, key, ids }
    }

    /// A fresh token, which outlives a round.
    fn token(&self, subject: &str) -> String {
        let claims = self.key.claims(
            &self.server.base_url(),
            subject,
            &["Read", "Check", "UncheckOthers", "Edit"],
        );
        self.key.sign(&claims)
    }

    /// The head of a call; the body's length and the body follow.
    pub(super) fn head(&self, call: &str) -> String {
        self.head_of(call, "bench")
    }

    /// The same of a certain caller.
    pub(super) fn head_of(&self, call: &str, subject: &str) -> String {
        format!(
            "POST {}/{call} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n",
            crate::API,
            self.server.address,
            self.token(subject)
        )
    }
}

/// The context of a list.
pub(super) fn context(list: usize) -> Value {
    incident(&list.to_string()).context()
}

/// The id of an item, as every list that is projected from the template has it.
pub(super) fn id_of(list: usize, item: usize) -> ItemId {
    let context = Context::new("incident", &list.to_string(), "");
    ItemId::projected(&context, &format!("k{item}"))
}
