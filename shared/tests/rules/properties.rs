//! Properties of the rules, over arbitrary stories of changes, refreshes and undos.

use std::collections::HashSet;

use checklist_shared::answer::{AnswerFormat, AnswerType};
use checklist_shared::apply_template::{Application, apply_template};
use checklist_shared::audit_trail::replay::Replay;
use checklist_shared::change::allowed::{may_confirm, missing_support};
use checklist_shared::change::{
    Applied, Change, ItemPatch, NewItem, NewProposal, NewReport, Session, apply, restore,
};
use checklist_shared::condition::{Condition, Test};
use checklist_shared::date::Date;
use checklist_shared::definition::{DefinitionField, DefinitionFields};
use checklist_shared::facts::{FactNumber, FactValue};
use checklist_shared::item::{Actor, ActorKind, ActorMode, Item, Kind, Origin, Status};
use checklist_shared::limits::Limits;
use checklist_shared::order::{self, Place};
use checklist_shared::patch::Patch;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::progress::{self, State};
use checklist_shared::proposal::{Decision, Evidence};
use checklist_shared::signal::SignalBinding;
use checklist_shared::template::{
    CompletionRule, CountedIn, OnTextChange, RefreshPolicy, Template, TemplateItem, TemplateStatus,
};
use checklist_shared::text::{LanguageMap, Text};
use checklist_shared::undo::UndoRecord;
use checklist_shared::waiver::{self, CannotWaive};
use checklist_shared::{Checklist, Context, Facts, ItemId, Timestamp, projection, refresh};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

const KEYS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "s", "t"];

/// What somebody does; indices are taken modulo what there is.
#[derive(Clone, Debug)]
enum Act {
    Add {
        text: u8,
        parent: Option<u8>,
        place: (u8, u8),
        section: bool,
    },
    Status {
        item: u8,
        status: Status,
        actor: bool,
        evidence: bool,
    },
    Text {
        item: u8,
        text: Option<u8>,
        stale: bool,
    },
    Note {
        item: u8,
        note: Option<u8>,
    },
    Assign {
        item: u8,
        who: Option<u8>,
    },
    Due {
        item: u8,
        due: Option<u8>,
    },
    /// Another kind, help, or *required* turned round.
    Define {
        item: u8,
        field: u8,
        /// A status with it.
        status: Option<Status>,
    },
    Move {
        item: u8,
        parent: Option<u8>,
        place: (u8, u8),
    },
    Propose {
        item: u8,
        status: Status,
        evidence: bool,
    },
    /// What a signal reports, as of some minutes ago.
    Report {
        item: u8,
        is_done: bool,
        age: u8,
        evidence: bool,
    },
    Decide {
        item: u8,
        decision: Decision,
        stale: bool,
    },
    Delete {
        item: u8,
    },
    /// To a version, with some of the sets of facts; with those of the list without.
    Refresh {
        target: u8,
        facts: Option<u8>,
    },
    /// Applies a version as one of another template.
    Apply {
        template: u8,
    },
    Undo {
        step: u8,
    },
}

fn status() -> impl Strategy<Value = Status> {
    prop_oneof![
        Just(Status::Open),
        Just(Status::Done),
        Just(Status::NotApplicable)
    ]
}

/// Whoever can act: a person, an agent, one whose act a person has confirmed, a program.
fn actor() -> impl Strategy<Value = Actor> {
    let kinds = [
        (ActorKind::Person, None),
        (ActorKind::Agent, Some(ActorMode::Autonomous)),
        (ActorKind::Agent, Some(ActorMode::Approved)),
        (ActorKind::Agent, None),
        (ActorKind::Program, None),
    ];
    prop::sample::select(kinds.to_vec()).prop_map(|(kind, mode)| Actor {
        mode,
        ..Actor::of(kind, "x", "x")
    })
}

/// One of two people, or their agent, or a program of nobody's.
fn one_of_two() -> impl Strategy<Value = Actor> {
    let kind = prop::sample::select(vec![
        ActorKind::Person,
        ActorKind::Agent,
        ActorKind::Program,
    ]);
    (kind, any::<bool>(), any::<bool>()).prop_map(|(kind, is_bob, approved)| {
        let person = Actor::person(if is_bob { "bob" } else { "ada" }, "x");
        match kind {
            ActorKind::Person => person,
            ActorKind::Agent => Actor {
                mode: approved.then_some(ActorMode::Approved),
                on_behalf_of: Some(Box::new(person)),
                ..Actor::of(kind, "finch", "x")
            },
            _ => Actor::of(kind, "sync", "x"),
        }
    })
}

fn act() -> impl Strategy<Value = Act> {
    let decision = prop_oneof![Just(Decision::Accept), Just(Decision::Decline)];
    prop_oneof![
        1 => (any::<u8>(), any::<Option<u8>>(), any::<(u8, u8)>(), prop::bool::weighted(0.2))
            .prop_map(|(text, parent, place, section)| Act::Add { text, parent, place, section }),
        3 => (any::<u8>(), status(), any::<(bool, bool)>()).prop_map(|(item, status, (actor, evidence))| Act::Status { item, status, actor, evidence }),
        2 => (any::<u8>(), any::<Option<u8>>(), any::<bool>()).prop_map(|(item, text, stale)| Act::Text { item, text, stale }),
        1 => (any::<u8>(), any::<Option<u8>>()).prop_map(|(item, note)| Act::Note { item, note }),
        1 => (any::<u8>(), any::<Option<u8>>()).prop_map(|(item, who)| Act::Assign { item, who }),
        1 => (any::<u8>(), any::<Option<u8>>()).prop_map(|(item, due)| Act::Due { item, due }),
        2 => (any::<(u8, u8)>(), status()).prop_map(|((item, field), status)| Act::Define { item, field, status: (field % 5 == 0).then_some(status) }),
        3 => (any::<u8>(), any::<Option<u8>>(), any::<(u8, u8)>()).prop_map(|(item, parent, place)| Act::Move { item, parent, place }),
        2 => (any::<u8>(), status(), any::<bool>()).prop_map(|(item, status, evidence)| Act::Propose { item, status, evidence }),
        2 => (any::<u8>(), any::<bool>(), any::<u8>(), any::<bool>()).prop_map(|(item, is_done, age, evidence)| Act::Report { item, is_done, age, evidence }),
        2 => (any::<u8>(), decision, any::<bool>()).prop_map(|(item, decision, stale)| Act::Decide { item, decision, stale }),
        1 => any::<u8>().prop_map(|item| Act::Delete { item }),
        2 => any::<(u8, Option<u8>)>().prop_map(|(target, facts)| Act::Refresh { target, facts }),
        1 => any::<u8>().prop_map(|template| Act::Apply { template }),
        1 => any::<u8>().prop_map(|step| Act::Undo { step }),
    ]
}

