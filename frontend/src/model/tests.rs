//! The list with pending operations, answers, conflicts and drafts.
//! Runs natively: the model needs no browser.
//! `tests/browser` checks what people see of it.

mod details;
mod dragging;
mod flows;
mod history;
mod pasting;
mod random;
mod redo;
mod search;
mod seen;
mod selecting;
mod suggestions;
mod visibility;
mod waiving;
mod world;

use checklist_shared::checklist::TemplateRef;
use checklist_shared::definition::{DefinitionField, DefinitionFields};
use checklist_shared::item::{Actor, Kind, Status};
use checklist_shared::limits::Limits;
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::ItemProblem;
use checklist_shared::problem::ItemProblemCode as Code;
use checklist_shared::progress::State;
use checklist_shared::template::CompletionRule;
use checklist_shared::text::Text;
use checklist_shared::text::text_hash;
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::template::LocalTemplateItem;
use checklist_shared::wire::write::{
    AddItem, JournalResult, Outcome, UpdateItem, WriteOutcome, WriteResult,
};
use checklist_shared::{Context, Item, ItemId, Timestamp, order};

use super::draft;
use super::list::{ListState, UndoStep, text_of};
use super::moves;
use super::notice::{Notice, RejectionReason, TypedText};
use super::operation::{Action, Operation};
use super::served::ServedList;

const NOW: i64 = 1_800_000_000_000;

fn id(byte: u8) -> ItemId {
    ItemId::from_millis_and_random(1_700_000_000_000 + u64::from(byte), [byte; 10])
}

/// Items `1…` of one list, all open, each with its number as its text.
fn items(count: u8) -> Vec<Item> {
    let rows = (1..=count).map(|n| LocalTemplateItem {
        key: format!("k{n}"),
        text: n.to_string(),
        allow_not_applicable: true,
        ..LocalTemplateItem::default()
    });
    // The same keys however many items there are: one item alone stands where it stands in a list.
    let mut keys = order::fresh_keys(usize::from(count).max(9));
    keys.truncate(count.into());
    let mut next = 0;
    let mut items = draft::project(rows.collect(), keys, Timestamp::from_millis(0), || {
        next += 1;
        id(next)
    });
    items.sort_by(|a, b| a.sort_key.cmp(&b.sort_key));
    for item in &mut items {
        // The draft hands out ids in the order of its map; here the number says the id.
        item.id = id(text_of(item).parse().unwrap());
    }
    items
}

fn served(items: Vec<Item>, revision: u64) -> ServedList {
    ServedList {
        revision,
        items,
        is_draft: false,
        delta: false,
        removed: Vec::new(),
        title: None,
        template: TemplateRef {
            id: "t".into(),
            version: 1,
            completion_rule: CompletionRule::All,
            changeable: DefinitionFields::default(),
        },
        update: None,
        locked: None,
        waived: None,
        run: None,
        permissions: Permissions::all(),
        limits: Limits::default(),
    }
}

fn on_loaded(count: u8) -> ListState {
    let mut state = ListState::new(Context::new("incident", "1", ""));
    state.me = Actor::person("me", "Me");
    state.load(served(items(count), 1), NOW);
    state
}

fn operation(name: &str, action: Action) -> Operation {
    Operation {
        id: name.into(),
        action,
    }
}

fn tick(state: &ListState, n: u8, status: Status) -> Action {
    let mut update = UpdateItem::of(id(n));
    update.base_version = state.list.live(id(n)).map(|item| item.version);
    update.status = Some(status);
    Action::Update(Box::new(update))
}

fn retext(state: &ListState, n: u8, text: &str) -> Action {
    let mut update = UpdateItem::of(id(n));
    update.base_version = state.list.live(id(n)).map(|item| item.version);
    update.text = Patch::Set(text.into());
    Action::Update(Box::new(update))
}

fn addition(n: u8, text: &str) -> Action {
    let item = AddItem {
        id: Some(id(n)),
        ..AddItem::new(text)
    };
    Action::Add(id(n), Box::new(item))
}

fn dispatch(state: &mut ListState, name: &str, action: Action) {
    let shown = state.dispatch(operation(name, action), NOW);
    assert!(matches!(shown, Ok(Some(_))), "{name}: {shown:?}");
}

/// I tick an item.
fn send_tick(state: &mut ListState, name: &str, n: u8) {
    let action = tick(state, n, Status::Done);
    dispatch(state, name, action);
}

/// I change the text of an item.
fn send_text(state: &mut ListState, name: &str, n: u8, text: &str) {
    let action = retext(state, n, text);
    dispatch(state, name, action);
}

