//! People who may sign in, and their roles.

use checklist_shared::wire::access::{User, Users};
use gloo_net::http::Method;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::roles;
use crate::api;
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::parts::dialog::dialog;
use crate::parts::field::{Field, switch};
use crate::parts::head::{empty, head};
use crate::parts::listing::{Kind, listing, piece};
use crate::parts::load::{alert, sentence};
use crate::parts::table::card_table;
use crate::wording::{Wording, fill};

/// Whose fields are open: nobody's, a new person's, somebody's.
type Open = Option<Option<User>>;

#[derive(Clone, Copy)]
struct Page {
    app: App,
    epoch: RwSignal<u32>,
    open: RwSignal<Open>,
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.keys();
    let page = Page {
        app,
        epoch: RwSignal::new(0),
        open: RwSignal::new(None),
    };
    let actions = vec![button("button primary", words.people_new, move || {
        page.open.set(Some(None))
    })];
    all(vec![
        head(
            app,
            app.language.frame().people,
            Some(words.people_intro),
            actions,
        )
        .view(),
        listing(
            app,
            page.epoch,
            Kind {
                call: "Users",
                read: |app, call| piece(app, call, |page: Users| (page.users, page.next)),
                hint: words.people_search_hint,
                show: Box::new(move |users| table(page, users)),
                empty: Box::new(move || {
                    empty(words.people_empty, words.people_empty_hint, Vec::new())
                }),
            },
        ),
        live(move || match page.open.get() {
            Some(user) => form(page, user),
            None => nothing(),
        }),
    ])
}

fn table(page: Page, users: &[User]) -> El {
    let words = page.app.language.keys();
    let heads = [
        words.name,
        words.roles,
        words.issuer,
        words.state,
        words.actions,
    ];
    card_table(&heads, users.iter().map(|user| row(page, user)))
}

fn row(page: Page, user: &User) -> El {
    let words = page.app.language.keys();
    let names: Vec<&str> = user
        .roles
        .iter()
        .map(|role| roles::name(page.app.language, *role))
        .collect();
    let (class, state) = if user.disabled {
        ("pill bad", words.disabled)
    } else {
        ("pill", words.active)
    };
    let own = user.clone();
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .el(el("bdi").text(user.name.clone()))
            .el(el("code").class("id").text(user.subject.clone())))
        .el(el("td")
            .attr("data-label", words.roles)
            .text(names.join(", ")))
        .el(el("td")
            .class("long")
            .attr("data-label", words.issuer)
            .text(user.issuer.clone()))
        .el(el("td")
            .attr("data-label", words.state)
            .el(el("span").class(class).text(state)))
        .el(el("td")
            .class("toggle-cell")
            .el(button("button", words.edit, move || {
                page.open.set(Some(Some(own.clone())))
            })
            .attr(
                "aria-label",
                fill(words.edit_named, &[("name", &user.name)]),
            )))
}

fn form(page: Page, user: Option<User>) -> AnyView {
    let (app, words) = (page.app, page.app.language.keys());
    let is_new = user.is_none();
    let user = user.unwrap_or_else(|| User {
        issuer: String::new(),
        subject: String::new(),
        name: String::new(),
        roles: Vec::new(),
        disabled: false,
    });
    let chosen = RwSignal::new(user.roles.clone());
    let user = RwSignal::new(user);
    let (tried, trouble) = (RwSignal::new(false), RwSignal::new(String::new()));
    let save = move || {
        tried.set(true);
        let user = User {
            roles: chosen.get_untracked(),
            ..user.get_untracked()
        };
        if user.name.is_empty()
            || user.issuer.is_empty()
            || user.subject.is_empty()
            || user.roles.is_empty()
        {
            return;
        }
        spawn_local(async move {
            match api::send::<User>(app, Method::PUT, "Users", &user).await {
                Ok(user) => {
                    page.open.try_set(None);
                    page.epoch.try_update(|epoch| *epoch += 1);
                    app.say(fill(words.person_saved, &[("name", &user.name)]));
                }
                Err(failure) => {
                    let told = failure.errors.first().map(|fault| fault.detail.clone());
                    trouble.try_set(told.unwrap_or_else(|| sentence(app, &failure)));
                }
            }
        });
    };
    let missing = move |field: fn(&User) -> &String| {
        move || {
            (tried.get() && user.with(|user| field(user).is_empty()))
                .then(|| app.language.frame().fault_required.to_owned())
        }
    };
    let identity = is_new.then(|| {
        el("div")
            .class("form-fields")
            .el(Field::new("person-issuer", words.issuer)
                .hint(words.issuer_hint)
                .fault(missing(|user| &user.issuer))
                .line("", move |text| {
                    user.update(|user| text.trim().clone_into(&mut user.issuer))
                }))
            .el(Field::new("person-subject", words.subject)
                .hint(words.subject_hint)
                .fault(missing(|user| &user.subject))
                .line("", move |text| {
                    user.update(|user| text.trim().clone_into(&mut user.subject))
                }))
    });
    let body = el("form")
        .class("dialog-body")
        .attr("novalidate", "")
        .on("submit", move |event| {
            event.prevent_default();
            save();
        })
        .el(Field::new("person-name", words.name)
            .fault(missing(|user| &user.name))
            .line(user.with_untracked(|user| user.name.clone()), move |text| {
                user.update(|user| text.trim().clone_into(&mut user.name))
            }))
        .maybe(identity)
        .el(roles::choice(app, chosen, tried))
        .el(switch(
            words.may_sign_in,
            None,
            move || user.with(|user| !user.disabled),
            move |on| user.update(|user| user.disabled = !on),
        ))
        .live(move || {
            let trouble = trouble.get();
            if trouble.is_empty() {
                nothing()
            } else {
                alert(trouble).view()
            }
        })
        .el(el("div")
            .class("buttons end")
            .el(button("button", app.language.frame().cancel, move || {
                page.open.set(None)
            }))
            .el(el("button")
                .attr("type", "submit")
                .class("button primary")
                .text(app.language.frame().save)));
    dialog(
        if is_new {
            words.people_new
        } else {
            words.edit_title
        },
        body.view(),
        move || page.open.set(None),
    )
}
