//! What a call of `FindItems` asks for: validated, with its order, and able to say what fits.

use checklist_auth::Principal;
use checklist_shared::date::Date;
use checklist_shared::due::Due;
use checklist_shared::item::{Kind, Status};
use checklist_shared::limits::Limits;
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::progress::State;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::find::{FindItems, ItemFilter, ItemSort};
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::list::ListAnswer;
use checklist_store::error::ServiceResult;
use checklist_store::found_items::{ItemOrder, ItemPosition, NEVER};
use sha2::{Digest as _, Sha256};

use super::cursor::Cursor;
use crate::access::FieldErrors;
use crate::lists;

/// The default page size.
const USUAL: u32 = 50;
/// The maximum page size.
const MOST: u32 = 200;

/// What is asked for.
pub(super) struct Question {
    /// A digest of tenant, filter, whom it asks for and order.
    pub(super) id: String,
    pub(super) filter: ItemFilter,
    pub(super) order: Order,
    pub(super) limit: usize,
    pub(super) after: Option<Cursor>,
    pub(super) now: Timestamp,
    today: Date,
    /// The id of the wanted assignee.
    assignee: Option<String>,
    /// In lower case.
    words: Vec<String>,
}

/// An order, with what bounds it.
#[derive(Clone, Debug)]
pub(super) enum Order {
    /// Open items by due date.
    Due {
        /// Of that person, or of anybody.
        assignee: Option<String>,
        first: i64,
        until: i64,
    },
    /// Items with a proposal, the oldest first.
    Proposed,
    /// By object.
    Object,
}

impl Order {
    /// The same order in the store, and where it begins; `None` for that of objects.
    pub(super) fn positions(&self) -> Option<(ItemOrder, ItemPosition)> {
        match self {
            Self::Due {
                assignee,
                first,
                until,
            } => {
                let until = *until;
                let order = match assignee.clone() {
                    Some(id) => ItemOrder::Assigned { id, until },
                    None => ItemOrder::Due { until },
                };
                Some((order, ItemPosition::at_or_after(*first)))
            }
            Self::Proposed => Some((ItemOrder::Proposed, ItemPosition::at_or_after(i64::MIN))),
            Self::Object => None,
        }
    }

    /// What an item is sorted by.
    pub(super) fn number_of(&self, item: &ItemView) -> i64 {
        match self {
            Self::Due { .. } => item.due.map_or(NEVER, end_of),
            Self::Proposed => item.proposal.as_ref().map_or(0, |one| one.at.as_millis()),
            Self::Object => 0,
        }
    }
}

/// What the column `due` of `open_item` has of it.
const fn end_of(due: Due) -> i64 {
    due.end().as_millis()
}

impl Question {
    pub(super) fn of(
        request: &FindItems,
        principal: &Principal,
        now: Timestamp,
    ) -> ServiceResult<Self> {
        let mut faults = FieldErrors::default();
        let filter = &request.filter;
        faults.language("/Language", request.language.as_deref());
        let limit = faults.page_size(request.limit, USUAL, MOST);
        for (pointer, text) in [
            ("/Filter/Assignee", &filter.assignee),
            ("/Filter/ObjectType", &filter.object_type),
            ("/Filter/Template", &filter.template),
            ("/Filter/TemplateKey", &filter.template_key),
        ] {
            if let Some(text) = text {
                faults.name(pointer, text);
            }
        }
        if let Some(purpose) = filter.purpose.as_deref().filter(|it| !it.is_empty()) {
            faults.name("/Filter/Purpose", purpose);
        }
        faults.length(
            || "/Filter/Text".to_owned(),
            filter.text.as_deref(),
            Limits::IDENTIFIER,
        );
        if filter.state == Some(State::Unknown) {
            faults.say(
                "/Filter/State",
                FieldErrorCode::Invalid,
                lists::STATE_EXPECTED,
            );
        }
        let sort = sort_of(request, &mut faults);
        // Whoever acts for a person asks for what is that person's.
        let actor = &principal.actor;
        let me = actor.on_behalf_of.as_ref();
        let me = me.map_or(&actor.id, |me| &me.id);
        let assignee = filter.assignee.as_deref().map(|id| match id {
            ItemFilter::ME => me.clone(),
            id => id.to_owned(),
        });
        let today = (request.today)
            .unwrap_or_else(|| Date::from_days(now.as_millis().div_euclid(Timestamp::DAY)));
        let id = id_of(&principal.tenant, filter, assignee.as_deref(), sort);
        let after = request
            .after
            .as_deref()
            .map(|text| Cursor::decode(text, &id));
        if after == Some(None) {
            faults.say(
                "/After",
                FieldErrorCode::Invalid,
                "Send the Next of the previous page, with the same Filter and Sort.",
            );
        }
        faults.refuse()?;
        let text = filter.text.as_deref().unwrap_or_default();
        let mut question = Self {
            id,
            filter: filter.clone(),
            order: Order::Object,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            after: after.flatten(),
            now,
            today,
            assignee,
            words: text.split_whitespace().map(str::to_lowercase).collect(),
        };
        question.order = match sort {
            ItemSort::Object => Order::Object,
            ItemSort::Proposed => Order::Proposed,
            ItemSort::Due => question.by_due(),
        };
        Ok(question)
    }