/// The item as the server has it after a change of its own.
fn on_server(n: u8, change: impl FnOnce(&mut Item)) -> ItemView {
    let mut item = items(9).into_iter().find(|item| item.id == id(n)).unwrap();
    item.version = 2;
    change(&mut item);
    ItemView::of(&item, &[])
}

fn answer(
    revision: u64,
    outcome: Outcome,
    item: Option<ItemView>,
    problem: Option<Code>,
    n: u8,
) -> WriteOutcome {
    WriteOutcome {
        revision,
        results: vec![WriteResult {
            id: id(n),
            outcome,
            item,
            problem: problem.map(ItemProblem::from),
        }],
        ..WriteOutcome::default()
    }
}

fn status(state: &ListState, n: u8) -> Status {
    state.list.live(id(n)).unwrap().status
}

#[test]
fn a_list_that_is_not_loaded_is_unknown_and_not_completed() {
    let state = ListState::new(Context::new("incident", "1", ""));
    assert_eq!(state.progress().0, State::Unknown);
    assert!(!state.progress().0.is_completed());
}

#[test]
fn a_tick_shows_at_once_and_completes_the_list() {
    let mut state = on_loaded(1);
    send_tick(&mut state, "a", 1);
    assert_eq!(state.progress().0, State::Complete);
    assert!(state.is_pending(id(1)));
    assert_eq!(state.queue.len(), 1);
}

#[test]
fn what_is_as_wanted_already_is_not_sent() {
    let mut state = on_loaded(1);
    let action = tick(&state, 1, Status::Open);
    assert_eq!(state.dispatch(operation("a", action), NOW), Ok(None));
    assert!(state.queue.is_empty());
    assert!(state.undo.is_empty());
}

#[test]
fn an_answer_is_adopted_and_later_changes_stay_on_top_of_it() {
    let mut state = on_loaded(2);
    send_tick(&mut state, "a", 1);
    send_text(&mut state, "b", 1, "uno");
    state.queue.start();
    let done = on_server(1, |item| {
        item.status = Status::Done;
        item.status_by = Some(Actor::person("me", "As the server knows me").into());
    });
    let adopted = state.confirm(answer(2, Outcome::Updated, Some(done), None, 1), NOW);
    assert!(adopted.notices.is_empty() && !adopted.refetch);
    let item = state.list.live(id(1)).unwrap();
    assert_eq!(
        item.status_by.as_ref().unwrap().name,
        "As the server knows me"
    );
    assert_eq!(text_of(item), "uno");
    assert!(state.is_pending(id(1)));
    assert_eq!((state.list.revision, state.queue.len()), (2, 1));
}

#[test]
fn a_refused_operation_is_taken_back_and_the_ones_behind_it_stay() {
    let mut state = on_loaded(2);
    send_tick(&mut state, "a", 1);
    send_tick(&mut state, "b", 2);
    state.queue.start();
    let adopted = state.reject(RejectionReason::Locked, NOW);
    assert_eq!(status(&state, 1), Status::Open);
    assert_eq!(status(&state, 2), Status::Done);
    assert_eq!(
        adopted.notices,
        vec![(id(1), Notice::Refused(RejectionReason::Locked, None))]
    );
    assert!(!state.is_pending(id(1)) && state.is_pending(id(2)));
}

#[test]
fn a_status_conflict_shows_theirs_and_says_who_and_when() {
    let mut state = on_loaded(1);
    send_tick(&mut state, "a", 1);
    state.queue.start();
    let theirs = on_server(1, |item| {
        item.status = Status::NotApplicable;
        item.status_by = Some(Actor::person("aj", "A. Jansen").into());
        item.status_at = Some(Timestamp::from_millis(NOW));
    });
    let adopted = state.confirm(
        answer(
            1,
            Outcome::Conflict,
            Some(theirs),
            Some(Code::StatusConflict),
            1,
        ),
        NOW,
    );
    assert_eq!(status(&state, 1), Status::NotApplicable);
    let [(_, Notice::StatusTaken(Status::NotApplicable, attribution))] = adopted.notices.as_slice()
    else {
        panic!("{:?}", adopted.notices)
    };
    assert_eq!(
        (
            attribution.who.as_ref().map(|who| who.name.as_str()),
            attribution.at
        ),
        (Some("A. Jansen"), Some(Timestamp::from_millis(NOW)))
    );
    assert!(
        state.undo.is_empty(),
        "there is nothing of mine to take back"
    );
}

