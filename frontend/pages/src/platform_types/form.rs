//! One type: its classes, whether it always writes the journal, and a template for each purpose.
//!
//! In the draft, `Templates` is an object of rows by number: purposes keep their order while they
//! are typed, and may be there twice until the type is saved.

use checklist_shared::template::TemplateStatus;
use checklist_shared::wire::admin::{Class, TemplateRow, Type};
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::journal_state;
use crate::api::{Condition, Tagged};
use crate::kit::*;
use crate::templates::list::name_of;

#[derive(Clone, Copy)]
struct Page {
    app: App,
    form: Form,
    /// The version that a change is based on.
    base: RwSignal<Condition>,
}

/// The page of a new type.
pub fn new(app: App) -> AnyView {
    load_page(app, None)
}

/// The page of a type.
pub fn page(app: App, name: String) -> AnyView {
    load_page(app, Some(name))
}

fn load_page(app: App, name: Option<String>) -> AnyView {
    let read = move || {
        let name = name.clone();
        async move {
            let templates = read_all::<TemplateRow>(app, "Templates").await?;
            let kind = match name {
                Some(name) => Some(api::get_tagged::<Type>(app, &call(&name)).await?),
                None => None,
            };
            Ok::<_, ApiError>((kind, templates))
        }
    };
    load(read, move |(kind, templates)| {
        type_page(app, kind, templates)
    })
}

fn call(name: &str) -> String {
    ["Types/", &encoded(name)].concat()
}

fn base_of(read: &Tagged<Type>) -> Condition {
    match &read.tag {
        Some(tag) => Condition::Seen(tag.clone()),
        None => Condition::Any,
    }
}

fn draft_of(kind: &Type) -> Value {
    let rows = (1..).zip(&kind.templates);
    let rows: Map<String, Value> = rows
        .map(|(number, (purpose, template))| (key(number), row(purpose, template)))
        .collect();
    let mut draft = json!(kind);
    draft["Templates"] = rows.into();
    draft
}

fn row(purpose: &str, template: &str) -> Value {
    json!({ "Purpose": purpose, "Template": template })
}

/// The key of a row. Keys are sorted as the rows are.
fn key(number: u32) -> String {
    format!("{number:05}")
}

fn type_page(app: App, kind: Option<Tagged<Type>>, templates: Vec<TemplateRow>) -> AnyView {
    let words = app.language.platform_types();
    let (draft, base) = match &kind {
        Some(kind) => (draft_of(&kind.value), base_of(kind)),
        None => {
            let classes = [Class::UnitOfWork, Class::ChecklistItem];
            let empty =
                json!({ "Name": "", "Classes": classes, "Templates": {}, "AlwaysJournal": false });
            (empty, Condition::New)
        }
    };
    let page = Page {
        app,
        form: Form::new("type", &draft).guarded(),
        base: RwSignal::new(base),
    };
    let name_panel = kind.is_none().then(|| {
        let name = page.form.at("/Name").required();
        let bind = Binding::from(name).error({
            let error = page.form.error_at("/Name", move || page.name_error());
            move || error.get()
        });
        view! {
            <section class="card panel">
                <div class="panel-body"><Field bind label=words.name hint=words.name_hint /></div>
            </section>
        }
    });
    let delete = kind.is_some().then(|| {
        view! { <Button label=words.delete class="danger" click=move || page.delete() /> }
    });
    let title = kind.map_or_else(|| words.new.to_owned(), |kind| kind.value.name);
    view! {
        <BackLink to=Route::Types label=app.language.frame().types />
        <PageHead title>{delete}</PageHead>
        <PageForm form=page.form submit=move || page.save()>
            {name_panel}
            {classes(page)}
            {purposes(page, &templates)}
        </PageForm>
    }
    .into_any()
}

impl Page {
    fn name_error(self) -> Option<String> {
        let name = self.form.value("/Name");
        let name = name.as_str().unwrap_or_default();
        let is_valid = (1..=200).contains(&name.chars().count())
            && name != "*"
            && !name.chars().any(char::is_control);
        (!is_valid).then(|| self.app.language.platform_types().name_wrong.to_owned())
    }

