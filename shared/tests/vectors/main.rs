//! Runs the public test vectors in `shared/vectors/`, natively and in WASM.
//!
//! A vector is a story: a template, steps that people take, and what the list looks like
//! afterwards. `@key` stands for the id that a template key projects to, `@template/key` for that of
//! an appended item, `+name` for the id of an item that somebody added. Expectations name only the fields they care about.

mod audit;
mod conditions;
mod due_dates;
mod due_notice;
mod export;

use std::collections::BTreeMap;

use checklist_shared::apply_template::apply_template;
use checklist_shared::change::{Applied, Session, apply};
use checklist_shared::item::{Actor, ActorKind, ActorMode, Origin};
use checklist_shared::limits::Limits;
use checklist_shared::permission::{Permissions, Role};
use checklist_shared::signal::bound_items;
use checklist_shared::text::text_hash;
use checklist_shared::undo::UndoRecord;
use checklist_shared::waiver;
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::signals::SignalReport;
use checklist_shared::wire::write::{AddItem, ProposeItem, RefreshChange, UpdateItem};
use checklist_shared::{
    Checklist, Context, Facts, ItemId, Template, Timestamp, order, progress, projection, refresh,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct File {
    #[serde(rename = "About")]
    _about: String,
    #[serde(default)]
    templates: BTreeMap<String, Template>,
    vectors: Vec<Vector>,
    // Not stories; see `conditions`.
    #[serde(default, rename = "Evaluations")]
    _evaluations: Value,
    #[serde(default, rename = "Refused")]
    _refused: Value,
    #[serde(default, rename = "Pointers")]
    _pointers: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Vector {
    name: String,
    #[serde(default)]
    template: Option<String>,
    /// Of the list when it is projected.
    #[serde(default)]
    facts: Facts,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    steps: Vec<Step>,
    after: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Step {
    #[serde(default)]
    by: Option<String>,
    /// A person without.
    #[serde(default)]
    kind: Option<ActorKind>,
    #[serde(default)]
    mode: Option<ActorMode>,
    /// For which person it acts.
    #[serde(default, rename = "For")]
    acts_for: Option<String>,
    #[serde(default)]
    role: Option<Role>,
    #[serde(default)]
    add: Option<Value>,
    #[serde(default)]
    update: Option<Value>,
    #[serde(default)]
    propose: Option<Value>,
    /// A report without `Context`; at the first item that is bound to its signal.
    #[serde(default)]
    signal: Option<Value>,
    #[serde(default)]
    delete: Option<Value>,
    #[serde(default)]
    refresh: Option<String>,
    /// With `Refresh`: the facts that the list gets; without, it keeps its own.
    #[serde(default)]
    facts: Option<Facts>,
    #[serde(default)]
    apply: Option<String>,
    #[serde(default)]
    undo: Option<usize>,
    /// Why the list is waived.
    #[serde(default)]
    waive: Option<String>,
    /// Why the waiver is revoked.
    #[serde(default)]
    revoke: Option<String>,
    /// `Changed`, `Unchanged`, or the code of the problem.
    outcome: String,
    #[serde(default)]
    changes: Option<Vec<(String, String)>>,
}

fn id(context: &Context, name: &str) -> Option<ItemId> {
    if let Some(key) = name.strip_prefix('@') {
        Some(match key.split_once('/') {
            Some((template, key)) => ItemId::appended(context, template, key),
            None => ItemId::projected(context, key),
        })
    } else {
        name.strip_prefix('+').map(|name| {
            let mut random = [0; 10];
            for (at, byte) in name.bytes().take(10).enumerate() {
                random[at] = byte;
            }
            ItemId::from_millis_and_random(1_700_000_000_000, random)
        })
    }
}

/// Replaces `@key` and `+name` by ids, and `#text` by the hash of the text.
fn substitute(value: &mut Value, context: &Context) {
    match value {
        Value::String(text) => {
            if let Some(id) = id(context, text) {
                *text = id.to_string();
            } else if let Some(seen) = text.strip_prefix('#') {
                *text = text_hash(seen);
            }
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| substitute(value, context)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|value| substitute(value, context)),
        _ => {}
    }
}

fn assert_contains(found: &Value, wanted: &Value, at: &str) {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            for (name, value) in wanted {
                assert_contains(
                    found.get(name).unwrap_or(&Value::Null),
                    value,
                    &format!("{at}/{name}"),
                );
            }
        }
        (Value::Array(items), Value::Array(wanted)) => {
            assert_eq!(
                items.len(),
                wanted.len(),
                "{at}: how many there are, in {items:#?}"
            );
            for (index, (found, wanted)) in items.iter().zip(wanted).enumerate() {
                assert_contains(found, wanted, &format!("{at}/{index}"));
            }
        }
        _ => assert_eq!(found, wanted, "{at}"),
    }
}

fn run(file: &str) {
    let file: File = serde_json::from_str(file).expect("the vectors are valid JSON of their shape");
    assert!(!file.vectors.is_empty());
    for vector in &file.vectors {
        run_vector(vector, &file.templates);
    }
}

fn run_vector(vector: &Vector, templates: &BTreeMap<String, Template>) {
    let context = Context::new("incident", "INC-1", "");
    let start = Timestamp::from_millis(1_790_000_000_000);
    let limits = Limits {
        items: vector.limit.unwrap_or(200),
        ..Limits::default()
    };
    let mut list = projection::project_with(
        &context,
        vector.template.as_ref().map(|name| &templates[name]),
        vector.facts.clone(),
        start,
    );
    let mut undo: Vec<UndoRecord> = Vec::new();

    for (number, step) in vector.steps.iter().enumerate() {
        let at = format!("{}, step {}", vector.name, number + 1);
        let by = step.by.as_deref().unwrap_or("ada");
        let mut actor = Actor::of(step.kind.unwrap_or(ActorKind::Person), by, by);
        actor.mode = step.mode;
        let person = step.acts_for.as_deref();
        actor.on_behalf_of = person.map(|id| Box::new(Actor::person(id, id)));
        let session = Session {
            actor: &actor,
            permissions: step.role.map_or_else(Permissions::all, Role::permissions),
            now: Timestamp::from_millis(start.as_millis() + 60_000 * (number as i64 + 1)),
            limits: &limits,
            languages: &["en"],
        };
        let before = list.clone();
        let outcome = take(step, &mut list, &context, templates, &undo, &session, &at);
        assert_eq!(outcome, step.outcome, "{at}");
        if outcome == "Changed" {
            list.revision += 1;
        } else {
            assert_eq!(
                list, before,
                "{at}: a step that changes nothing leaves no trace"
            );
        }
        undo.push(UndoRecord::between(&before, &list));
    }

    let progress = progress::of(&list);
    let items: Vec<ItemView> = order::display(&list)
        .into_iter()
        .map(|item| ItemView::of(item, &["en"]))
        .collect();
    let found = json!({
        "State": progress.state,
        "Completed": progress.state.is_completed(),
        "MayPass": progress.state.may_pass(),
        "Waived": list.waived,
        "Counts": progress.counts,
        "Blockers": progress.blockers,
        "Items": items,
        "Facts": list.facts,
        "TemplateVersion": list.template.as_ref().map(|template| template.version),
    });
    let mut after = vector.after.clone();
    substitute(&mut after, &context);
    assert_contains(&found, &after, &vector.name);
}

fn take(
    step: &Step,
    list: &mut Checklist,
    context: &Context,
    templates: &BTreeMap<String, Template>,
    undo: &[UndoRecord],
    session: &Session<'_>,
    at: &str,
) -> String {
    let read = |value: &Value| {
        let mut value = value.clone();
        substitute(&mut value, context);
        value
    };
    if let Some(key) = &step.refresh {
        let target = &templates[key];
        let base = list.template.as_ref().and_then(|template| {
            templates
                .values()
                .find(|known| known.id == template.id && known.version == template.version)
        });
        let facts = step.facts.clone().unwrap_or_else(|| list.facts.clone());
        return match refresh::refresh_with(list, base, target, facts, session) {
            Err(code) => format!("{code:?}"),
            Ok(refreshed) => {
                if let Some(wanted) = &step.changes {
                    let found: Vec<(String, String)> = refreshed
                        .changes
                        .iter()
                        .map(
                            |RefreshChange {
                                 case, template_key, ..
                             }| {
                                (format!("{case:?}"), template_key.clone())
                            },
                        )
                        .collect();
                    assert_eq!(&found, wanted, "{at}: the cases");
                }
                let changed = if refreshed.events.is_empty() {
                    "Unchanged"
                } else {
                    "Changed"
                };
                changed.to_owned()
            }
        };
    }
    if let Some(key) = &step.apply {
        return match apply_template(list, &templates[key], session) {
            Err(code) => format!("{code:?}"),
            Ok(application) if application.ids.is_empty() => "Unchanged".to_owned(),
            Ok(_) => "Changed".to_owned(),
        };
    }
    if let Some(number) = step.undo {
        return match undo[number - 1].restore(list, session) {
            Ok(_) => "Changed".to_owned(),
            Err(reason) => format!("{reason:?}")
                .split('(')
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
    }
    let waived = match (&step.waive, &step.revoke) {
        (Some(reason), _) => Some(waiver::waive(list, reason, session.actor, session.now)),
        (_, Some(reason)) => Some(waiver::revoke(list, reason)),
        (None, None) => None,
    };
    if let Some(waived) = waived {
        return waived.map_or_else(
            |reason| format!("{reason:?}"),
            |event| {
                assert!(event.after.is_some(), "{at}: it says why");
                "Changed".to_owned()
            },
        );
    }
    let change = if let Some(value) = &step.add {
        let add: AddItem = serde_json::from_value(read(value)).expect(at);
        let id = add.id.expect("a vector names the id of what it adds");
        add.into_change(id, Origin::Local)
    } else if let Some(value) = &step.update {
        let update: UpdateItem = serde_json::from_value(read(value)).expect(at);
        update.into_change()
    } else if let Some(value) = &step.propose {
        let propose: ProposeItem = serde_json::from_value(read(value)).expect(at);
        propose.into_change()
    } else if let Some(value) = &step.signal {
        let mut value = read(value);
        value["Context"] = json!(context);
        let report: SignalReport = serde_json::from_value(value).expect(at);
        let bound = bound_items(list, &report.source, &report.key);
        match bound.first() {
            Some(id) => report.into_change(*id),
            None => return "NotBound".to_owned(),
        }
    } else if let Some(value) = &step.delete {
        checklist_shared::change::Change::Delete(serde_json::from_value(read(value)).expect(at))
    } else {
        panic!("{at}: a step does something");
    };
    match apply(list, &change, session) {
        Ok(Applied::Changed(events)) => {
            assert!(!events.is_empty(), "{at}: a change is told");
            "Changed".to_owned()
        }
        Ok(Applied::Unchanged) => "Unchanged".to_owned(),
        Err(code) => format!("{code:?}"),
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_list_is_completed_exactly_when_the_vectors_say() {
    run(include_str!("../../vectors/completed.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn changes_do_what_the_vectors_say() {
    run(include_str!("../../vectors/change.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_needs_a_person_is_left_to_one_as_the_vectors_say() {
    run(include_str!("../../vectors/needs-person.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_takes_a_second_person_is_confirmed_by_one_as_the_vectors_say() {
    run(include_str!("../../vectors/second-person.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_requires_evidence_is_done_with_some_as_the_vectors_say() {
    run(include_str!("../../vectors/evidence.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_a_template_lets_people_change_is_changed_as_the_vectors_say() {
    run(include_str!("../../vectors/changeable.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_asks_for_an_answer_is_done_with_one_as_the_vectors_say() {
    run(include_str!("../../vectors/answers.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_list_is_waived_exactly_when_the_vectors_say() {
    run(include_str!("../../vectors/waiver.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_a_signal_sets_follows_it_as_the_vectors_say() {
    run(include_str!("../../vectors/signals.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_applies_by_the_facts_of_a_list_is_what_the_vectors_say() {
    run(include_str!("../../vectors/conditions.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_refresh_does_what_the_vectors_say() {
    run(include_str!("../../vectors/refresh.json"));
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn an_applied_template_appends_what_the_vectors_say() {
    run(include_str!("../../vectors/apply-template.json"));
}
