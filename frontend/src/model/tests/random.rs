//! In any sequence of messages, no change is lost, at most one operation is in flight,
//! and in the end the screen shows what the server has.
//!
//! proptest generates the sequences; the server answers in the order of the requests.

use std::collections::BTreeSet;

use checklist_shared::ItemId;
use checklist_shared::item::Status;
use proptest::prelude::*;

use super::world::{SendOutcome, Simulation};
use super::{addition, id, tick};
use crate::model::bulk::Bulk;
use crate::model::list::text_of;
use crate::model::message::{Msg, UserAction};
use crate::model::operation::Action;
use crate::model::selecting::SelectionChange;
use crate::model::sync::Connection;
use crate::model::view_data::Panel;

/// Items at the start; those that are added have other ids.
const ITEMS: u8 = 4;

#[derive(Clone, Debug)]
enum Step {
    Tick(u8, Status),
    Edit(u8, String),
    Add(String),
    Delete(u8),
    Move(u8, bool),
    Pick(SelectionChange),
    Bulk(Bulk),
    Undo,
    Answer(SendOutcome),
    Read,
    FailReads,
    Wait,
    Back,
    Online,
    Stream(Connection),
    TryAgain,
    Flush,
    Refresh,
    OtherTicks(u8, bool),
    OtherAdds(bool),
    Language(bool),
    Reload,
}

fn step() -> impl Strategy<Value = Step> {
    let item = 1..=ITEMS;
    let status = prop_oneof![
        Just(Status::Open),
        Just(Status::Done),
        Just(Status::NotApplicable)
    ];
    let fate = prop_oneof![
        4 => Just(SendOutcome::Answered),
        1 => Just(SendOutcome::Lost),
        1 => Just(SendOutcome::AnswerLost),
        1 => Just(SendOutcome::Refused),
        1 => Just(SendOutcome::Busy),
        2 => Just(SendOutcome::NoToken),
    ];
    prop_oneof![
        6 => (item.clone(), status).prop_map(|(n, status)| Step::Tick(n, status)),
        2 => (item.clone(), "[a-c]{1,2}").prop_map(|(n, text)| Step::Edit(n, text)),
        2 => "[a-c]{1,2}".prop_map(Step::Add),
        1 => item.clone().prop_map(Step::Delete),
        1 => (item.clone(), any::<bool>()).prop_map(|(n, up)| Step::Move(n, up)),
        3 => pick().prop_map(Step::Pick),
        3 => bulk().prop_map(Step::Bulk),
        2 => Just(Step::Undo),
        8 => fate.prop_map(Step::Answer),
        3 => Just(Step::Read),
        1 => Just(Step::FailReads),
        3 => Just(Step::Wait),
        1 => Just(Step::Back),
        1 => Just(Step::Online),
        1 => connection().prop_map(Step::Stream),
        1 => Just(Step::TryAgain),
        1 => Just(Step::Flush),
        1 => Just(Step::Refresh),
        2 => (item, any::<bool>()).prop_map(|(n, told)| Step::OtherTicks(n, told)),
        1 => any::<bool>().prop_map(Step::OtherAdds),
        1 => any::<bool>().prop_map(Step::Language),
        1 => Just(Step::Reload),
    ]
}

fn connection() -> impl Strategy<Value = Connection> {
    prop_oneof![
        Just(Connection::Online),
        Just(Connection::Offline),
        Just(Connection::NoToken)
    ]
}

fn pick() -> impl Strategy<Value = SelectionChange> {
    let item = || 1..=ITEMS;
    prop_oneof![
        3 => item().prop_map(|n| SelectionChange::Toggle(id(n))),
        1 => (item(), item()).prop_map(|(from, to)| SelectionChange::Range(id(from), id(to))),
        1 => Just(SelectionChange::All),
        1 => Just(SelectionChange::Clear),
    ]
}

fn bulk() -> impl Strategy<Value = Bulk> {
    prop_oneof![
        3 => any::<bool>().prop_map(Bulk::Check),
        1 => "[ab]?".prop_map(|name| Bulk::Assign(name.into())),
        1 => Just(Bulk::Delete),
    ]
}

