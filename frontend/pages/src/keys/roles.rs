//! Choosing roles.
//!
//! Called by the forms of API keys and people.

use checklist_shared::permission::Role;
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

/// The roles as boxes. `tried` says whether a missing choice is told.
pub fn choice(app: App, chosen: RwSignal<Vec<Role>>, tried: RwSignal<bool>) -> El {
    let words = app.language.keys();
    let boxes = ROLES.into_iter().map(|role| {
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
        .el(el("legend").class("label").text(words.roles))
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
