//! People who may sign in, and their roles.

use checklist_shared::wire::access::User;
use serde_json::json;

use super::roles;
use crate::kit::*;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.keys();
    let list = PagedList::<User>::searchable("Users");
    let columns = Columns::new()
        .heading(words.name, |user: &User| {
            view! { <bdi>{user.name.clone()}</bdi><code class="id">{user.subject.clone()}</code> }
        })
        .cell(words.roles, move |user| roles::names(app, &user.roles))
        .cell_of("long", words.issuer, |user| user.issuer.clone())
        .cell(words.state, |user| match user.disabled {
            true => pill("bad", words.disabled),
            false => pill("", words.active),
        })
        .actions(words.actions, move |user| {
            let name = fill(words.edit_named, &[("name", &user.name)]);
            let user = user.clone();
            let edit = move || {
                let user = user.clone();
                app.show_dialog(move || form(app, list, Some(&user)));
            };
            view! { <Button label=words.edit name click=edit /> }
        });
    view! {
        <PageHead title=app.language.frame().people intro=words.people_intro>
            <Button label=words.people_new class="primary" click=move || app.show_dialog(move || form(app, list, None)) />
        </PageHead>
        <ResourceList list columns search=words.people_search_hint empty=(words.people_empty, words.people_empty_hint) />
    }
    .into_any()
}

fn form(app: App, list: PagedList<User>, user: Option<&User>) -> AnyView {
    let words = app.language.keys();
    let title = if user.is_some() {
        words.edit_title
    } else {
        words.people_new
    };
    let form = match user {
        Some(user) => Form::new("person", user),
        None => Form::new(
            "person",
            &json!({ "Name": "", "Issuer": "", "Subject": "", "Roles": [], "Disabled": false }),
        ),
    };
    let save = move || {
        form.submit(
            move |draft| api::put::<User>(app, "Users", draft),
            move |user| {
                app.close_dialog();
                app.say(fill(words.person_saved, &[("name", &user.name)]));
                list.reload();
            },
        );
    };
    let identity = user.is_none().then(|| {
        view! {
            <Field bind=form.at("/Issuer").required() label=words.issuer hint=words.issuer_hint />
            <Field bind=form.at("/Subject").required() label=words.subject hint=words.subject_hint />
        }
    });
    view! {
        <FormDialog form title action=app.language.frame().save submit=save>
            <Field bind=form.at("/Name").required() label=words.name />
            {identity}
            {roles::check_boxes(form, words.roles, &roles::ROLES)}
            <Switch bind=form.flag("/Disabled").inverted() label=words.may_sign_in />
        </FormDialog>
    }
    .into_any()
}
