//! How a template looks that is being edited: its preview beside the fields, in one of its languages,
//! with facts that are tried out.
//!
//! The preview is the control's own drawing of what is on the screen, saved or not.

use std::collections::BTreeMap;

use checklist_control::preview::model::Preview;
use checklist_control::preview::view::{HeadingScope, PreviewView};
use checklist_shared::Facts;

use super::condition_form::{fact_names, number_binding};
use super::editor::Editor;
use super::publishing;
use crate::draft::{ComparisonFault, KnownFact, ValueType, known_facts};
use crate::kit::*;

/// The facts that are tried out.
#[derive(Clone, Copy)]
struct FactTrial {
    is_on: RwSignal<bool>,
    /// The facts that the conditions of the draft name.
    known: Memo<Vec<KnownFact>>,
    /// What was typed, by the name of the fact; numbers with a point.
    typed: RwSignal<BTreeMap<String, String>>,
}

/// The preview, and the versions below it.
pub fn preview(editor: Editor) -> AnyView {
    let words = editor.app.language.templates();
    let languages = editor.languages();
    let chosen = RwSignal::new(editor.app.language.tag().to_owned());
    let language = Memo::new(move |_| {
        let (languages, chosen) = (languages.get(), chosen.get());
        let is_known = languages.contains(&chosen);
        let first = languages.into_iter().next().unwrap_or_default();
        if is_known { chosen } else { first }
    });
    let trial = FactTrial::of(editor);
    // Drawn anew only when something that can be seen has changed.
    let preview = Memo::new(move |_| {
        let facts = trial.facts();
        let mut preview = editor
            .draft
            .with(|draft| Preview::of(&draft.template(), &language.get(), facts.as_ref()));
        if preview.title.is_empty() {
            words.new_title.clone_into(&mut preview.title);
        }
        preview
    });
    let choice = move || {
        let languages = languages.get();
        let bind = Binding::new(
            "preview-language",
            move || language.get_untracked(),
            move |tag| chosen.set(tag),
        );
        (languages.len() > 1).then(|| {
            let options = options(languages.iter().map(|tag| (tag.as_str(), tag.as_str())));
            view! { <Select bind label=words.preview_in options class="field inline-field" /> }
        })
    };
    let names = Memo::new(move |_| {
        let known = trial.known.get().into_iter();
        known.map(|fact| fact.name).collect::<Vec<_>>()
    });
    view! {
        <aside class="editor-side" aria-labelledby="preview-heading">
            <div class="side-head">
                <h2 class="panel-title" id="preview-heading">{words.preview}</h2>
                {choice}
            </div>
            {fact_names(names)}
            <div>{trial.view(editor.app)}</div>
            <div class="preview-stage">
                {move || view! { <PreviewView preview=preview.get() place=HeadingScope::Part /> }}
            </div>
            {publishing::versions(editor)}
        </aside>
    }
    .into_any()
}

impl FactTrial {
    fn of(editor: Editor) -> Self {
        Self {
            is_on: RwSignal::new(false),
            known: Memo::new(move |_| editor.draft.with(|draft| known_facts(&draft.template()))),
            typed: RwSignal::new(BTreeMap::new()),
        }
    }

    fn typed_of(self, fact: &KnownFact) -> String {
        let typed = self.typed.with(|typed| typed.get(&fact.name).cloned());
        typed.unwrap_or_default()
    }

    /// The facts to try; `None` where none are tried. Tracked.
    fn facts(self) -> Option<Facts> {
        let known = self.known.get();
        (self.is_on.get() && !known.is_empty()).then(|| {
            let facts = known.iter().filter_map(|fact| {
                let value = fact.read(&self.typed_of(fact)).ok().flatten()?;
                Some((fact.name.clone(), value))
            });
            facts.collect()
        })
    }

    /// The switch, and a field for each fact.
    fn view(self, app: App) -> impl Fn() -> Option<AnyView> + Send {
        let words = app.language.templates();
        let has_facts = Memo::new(move |_| self.known.with(|known| !known.is_empty()));
        let fields = move || {
            self.is_on.get().then(|| {
                let known = self.known.get().into_iter().enumerate();
                let fields: Vec<AnyView> =
                    known.map(|(at, fact)| self.field(app, at, fact)).collect();
                view! { <div class="form-fields">{fields}</div> }
            })
        };
        move || {
            has_facts.get().then(|| {
                let switch = Flag::new(move || self.is_on.get(), move |on| self.is_on.set(on));
                view! {
                    <section class="card panel padded" aria-label=words.try_facts>
                        <Switch bind=switch label=words.try_facts hint=words.try_facts_hint />
                        {fields}
                    </section>
                }
                .into_any()
            })
        }
    }

    fn field(self, app: App, at: usize, fact: KnownFact) -> AnyView {
        let words = app.language.templates();
        let (own, name, label) = (fact.clone(), fact.name.clone(), fact.name.clone());
        let text = move || untrack(|| self.typed_of(&own));
        let set = move |typed: String| {
            self.typed.update(|all| _ = all.insert(name.clone(), typed));
        };
        let bind = Binding::new(format!("try-fact-{at}"), text, set);
        match fact.value_type() {
            ValueType::Boolean => {
                let choices = options([
                    ("", words.unknown),
                    ("true", words.yes),
                    ("false", words.no),
                ]);
                view! { <Select bind label options=choices /> }.into_any()
            }
            ValueType::Number => {
                let error = move || {
                    let is_wrong =
                        fact.read(&self.typed_of(&fact)) == Err(ComparisonFault::NoNumber);
                    is_wrong.then(|| words.number_wrong.to_owned())
                };
                let bind = number_binding(app.language, bind.error(error));
                view! { <Field bind label /> }.into_any()
            }
            ValueType::Text => {
                let list = format!("try-fact-{at}-values");
                let values = fact.values.into_iter();
                let values: Vec<AnyView> = values
                    .map(|value| view! { <option value=value.to_string()></option> }.into_any())
                    .collect();
                view! {
                    <Field bind label suggestions=list.clone() />
                    <datalist id=list>{values}</datalist>
                }
                .into_any()
            }
        }
    }
}
