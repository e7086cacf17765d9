//! Seeds the demo tenant with types, templates and computers.
//!
//! Writes through the services like any client. Idempotent: existing data stays as it is, even if
//! it was changed. Lists need no seed, as they are projected from their templates.

use std::collections::BTreeMap;

use checklist_shared::item::Actor;
use checklist_shared::patch::Patch;
use checklist_shared::problem::ProblemCode;
use checklist_shared::template::Template;
use checklist_shared::wire::admin::{Class, Type};
use checklist_shared::wire::connections::{ConnectionMethod, PutServiceConnection};

use checklist_auth::Principal;
use checklist_auth::demo::TENANT;
use checklist_services::app::App;
use checklist_services::computers::import::{self, Rows};
use checklist_services::computers::{self, ComputerQuery};
use checklist_services::connections::write;
use checklist_services::{platform_type, template};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::expected::ExpectedState;
use checklist_store::keyset::Keyset;

/// The versions of each template, oldest first.
const TEMPLATES: [(&str, &[&str]); 4] = [
    (
        "incident-standard",
        &[include_str!("templates/incident-standard.json")],
    ),
    ("handover", &[include_str!("templates/handover.json")]),
    ("onboarding", &[include_str!("templates/onboarding.json")]),
    (
        "server-decommission",
        &[
            include_str!("templates/server-decommission-1.json"),
            include_str!("templates/server-decommission-2.json"),
        ],
    ),
];

/// Creates what is missing; also a connection to `site`, if given.
///
/// # Errors
/// The store failed.
pub async fn seed(app: &App, site: Option<&str>) -> ServiceResult<()> {
    let author = author();
    let present = app.store().templates(TENANT, Keyset::whole()).await?;
    for (id, versions) in TEMPLATES {
        let published = present
            .iter()
            .find(|row| row.id == id)
            .map_or(0, |row| row.version);
        for version in versions
            .iter()
            .skip(usize::try_from(published).unwrap_or(usize::MAX))
        {
            let draft: Template = serde_json::from_str(version).map_err(|error| {
                ServiceError::new(
                    ProblemCode::Internal,
                    format!("the demo's template {id} is not valid: {error}"),
                )
            })?;
            template::put_draft(app, &author, id, draft, ExpectedState::Anything).await?;
            template::publish(app, &author, id, ExpectedState::Anything).await?;
        }
    }
    let present = app.store().types(TENANT).await?.types;
    for kind in demo_types() {
        if !present.iter().any(|other| other.name == kind.name) {
            let name = kind.name.clone();
            platform_type::put(app, &author, &name, kind.into(), ExpectedState::Anything).await?;
        }
    }
    let one = ComputerQuery {
        limit: Some(1),
        ..ComputerQuery::default()
    };
    if computers::list(app, &author, &one).await?.total == 0 {
        let rows = Rows::Computers(super::computers::all());
        import::run(app, &author, rows, false).await?;
    }
    if let Some(url) = site {
        connect(app, &author, url).await?;
    }
    Ok(())
}

/// Creates a service connection to `url`, unless one with that name exists.
async fn connect(app: &App, author: &Principal, url: &str) -> ServiceResult<()> {
    let wish = PutServiceConnection {
        name: "Demo site".to_owned(),
        method: Patch::Set(ConnectionMethod::Anonymous),
        url: url.to_owned(),
        ..PutServiceConnection::default()
    };
    match write::create(app, author, wish).await {
        Err(error) if error.code() != ProblemCode::NameTaken => Err(error),
        _ => Ok(()),
    }
}

/// A type with both classes, and two that lack one of them.
fn demo_types() -> [Type; 3] {
    let kind = |name: &str, classes: &[Class], templates: &[(&str, &str)]| Type {
        name: name.to_owned(),
        classes: classes.to_vec(),
        templates: templates
            .iter()
            .map(|(purpose, id)| ((*purpose).to_owned(), (*id).to_owned()))
            .collect::<BTreeMap<_, _>>(),
        always_journal: false,
    };
    [
        kind(
            "incident",
            &[Class::UnitOfWork, Class::ChecklistItem],
            &[("", "incident-standard"), ("handover-demo", "handover")],
        ),
        kind("task", &[Class::ChecklistItem], &[("", "onboarding")]),
        kind(
            "asset",
            &[Class::UnitOfWork],
            &[("", "server-decommission")],
        ),
    ]
}

fn author() -> Principal {
    Principal::of_program(TENANT, Actor::server("demo-setup", "Demo setup"))
}
