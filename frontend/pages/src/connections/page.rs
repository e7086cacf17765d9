//! One service connection: its state, its form, its test, deleting it.

use checklist_shared::wire::connections::{
    ConnectionState, ServiceCapabilityProvider, ServiceCapabilityProviders, ServiceConnection,
};

use super::state::Page;
use super::{CALLS, call, connection_test, consent, draft, form};
use crate::kit::*;

/// The call that lists what can grant access.
const PROVIDERS: &str = "/api/Vendor/SiteActivities/ServiceCapabilityProviders";

/// The page of a new connection.
pub fn new(app: App) -> AnyView {
    load_page(app, None)
}

/// The page of a connection.
pub fn page(app: App, id: String) -> AnyView {
    load_page(app, Some(id))
}

fn load_page(app: App, id: Option<String>) -> AnyView {
    let read = move || {
        let id = id.clone();
        async move {
            let connection = match id {
                Some(id) => Some(api::get::<ServiceConnection>(app, &call(&id, "")).await?),
                None => None,
            };
            let providers = api::get::<ServiceCapabilityProviders>(app, PROVIDERS).await?;
            Ok::<_, ApiError>((connection, providers.service_capability_providers))
        }
    };
    load(read, move |(connection, providers)| {
        connection_page(app, connection, providers)
    })
}

fn connection_page(
    app: App,
    connection: Option<ServiceConnection>,
    providers: Vec<ServiceCapabilityProvider>,
) -> AnyView {
    let words = app.language.connections();
    let draft = connection.as_ref().map_or_else(draft::empty, draft::of);
    let form = Form::new("connection", &draft).guarded();
    let page = Page {
        app,
        form: form.explain_at(ProblemCode::NameTaken, "/Name", words.name_taken),
        connection: RwSignal::new(connection.clone()),
        test: RwSignal::new(None),
    };
    let name = Signal::derive(move || {
        page.connection.with(|connection| match connection {
            Some(connection) => connection.name.clone(),
            None => words.new.to_owned(),
        })
    });
    let delete = connection.as_ref().map(|_| {
        view! { <Button label=words.delete class="danger" click=move || page.delete() /> }
    });
    let is_ready = connection
        .as_ref()
        .is_some_and(|connection| connection.state == ConnectionState::Ready);
    // What the address says about a consent is old as soon as the connection is saved.
    let is_as_loaded = move || page.connection.with(|now| *now == connection);
    let notice = move || is_as_loaded().then(|| consent::return_notice(app, is_ready));
    view! {
        <BackLink to=Route::Connections label=app.language.frame().connections />
        <PageHead title=name>{delete}</PageHead>
        <div class="narrow-form">
            {notice}
            {move || page.connection.get().map(|connection| consent::panel(page, connection))}
            <PageForm form submit=move || page.save()>{form::fields(page, providers)}</PageForm>
            {page.id().map(|id| connection_test::panel(page, id))}
        </div>
    }
    .into_any()
}

impl Page {
    fn save(self) {
        if !self.form.is_valid() {
            return;
        }
        let (app, words) = (self.app, self.app.language.connections());
        let id = self.id();
        let is_new = id.is_none();
        let body = draft::request(&untrack(|| self.form.value("")));
        let request = match id {
            Some(id) => api::put::<ServiceConnection>(app, call(&id, ""), body),
            None => api::post(app, CALLS, body),
        };
        app.send_once(self.form.busy, request, move |answer| match answer {
            Ok(connection) => {
                if is_new {
                    app.leave_for(Route::Connection(connection.id));
                } else {
                    self.test.set(None);
                    self.show(connection);
                }
                app.say(words.saved);
            }
            Err(error) if error.is(ProblemCode::ConnectionChanged) => self.show_conflict(),
            Err(error) => self.form.show_error(&error),
        });
    }

    fn show_conflict(self) {
        let app = self.app;
        let reload = move || {
            let id = self.id().unwrap_or_default();
            app.send(api::get(app, &call(&id, "")), move |connection| {
                self.show(connection);
                app.say(app.language.frame().conflict_loaded);
            });
        };
        let hint = app.language.connections().changed_hint;
        app.show_conflict(hint, reload, None::<fn()>);
    }

    fn delete(self) {
        let (app, words) = (self.app, self.app.language.connections());
        let Some(connection) = self.connection.get_untracked() else {
            return;
        };
        let name = connection.name;
        let title = fill(words.delete_title, &[("name", &name)]);
        let question = Question::destructive(title, words.delete_hint, words.delete_now);
        let delete = move || api::delete(app, call(&connection.id, ""));
        app.confirm_and_send(question, delete, move |()| {
            app.leave_for(Route::Connections);
            app.say(fill(words.deleted, &[("name", &name)]));
        });
    }
}