prop_compose! {
    /// A version of a template: some of the keys in any order, `s` and `t` being sections.
    fn version()(
        order in Just(KEYS.to_vec()).prop_shuffle(),
        present in prop::collection::vec(any::<bool>(), KEYS.len()),
        texts in prop::collection::vec(0_u8..3, KEYS.len()),
        flags in prop::collection::vec(any::<(bool, bool, u8, u8)>(), KEYS.len()),
        required in any::<bool>(),
        changeable in 0_u8..8,
    ) -> Template {
        let mut items: Vec<TemplateItem> = Vec::new();
        for (at, key) in order.iter().enumerate() {
            if !present[at] { continue; }
            let (needed, allow, on_change, parent) = flags[at];
            let section = matches!(*key, "s" | "t");
            let parents: Vec<String> = items.iter().filter(|item| item.kind == Kind::Section).map(|item| item.key.clone()).collect();
            let parent_key = (!section && !parents.is_empty() && parent % 3 > 0)
                .then(|| parents[usize::from(parent) % parents.len()].clone());
            items.push(TemplateItem {
                key: (*key).to_owned(),
                kind: if section { Kind::Section } else { Kind::Item },
                parent_key,
                text: LanguageMap::new([("en".to_owned(), format!("{key} wording {}", texts[at]))]),
                help: (on_change % 3 == 1).then(|| LanguageMap::new([("en".to_owned(), format!("help {}", texts[at]))])),
                required: needed,
                allow_not_applicable: allow,
                not_applicable_needs_reason: false,
                needs_person: on_change % 4 < 2,
                second_person: parent % 5 < 2,
                requires_evidence: parent % 7 < 2,
                answer_format: (!section && parent % 4 == 2).then(|| AnswerFormat {
                    kind: AnswerType::Number,
                    max: FactNumber::new(f64::from(on_change % 9)),
                    ..AnswerFormat::default()
                }),
                signal: (!section && parent % 4 == 1).then(|| SignalBinding {
                    source: "CI".to_owned(),
                    key: format!("{}", on_change % 2),
                    stale_after: (on_change % 3 == 0).then(|| "PT1H".to_owned()),
                }),
                when: when(parent),
                on_text_change: [OnTextChange::Keep, OnTextChange::Flag, OnTextChange::Reopen][usize::from(on_change) % 3],
                assignee_role: (on_change % 5 == 0).then(|| "Role".to_owned()),
                due_offset: (on_change % 7 == 0).then(|| "P1D".to_owned()),
                due_counted_in: CountedIn::Time,
            });
        }
        Template {
            id: "t".into(), key: "t".into(), name: LanguageMap::new([("en".into(), "T".into())]), description: None,
            status: TemplateStatus::Published, version: 0,
            completion_rule: if required { CompletionRule::Required } else { CompletionRule::All },
            refresh_policy: RefreshPolicy::Manual, due_notice: None, calendar: None, due_from: None,
            changeable: DefinitionFields::from_bits(changeable), items,
        }
    }
}

fn versions() -> impl Strategy<Value = Vec<Template>> {
    prop::collection::vec(version(), 3).prop_map(|mut versions| {
        for (at, template) in versions.iter_mut().enumerate() {
            template.version = at as u32 + 1;
        }
        versions
    })
}

/// The condition of an item, if it has one, by some number.
fn when(number: u8) -> Option<Condition> {
    let fact = |name: &str, is: u8| Condition::Fact {
        name: name.to_owned(),
        test: Test::Is(number_of(is)),
    };
    match number % 8 {
        2 => Some(fact("x", 0)),
        4 => Some(fact("y", 1)),
        6 => Some(Condition::Not(Box::new(fact("x", 0)))),
        _ => None,
    }
}

fn number_of(number: u8) -> FactValue {
    FactValue::Number(FactNumber::new(f64::from(number)).expect("a finite number"))
}

/// One of nine sets of facts.
fn facts_of(number: u8) -> Facts {
    let fact = |name: &'static str, number: u8| {
        let is_there = number % 3 < 2;
        is_there.then(|| (name, number_of(number % 3)))
    };
    [fact("x", number), fact("y", number / 3)]
        .into_iter()
        .flatten()
        .collect()
}

struct World {
    list: Checklist,
    versions: Vec<Template>,
    history: Vec<UndoRecord>,
    /// What the audit trail says of the list.
    trail: Replay,
    step: u32,
    limits: Limits,
}

impl World {
    fn new(versions: Vec<Template>) -> Self {
        let context = Context::new("incident", "INC-1", "");
        let list = projection::project(&context, Some(&versions[0]), Timestamp::from_millis(0));
        Self {
            list,
            versions,
            history: Vec::new(),
            trail: Replay::default(),
            step: 0,
            limits: Limits {
                items: 25,
                ..Limits::default()
            },
        }
    }

