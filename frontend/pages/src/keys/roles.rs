//! The names of roles, and the boxes that choose them.

use checklist_shared::permission::{Permissions, Role};
use serde_json::json;

use crate::kit::*;

/// All roles, from the least to the most.
pub const ROLES: [Role; 8] = [
    Role::Reader,
    Role::Checker,
    Role::Editor,
    Role::Owner,
    Role::Auditor,
    Role::TemplateAdmin,
    Role::SiteOperator,
    Role::Admin,
];

/// Those that the tokens of an embed key can be given: all but administration.
pub const EMBEDDED: [Role; 7] = [
    Role::Reader,
    Role::Checker,
    Role::Editor,
    Role::Owner,
    Role::Auditor,
    Role::TemplateAdmin,
    Role::SiteOperator,
];

/// The name of a role on the wire.
#[must_use]
pub fn code(role: Role) -> String {
    json!(role).as_str().unwrap_or_default().to_owned()
}

/// The name of a role, and what it may do.
fn description(app: App, role: Role) -> &'static str {
    let words = app.language.keys();
    match role {
        Role::Reader => words.role_reader,
        Role::Checker => words.role_checker,
        Role::Editor => words.role_editor,
        Role::Owner => words.role_owner,
        Role::Auditor => words.role_auditor,
        Role::TemplateAdmin => words.role_template_admin,
        Role::SiteOperator => words.role_site_operator,
        Role::Admin => words.role_admin,
    }
}

/// The names of roles, for people.
#[must_use]
pub fn names(app: App, roles: &[Role]) -> String {
    let name = |role: &Role| {
        description(app, *role)
            .split(':')
            .next()
            .unwrap_or_default()
    };
    roles.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The largest roles that fit into the permissions, for people.
#[must_use]
pub fn fitting(app: App, permissions: Permissions) -> String {
    let fits = |role: &Role| permissions.holds(role.permissions());
    let on_lists = [Role::Owner, Role::Editor, Role::Checker, Role::Reader];
    let others = [Role::Auditor, Role::TemplateAdmin, Role::SiteOperator];
    let largest = on_lists.into_iter().find(fits);
    let roles: Vec<Role> = largest
        .into_iter()
        .chain(others.into_iter().filter(fits))
        .collect();
    names(app, &roles)
}

/// Boxes that choose the field `Roles`, of which at least one is needed.
pub fn check_boxes(form: Form, legend: &'static str, roles: &[Role]) -> AnyView {
    let app = use_app();
    let boxes = roles.iter().map(|role| {
        (
            form.contains("/Roles", &code(*role)),
            description(app, *role),
        )
    });
    let error = form.error_at("/Roles", move || {
        let is_empty = form.value("/Roles").as_array().is_none_or(Vec::is_empty);
        is_empty.then(|| app.language.keys().roles_needed.to_owned())
    });
    view! { <CheckBoxes legend boxes=boxes.collect() error /> }.into_any()
}
