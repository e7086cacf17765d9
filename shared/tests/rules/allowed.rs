//! Who may tick and who may delete: the answers that a screen asks for are those of the rules.
//!
//! Exhaustive over what decides it, so no case is left to chance.

use checklist_shared::change::allowed::{
    may_delete, may_set_not_applicable, may_set_status, needed_to_redefine,
};
use checklist_shared::change::{Change, ItemPatch, Session, apply};
use checklist_shared::item::{Actor, Item, Kind, Origin, Status};
use checklist_shared::limits::Limits;
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::progress::State;
use checklist_shared::template::{CompletionRule, Template};
use checklist_shared::{Checklist, Context, Timestamp, projection};
use serde::Serialize;
use serde_json::json;

fn list() -> Checklist {
    let template: Template = serde_json::from_value(json!({
        "Id": "t", "Key": "t", "Name": { "en": "T" }, "Status": "Published", "Version": 1, "Items": [
            { "Key": "head", "Kind": "Section", "Text": { "en": "Head" } },
            { "Key": "required", "ParentKey": "head", "Text": { "en": "A" }, "Required": true, "AllowNotApplicable": true },
            { "Key": "optional", "Text": { "en": "B" } },
            { "Key": "info", "Kind": "Info", "Text": { "en": "C" } }] }))
    .expect("a template");
    let context = Context::new("incident", "INC-1", "");
    projection::project(&context, Some(&template), Timestamp::from_millis(0))
}

fn subsets(of: &[Permission]) -> Vec<Permissions> {
    (0..1_u32 << of.len())
        .map(|bits| {
            let chosen = of.iter().enumerate();
            let chosen = chosen.filter(|(at, _)| bits & (1 << at) != 0);
            chosen.map(|(_, permission)| *permission).collect()
        })
        .collect()
}

fn session<'a>(actor: &'a Actor, permissions: Permissions, limits: &'a Limits) -> Session<'a> {
    Session {
        actor,
        permissions,
        now: Timestamp::from_millis(1),
        limits,
        languages: &["en"],
    }
}

/// Every item of the list in every state that decides who may change it.
fn every_state(mut visit: impl FnMut(&Checklist, &Item, &Actor)) {
    let (ada, bob) = (Actor::person("ada", "Ada"), Actor::person("bob", "Bob"));
    for at in 0..list().items.len() {
        for status in Status::ALL {
            for by in [None, Some(&ada), Some(&bob)] {
                for retired in [false, true] {
                    let mut list = list();
                    let id = list.items[at].id;
                    let item = list.any_mut(id).expect("there");
                    item.status = status;
                    item.status_by = by.cloned().map(Into::into);
                    item.retired_at = retired.then_some(Timestamp::from_millis(0));
                    let item = list.any(id).expect("there").clone();
                    visit(&list, &item, &ada);
                }
            }
        }
    }
}

#[test]
fn whoever_may_set_a_status_is_not_refused_and_whoever_may_not_is() {
    let limits = Limits::default();
    let mut allowed = 0;
    every_state(|list, item, ada| {
        for permissions in subsets(&[
            Permission::Check,
            Permission::UncheckOthers,
            Permission::Edit,
        ]) {
            for status in Status::ALL.iter().filter(|status| **status != item.status) {
                let mut patch = ItemPatch::of(item.id);
                patch.status = Some(*status);
                if *status == Status::NotApplicable {
                    patch.reason = Patch::Set("why".to_owned());
                }
                let done = apply(
                    &mut list.clone(),
                    &Change::Update(Box::new(patch)),
                    &session(ada, permissions, &limits),
                );
                let may = if *status == Status::NotApplicable {
                    may_set_not_applicable(item, ada, permissions)
                } else {
                    may_set_status(item, ada, permissions)
                };
                assert_eq!(
                    may,
                    done.is_ok(),
                    "{permissions:?} {status:?} {item:?}: {done:?}"
                );
                allowed += u32::from(may);
            }
        }
    });
    assert!(allowed > 0);
}

#[test]
fn whoever_may_delete_is_not_refused_and_whoever_may_not_is() {
    let limits = Limits::default();
    every_state(|list, item, ada| {
        for permissions in subsets(&[
            Permission::Delete,
            Permission::DeleteRequired,
            Permission::Edit,
        ]) {
            let done = apply(
                &mut list.clone(),
                &Change::Delete(item.id),
                &session(ada, permissions, &limits),
            );
            let may = may_delete(list, item.id, permissions);
            assert_eq!(may, done.is_ok(), "{permissions:?} {item:?}: {done:?}");
        }
    });
}

#[test]
fn a_section_with_a_required_item_is_deleted_by_those_alone_who_may_delete_that() {
    let list = list();
    let section = list.items.iter().find(|item| item.kind == Kind::Section);
    let section = section.expect("a section").id;
    let (delete, ada) = (
        Permissions::default().with(Permission::Delete),
        Actor::person("ada", "Ada"),
    );
    assert!(!may_delete(&list, section, delete));
    let refused = apply(
        &mut list.clone(),
        &Change::Delete(section),
        &session(&ada, delete, &Limits::default()),
    );
    assert_eq!(refused, Err(ItemProblemCode::RequiredItem));
}

#[test]
fn names_are_those_on_the_wire() {
    fn hold<T: Serialize + Copy>(all: &[T], name: impl Fn(T) -> &'static str) {
        for value in all {
            assert_eq!(
                serde_json::to_value(value).expect("JSON"),
                json!(name(*value))
            );
        }
    }
    hold(&Status::ALL, Status::name);
    hold(&Kind::ALL, Kind::name);
    hold(&Origin::ALL, Origin::name);
    hold(&State::ALL, State::name);
    hold(&CompletionRule::ALL, CompletionRule::name);
    assert_eq!(
        Status::from_name("NotApplicable"),
        Some(Status::NotApplicable)
    );
    assert_eq!(Status::from_name("notapplicable"), None);
}

#[test]
fn what_the_template_requires_is_made_optional_by_whoever_may_delete_it_whatever_its_kind_is_now() {
    let mut item = (list().items.iter())
        .find(|item| item.required)
        .map(|item| Item::clone(item))
        .expect("a required item");
    let is_protected = |item: &Item, kind, required| {
        needed_to_redefine(item, kind, required).allows(Permission::DeleteRequired)
    };
    for kind in [Kind::Item, Kind::Info] {
        item.kind = kind;
        assert!(is_protected(&item, Kind::Item, false), "as {kind:?}");
        assert!(!is_protected(&item, kind, true), "as {kind:?}");
    }
    item.origin = Origin::Local;
    assert!(!is_protected(&item, Kind::Item, false), "of a person");
}