#[test]
fn a_text_conflict_keeps_mine_beside_theirs() {
    let mut state = on_loaded(1);
    send_text(&mut state, "a", 1, "mine");
    state.queue.start();
    let theirs = on_server(1, |item| item.text = Text::Plain("theirs".into()));
    let adopted = state.confirm(
        answer(
            1,
            Outcome::Conflict,
            Some(theirs),
            Some(Code::TextConflict),
            1,
        ),
        NOW,
    );
    assert_eq!(text_of(state.list.live(id(1)).unwrap()), "theirs");
    let [(_, Notice::TextTaken { mine, theirs, .. })] = adopted.notices.as_slice() else {
        panic!("{:?}", adopted.notices)
    };
    assert_eq!((mine.as_str(), theirs.as_str()), ("mine", "theirs"));
}

#[test]
fn typed_text_survives_a_refusal() {
    let mut state = on_loaded(1);
    send_text(&mut state, "a", 1, "typed at length");
    state.queue.start();
    let adopted = state.reject(RejectionReason::Permission, NOW);
    assert_eq!(
        adopted.notices,
        vec![(
            id(1),
            Notice::Refused(
                RejectionReason::Permission,
                Some(TypedText::Text("typed at length".into()))
            )
        )]
    );
    dispatch(&mut state, "b", addition(7, "new thing"));
    state.queue.start();
    let adopted = state.confirm(
        answer(1, Outcome::Failed, None, Some(Code::LimitExceeded), 7),
        NOW,
    );
    assert_eq!(adopted.unadded.as_deref(), Some("new thing"));
    assert_eq!(adopted.refused, Some(RejectionReason::Limit));
    assert!(state.list.live(id(7)).is_none());
}

#[test]
fn a_text_typed_before_a_reload_for_an_item_that_is_gone_waits_and_is_offered_again() {
    let mut state = on_loaded(2);
    let action = retext(&state, 1, "typed at length");
    let mut news = served(Vec::new(), 2);
    (news.delta, news.removed) = (true, vec![id(1)]);
    state.load(news, NOW);
    assert_eq!(state.take_up(operation("a", action), NOW), None);
    assert!(state.queue.start().is_some(), "it was forgotten");
    let adopted = state.confirm(
        answer(2, Outcome::Failed, None, Some(Code::ItemNotFound), 1),
        NOW,
    );
    assert_eq!(adopted.refused, Some(RejectionReason::ItemGone));
    assert_eq!(adopted.unadded.as_deref(), Some("typed at length"));
    assert!(state.queue.is_empty());
}

#[test]
fn somebody_elses_write_in_between_asks_for_a_read_from_the_old_revision() {
    let mut state = on_loaded(1);
    send_tick(&mut state, "a", 1);
    state.queue.start();
    let done = on_server(1, |item| item.status = Status::Done);
    let adopted = state.confirm(answer(5, Outcome::Updated, Some(done), None, 1), NOW);
    assert!(adopted.refetch);
    assert_eq!(state.list.revision, 1);
}

#[test]
fn fresh_items_do_not_hide_what_waits() {
    let mut state = on_loaded(2);
    send_tick(&mut state, "a", 1);
    dispatch(&mut state, "b", addition(7, "mine"));
    let mut fresh = items(3);
    fresh[1].text = Text::Plain("changed by others".into());
    state.load(served(fresh, 4), NOW);
    assert_eq!(status(&state, 1), Status::Done);
    assert_eq!(
        text_of(state.list.live(id(2)).unwrap()),
        "changed by others"
    );
    assert_eq!(state.order(), [id(1), id(2), id(3), id(7)]);
}

#[test]
fn a_delta_changes_and_removes_only_what_it_names() {
    let mut state = on_loaded(3);
    let mut delta = served(
        vec![Item::from(on_server(2, |item| item.status = Status::Done))],
        2,
    );
    delta.delta = true;
    delta.removed = vec![id(3)];
    state.load(delta, NOW);
    assert_eq!(state.order(), [id(1), id(2)]);
    assert_eq!(status(&state, 2), Status::Done);
}

#[test]
fn a_tick_echoes_the_hash_only_of_the_text_on_the_screen() {
    let mut state = on_loaded(1);
    let item = state.list.live(id(1)).unwrap().clone();
    assert_eq!(state.seen_hash(&item).as_deref(), Some(&*text_hash("1")));
    send_text(&mut state, "a", 1, "uno");
    let item = state.list.live(id(1)).unwrap().clone();
    assert_eq!(state.seen_hash(&item), None);
}