fn take(world: &mut Simulation, step: Step, at: usize) {
    match step {
        Step::Tick(n, status) => world.does(UserAction::SetStatus(id(n), status, None)),
        Step::Edit(n, text) => {
            world.does(UserAction::EditText(id(n)));
            let version = world.model.item(id(n)).map_or(1, |item| item.version);
            world.does(UserAction::Save(id(n), Panel::Text(text, version)));
        }
        Step::Add(text) => world.does(UserAction::Add(text, None)),
        Step::Delete(n) => world.does(UserAction::Delete(id(n))),
        Step::Move(n, up) => world.does(UserAction::MoveBy(id(n), up)),
        Step::Pick(pick) => world.does(UserAction::Pick(pick)),
        Step::Bulk(bulk) => world.does(UserAction::Bulk(bulk)),
        Step::Undo => world.does(UserAction::Undo(None)),
        Step::Answer(fate) => world.answer(fate),
        Step::Read => world.read(),
        Step::FailReads => world.fail_reads(),
        Step::Wait => world.wait(),
        Step::Back => {
            world.now += 5_000;
            world.tell(Msg::Back);
        }
        Step::Online => world.tell(Msg::Online),
        Step::Stream(connection) => world.tell(Msg::Stream(connection)),
        Step::TryAgain => world.does(UserAction::TryAgain),
        Step::Flush => {
            world.flush();
        }
        Step::Refresh => world.refresh(),
        Step::OtherTicks(n, told) => {
            let item = world.server.list.live(id(n)).cloned();
            if let Some(item) = item {
                let Action::Update(mut update) = tick(&world.model.list, n, Status::Done) else {
                    return;
                };
                update.base_version = Some(item.version);
                world.foreign(Action::Update(update), told);
            }
        }
        Step::OtherAdds(told) => {
            let n = 100 + u8::try_from(at % 100).unwrap_or_default();
            if world.server.list.any(id(n)).is_none() {
                world.foreign(addition(n, "of others"), told);
            }
        }
        Step::Language(german) => {
            let settings = super::world::settings();
            let language = if german { "de" } else { "en" };
            world.tell(Msg::Configure(settings.into(), language.to_owned()));
        }
        Step::Reload => world.reload(),
    }
}

fn waiting(world: &Simulation) -> BTreeSet<String> {
    let queue = world.model.list.queue.iter();
    queue.map(|operation| operation.id.clone()).collect()
}

/// What of each item is to be seen.
fn seen(items: &[std::sync::Arc<checklist_shared::Item>]) -> BTreeSet<(ItemId, String, String)> {
    let live = items.iter().filter(|item| item.is_live());
    live.map(|item| {
        let state = format!("{:?} {}", item.status, item.sort_key);
        (item.id, text_of(item).to_owned(), state)
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_and_in_the_end_the_screen_shows_what_the_server_has(
        steps in proptest::collection::vec(step(), 1..60)
    ) {
        let mut world = Simulation::with_items(ITEMS);
        let mut ever = BTreeSet::new();
        for (at, step) in steps.into_iter().enumerate() {
            let (before, withdrawn) = (waiting(&world), matches!(step, Step::Undo));
            let reloaded = matches!(step, Step::Reload);
            take(&mut world, step, at);
            let now = waiting(&world);
            // Only what can be seen is selected, and the bar counts just that.
            let selected = world.model.selected_rows();
            prop_assert_eq!(world.model.card.selected.count as usize, selected.len());
            let marked = |id: &ItemId| world.model.rows.get(*id).is_some_and(|row| row.selected);
            prop_assert!(selected.iter().all(marked));
            if withdrawn {
                // Taken back before it was sent: there is nothing left of it.
                world.given_up.extend(before.difference(&now).cloned());
            }
            ever.extend(now.iter().cloned());
            // Confirmed, given up with a word, waiting, or kept for the next page.
            for id in &ever {
                prop_assert!(
                    world.server.answers.contains_key(id)
                        || world.given_up.contains(id)
                        || now.contains(id)
                        || world.kept.contains_key(id),
                    "{id} is lost"
                );
            }
            if !reloaded && world.model.principal.is_some() {
                let kept: BTreeSet<String> = world.kept.keys().cloned().collect();
                prop_assert!(now.is_subset(&kept), "it waits and is not kept");
            }
        }
        world.refresh();
        world.settle();
        world.refresh();
        world.settle();
        prop_assert!(waiting(&world).is_empty() && world.kept.is_empty());
        prop_assert!(world.waiting.is_empty(), "somebody waits for nobody");
        prop_assert_eq!(seen(&world.model.list.list.items), seen(&world.server.list.items));
        let snapshot = world.model.snapshot();
        prop_assert_eq!(snapshot.completed, world.server.is_complete());
        prop_assert_eq!(snapshot.pending, 0);
        for id in &ever {
            prop_assert!(world.server.answers.contains_key(id) || world.given_up.contains(id));
        }
        // Nothing follows the end.
        world.tell(Msg::End);
        let (drawn, said) = (world.drawn, world.said.len());
        world.tell(Msg::Online);
        world.wait();
        prop_assert_eq!((world.drawn, world.said.len()), (drawn, said));
        prop_assert!(world.sent.is_none() && world.reads.is_empty());
    }
}
