//! People who may sign in, and their roles.

use checklist_shared::wire::access::{CreatedAdminLink, User, UserRef};
use serde::de::IgnoredAny;
use serde_json::json;
use wasm_bindgen_futures::spawn_local;

use super::{last, retention, roles};
use crate::api::Condition;
use crate::app::Session;
use crate::kit::*;
use crate::route::UserSearch;

/// How many people are read at a time.
const PAGE_SIZE: usize = 100;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.keys();
    let search = search_of(|route| match route {
        Route::Users(search) => Some(search),
        _ => None,
    });
    let address =
        move |after: Option<&str>| search.with(|search| search.call("Users", PAGE_SIZE, after));
    let list = PagedList::<User>::new(address, "Users");
    let list = list.filtered_when(move || !search.with(UserSearch::is_empty));
    let columns = Columns::new()
        .heading(words.name, |user: &User| {
            view! {
                <bdi>{user.name.clone()}</bdi>
                <code class="id">{user.subject.clone()}</code>
                <small class="id">{user.issuer.clone()}</small>
            }
        })
        .cell(words.roles, move |user| roles::names(app, &user.roles))
        .cell(words.state, |user| match user.disabled {
            true => pill("bad", words.disabled),
            false => pill("", words.active),
        })
        .cell_of("when", words.last_sign_in, |user| {
            last(user.last_sign_in_at)
        })
        .actions(words.actions, move |user| actions(app, *list, user));
    // Without an identity provider that is how people come in.
    let is_local = matches!(app.session.get_untracked(), Session::SignedIn(person) if !person.oidc);
    let new_class = if is_local { "outlined" } else { "primary" };
    let by_link = is_local.then(|| {
        view! { <Button label=words.admin_new class="primary" click=move || invite_administrator(app) /> }
    });
    view! {
        <PageHead title=app.language.frame().people intro=words.people_intro>
            <Button label=words.retention click=move || retention::open(app) />
            {by_link}
            <Button label=words.people_new class=new_class click=move || app.show_dialog(move || form(app, *list, None)) />
        </PageHead>
        {search_view(app, search)}
        <ResourceList list columns count=default_count(*list) empty=(words.people_empty, words.people_empty_hint) />
    }
    .into_any()
}

fn search_view(app: App, search: Memo<UserSearch>) -> AnyView {
    let words = app.language.keys();
    let form = search_fields(search);
    let any = (String::new(), words.any_role.to_owned());
    let roles = roles::ROLES.map(|role| (roles::code(role), roles::names(app, &[role])));
    let options: Vec<_> = std::iter::once(any).chain(roles).collect();
    let fields = view! {
        <Field bind=form.at("/Search") label=words.people_search_hint kind="search" />
        <Select bind=form.at("/Role") label=words.role options />
    };
    search_form(form, search, Route::Users, fields.into_any(), None)
}

/// Makes a one-time link for another administrator, and shows it.
fn invite_administrator(app: App) {
    let words = app.language.keys();
    let question = Question::harmless(
        words.admin_new_title,
        words.admin_new_hint,
        words.admin_new_now,
    );
    app.confirm_and_send(
        question,
        move || api::act::<CreatedAdminLink>(app, Method::POST, "Users/AdminLink"),
        move |created| {
            let title = words.admin_link_title.to_owned();
            app.show_once(title, created.link, words.admin_link_hint);
        },
    );
}

fn actions(app: App, list: List, user: &User) -> AnyView {
    let words = app.language.keys();
    let with_name = |text| fill(text, &[("name", &user.name)]);
    let edited = user.clone();
    let edit = move || {
        let user = edited.clone();
        app.show_dialog(move || form(app, list, Some(&user)));
    };
    let question = Question::destructive(
        with_name(words.end_sessions_title),
        words.end_sessions_hint,
        words.end_sessions_now,
    );
    let done = with_name(words.end_sessions_done);
    let end_sessions = about(app, list, user, "Users/EndSessions", question, done);
    let question = Question::destructive(
        with_name(words.delete_title),
        words.delete_hint,
        words.delete_now,
    );
    let done = with_name(words.deleted);
    let delete = about(app, list, user, "Users/Delete", question, done);
    let question = Question::destructive(
        with_name(words.erase_title),
        words.erase_hint,
        words.erase_now,
    );
    let done = with_name(words.erase_done);
    let erase = about(app, list, user, "Users/Erase", question, done);
    view! {
        <span class="row-buttons">
            <Button label=words.edit name=with_name(words.edit_named) click=edit />
            <Button label=words.end_sessions name=with_name(words.end_sessions_named) click=end_sessions />
            <Button label=words.delete name=with_name(words.delete_named) class="danger" click=delete />
            <Button label=words.erase name=with_name(words.erase_named) class="danger" click=erase />
        </span>
    }
    .into_any()
}

/// Asks, makes a call about a person and says that it is done.
fn about(
    app: App,
    list: List,
    user: &User,
    call: &'static str,
    question: Question,
    done: String,
) -> impl Fn() + use<> + 'static {
    let words = app.language.keys();
    let who = UserRef {
        issuer: user.issuer.clone(),
        subject: user.subject.clone(),
    };
    move || {
        let (who, done) = (who.clone(), done.clone());
        app.confirm(question.clone(), move || {
            let (who, done) = (who.clone(), done.clone());
            let request = api::post::<IgnoredAny>(app, call, who);
            spawn_local(async move {
                match request.await {
                    Ok(_) => app.say(done),
                    Err(error) if error.is(ProblemCode::LastAdministrator) => {
                        app.say(words.last_administrator);
                    }
                    Err(error) if error.status == 404 => app.say(words.person_gone),
                    Err(error) => app.say(error_sentence(app, &error)),
                }
                list.reload();
            });
        });
    }
}

fn form(app: App, list: List, user: Option<&User>) -> AnyView {
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
    // Saving what somebody else has deleted meanwhile must not bring it back.
    let condition = if user.is_some() {
        Condition::Seen("*".to_owned())
    } else {
        Condition::Any
    };
    let save = move || {
        let condition = condition.clone();
        form.submit(
            move |draft| async move {
                let saved = api::put_if::<User>(app, "Users", &draft, &condition);
                match saved.await {
                    Ok(saved) => Ok(saved.value),
                    Err(mut error) => {
                        if error.status == 404 {
                            words.person_gone.clone_into(&mut error.detail);
                        }
                        Err(error)
                    }
                }
            },
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
