//! What every store has to do, told through the services: one suite for each database.
//!
//! A test crate opens a [`World`] on its database and calls `conformance!`; each case then runs
//! there under its own name. Nothing in here knows SQL.

pub mod catalogue;
pub mod directory;
pub mod following;
pub mod logs;
pub mod operations;
pub mod reading;
pub mod refreshing;
pub mod writing;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use checklist_server::app::App;
use checklist_server::auth::{ContextScope, Credential, Principal};
use checklist_server::clock::SettableClock;
use checklist_server::error::ServiceResult;
use checklist_server::services::checklist::{self, GetItemsAnswer};
use checklist_server::services::{audit, journal, platform_type, template};
use checklist_shared::Context;
use checklist_shared::id::ItemId;
use checklist_shared::item::{Actor, Status};
use checklist_shared::permission::{Permission, Permissions, Role};
use checklist_shared::template::Template;
use checklist_shared::wire::admin::{AuditRow, Class, JournalEntry, TokenContext, Type};
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::list::{GetItems, ListAnswer};
use checklist_shared::wire::write::{
    AddItem, AddItems, DeleteItems, UpdateItem, UpdateItems, WriteAnswer,
};

/// An empty store, a clock that the test moves, and whatever has to live as long.
pub struct World {
    pub app: App,
    pub clock: Arc<SettableClock>,
    pub _keep: Box<dyn std::any::Any + Send + Sync>,
}

/// Runs every case on the world that `$open` makes.
#[macro_export]
macro_rules! conformance {
    ($open:path; $($area:ident: $($case:ident),+ $(,)?;)+) => {
        $(mod $area {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $case() {
                let world = $open();
                $crate::conformance::$area::$case(&world).await;
                world.app.close().await.expect("the store closes");
            })+
        })+
    };
}

static BODIES: AtomicU64 = AtomicU64::new(1);

/// The hash of a body that no other request has.
pub fn body() -> [u8; 32] {
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&BODIES.fetch_add(1, Ordering::Relaxed).to_be_bytes());
    hash
}

/// The list that most cases are about.
pub fn incident() -> Context {
    Context::new("incident", "INC-1", "")
}

/// A person with that role on every list of the tenant `acme`.
pub fn person(id: &str, role: Role) -> Principal {
    Principal {
        tenant: "acme".to_owned(),
        actor: Actor::person(id, &format!("{id} Example")),
        permissions: role.permissions(),
        contexts: ContextScope::Any,
        languages: vec!["en".to_owned()],
        journal: false,
        template: None,
        idempotency_scope: format!("tests/{id}"),
        expires_at: None,
        credential: Credential::Own,
    }
}

pub fn anna() -> Principal {
    person("anna", Role::Owner)
}

pub fn ben() -> Principal {
    person("ben", Role::Owner)
}

pub fn admin() -> Principal {
    person("admin", Role::Admin)
}

/// The same person with these permissions alone.
pub fn only(mut principal: Principal, permissions: &[Permission]) -> Principal {
    principal.permissions = permissions.iter().copied().collect::<Permissions>();
    principal
}

/// The same person with a credential for that list alone.
pub fn on(mut principal: Principal, context: &Context) -> Principal {
    principal.contexts = ContextScope::Listed(vec![TokenContext {
        object_type: context.object_type.clone(),
        object_id: context.object_id.clone(),
        purpose: context.purpose.clone(),
        template_id: None,
    }]);
    principal
}

/// A template from JSON.
pub fn template_of(id: &str, items: serde_json::Value) -> Template {
    serde_json::from_value(serde_json::json!({
        "Id": id, "Key": id, "Name": {"en": format!("Template {id}"), "de": format!("Vorlage {id}")}, "Items": items,
    }))
    .expect("a template")
}

/// Five items: three at the top, and a section that holds two.
pub fn five() -> Template {
    template_of(
        "five",
        serde_json::json!([
            {"Key": "a", "Text": {"en": "Call back", "de": "Zurückrufen"}, "Required": true},
            {"Key": "b", "Text": {"en": "Write it down", "de": "Aufschreiben"}, "AllowNotApplicable": true,
             "NotApplicableNeedsReason": true},
            {"Key": "c", "Text": {"en": "Tell the team", "de": "Dem Team sagen"}, "DueOffset": "P1D"},
            {"Key": "s", "Kind": "Section", "Text": {"en": "After", "de": "Danach"}},
            {"Key": "s1", "ParentKey": "s", "Text": {"en": "Tidy up", "de": "Aufräumen"}},
            {"Key": "s2", "ParentKey": "s", "Text": {"en": "Go home", "de": "Heimgehen"}},
        ]),
    )
}

impl World {
    /// With the type `incident` (both classes, template `five`) in place.
    pub async fn with_incidents(&self) {
        self.publish(five()).await;
        self.put_type(
            "incident",
            &[Class::UnitOfWork, Class::ChecklistItem],
            &[("", "five")],
        )
        .await;
    }

