//! One type: its classes, whether it always writes the journal, and a template for each purpose.
//!
//! Says what is missing for a journal while the switches are being set.

use checklist_shared::wire::admin::{Class, TemplateRow, Type};
use gloo_net::http::Method;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{blank, journal_state};
use crate::api::{self, ApiError, Condition, Tagged};
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::navigation::link;
use crate::parts::dialog::dialog;
use crate::parts::field::{Field, switch};
use crate::parts::head::head;
use crate::parts::listing::whole;
use crate::parts::load::{alert, loaded, sentence};
use crate::route::{Route, encoded};
use crate::templates::list::{name_of, rows_of};
use crate::wording::{Wording, fill};

/// A type while it is being written. Purposes keep their order and may stand there twice until
/// it is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Draft {
    name: String,
    classes: Vec<Class>,
    always_journal: bool,
    /// Number, purpose, template.
    purposes: Vec<(u32, String, String)>,
}

#[derive(Clone, Copy)]
struct Form {
    app: App,
    is_new: bool,
    draft: RwSignal<Draft>,
    saved: RwSignal<Draft>,
    /// Whether what is wrong is shown; not before somebody has tried to save.
    tried: RwSignal<bool>,
    trouble: RwSignal<String>,
    busy: RwSignal<bool>,
    /// What has to be there for it to be written.
    seen: RwSignal<Condition>,
    /// Whether somebody else has saved the type meanwhile.
    is_overtaken: RwSignal<bool>,
}

/// What has to be there when a type is written that was read so.
fn seen(read: Option<&Tagged<Type>>) -> Condition {
    match read {
        None => Condition::New,
        Some(read) => match &read.tag {
            Some(tag) => Condition::Seen(tag.clone()),
            None => Condition::Any,
        },
    }
}

/// The page of a type that is not there yet.
pub fn new(app: App) -> AnyView {
    page_of(app, None)
}

/// The page of a type.
pub fn page(app: App, name: String) -> AnyView {
    page_of(app, Some(name))
}

fn page_of(app: App, name: Option<String>) -> AnyView {
    let read = move || {
        let name = name.clone();
        async move {
            let templates = whole(app, "Templates", rows_of).await?;
            let kind = match name {
                Some(name) => Some(api::get_tagged::<Type>(app, &path_of(&name)).await?),
                None => None,
            };
            Ok::<_, ApiError>((kind, templates))
        }
    };
    loaded(app, read, move |(kind, templates)| {
        form(app, kind, templates)
    })
}

fn path_of(name: &str) -> String {
    ["Types/", &encoded(name)].concat()
}

fn form(app: App, kind: Option<Tagged<Type>>, templates: Vec<TemplateRow>) -> AnyView {
    let words = app.language.platform_types();
    let is_new = kind.is_none();
    let seen = seen(kind.as_ref());
    let draft = Draft::of(kind.map_or_else(blank, |kind| kind.value));
    let title = if is_new {
        words.new.to_owned()
    } else {
        draft.name.clone()
    };
    let form = Form {
        app,
        is_new,
        saved: RwSignal::new(draft.clone()),
        draft: RwSignal::new(draft),
        tried: RwSignal::new(false),
        trouble: RwSignal::new(String::new()),
        busy: RwSignal::new(false),
        seen: RwSignal::new(seen),
        is_overtaken: RwSignal::new(false),
    };
    Effect::new(move |_| app.unsaved.set(form.is_changed()));
    all(vec![
        el("p")
            .class("crumbs")
            .el(link("quiet-link", &Route::Types).text(["← ", app.language.frame().types].concat()))
            .view(),
        head(app, &title, None, Vec::new()).view(),
        el("form")
            .class("narrow-form")
            .attr("novalidate", "")
            .on("submit", move |event| {
                event.prevent_default();
                form.save();
            })
            .maybe(is_new.then(|| {
                el("section")
                    .class("card panel")
                    .el(el("div").class("panel-body").el(name_field(form)))
            }))
            .el(classes(form))
            .el(purposes(form, templates))
            .live(move || {
                let trouble = form.trouble.get();
                if trouble.is_empty() {
                    nothing()
                } else {
                    alert(trouble).view()
                }
            })
            .el(el("div").class("buttons").el(el("button")
                .attr("type", "submit")
                .class("button primary")
                .follow_text(move || {
                    let words = app.language.frame();
                    if form.busy.get() {
                        words.saving
                    } else {
                        words.save
                    }
                    .to_owned()
                })))
            .view(),
        live(move || {
            if form.is_overtaken.get() {
                overtaken(form)
            } else {
                nothing()
            }
        }),
    ])
}

impl Draft {
    fn of(kind: Type) -> Self {
        let purposes = (1..)
            .zip(kind.templates)
            .map(|(number, (purpose, template))| (number, purpose, template));
        Self {
            name: kind.name,
            classes: kind.classes,
            always_journal: kind.always_journal,
            purposes: purposes.collect(),
        }
    }

