//! A row of a worklist: what may be done with the item, and what became of the last try.
//!
//! Pure. What an item needs beyond a tick, evidence, an answer or the reason to override a signal, is
//! asked for in its row. Two people decide in its list.

use checklist_shared::item::{Item, Status};
use checklist_shared::permission::Permission;
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::wire::find::FoundItem;
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::write::{Outcome, WriteResult};

use crate::model::notice::{Attribution, Notice, RejectionReason};
use crate::model::support::SupportForm;

/// Why a box cannot be ticked here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The list is locked.
    Locked,
    /// The caller may not check items of this list.
    NotPermitted,
    /// It takes two people.
    SecondPerson,
    /// Somebody else has resolved it; taking that back is for the list.
    Resolved,
    /// It is no longer in its list.
    Gone,
    /// It is no longer what is looked for: somebody else has resolved it, or assigned it to others.
    Left,
}

/// A found item and what has happened to it since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowState {
    /// The item as it was read last, with its list.
    pub found: FoundItem,
    /// The status that is on its way to the server.
    pub sending: Option<Status>,
    /// Whether its status was set here, so that it may be taken back here.
    pub is_ticked_here: bool,
    /// Whether the item is no longer there.
    pub is_gone: bool,
    /// Whether it is no longer what is looked for, by somebody else's doing.
    pub has_left: bool,
    /// What a person has to be told about it.
    pub notice: Option<Notice>,
}

impl RowState {
    /// A row as it was found.
    #[must_use]
    pub const fn new(found: FoundItem) -> Self {
        Self {
            found,
            sending: None,
            is_ticked_here: false,
            is_gone: false,
            has_left: false,
            notice: None,
        }
    }

    /// The status on the screen.
    #[must_use]
    pub fn status(&self) -> Status {
        self.sending.unwrap_or(self.found.item.status)
    }

    /// Why the box cannot be clicked; `None` where it can.
    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        let FoundItem {
            item,
            permissions,
            locked,
            ..
        } = &self.found;
        let is_open = item.status == Status::Open;
        if self.is_gone {
            Some(Obstacle::Gone)
        } else if self.has_left {
            Some(Obstacle::Left)
        } else if !is_open && !self.is_ticked_here {
            Some(Obstacle::Resolved)
        } else if locked.is_some() {
            Some(Obstacle::Locked)
        } else if !permissions.allows(Permission::Check) {
            Some(Obstacle::NotPermitted)
        } else if is_open && item.second_person {
            Some(Obstacle::SecondPerson)
        } else {
            None
        }
    }

    /// Whether the item is done with more than a tick.
    #[must_use]
    pub fn needs_form(&self) -> bool {
        SupportForm::is_needed(&Item::from(self.found.item.clone()))
    }

    /// Whether the item as it is found `now` is not what the row shows. One that is not found among all
    /// there are (`is_whole`) is no longer what is looked for; one before the version shown is outdated.
    #[must_use]
    pub fn is_news(&self, now: Option<&FoundItem>, is_whole: bool) -> bool {
        let is_own = self.sending.is_some() || self.is_ticked_here || self.is_gone;
        match now {
            _ if is_own => false,
            Some(now) => !self.is_after(now) && (self.has_left || *now != self.found),
            None => is_whole && !self.has_left,
        }
    }

    /// Whether the row shows a later version of the item.
    #[must_use]
    pub const fn is_after(&self, found: &FoundItem) -> bool {
        self.found.item.version > found.item.version
    }

    /// Takes over what somebody else has done.
    pub fn follow(&mut self, now: Option<&FoundItem>) {
        self.has_left = now.is_none();
        if let Some(now) = now {
            self.found = now.clone();
            self.notice = None;
        }
    }

    /// Takes in the server's answer to `wanted`. Says whether the status is now the wanted one because
    /// of this call.
    pub fn accept(&mut self, wanted: Status, result: WriteResult) -> bool {
        self.sending = None;
        let seen = self.found.item.version;
        let WriteResult {
            outcome,
            item,
            problem,
            ..
        } = result;
        let is_gone = problem
            .as_ref()
            .is_some_and(|problem| problem.code == ItemProblemCode::ItemNotFound);
        self.is_gone = is_gone || item.as_ref().is_some_and(|item| item.deleted_at.is_some());
        if self.is_gone {
            self.notice = Some(Notice::Refused(RejectionReason::ItemGone, None));
            return false;
        }
        match (outcome, item, problem) {
            (Outcome::Updated, Some(item), _) => {
                // What was taken back is anybody's again.
                self.is_ticked_here = item.status != Status::Open;
                self.has_left = false;
                self.found.item = item;
                self.notice = None;
                true
            }
            (Outcome::Unchanged | Outcome::Conflict, Some(item), _) => {
                let notice = difference(&self.found.item, &item);
                let is_mine = item.version == seen && item.status == wanted;
                self.found.item = item;
                self.notice = notice.filter(|_| !is_mine);
                false
            }
            (_, _, Some(problem)) => {
                let reason = RejectionReason::of_item(problem.code);
                self.notice = Some(Notice::Refused(reason, None));
                false
            }
            _ => {
                self.refuse(RejectionReason::Stale);
                false
            }
        }
    }

    /// The server has changed nothing.
    pub fn refuse(&mut self, reason: RejectionReason) {
        self.sending = None;
        self.notice = Some(Notice::Refused(reason, None));
    }
}