    fn base(&self) -> Option<&Template> {
        let reference = self.list.template.as_ref()?;
        self.versions
            .iter()
            .find(|version| version.version == reference.version)
    }

    /// A version of a template that the list does not follow.
    fn other(&self, index: u8) -> Template {
        Template {
            id: "other".into(),
            ..self.versions[usize::from(index) % self.versions.len()].clone()
        }
    }

    fn pick(&self, index: u8) -> Option<ItemId> {
        let items = order::display(&self.list);
        (!items.is_empty()).then(|| items[usize::from(index) % items.len()].id)
    }

    /// An answer, mostly one that is accepted, where the item asks for one and is to be done.
    fn answer(&self, id: ItemId, status: Status, seed: u8) -> Option<Option<FactValue>> {
        let item = self.list.live(id)?;
        let is_asked = item.answer_format.is_some() && status == Status::Done && seed % 8 != 7;
        let number = FactNumber::new(f64::from(seed % 8))?;
        Some(is_asked.then_some(FactValue::Number(number)))
    }

    fn place(&self, (kind, index): (u8, u8)) -> Place {
        match (kind % 4, self.pick(index)) {
            (0, Some(id)) => Place::After(id),
            (1, Some(id)) => Place::Before(id),
            (2, _) => Place::First,
            _ => Place::Last,
        }
    }

    /// Does it; returns whether the list changed.
    fn act(&mut self, act: &Act) -> bool {
        let actor = match act {
            Act::Report { .. } => Actor::of(ActorKind::Program, "ci", "x"),
            Act::Status { actor: true, .. } => Actor::person("bob", "x"),
            _ => Actor::person("ada", "x"),
        };
        self.act_as(act, &actor)
    }

    fn act_as(&mut self, act: &Act, actor: &Actor) -> bool {
        self.step += 1;
        let before = self.list.clone();
        let limits = self.limits;
        let session = session(actor, &limits, self.step);
        let mut list = self.list.clone();
        let events = match act {
            Act::Refresh { target, facts } => {
                let target = &self.versions[usize::from(*target) % self.versions.len()];
                let facts = facts.map_or_else(|| list.facts.clone(), facts_of);
                let done = refresh::refresh_with(&mut list, self.base(), target, facts, &session);
                done.map_or_else(|_| Vec::new(), |done| done.events)
            }
            Act::Apply { template } => {
                let done = apply_template(&mut list, &self.other(*template), &session);
                done.map_or_else(|_| Vec::new(), |done| done.events)
            }
            Act::Undo { .. } if self.history.is_empty() => Vec::new(),
            Act::Undo { step } => {
                let record = &self.history[usize::from(*step) % self.history.len()];
                record.restore(&mut list, &session).unwrap_or_default()
            }
            other => match self.change(other) {
                Some(change) => match apply(&mut list, &change, &session) {
                    Ok(Applied::Changed(events)) => events,
                    _ => Vec::new(),
                },
                None => Vec::new(),
            },
        };
        let changed = !events.is_empty();
        events.iter().for_each(|event| self.trail.take(event));
        if changed {
            list.revision += 1;
            self.history.push(UndoRecord::between(&before, &list));
        } else {
            assert_eq!(
                visible(&list),
                visible(&before),
                "what is refused or unchanged leaves no trace"
            );
            assert_eq!(list.revision, before.revision);
        }
        self.list = list;
        changed
    }