    fn by_due(&self) -> Order {
        let range = self.filter.due.unwrap_or_default();
        let mut until = range.before.map_or(NEVER, |before| before.as_millis() - 1);
        if self.filter.late == Some(true) {
            let days = self.today.as_days() * Timestamp::DAY - 1;
            until = until.min(days.max(self.now.as_millis()));
        }
        Order::Due {
            assignee: self.assignee.clone(),
            first: range.after.map_or(i64::MIN, Timestamp::as_millis),
            until,
        }
    }

    /// Whether an item is one of those that are asked for.
    pub(super) fn fits(&self, list: &ListAnswer, item: &ItemView) -> bool {
        let filter = &self.filter;
        let is = |wanted: &Option<String>, value: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| value == Some(wanted))
        };
        // What was resolved in time is late no more.
        let is_late = || match (item.due, item.status_at) {
            (Some(due), Some(at)) if item.status != Status::Open => at > due.end(),
            (Some(due), _) => due.is_over(self.now, self.today),
            (None, _) => false,
        };
        let is_proposed = || item.proposal.as_ref().is_some_and(|one| !one.accepted);
        let is_in_time = |range: &_| is_within(range, item.due);
        let has_words = || {
            let text = item.text.to_lowercase();
            self.words.iter().all(|word| text.contains(word))
        };
        item.kind == Kind::Item
            && item.retired_at.is_none()
            && item.status == filter.status.unwrap_or(Status::Open)
            && is(
                &self.assignee,
                item.assignee.as_ref().map(|who| who.id.as_str()),
            )
            && filter.due.as_ref().is_none_or(is_in_time)
            && filter.late.is_none_or(|late| late == is_late())
            && filter
                .proposed
                .is_none_or(|proposed| proposed == is_proposed())
            && filter
                .required
                .is_none_or(|required| required == item.required)
            && is(&filter.object_type, Some(&list.context.object_type))
            && is(&filter.purpose, Some(&list.context.purpose))
            && is(&filter.template, list.template_id.as_deref())
            && is(&filter.template_key, item.template_key.as_deref())
            && filter.state.is_none_or(|state| state == list.state)
            && has_words()
    }
}

fn is_within(range: &checklist_shared::wire::find::DueRange, due: Option<Due>) -> bool {
    due.map(end_of).is_some_and(|due| {
        range.after.is_none_or(|after| due >= after.as_millis())
            && range.before.is_none_or(|before| due < before.as_millis())
    })
}

/// The order that was asked for, or that goes with the filter.
fn sort_of(request: &FindItems, faults: &mut FieldErrors) -> ItemSort {
    let filter = &request.filter;
    let is_open = filter.status.is_none_or(|status| status == Status::Open);
    let has_due =
        is_open && (filter.assignee.is_some() || filter.due.is_some() || filter.late == Some(true));
    let has_proposal = is_open && filter.proposed == Some(true);
    let (fits, expected) = match request.sort {
        None if has_due => return ItemSort::Due,
        None if has_proposal => return ItemSort::Proposed,
        None => return ItemSort::Object,
        Some(ItemSort::Object) => (true, ""),
        Some(ItemSort::Due) => (
            has_due,
            "Due needs Assignee, Due or Late in Filter, and open items.",
        ),
        Some(ItemSort::Proposed) => (
            has_proposal,
            "Proposed needs Proposed in Filter, and open items.",
        ),
    };
    if !fits {
        faults.say("/Sort", FieldErrorCode::Invalid, expected);
    }
    request.sort.unwrap_or(ItemSort::Object)
}

fn id_of(tenant: &str, filter: &ItemFilter, assignee: Option<&str>, sort: ItemSort) -> String {
    let asked = serde_json::json!([tenant, filter, assignee, sort]).to_string();
    let digest = Sha256::digest(asked.as_bytes());
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