    fn kind(&self) -> Type {
        Type {
            name: self.name.clone(),
            classes: self.classes.clone(),
            templates: self
                .purposes
                .iter()
                .map(|(_, purpose, template)| (purpose.trim().to_owned(), template.clone()))
                .collect(),
            always_journal: self.always_journal,
        }
    }

    fn last_number(&self) -> u32 {
        let numbers = self.purposes.iter().map(|(number, ..)| *number);
        numbers.max().unwrap_or(0)
    }

    fn has_name(&self) -> bool {
        let length = self.name.chars().count();
        (1..=200).contains(&length) && self.name != "*" && !self.name.chars().any(char::is_control)
    }

    fn is_twice(&self, number: u32) -> bool {
        let purpose = |wanted: u32| {
            self.purposes
                .iter()
                .find(|(own, ..)| *own == wanted)
                .map(|(_, purpose, _)| purpose.trim())
        };
        let own = purpose(number);
        self.purposes
            .iter()
            .any(|(other, purpose, _)| *other < number && Some(purpose.trim()) == own)
    }

    fn lacks_template(&self, number: u32) -> bool {
        self.purposes
            .iter()
            .any(|(own, _, template)| *own == number && template.is_empty())
    }

    fn is_sound(&self) -> bool {
        self.has_name()
            && self
                .purposes
                .iter()
                .all(|(number, ..)| !self.is_twice(*number) && !self.lacks_template(*number))
    }
}

impl Form {
    fn is_changed(self) -> bool {
        self.draft
            .with(|draft| self.saved.with(|saved| draft != saved))
    }

    /// Shows the type as it is on the server.
    fn load(self) {
        let path = path_of(&self.draft.with_untracked(|draft| draft.name.clone()));
        spawn_local(async move {
            match api::get_tagged::<Type>(self.app, &path).await {
                Ok(read) => {
                    let mut draft = Draft::of(read.value.clone());
                    // Rows are known by their numbers; new ones are drawn anew.
                    let last = self.draft.try_with_untracked(Draft::last_number);
                    for (number, ..) in &mut draft.purposes {
                        *number += last.unwrap_or_default();
                    }
                    self.seen.try_set(seen(Some(&read)));
                    self.saved.try_set(draft.clone());
                    self.draft.try_set(draft);
                    self.app
                        .say(self.app.language.platform_types().theirs_loaded);
                }
                Err(failure) => {
                    self.trouble.try_set(sentence(self.app, &failure));
                }
            }
        });
    }

    fn save(self) {
        let draft = self.draft.get_untracked();
        self.tried.set(true);
        self.trouble.set(String::new());
        if !draft.is_sound() {
            self.trouble
                .set(self.app.language.frame().failed_fields.to_owned());
            return;
        }
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        let condition = self.seen.get_untracked();
        spawn_local(async move {
            let kind = draft.kind();
            let path = path_of(&kind.name);
            let answer =
                api::send_if::<Type>(self.app, Method::PUT, &path, &kind, &condition).await;
            if self.busy.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(written) => {
                    self.saved.set(draft);
                    self.seen.set(seen(Some(&written)));
                    if self.is_new {
                        self.app.leave_for(Route::Type(written.value.name));
                    }
                    self.app.say(self.app.language.platform_types().saved);
                }
                Err(failure) if failure.status == 412 && condition == Condition::New => {
                    let taken = self.app.language.platform_types().taken;
                    self.trouble.set(taken.to_owned());
                }
                Err(failure) if failure.status == 412 => self.is_overtaken.set(true),
                Err(failure) => {
                    let told = failure.errors.first().map(|fault| fault.detail.clone());
                    self.trouble
                        .set(told.unwrap_or_else(|| sentence(self.app, &failure)));
                }
            }
        });
    }
}

/// The dialog when somebody else was faster. Escape keeps everything as it is on the screen.
fn overtaken(form: Form) -> AnyView {
    let app = form.app;
    let words = app.language.platform_types();
    let close = move || form.is_overtaken.set(false);
    let body = el("div")
        .class("dialog-body")
        .el(el("p").text(words.changed_hint))
        .el(el("div")
            .class("buttons end")
            .el(button("button", app.language.frame().cancel, close).focused())
            .el(button(
                "button solid-danger",
                words.overwrite_theirs,
                move || {
                    form.seen.set(Condition::Any);
                    close();
                    form.save();
                },
            ))
            .el(button("button primary", words.load_theirs, move || {
                form.load();
                close();
            })));
    dialog(words.changed_title, body.view(), close)
}

fn name_field(form: Form) -> El {
    let words = form.app.language.platform_types();
    let fault = move || {
        (form.tried.get() && !form.draft.with(Draft::has_name)).then(|| words.name_wrong.to_owned())
    };
    Field::new("type-name", words.name)
        .hint(words.name_hint)
        .fault(fault)
        .line("", move |name| {
            form.draft
                .update(|draft| draft.name = name.trim().to_owned());
        })
}