#[test]
fn a_tick_in_a_draft_claims_no_hash_that_no_server_has_given() {
    let mut list = served(items(1), 0);
    list.is_draft = true;
    let mut state = ListState::new(Context::new("incident", "", ""));
    state.load(list, NOW);
    let item = state.list.live(id(1)).cloned().unwrap();
    assert_eq!(state.seen_hash(&item), None);
}

#[test]
fn an_undo_takes_back_here_what_was_not_sent_and_asks_for_the_rest() {
    let mut state = on_loaded(2);
    send_tick(&mut state, "a", 1);
    send_tick(&mut state, "b", 2);
    state.queue.start();
    assert!(matches!(state.undo(NOW), UndoStep::Withdrawn(operation, _) if operation.id == "b"));
    assert_eq!(status(&state, 2), Status::Open);
    assert_eq!(state.undo(NOW), UndoStep::Ask("a".into()));
    assert_eq!(status(&state, 1), Status::Done, "the server decides");
    assert_eq!(state.undo(NOW), UndoStep::Nothing);
}

#[test]
fn a_deleted_section_takes_its_items_and_a_refusal_brings_them_back() {
    let mut state = ListState::new(Context::new("incident", "1", ""));
    let mut rows = items(3);
    rows[0].kind = Kind::Section;
    rows[1].parent_id = Some(id(1));
    state.load(served(rows, 1), NOW);
    dispatch(&mut state, "a", Action::Delete(id(1)));
    assert_eq!(state.order(), [id(3)]);
    state.queue.start();
    state.reject(RejectionReason::Permission, NOW);
    assert_eq!(state.order(), [id(1), id(2), id(3)]);
}

#[test]
fn without_the_permission_nothing_changes_and_nothing_is_sent() {
    let mut state = on_loaded(1);
    let mut readable = served(items(1), 1);
    readable.permissions = [Permission::Read].into_iter().collect();
    state.load(readable, NOW);
    let action = tick(&state, 1, Status::Done);
    assert_eq!(
        state.dispatch(operation("a", action), NOW),
        Err(Code::PermissionDenied)
    );
    assert!(state.queue.is_empty());
    assert_eq!(status(&state, 1), Status::Open);
}

#[test]
fn a_drafts_changes_find_their_items_and_build_on_each_other() {
    let mut state = on_loaded(2);
    send_text(&mut state, "a", 1, "uno");
    send_text(&mut state, "b", 1, "one");
    dispatch(&mut state, "c", addition(7, "mine"));
    let drafted = draft::keys_by_id(&state.list);
    let waiting = state.queue.clear_unsent();
    let mut real = items(2);
    for item in &mut real {
        item.id = id(text_of(item).parse::<u8>().unwrap() + 100);
        item.version = 4;
    }
    state.load(served(real, 3), NOW);
    for operation in draft::rewrite(waiting, &drafted, &state.list) {
        assert!(matches!(state.dispatch(operation, NOW), Ok(Some(_))));
    }
    let bases: Vec<Option<u64>> = state
        .queue
        .actions()
        .into_iter()
        .map(|action| match action {
            Action::Update(update) => update.base_version,
            _ => None,
        })
        .collect();
    assert_eq!(bases, [Some(4), Some(5), None]);
    assert_eq!(text_of(state.list.live(id(101)).unwrap()), "one");
    assert_eq!(state.order(), [id(101), id(102), id(7)]);
}

#[test]
fn a_reset_forgets_what_was_not_sent() {
    let mut state = on_loaded(2);
    send_tick(&mut state, "a", 1);
    dispatch(&mut state, "b", addition(7, "mine"));
    state.reset(NOW);
    assert!(state.queue.is_empty() && state.undo.is_empty());
    assert_eq!(state.order(), [id(1), id(2)]);
    assert_eq!(status(&state, 1), Status::Open);
}

/// A section (1) with 2 and 3, a loose row 4, a section (5) with 6.
fn sectioned() -> ListState {
    let mut state = ListState::new(Context::new("incident", "1", ""));
    let mut rows = items(6);
    for (row, kind, parent) in [
        (0, Kind::Section, None),
        (1, Kind::Item, Some(1)),
        (2, Kind::Item, Some(1)),
        (4, Kind::Section, None),
        (5, Kind::Item, Some(5)),
    ] {
        rows[row].kind = kind;
        rows[row].parent_id = parent.map(id);
    }
    state.load(served(rows, 1), NOW);
    state
}

fn walk(state: &mut ListState, n: u8, up: bool) -> Vec<ItemId> {
    let item = state.list.live(id(n)).unwrap().clone();
    let update = moves::step(state, &item, up).unwrap();
    let name = format!("{n}{up}{}", state.queue.len());
    dispatch(state, &name, Action::Update(Box::new(update)));
    state.order().to_vec()
}