    pub async fn publish(&self, template: Template) -> u32 {
        let id = template.id.clone();
        template::put_draft(&self.app, &admin(), &id, template)
            .await
            .expect("a draft");
        template::publish(&self.app, &admin(), &id)
            .await
            .expect("published")
            .version
    }

    pub async fn put_type(&self, name: &str, classes: &[Class], templates: &[(&str, &str)]) {
        let kind = Type {
            name: name.to_owned(),
            classes: classes.to_vec(),
            templates: templates
                .iter()
                .map(|(purpose, id)| ((*purpose).into(), (*id).into()))
                .collect(),
            always_journal: false,
        };
        platform_type::put(&self.app, &admin(), name, kind)
            .await
            .expect("a type");
    }

    pub async fn ask(
        &self,
        principal: &Principal,
        request: GetItems,
    ) -> ServiceResult<GetItemsAnswer> {
        checklist::get_items(&self.app, principal, request).await
    }

    pub async fn try_read(
        &self,
        principal: &Principal,
        context: &Context,
    ) -> ServiceResult<ListAnswer> {
        self.read_since(principal, context, None).await
    }

    pub async fn read_since(
        &self,
        principal: &Principal,
        context: &Context,
        since_revision: Option<u64>,
    ) -> ServiceResult<ListAnswer> {
        let request = GetItems {
            context: Some(context.clone()),
            since_revision,
            ..GetItems::default()
        };
        match self.ask(principal, request).await? {
            GetItemsAnswer::One(list) => Ok(*list),
            GetItemsAnswer::Many(_) => panic!("one context was asked for"),
        }
    }

    pub async fn read(&self, principal: &Principal, context: &Context) -> ListAnswer {
        self.try_read(principal, context).await.expect("a list")
    }

    /// The item of that English text.
    pub async fn item(&self, context: &Context, text: &str) -> ItemView {
        let list = self.read(&anna(), context).await;
        let item = list
            .items
            .unwrap_or_default()
            .into_iter()
            .find(|item| item.text == text);
        item.unwrap_or_else(|| panic!("there is no item '{text}'"))
    }

    pub async fn update(
        &self,
        principal: &Principal,
        context: &Context,
        operation: Option<&str>,
        items: Vec<UpdateItem>,
    ) -> ServiceResult<WriteAnswer> {
        let request = UpdateItems {
            context: context.clone(),
            operation_id: operation.map(str::to_owned),
            atomic: false,
            items,
            log_in_journal: None,
        };
        checklist::update_items(&self.app, principal, request, body()).await
    }

    /// Ticks the item of that English text.
    pub async fn tick(&self, principal: &Principal, context: &Context, text: &str) -> WriteAnswer {
        let id = self.item(context, text).await.id;
        self.update(principal, context, None, vec![status(id, Status::Done)])
            .await
            .expect("ticked")
    }

    pub async fn add(
        &self,
        principal: &Principal,
        context: &Context,
        operation: Option<&str>,
        items: Vec<AddItem>,
    ) -> ServiceResult<WriteAnswer> {
        let request = AddItems {
            context: context.clone(),
            operation_id: operation.map(str::to_owned),
            items,
            log_in_journal: None,
        };
        checklist::add_items(&self.app, principal, request, body()).await
    }

    pub async fn delete(
        &self,
        principal: &Principal,
        context: &Context,
        operation: Option<&str>,
        ids: Vec<ItemId>,
    ) -> ServiceResult<WriteAnswer> {
        let request = DeleteItems {
            context: context.clone(),
            operation_id: operation.map(str::to_owned),
            ids,
            log_in_journal: None,
        };
        checklist::delete_items(&self.app, principal, request, body()).await
    }

    /// The whole audit trail.
    pub async fn audit(&self, principal: &Principal) -> Vec<AuditRow> {
        let query = journal::LogQuery {
            limit: Some(500),
            ..journal::LogQuery::default()
        };
        audit::page(&self.app, principal, query)
            .await
            .expect("the audit trail")
            .rows
    }

    /// Journal entries past a cursor.
    pub async fn journal(&self, principal: &Principal, after: u64) -> Vec<JournalEntry> {
        let query = journal::LogQuery {
            after,
            ..journal::LogQuery::default()
        };
        journal::page(&self.app, principal, query)
            .await
            .expect("the journal")
            .entries
    }
}

/// Sets a status.
pub fn status(id: ItemId, status: Status) -> UpdateItem {
    UpdateItem {
        status: Some(status),
        ..UpdateItem::of(id)
    }
}

/// Adds an item of that text wherever the server puts it.
pub fn new(text: &str) -> AddItem {
    AddItem {
        id: None,
        text: text.to_owned(),
        kind: checklist_shared::item::Kind::Item,
        parent_id: None,
        after_id: None,
        before_id: None,
        required: false,
        help: None,
        note: None,
        assignee: None,
        due: None,
    }
}

/// The texts of a list in display order.
pub fn texts(list: &ListAnswer) -> Vec<&str> {
    list.items
        .iter()
        .flatten()
        .map(|item| item.text.as_str())
        .collect()
}