    fn change(&self, act: &Act) -> Option<Change> {
        let patch = |index: u8| self.pick(index).map(ItemPatch::of);
        let update = |patch: ItemPatch| Some(Change::Update(Box::new(patch)));
        match *act {
            Act::Add {
                text,
                parent,
                place,
                section,
            } => Some(Change::Add(NewItem {
                id: ItemId::from_millis_and_random(u64::from(self.step), [7; 10]),
                origin: Origin::Local,
                text: format!("own {text}"),
                kind: if section { Kind::Section } else { Kind::Item },
                parent: parent.and_then(|index| self.pick(index)),
                place: self.place(place),
                required: text % 2 == 0,
                help: None,
                note: None,
                assignee: None,
                due: None,
            })),
            Act::Status {
                item,
                status,
                evidence,
                ..
            } => {
                let patch = patch(item)?;
                let reason = if self.list.live(patch.id)?.would_override(status) {
                    Patch::Set("Because".to_owned())
                } else {
                    Patch::Keep
                };
                let answer = self.answer(patch.id, status, item)?;
                update(ItemPatch {
                    status: Some(status),
                    reason,
                    evidence: evidence.then(run),
                    answer,
                    ..patch
                })
            }
            Act::Text { item, text, stale } => {
                let patch = patch(item)?;
                let version = self.list.live(patch.id)?.version;
                let text = text.map_or(Patch::Clear, |text| {
                    Patch::Set(format!("mine {}", text % 3))
                });
                update(ItemPatch {
                    base_version: Some(if stale { version - 1 } else { version }),
                    text,
                    ..patch
                })
            }
            Act::Note { item, note } => update(ItemPatch {
                note: note.map_or(Patch::Clear, |note| Patch::Set(format!("note {note}"))),
                ..patch(item)?
            }),
            Act::Assign { item, who } => update(ItemPatch {
                assignee: who.map_or(Patch::Clear, |who| Patch::Set(format!("who {who}").into())),
                ..patch(item)?
            }),
            Act::Due { item, due } => {
                let due = due.map_or(Patch::Clear, |due| {
                    Patch::Set(if due % 2 == 0 {
                        Timestamp::from_millis(i64::from(due)).into()
                    } else {
                        Date::from_days(i64::from(due)).into()
                    })
                });
                update(ItemPatch {
                    due,
                    ..patch(item)?
                })
            }
            Act::Define {
                item,
                field,
                status,
            } => {
                let patch = patch(item)?;
                let item = self.list.live(patch.id)?;
                let other = match item.kind {
                    Kind::Item => Kind::Info,
                    Kind::Info | Kind::Section => Kind::Item,
                };
                update(ItemPatch {
                    kind: (field % 3 == 0).then_some(other),
                    required: (field % 3 == 1 || field % 4 == 0).then_some(!item.required),
                    status,
                    help: match field % 9 {
                        2 => Patch::Clear,
                        5 | 8 => Patch::Set(format!("own {}", field % 2)),
                        _ => Patch::Keep,
                    },
                    ..patch
                })
            }
            Act::Move {
                item,
                parent,
                place,
            } => {
                let patch = patch(item)?;
                let version = self.list.live(patch.id)?.version;
                let parent = match parent.and_then(|index| self.pick(index)) {
                    Some(id) => Patch::Set(id),
                    None => Patch::Keep,
                };
                update(ItemPatch {
                    base_version: Some(version),
                    parent,
                    place: Some(self.place(place)),
                    ..patch
                })
            }
            Act::Propose {
                item,
                status,
                evidence,
            } => {
                let id = self.pick(item)?;
                Some(Change::Propose(Box::new(NewProposal {
                    id,
                    status,
                    reason: None,
                    seen_text_hash: None,
                    evidence: evidence.then(run),
                    answer: self.answer(id, status, item)?,
                })))
            }
            Act::Report {
                item,
                is_done,
                age,
                evidence,
            } => Some(Change::Report(Box::new(NewReport {
                id: self.pick(item)?,
                status: if is_done { Status::Done } else { Status::Open },
                as_of: Timestamp::from_millis(
                    i64::from(self.step) * 60_000 - i64::from(age % 4) * 60_000,
                ),
                evidence: evidence.then(run),
            }))),
            Act::Decide {
                item,
                decision,
                stale,
            } => {
                let patch = patch(item)?;
                let version = self.list.live(patch.id)?.version;
                update(ItemPatch {
                    base_version: Some(if stale { version - 1 } else { version }),
                    proposal: Some(decision),
                    ..patch
                })
            }
            Act::Delete { item } => self.pick(item).map(Change::Delete),
            Act::Refresh { .. } | Act::Apply { .. } | Act::Undo { .. } => None,
        }
    }

    fn assert_invariants(&self) {
        let list = &self.list;
        let ids: HashSet<ItemId> = list.items.iter().map(|item| item.id).collect();
        assert_eq!(ids.len(), list.items.len(), "ids are unique");
        let keys: Vec<&String> = list
            .items
            .iter()
            .filter_map(|item| item.template_key.as_ref())
            .collect();
        assert_eq!(
            keys.iter().collect::<HashSet<_>>().len(),
            keys.len(),
            "template keys are unique"
        );
        assert_eq!(
            order::display(list).len(),
            list.used(),
            "every live item is displayed once"
        );
        for item in list.items.iter().filter(|item| item.is_live()) {
            assert!(
                item.kind == Kind::Item || item.status == Status::Open,
                "only items have a status"
            );
            if item.retired_at.is_none()
                && let Some(section) = item.parent_id
            {
                let section = list.live(section).map(|section| section.kind);
                assert_eq!(section, Some(Kind::Section), "a section holds it");
            }
            assert!(
                item.kind != Kind::Section
                    || item.parent_id.is_none_or(|id| list.live(id).is_none()),
                "one level"
            );
            assert!(
                item.revision <= list.revision,
                "no item is newer than its list"
            );
            assert_eq!(
                item.attested.is_some(),
                item.status != Status::Open,
                "resolved means attested"
            );
            assert!(
                item.reason.is_none()
                    || item.status == Status::NotApplicable
                    || item.overrides_signal()
            );
            let by_person = item
                .status_by
                .as_deref()
                .is_some_and(Actor::is_confirmed_by_person);
            assert!(
                !item.overrides_signal() || by_person,
                "a person alone sets another status than the signal"
            );
            if let Some(open) = item.open_proposal() {
                assert_ne!(open.status, item.status, "something is proposed");
                assert!(
                    item.counts() || item.retired_at.is_some(),
                    "it can be accepted, at the latest when its item is back"
                );
                assert!(open.version <= item.version && open.revision <= list.revision);
            } else if let Some(accepted) = &item.proposal {
                assert_eq!(accepted.status, item.status, "it was accepted");
            }
            let by = item.status_by.as_deref();
            assert!(
                !item.needs_person
                    || item.status == Status::Open
                    || by.is_some_and(Actor::is_confirmed_by_person),
                "what needs a person is resolved by one"
            );
            assert_eq!(
                missing_support(item, item.status, item.evidence(), item.answer()),
                None,
                "what needs evidence or an answer is done with some"
            );
            assert!(
                item.kind == Kind::Item || (item.answer_format.is_none() && item.signal.is_none()),
                "what takes an answer or a signal is an item"
            );
            let by_person = item.definition_by_person;
            assert!(
                item.kind == Kind::Item
                    || !item.required
                    || !(by_person.contains(DefinitionField::Kind)
                        || by_person.contains(DefinitionField::Required)),
                "a row to read is required by nobody"
            );
            assert!(
                item.definition_by_person.is_empty() || item.changed_in.definition > 1,
                "what a person has set has changed"
            );
            let accepted = item.proposal.as_ref().filter(|one| one.accepted);
            let by_two = || {
                accepted
                    .zip(by)
                    .is_some_and(|(done, by)| may_confirm(&done.by, by))
            };
            assert!(
                !item.second_person || item.status == Status::Open || by_two(),
                "what takes a second person is resolved by two"
            );
        }
        let progress = progress::of(list);
        let counts = progress.counts;
        assert_eq!(
            counts.total,
            counts.done + counts.not_applicable + counts.open
        );
        assert_eq!(
            progress.state == State::Open || (progress.state == State::Waived && counts.total > 0),
            !progress.blockers.is_empty(),
            "open means blocked by something"
        );
        assert!(list.used() <= self.limits.items);
    }
}