fn classes(form: Form) -> El {
    let words = form.app.language.platform_types();
    let class = |class: Class, label: &'static str, hint: &'static str| {
        switch(
            label,
            Some(hint),
            move || form.draft.with(|draft| draft.classes.contains(&class)),
            move |on| {
                form.draft.update(|draft| {
                    draft.classes.retain(|own| *own != class);
                    if on {
                        draft.classes.push(class);
                        draft
                            .classes
                            .sort_by_key(|class| *class == Class::ChecklistItem);
                    }
                });
            },
        )
    };
    let always = switch(
        words.always,
        Some(words.always_hint),
        move || form.draft.with(|draft| draft.always_journal),
        move |on| form.draft.update(|draft| draft.always_journal = on),
    );
    let state = Memo::new(move |_| {
        form.draft
            .with(|draft| journal_state(form.app, &draft.classes))
    });
    let told = el("p")
        .attr("role", "status")
        .follow("class", move || {
            Some(
                if state.get().0 {
                    "notice fine"
                } else {
                    "notice warn"
                }
                .to_owned(),
            )
        })
        .el(el("span").follow_text(move || state.get().1));
    el("section")
        .class("card panel")
        .attr("aria-labelledby", "classes-title")
        .el(el("div").class("panel-head").el(el("h2")
            .class("panel-title")
            .id("classes-title")
            .text(words.classes)))
        .el(el("div")
            .class("panel-body")
            .el(class(
                Class::UnitOfWork,
                words.unit_of_work,
                words.unit_of_work_hint,
            ))
            .el(class(
                Class::ChecklistItem,
                words.checklist_item,
                words.checklist_item_hint,
            ))
            .el(always)
            .el(told)
            .el(el("p").class("hint").text(words.at_once)))
}

fn purposes(form: Form, templates: Vec<TemplateRow>) -> El {
    let words = form.app.language.platform_types();
    let app = form.app;
    let published = templates
        .iter()
        .filter(|row| row.version > 0)
        .map(|row| (row.id.clone(), name_of(app, row).0));
    let options: Vec<(String, String)> = std::iter::once((String::new(), words.choose.to_owned()))
        .chain(published)
        .collect();
    let numbers = Memo::new(move |_| {
        form.draft.with(|draft| {
            draft
                .purposes
                .iter()
                .map(|(number, ..)| *number)
                .collect::<Vec<_>>()
        })
    });
    let rows = For(ForProps::builder()
        .each(move || numbers.get())
        .key(|number| *number)
        .children(move |number| purpose_row(form, number, &options).view())
        .build());
    let none = live(move || {
        if numbers.with(Vec::is_empty) {
            el("p").class("quiet").text(words.no_purposes).view()
        } else {
            nothing()
        }
    });
    let add = move || {
        form.draft.update(|draft| {
            let number = draft.last_number() + 1;
            draft.purposes.push((number, String::new(), String::new()));
        });
    };
    el("section")
        .class("card panel")
        .attr("aria-labelledby", "purposes-title")
        .el(el("div").class("panel-head").el(el("h2")
            .class("panel-title")
            .id("purposes-title")
            .text(words.purposes)))
        .el(el("div")
            .class("panel-body")
            .el(el("p").class("hint").text(words.purposes_hint))
            .child(none)
            .child(rows.into_any())
            .el(el("div")
                .class("buttons")
                .el(button("button", words.add_purpose, add))))
}

fn purpose_row(form: Form, number: u32, options: &[(String, String)]) -> El {
    let words = form.app.language.platform_types();
    let (_, purpose, template) = form
        .draft
        .with_untracked(|draft| {
            draft
                .purposes
                .iter()
                .find(|(own, ..)| *own == number)
                .cloned()
        })
        .unwrap_or_default();
    let change = move |act: &dyn Fn(&mut (u32, String, String))| {
        form.draft.update(|draft| {
            draft
                .purposes
                .iter_mut()
                .filter(|(own, ..)| *own == number)
                .for_each(act)
        });
    };
    let name = move || {
        let purpose = form.draft.with(|draft| {
            draft
                .purposes
                .iter()
                .find(|(own, ..)| *own == number)
                .map(|(_, purpose, _)| purpose.clone())
        });
        purpose
            .filter(|purpose| !purpose.is_empty())
            .unwrap_or_else(|| words.default_purpose.to_owned())
    };
    let twice = move || {
        form.draft
            .with(|draft| draft.is_twice(number))
            .then(|| words.twice.to_owned())
    };
    let lacking = move || {
        (form.tried.get() && form.draft.with(|draft| draft.lacks_template(number)))
            .then(|| words.no_template.to_owned())
    };
    let remove = button("button danger", "×", move || {
        form.draft
            .update(|draft| draft.purposes.retain(|(own, ..)| *own != number))
    })
    .follow("aria-label", move || {
        Some(fill(words.remove_purpose, &[("purpose", &name())]))
    });
    el("div")
        .class("purpose-row")
        .el(Field::new(format!("purpose-{number}"), words.purpose)
            .fault(twice)
            .line(purpose, move |text| change(&|row| row.1.clone_from(&text))))
        .el(Field::new(format!("template-{number}"), words.template)
            .fault(lacking)
            .choice(options.to_vec(), &template, move |id| {
                change(&|row| row.2.clone_from(&id))
            }))
        .el(remove)
}
