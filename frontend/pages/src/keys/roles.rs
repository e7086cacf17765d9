//! Choosing roles.

use checklist_shared::permission::{Permissions, Role};
use leptos::prelude::*;

use crate::app::App;
use crate::element::{El, el, live, nothing};
use crate::parts::field::tick;
use crate::wording::{Language, Wording};

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
const EMBEDDED: [Role; 7] = [
    Role::Reader,
    Role::Checker,
    Role::Editor,
    Role::Owner,
    Role::Auditor,
    Role::TemplateAdmin,
    Role::SiteOperator,
];

/// What a role is called, and what it may do.
#[must_use]
pub fn about(language: Language, role: Role) -> &'static str {
    let words = language.keys();
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

/// The name alone.
#[must_use]
pub fn name(language: Language, role: Role) -> &'static str {
    let about = about(language, role);
    about.split_once(':').map_or(about, |(name, _)| name)
}

/// The largest roles that fit into the permissions, for people.
#[must_use]
pub fn fitting(language: Language, permissions: Permissions) -> String {
    let fits = |role: &Role| permissions.holds(role.permissions());
    let on_lists = [Role::Owner, Role::Editor, Role::Checker, Role::Reader];
    let beside = [Role::Auditor, Role::TemplateAdmin, Role::SiteOperator];
    let largest = on_lists.into_iter().find(fits);
    let names: Vec<&str> = largest
        .into_iter()
        .chain(beside.into_iter().filter(fits))
        .map(|role| name(language, role))
        .collect();
    names.join(", ")
}

/// The roles as boxes. `tried` says whether a missing choice is told.
pub fn choice(app: App, chosen: RwSignal<Vec<Role>>, tried: RwSignal<bool>) -> El {
    boxes(app, app.language.keys().roles, &ROLES, chosen, tried)
}

/// The roles that the tokens of an embed key may have at most.
pub fn ceiling(app: App, chosen: RwSignal<Vec<Role>>, tried: RwSignal<bool>) -> El {
    boxes(app, app.language.keys().ceiling, &EMBEDDED, chosen, tried)
}

fn boxes(
    app: App,
    legend: &'static str,
    roles: &'static [Role],
    chosen: RwSignal<Vec<Role>>,
    tried: RwSignal<bool>,
) -> El {
    let words = app.language.keys();
    let boxes = roles.iter().copied().map(move |role| {
        tick(
            about(app.language, role),
            move || chosen.with(|chosen| chosen.contains(&role)),
            move |on| {
                chosen.update(|chosen| {
                    chosen.retain(|own| *own != role);
                    if on {
                        chosen.push(role);
                    }
                });
            },
        )
    });
    el("fieldset")
        .class("field")
        .el(el("legend").class("label").text(legend))
        .el(el("div").class("ticks").els(boxes))
        .child(live(move || {
            if tried.get() && chosen.with(Vec::is_empty) {
                el("p")
                    .class("hint danger")
                    .attr("role", "alert")
                    .text(words.roles_needed)
                    .view()
            } else {
                nothing()
            }
        }))
}