/// What somebody else has done to the item since it was read.
fn difference(before: &ItemView, now: &ItemView) -> Option<Notice> {
    let item = Item::from(now.clone());
    if now.status != before.status {
        Some(Notice::StatusTaken(
            now.status,
            Attribution::status_of(&item),
        ))
    } else if now.text != before.text {
        Some(Notice::WordingChanged(Attribution::last_of(&item)))
    } else if now.version != before.version {
        Some(Notice::FieldTaken(Attribution::last_of(&item), None))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use checklist_shared::item::{Actor, Origin};
    use checklist_shared::permission::Permissions;
    use checklist_shared::problem::ItemProblem;
    use checklist_shared::progress::State;
    use checklist_shared::text::Text;
    use checklist_shared::{Context, ItemId, Timestamp};

    use super::*;

    fn item(change: impl FnOnce(&mut Item)) -> ItemView {
        let by = Actor::person("anna", "Anna");
        let at = Timestamp::from_millis(1_000);
        let mut item = Item::new(
            ItemId::from_bytes([1; 16]),
            Origin::Local,
            Text::from("Call back"),
            by,
            at,
        );
        change(&mut item);
        ItemView::of(&item, &["en"])
    }

    fn row(change: impl FnOnce(&mut Item)) -> RowState {
        RowState::new(FoundItem {
            context: Context::new("incident", "1", ""),
            title: None,
            state: State::Open,
            locked: None,
            permissions: Permissions::default().with(Permission::Check),
            section: None,
            item: item(change),
        })
    }

    fn result(outcome: Outcome, item: Option<ItemView>) -> WriteResult {
        WriteResult {
            id: ItemId::from_bytes([1; 16]),
            outcome,
            item,
            problem: None,
        }
    }

    fn done(by: &'static str) -> impl Fn(&mut Item) {
        move |item: &mut Item| {
            item.status = Status::Done;
            item.version = 2;
            item.status_by = Some(Actor::person(by, by).into());
            item.status_at = Some(Timestamp::from_millis(2_000));
        }
    }

    #[test]
    fn an_item_that_takes_two_people_or_is_only_read_is_not_ticked_here() {
        assert_eq!(row(|_| {}).obstacle(), None);
        let two = row(|item| item.second_person = true);
        assert_eq!(two.obstacle(), Some(Obstacle::SecondPerson));
        let mut reader = row(|_| {});
        reader.found.permissions = Permissions::default();
        assert_eq!(reader.obstacle(), Some(Obstacle::NotPermitted));
    }

    #[test]
    fn what_was_ticked_here_can_be_taken_back_and_what_others_did_cannot() {
        let mut mine = row(|_| {});
        mine.sending = Some(Status::Done);
        assert!(mine.accept(
            Status::Done,
            result(Outcome::Updated, Some(item(done("petra"))))
        ));
        assert_eq!((mine.status(), mine.obstacle()), (Status::Done, None));
        assert!(!mine.is_news(None, true), "it stays to be taken back");
        let reopened = item(|item| item.version = 3);
        mine.accept(Status::Open, result(Outcome::Updated, Some(reopened)));
        assert!(mine.is_news(None, true), "it follows others again");
        let mut theirs = row(|_| {});
        theirs.sending = Some(Status::Done);
        assert!(!theirs.accept(
            Status::Done,
            result(Outcome::Unchanged, Some(item(done("Ben"))))
        ));
        assert_eq!(theirs.obstacle(), Some(Obstacle::Resolved));
        assert!(matches!(
            theirs.notice,
            Some(Notice::StatusTaken(Status::Done, _))
        ));
    }

    #[test]
    fn what_somebody_else_resolves_leaves_and_what_was_done_here_does_not() {
        let mut shown = row(|_| {});
        assert!(!shown.is_news(Some(&shown.found), true));
        assert!(!shown.is_news(None, false), "it may stand further down");
        let mut outdated = shown.found.clone();
        outdated.item.text = "Call".to_owned();
        assert!(shown.is_news(Some(&outdated), true));
        outdated.item.version = 0;
        assert!(!shown.is_news(Some(&outdated), true));
        assert!(shown.is_news(None, true));
        shown.follow(None);
        assert_eq!(shown.obstacle(), Some(Obstacle::Left));
        assert!(!shown.is_news(None, true), "once");
        let again = shown.found.clone();
        assert!(shown.is_news(Some(&again), true));
        shown.follow(Some(&again));
        assert_eq!(shown.obstacle(), None);
        shown.is_ticked_here = true;
        assert!(!shown.is_news(None, true), "it stays to be taken back");
    }

    #[test]
    fn another_wording_is_shown_and_can_be_ticked_once_it_was_read() {
        let mut row = row(|_| {});
        row.sending = Some(Status::Done);
        let reworded = item(|item| {
            item.text = Text::from("Call twice");
            item.version = 2;
        });
        row.accept(Status::Done, result(Outcome::Conflict, Some(reworded)));
        assert_eq!((row.status(), row.obstacle()), (Status::Open, None));
        assert_eq!(row.found.item.text, "Call twice");
        assert!(matches!(row.notice, Some(Notice::WordingChanged(_))));
    }

    #[test]
    fn a_deleted_item_is_gone_and_a_refused_one_stays_as_it_was() {
        let refused = |code: ItemProblemCode| WriteResult {
            problem: Some(ItemProblem {
                code,
                detail: String::new(),
            }),
            ..result(Outcome::Failed, None)
        };
        let mut gone = row(|_| {});
        gone.accept(Status::Done, refused(ItemProblemCode::ItemNotFound));
        assert_eq!(gone.obstacle(), Some(Obstacle::Gone));
        let mut refusal = row(|_| {});
        refusal.accept(Status::Done, refused(ItemProblemCode::PermissionDenied));
        assert_eq!(refusal.status(), Status::Open);
        let notice = Notice::Refused(RejectionReason::Permission, None);
        assert_eq!(refusal.notice, Some(notice));
    }
}