/// What people have set otherwise than the version that the list follows.
fn set_otherwise(item: &Item, base: Option<&Template>) -> DefinitionFields {
    let key = item.template_key.as_deref();
    let base = key.and_then(|key| base?.item(key));
    let said = |help: &Option<Text>| help.as_ref().map(|help| help.resolve(&["en"]).to_owned());
    let fields = item.definition_by_person.iter();
    let differs = |field: &DefinitionField| {
        base.is_none_or(|base| match field {
            DefinitionField::Kind => item.kind != base.kind,
            DefinitionField::Required => item.required != base.required,
            DefinitionField::Help => {
                said(&item.help) != said(&base.help.clone().map(Text::Localized))
            }
        })
    };
    fields.filter(differs).collect()
}

/// A template whose only item is bound to a signal.
fn watched() -> Template {
    serde_json::from_value(serde_json::json!({
        "Id": "t", "Key": "t", "Name": { "en": "T" }, "Status": "Published", "Version": 1,
        "Items": [{ "Key": "p", "Text": { "en": "P" }, "Signal": { "Source": "CI", "Key": "build" } }],
    }))
    .expect("a template")
}

fn run() -> Evidence {
    Evidence::new("Run 7".to_owned(), "https://ci.example/7".to_owned())
}

fn session<'a>(actor: &'a Actor, limits: &'a Limits, step: u32) -> Session<'a> {
    Session {
        actor,
        permissions: Permissions::all(),
        now: Timestamp::from_millis(i64::from(step) * 60_000),
        limits,
        languages: &["en"],
    }
}

type Row = (
    ItemId,
    Option<ItemId>,
    String,
    Status,
    Option<String>,
    Option<String>,
    bool,
    (Kind, bool, Option<String>),
);

/// What a person can see or an auditor would ask: everything but versions, times and keys.
fn visible(list: &Checklist) -> Vec<Row> {
    order::display(list)
        .into_iter()
        .map(|item| {
            (
                item.id,
                item.parent_id,
                item.text.resolve(&["en"]).to_owned(),
                item.status,
                item.note.clone(),
                item.assignee.as_ref().map(|who| who.id.clone()),
                item.retired_at.is_some(),
                (
                    item.kind,
                    item.required,
                    (item.help.as_ref()).map(|help| help.resolve(&["en"]).to_owned()),
                ),
            )
        })
        .collect()
}

fn live<'a>(
    list: &'a Checklist,
    wanted: impl Fn(&Item) -> bool + 'a,
) -> impl Iterator<Item = &'a Item> {
    list.items
        .iter()
        .map(|item| &**item)
        .filter(move |item| item.is_live() && wanted(item))
}