#[test]
fn steps_down_lead_through_the_list_and_in_and_out_of_sections() {
    let mut state = sectioned();
    assert_eq!(walk(&mut state, 2, false), [1, 3, 2, 4, 5, 6].map(id));
    assert_eq!(
        walk(&mut state, 2, false),
        [1, 3, 2, 4, 5, 6].map(id),
        "out of the section, before the loose row"
    );
    assert_eq!(state.list.live(id(2)).unwrap().parent_id, None);
    assert_eq!(walk(&mut state, 2, false), [1, 3, 4, 2, 5, 6].map(id));
    assert_eq!(walk(&mut state, 2, false), [1, 3, 4, 5, 2, 6].map(id));
    assert_eq!(state.list.live(id(2)).unwrap().parent_id, Some(id(5)));
}

#[test]
fn a_step_up_from_beside_a_section_leads_to_its_end() {
    let mut state = sectioned();
    assert_eq!(walk(&mut state, 4, true), [1, 2, 3, 4, 5, 6].map(id));
    assert_eq!(state.list.live(id(4)).unwrap().parent_id, Some(id(1)));
    assert_eq!(
        walk(&mut state, 6, true),
        [1, 2, 3, 4, 6, 5].map(id),
        "out of its section, to the end of the one before"
    );
}

#[test]
fn sections_move_with_what_they_hold_and_the_ends_lead_nowhere() {
    let mut state = sectioned();
    assert_eq!(walk(&mut state, 5, true), [1, 2, 3, 5, 6, 4].map(id));
    let first = state.list.live(id(1)).unwrap().clone();
    assert!(moves::step(&state, &first, true).is_none());
}

#[test]
fn a_position_counts_from_one_and_stays_within_the_siblings() {
    let mut state = on_loaded(4);
    for (position, order) in [(1, [3, 1, 2, 4]), (99, [1, 2, 4, 3]), (2, [1, 3, 2, 4])] {
        let item = state.list.live(id(3)).unwrap().clone();
        let update = moves::to_position(&state, &item, position).unwrap();
        dispatch(
            &mut state,
            &position.to_string(),
            Action::Update(Box::new(update)),
        );
        assert_eq!(state.order(), order.map(id));
    }
}

#[test]
fn the_journal_is_spoken_of_only_when_something_was_written() {
    let mut state = on_loaded(2);
    send_tick(&mut state, "a", 1);
    send_tick(&mut state, "b", 2);
    let told = |answer: WriteOutcome| WriteOutcome {
        journal: JournalResult {
            reason: Some("no class".into()),
            ..JournalResult::default()
        },
        ..answer
    };
    state.queue.start();
    let conflict = answer(
        1,
        Outcome::Conflict,
        Some(on_server(1, |_| ())),
        Some(Code::StatusConflict),
        1,
    );
    assert_eq!(state.confirm(told(conflict), NOW).journal_reason, None);
    state.queue.start();
    let done = answer(
        2,
        Outcome::Updated,
        Some(on_server(2, |item| item.status = Status::Done)),
        None,
        2,
    );
    assert_eq!(
        state.confirm(told(done), NOW).journal_reason.as_deref(),
        Some("no class")
    );
}

#[test]
fn an_answer_rearranges_rows_only_when_one_has_moved() {
    let mut state = on_loaded(2);
    send_tick(&mut state, "a", 1);
    state.queue.start();
    let place = state.list.live(id(1)).unwrap().sort_key.clone();
    let here = on_server(1, |item| item.sort_key.clone_from(&place));
    assert!(
        !state
            .confirm(answer(2, Outcome::Updated, Some(here), None, 1), NOW)
            .affected
            .structural
    );
    send_tick(&mut state, "b", 2);
    state.queue.start();
    let elsewhere = on_server(2, |item| item.parent_id = Some(id(9)));
    assert!(
        state
            .confirm(answer(3, Outcome::Updated, Some(elsewhere), None, 2), NOW)
            .affected
            .structural
    );
}

#[test]
fn whether_an_item_is_required_is_offered_also_where_all_items_count() {
    let mut answer = served(items(1), 1);
    answer.template.changeable = DefinitionFields::from_bits(7);
    let mut state = ListState::new(Context::new("incident", "1", ""));
    state.load(answer, NOW);
    let item = state.live(id(1)).expect("an item");
    let fields = state.changeable(item);
    assert!(fields.contains(DefinitionField::Required));
}