    /// The rows by their keys. Tracked.
    fn rows(self) -> Map<String, Value> {
        let rows = self.form.value("/Templates");
        rows.as_object().cloned().unwrap_or_default()
    }

    /// Whether a row before this one has the same purpose. Tracked.
    fn is_duplicate(self, key: &str) -> bool {
        let rows = self.rows();
        let purpose = |row: &Value| {
            row["Purpose"]
                .as_str()
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        let own = rows.get(key).map(purpose);
        rows.iter()
            .any(|(other, row)| other.as_str() < key && Some(purpose(row)) == own)
    }

    fn add_row(self) {
        let mut rows = untrack(|| self.rows());
        let last = rows.keys().next_back().and_then(|key| key.parse().ok());
        rows.insert(key(last.unwrap_or(0) + 1), row("", ""));
        self.form.set("/Templates", rows.into());
    }

    fn remove_row(self, key: &str) {
        let mut rows = untrack(|| self.rows());
        rows.remove(key);
        self.form.set("/Templates", rows.into());
    }

    /// What is sent.
    fn request(self) -> Value {
        let rows = self.rows().into_values();
        let templates: Map<String, Value> = rows
            .map(|row| {
                let purpose = row["Purpose"].as_str().unwrap_or_default();
                (purpose.to_owned(), row["Template"].clone())
            })
            .collect();
        let mut request = self.form.value("");
        request["Templates"] = templates.into();
        request
    }

    fn save(self) {
        if !self.form.is_valid() {
            return;
        }
        let (app, words) = (self.app, self.app.language.platform_types());
        let (body, base) = (untrack(|| self.request()), self.base.get_untracked());
        let call = call(body["Name"].as_str().unwrap_or_default());
        let request = api::put_if::<Type>(app, &call, &body, &base);
        app.send_once(self.form.busy, request, move |answer| match answer {
            Ok(saved) => {
                if base == Condition::New {
                    app.leave_for(Route::Type(saved.value.name));
                } else {
                    self.show(&saved);
                }
                app.say(words.saved);
            }
            Err(error) if error.status == 412 && base == Condition::New => {
                self.form.alert.set(Some(words.taken.to_owned()));
            }
            Err(error) if error.status == 412 => self.show_conflict(),
            Err(error) => self.form.show_error(&error),
        });
    }

    /// Asks, and deletes the type.
    fn delete(self) {
        let (app, words) = (self.app, self.app.language.platform_types());
        let name = untrack(|| self.form.value("/Name"));
        let name = name.as_str().unwrap_or_default().to_owned();
        let with_name = |text| fill(text, &[("name", &name)]);
        let (title, done) = (with_name(words.delete_title), with_name(words.deleted));
        let call = call(&name);
        let question = Question::destructive(title, words.delete_hint, words.delete_now);
        app.confirm(question, move || {
            let (call, condition, done) = (call.clone(), self.base.get_untracked(), done.clone());
            let request = async move {
                api::act_if::<IgnoredAny>(app, Method::DELETE, &call, &condition).await
            };
            app.send_once(self.form.busy, request, move |answer| match answer {
                Ok(_) => {
                    app.leave_for(Route::Types);
                    app.say(done);
                }
                Err(error) if error.status == 412 => self.show_conflict(),
                Err(error) => self.form.alert.set(Some(error_sentence(app, &error))),
            });
        });
    }

    /// Shows the type as the server has it now.
    fn show(self, kind: &Tagged<Type>) {
        self.base.set(base_of(kind));
        self.form.reset(&draft_of(&kind.value));
    }

    fn show_conflict(self) {
        let app = self.app;
        let overwrite = move || {
            self.base.set(Condition::Any);
            self.save();
        };
        let reload = move || {
            let call = call(
                untrack(|| self.form.value("/Name"))
                    .as_str()
                    .unwrap_or_default(),
            );
            app.send(api::get_tagged(app, &call), move |kind| {
                self.show(&kind);
                app.say(app.language.frame().conflict_loaded);
            });
        };
        let hint = app.language.platform_types().changed_hint;
        app.show_conflict(hint, reload, Some(overwrite));
    }
}

fn classes(page: Page) -> AnyView {
    let (form, words) = (page.form, page.app.language.platform_types());
    let state = Memo::new(move |_| {
        let classes = serde_json::from_value::<Vec<Class>>(form.value("/Classes"));
        journal_state(page.app, &classes.unwrap_or_default())
    });
    let class = move || {
        if state.get().0 {
            "notice fine"
        } else {
            "notice warn"
        }
    };
    let unit_of_work = form.contains("/Classes", "UnitOfWork");
    let checklist_item = form.contains("/Classes", "ChecklistItem");
    view! {
        <Panel id="classes-title" title=words.classes>
            <Switch bind=unit_of_work label=words.has_journal hint=words.unit_of_work_hint />
            <Switch bind=checklist_item label=words.has_items hint=words.checklist_item_hint />
            <Switch bind=form.flag("/AlwaysJournal") label=words.always hint=words.always_hint />
            <p role="status" class=class><span>{move || state.get().1}</span></p>
            <p class="hint">{words.at_once}</p>
        </Panel>
    }
    .into_any()
}

fn purposes(page: Page, templates: &[TemplateRow]) -> AnyView {
    let (app, words) = (page.app, page.app.language.platform_types());
    let published = templates.iter().filter(|row| row.version > 0);
    let published = published.map(|row| {
        let name = name_of(app, row).0;
        let name = match row.status {
            TemplateStatus::Retired => fill(words.retired_template, &[("name", &name)]),
            TemplateStatus::Draft | TemplateStatus::Published => name,
        };
        (row.id.clone(), name)
    });
    let none = (String::new(), words.choose.to_owned());
    let options: Vec<(String, String)> = std::iter::once(none).chain(published).collect();
    let keys = Memo::new(move |_| {
        page.rows()
            .into_iter()
            .map(|(key, _)| key)
            .collect::<Vec<_>>()
    });
    let retired = templates
        .iter()
        .filter(|row| row.status == TemplateStatus::Retired);
    let retired: Vec<String> = retired.map(|row| row.id.clone()).collect();
    let names_retired = move || {
        let rows = page.rows();
        let mut named = rows.values().filter_map(|row| row["Template"].as_str());
        named
            .any(|id| retired.iter().any(|one| one == id))
            .then(|| view! { <p class="notice warn"><span>{words.retired_hint}</span></p> })
    };
    let empty = move || {
        let is_empty = keys.with(Vec::is_empty);
        is_empty.then(|| view! { <p class="quiet">{words.no_purposes}</p> })
    };
    view! {
        <Panel id="purposes-title" title=words.purposes>
            <p class="hint">{words.purposes_hint}</p>
            <div role="status">{names_retired}</div>
            {empty}
            <For
                each=move || keys.get()
                key=|key| key.clone()
                children=move |key| purpose_row(page, key, options.clone())
            />
            <div class="buttons"><Button label=words.add_purpose click=move || page.add_row() /></div>
        </Panel>
    }
    .into_any()
}

fn purpose_row(page: Page, key: String, options: Vec<(String, String)>) -> AnyView {
    let (form, words) = (page.form, page.app.language.platform_types());
    let at = |field: &str| ["/Templates/", &key, field].concat();
    let (purpose, template) = (at("/Purpose"), at("/Template"));
    let own = key.clone();
    // Said while it is typed, not only once somebody tries to save it.
    let duplicate = move || page.is_duplicate(&own).then(|| words.duplicate.to_owned());
    form.error_at(purpose.clone(), duplicate.clone());
    let own = template.clone();
    let missing = form.error_at(template.clone(), move || {
        (form.value(&own) == "").then(|| words.no_template.to_owned())
    });
    let own = purpose.clone();
    let name = move || {
        let purpose = form.value(&own);
        let name = purpose.as_str().filter(|name| !name.is_empty());
        fill(
            words.remove_purpose,
            &[("purpose", name.unwrap_or(words.default_purpose))],
        )
    };
    let purpose = Binding::from(form.at(purpose)).error(duplicate);
    let template = Binding::from(form.at(template)).error(move || missing.get());
    view! {
        <div class="purpose-row">
            <Field bind=purpose label=words.purpose />
            <Select bind=template label=words.template options />
            <button type="button" class="button danger" aria-label=name on:click=move |_| page.remove_row(&key)>
                "×"
            </button>
        </div>
    }
    .into_any()
}