proptest! {
    #![proptest_config(ProptestConfig {
        // Ten times as many have found four faults that 400 did not.
        cases: 1_000,
        // Proptest looks for seeds beside `lib.rs` only.
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct("tests/rules/properties.proptest-regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_sequence_of_changes_keeps_the_invariants(versions in versions(), acts in prop::collection::vec(act(), 1..40)) {
        let mut world = World::new(versions);
        world.assert_invariants();
        for act in &acts {
            world.act(act);
            world.assert_invariants();
        }
    }

    #[test]
    fn a_refresh_with_other_facts_and_back_loses_nothing(versions in versions(), first in any::<u8>(), acts in prop::collection::vec(act(), 0..30), other in any::<u8>()) {
        let mut world = World::new(versions);
        world.act(&Act::Refresh { target: 0, facts: Some(first) });
        for act in &acts {
            world.act(act);
        }
        let Some(version) = world.list.template.as_ref().map(|own| own.version) else { return Ok(()) };
        let facts = world.list.facts.clone();
        // The limit is not what is tried here.
        world.limits.items = 100;
        let refresh = |world: &mut World, facts: Facts| {
            let actor = Actor::person("ada", "x");
            let target = &world.versions[version as usize - 1];
            let session = session(&actor, &world.limits, 1_000);
            let done = refresh::refresh_with(&mut world.list, Some(target), target, facts, &session);
            world.list.revision += 1;
            done.expect("there is room")
        };
        // What an undo or a restoring has left behind is caught up with first.
        refresh(&mut world, facts.clone());
        let before = world.list.clone();
        refresh(&mut world, facts_of(other));
        world.assert_invariants();
        refresh(&mut world, facts);
        world.assert_invariants();
        // What was retired may apply with the other facts, and follows the template then.
        for item in live(&before, |item| item.retired_at.is_none()) {
            let now = world.list.live(item.id).expect("it is there again");
            let content = |item: &Item| {
                // Who has opened it again is told by the trail; nobody has touched such an item since.
                let resolved_by = item.status_by.clone().filter(|_| item.status != Status::Open);
                (item.text.clone(), item.status, resolved_by, item.reason.clone(), item.attested.clone(), item.note.clone(),
                 item.assignee.clone(), item.due, item.retired_at.is_some(), item.proposal.as_ref().filter(|one| one.accepted && item.status != Status::Open).cloned())
            };
            prop_assert_eq!(content(now), content(item));
            prop_assert!(item.template_key.is_none() || now.parent_id == item.parent_id || before.reordered, "it is in its section");
        }
        let applying = |list: &Checklist| live(list, |item| item.retired_at.is_none()).count();
        prop_assert_eq!(applying(&world.list), applying(&before), "nothing else came");
        prop_assert_eq!(progress::of(&world.list).counts, progress::of(&before).counts);
    }

    #[test]
    fn in_whatever_order_reports_arrive_and_however_often_the_newest_stays(reports in prop::collection::vec((0_u8..6, any::<bool>()), 1..20)) {
        let mut list = projection::project(&Context::new("incident", "INC-1", ""), Some(&watched()), Timestamp::from_millis(0));
        let (ci, limits) = (Actor::of(ActorKind::Program, "ci", "CI"), Limits::default());
        let mut newest: Option<(u8, bool)> = None;
        for (step, (minute, is_done)) in reports.iter().enumerate() {
            let report = NewReport {
                id: list.items[0].id,
                status: if *is_done { Status::Done } else { Status::Open },
                as_of: Timestamp::from_millis(i64::from(*minute) * 60_000),
                evidence: None,
            };
            let applied = apply(&mut list, &Change::Report(Box::new(report)), &session(&ci, &limits, step as u32));
            let is_newer = newest.is_none_or(|(last, _)| *minute > last);
            prop_assert_eq!(matches!(applied, Ok(Applied::Changed(_))), is_newer);
            newest = if is_newer { Some((*minute, *is_done)) } else { newest };
            let is_done = newest.is_some_and(|(_, is_done)| is_done);
            prop_assert_eq!(list.items[0].status == Status::Done, is_done);
        }
    }

    #[test]
    fn programs_and_agents_resolve_nothing_that_needs_a_person(versions in versions(), acts in prop::collection::vec((act(), actor()), 1..60)) {
        let mut world = World::new(versions);
        for (act, actor) in &acts {
            let before = world.list.clone();
            world.act_as(act, actor);
            world.assert_invariants();
            if actor.is_confirmed_by_person() || matches!(act, Act::Refresh { .. } | Act::Undo { .. }) {
                continue;
            }
            for item in live(&before, |item| item.needs_person && item.counts() && item.status == Status::Open) {
                let now = world.list.live(item.id).map(|item| item.status);
                prop_assert_eq!(now, Some(Status::Open), "it is still to do");
            }
        }
    }

    #[test]
    fn nobody_resolves_alone_what_takes_a_second_person(versions in versions(), acts in prop::collection::vec((act(), one_of_two()), 1..60)) {
        let mut world = World::new(versions);
        for (act, actor) in &acts {
            let before = world.list.clone();
            world.act_as(act, actor);
            world.assert_invariants();
            let is_resolved = |item: &Item| item.second_person && item.counts() && item.status != Status::Open;
            for item in live(&world.list, is_resolved) {
                let was_open = before.live(item.id).is_some_and(|old| old.second_person && old.status == Status::Open);
                prop_assert!(!was_open || actor.kind == ActorKind::Person, "a person has confirmed it");
                let done = item.proposal.as_ref().map(|done| &done.by);
                prop_assert!(!was_open || done.is_some_and(|done| !done.is_one_person(actor)), "another one");
            }
        }
    }

    #[test]
    fn a_waived_list_may_pass_until_that_is_revoked_whatever_happens_to_it(
        versions in versions(), acts in prop::collection::vec(act(), 0..20), by in actor(), later in prop::collection::vec((act(), actor()), 0..20),
    ) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        let (state, before) = (progress::of(&world.list).state, world.list.clone());
        match waiver::waive(&mut world.list, " urgent ", &by, Timestamp::from_millis(1)) {
            Ok(event) => {
                prop_assert!(by.is_confirmed_by_person() && state == State::Open);
                world.trail.take(&event);
            }
            Err(reason) => {
                prop_assert_eq!(reason == CannotWaive::NeedsPerson, !by.is_confirmed_by_person());
                prop_assert!(reason == CannotWaive::NeedsPerson || state != State::Open);
                prop_assert_eq!(&world.list, &before);
                return Ok(());
            }
        }
        let waived = world.list.waived.clone();
        for (act, actor) in &later {
            world.act_as(act, actor);
            world.assert_invariants();
            prop_assert_eq!(&world.list.waived, &waived, "nothing but revoking ends it");
            let state = progress::of(&world.list).state;
            prop_assert!(state.may_pass());
            prop_assert_eq!(state.is_completed(), state == State::Complete);
            prop_assert_eq!(world.trail.differences(&world.list), []);
        }
        let again = waiver::waive(&mut world.list, "again", &Actor::person("bob", "Bob"), Timestamp::from_millis(2));
        prop_assert_eq!(again, Err(CannotWaive::AlreadyWaived));
        let state = progress::of(&world.list).state;
        let event = waiver::revoke(&mut world.list, "not any more").expect("it is waived");
        let open = progress::of(&world.list).state;
        prop_assert_eq!(open.may_pass(), state == State::Complete);
        prop_assert_eq!(world.trail.differences(&world.list).len(), 1, "a list that is edited is noticed");
        world.trail.take(&event);
        prop_assert_eq!(world.trail.differences(&world.list), []);
    }

    #[test]
    fn the_trail_tells_every_status_and_which_items_there_are(versions in versions(), acts in prop::collection::vec(act(), 1..40)) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
            prop_assert_eq!(world.trail.differences(&world.list), []);
        }
        // Somebody edits the list itself.
        let Some(id) = world.pick(0) else { return Ok(()) };
        let item = world.list.any_mut(id).expect("an item");
        item.status = if item.status == Status::Done { Status::Open } else { Status::Done };
        prop_assert_eq!(world.trail.differences(&world.list).len(), 1);
    }

    #[test]
    fn refreshing_twice_is_refreshing_once(versions in versions(), acts in prop::collection::vec(act(), 0..25), target in any::<u8>()) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        world.act(&Act::Refresh { target, facts: None });
        let once = world.list.clone();
        prop_assert!(!world.act(&Act::Refresh { target, facts: None }), "the second refresh changes something");
        prop_assert_eq!(&once.items, &world.list.items);
    }

    #[test]
    fn a_refresh_after_an_undone_one_brings_what_a_single_refresh_brings(
        versions in versions(), acts in prop::collection::vec(act(), 0..25), first in any::<u8>(), second in any::<u8>(),
    ) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        let before = world.list.clone();
        world.act(&Act::Refresh { target: second, facts: None });
        let once = std::mem::replace(&mut world.list, before);
        world.history.clear();
        if world.act(&Act::Refresh { target: first, facts: None }) {
            prop_assert!(world.act(&Act::Undo { step: 0 }), "the refresh can be taken back");
        }
        world.act(&Act::Refresh { target: second, facts: None });
        prop_assert_eq!(visible(&once), visible(&world.list));
        prop_assert_eq!(progress::of(&once), progress::of(&world.list));
        prop_assert_eq!(&once.template, &world.list.template);
        let flags = |list: &Checklist| -> Vec<_> {
            let of = |item: &Item| (item.kind, item.required, item.due, item.text_overridden, item.changed_since_checked);
            order::display(list).into_iter().map(of).collect()
        };
        prop_assert_eq!(flags(&once), flags(&world.list));
    }

    #[test]
    fn applying_a_template_appends_and_touches_nothing_that_is_there(
        versions in versions(), acts in prop::collection::vec(act(), 0..25), template in any::<u8>(), later in prop::collection::vec(act(), 0..10),
    ) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        let (before, template) = (world.list.clone(), world.other(template));
        let (actor, limits) = (Actor::person("bob", "Bob"), world.limits);
        let session = session(&actor, &limits, 1_000);
        let done = apply_template(&mut world.list, &template, &session);
        let Ok(done) = done else {
            prop_assert_eq!(done, Err(ItemProblemCode::LimitExceeded));
            prop_assert_eq!(&world.list, &before);
            return Ok(());
        };
        prop_assert!(world.list.items.starts_with(&before.items), "what is there stays as it is");
        let ids: Vec<ItemId> = world.list.items[before.items.len()..].iter().map(|item| item.id).collect();
        prop_assert_eq!(&ids, &done.ids);
        prop_assert_eq!(ids.len(), done.events.len());
        let shown: Vec<ItemId> = order::display(&world.list).into_iter().map(|item| item.id).collect();
        let old: Vec<ItemId> = order::display(&before).into_iter().map(|item| item.id).collect();
        let kept: Vec<ItemId> = shown.iter().copied().filter(|id| !ids.contains(id)).collect();
        prop_assert_eq!(kept, old, "what is there stays where it is");
        for item in &template.applying_to(&before.facts).items {
            let id = ItemId::appended(&before.context, "other", &item.key);
            let found = world.list.any(id);
            prop_assert!(found.is_some_and(|found| found.template_key.is_none()), "every key is there");
            let section = item.parent_key.as_ref().map(|key| ItemId::appended(&before.context, "other", key));
            let section = section.filter(|section| world.list.live(*section).is_some());
            prop_assert!(!ids.contains(&id) || found.is_some_and(|found| found.parent_id == section), "in its section");
        }
        world.list.revision += 1;
        world.assert_invariants();
        let once = world.list.clone();
        prop_assert_eq!(apply_template(&mut world.list, &template, &session), Ok(Application::default()));
        prop_assert_eq!(&world.list, &once, "the same again adds nothing");
        // Whatever happens to the list, nothing that it has had once comes a second time.
        for act in later.iter().filter(|act| !matches!(act, Act::Apply { .. } | Act::Undo { .. })) {
            // Other facts may let more of it apply.
            let act = match act {
                Act::Refresh { target, .. } => &Act::Refresh { target: *target, facts: None },
                act => act,
            };
            world.act(act);
        }
        prop_assert_eq!(apply_template(&mut world.list, &template, &session), Ok(Application::default()));
    }

    #[test]
    fn a_refresh_leaves_appended_items_alone(versions in versions(), template in any::<u8>(), target in any::<u8>()) {
        let mut world = World::new(versions);
        world.act(&Act::Apply { template });
        let appended = |list: &Checklist| -> Vec<Item> {
            live(list, |item| item.template_key.is_none()).cloned().collect()
        };
        let before = appended(&world.list);
        world.act(&Act::Refresh { target, facts: None });
        let after = appended(&world.list);
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            // As any item that the template does not have, it may be given another place.
            prop_assert_eq!((before.id, &before.text, before.status, before.parent_id), (after.id, &after.text, after.status, after.parent_id));
        }
    }

    #[test]
    fn who_deleted_an_item_stays_who_deleted_it(
        versions in versions(), acts in prop::collection::vec(act(), 0..20), item in any::<u8>(), later in prop::collection::vec(act(), 0..20),
    ) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        let Some(id) = world.pick(item) else { return Ok(()) };
        world.act(&Act::Delete { item });
        let deleted = world.list.any(id).map(|item| (item.deleted_at, item.modified_by.clone(), item.modified_at));
        for act in &later {
            world.act(act);
            let now = world.list.any(id);
            let Some(now) = now.filter(|now| now.deleted_at == deleted.as_ref().and_then(|(at, ..)| *at)) else { break };
            prop_assert_eq!(Some((now.deleted_at, now.modified_by.clone(), now.modified_at)), deleted.clone());
        }
    }

    #[test]
    fn what_is_restored_is_where_and_as_it_was(
        versions in versions(), acts in prop::collection::vec(act(), 0..25), item in any::<u8>(),
    ) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        let before = world.list.clone();
        let Some(id) = world.pick(item) else { return Ok(()) };
        // An undo may have brought back what the list's version does not have, or has otherwise.
        if let Some(template) = world.base().cloned() {
            let target = world.versions.iter().position(|version| *version == template);
            let target = u8::try_from(target.unwrap_or_default()).unwrap_or_default();
            if world.act(&Act::Refresh { target, facts: None }) { return Ok(()) }
            world.list = before.clone();
        }
        if live(&before, |item| item.retired_at.is_some()).next().is_some() { return Ok(()) }
        world.act(&Act::Delete { item });
        let (actor, limits) = (Actor::person("bob", "Bob"), world.limits);
        let session = session(&actor, &limits, 1_000);
        let template = world.base().cloned();
        let restored = restore::restore(&mut world.list, id, template.as_ref(), &session);
        prop_assert!(restored.is_ok_and(|restored| !restored.ids.is_empty()));
        prop_assert_eq!(visible(&before), visible(&world.list));
        prop_assert_eq!(progress::of(&before), progress::of(&world.list));
        world.list.revision += 1;
        world.assert_invariants();
    }

    #[test]
    fn no_touched_item_is_ever_lost_by_a_refresh(versions in versions(), acts in prop::collection::vec(act(), 0..25), target in any::<u8>()) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        let before = world.list.clone();
        let base = world.base().cloned();
        world.act(&Act::Refresh { target, facts: None });
        let is_touched = |item: &Item| {
            let set = set_otherwise(item, base.as_ref());
            Item { definition_by_person: set, ..item.clone() }.is_touched()
        };
        for item in live(&before, is_touched) {
            let after = world.list.live(item.id);
            prop_assert!(after.is_some(), "{:?} is gone", item.text);
            if let Some(after) = after {
                prop_assert_eq!(&after.note, &item.note);
                prop_assert!(!item.text_overridden || after.text == item.text);
                prop_assert!(!item.assignee_by_person || after.assignee == item.assignee);
                prop_assert!(!item.due_by_person || after.due == item.due);
                let by_person = set_otherwise(item, base.as_ref());
                prop_assert!(!by_person.contains(DefinitionField::Help) || after.help == item.help);
                prop_assert!(!by_person.contains(DefinitionField::Required) || after.required == item.required);
                let is_needed = after.required || (after.second_person && !item.second_person);
                let asks = after.answer_format.is_some() || after.signal.is_some() || is_needed;
                prop_assert!(!by_person.contains(DefinitionField::Kind) || asks || after.kind == item.kind);
            }
        }
        for item in live(&before, |item| item.template_key.is_none()) {
            prop_assert_eq!(world.list.live(item.id).map(|after| (&after.text, after.status)), Some((&item.text, item.status)));
        }
    }

    #[test]
    fn undo_restores_what_was_there(versions in versions(), acts in prop::collection::vec(act(), 0..25), last in act()) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        let before = world.list.clone();
        if world.act(&last) {
            let after = world.list.clone();
            let step = u8::try_from(world.history.len() - 1).unwrap_or(u8::MAX);
            prop_assert!(world.act(&Act::Undo { step }), "the last operation can be taken back");
            prop_assert_eq!(visible(&before), visible(&world.list));
            prop_assert_eq!(progress::of(&before), progress::of(&world.list));
            prop_assert_eq!(&before.template, &world.list.template);
            // A redo is the undo of the undo.
            prop_assert!(world.act(&Act::Undo { step: step + 1 }), "the undo can be taken back");
            prop_assert_eq!(visible(&after), visible(&world.list));
            prop_assert_eq!(progress::of(&after), progress::of(&world.list));
            prop_assert_eq!(&after.template, &world.list.template);
        }
    }

    #[test]
    fn undoing_step_by_step_goes_all_the_way_back(versions in versions(), acts in prop::collection::vec(act(), 1..25)) {
        let mut world = World::new(versions);
        let before = world.list.clone();
        for act in &acts {
            if !matches!(act, Act::Undo { .. }) {
                world.act(act);
            }
        }
        for step in (0..world.history.len()).rev() {
            let step = u8::try_from(step).unwrap_or(u8::MAX);
            let steps = world.history.len();
            prop_assert!(world.act(&Act::Undo { step }), "step {step} of {steps} can be taken back");
        }
        prop_assert_eq!(visible(&before), visible(&world.list));
        prop_assert_eq!(&before.template, &world.list.template);
    }

    #[test]
    fn moving_puts_an_item_exactly_where_it_was_asked_to_go(versions in versions(), acts in prop::collection::vec(act(), 0..25), item in any::<u8>(), neighbour in any::<u8>(), after in any::<bool>()) {
        let mut world = World::new(versions);
        for act in &acts {
            world.act(act);
        }
        let (Some(id), Some(beside)) = (world.pick(item), world.pick(neighbour)) else { return Ok(()) };
        let place = (u8::from(!after), neighbour);
        world.act(&Act::Move { item, parent: None, place });
        let (item, held) = (world.list.live(id), world.list.live(beside));
        let (Some(item), Some(held)) = (item, held) else { return Ok(()) };
        if item.parent_id == held.parent_id && item.id != held.id && item.retired_at.is_none() {
            let siblings: Vec<ItemId> = order::display(&world.list).into_iter().filter(|other| other.parent_id == held.parent_id).map(|other| other.id).collect();
            let at = |id| siblings.iter().position(|other| *other == id);
            let (at_item, at_held) = (at(id), at(beside));
            prop_assert_eq!(at_item.map(|at| if after { at - 1 } else { at + 1 }), at_held);
        }
    }
}
