//! What a worklist is asked for, and the page around it.

use checklist_shared::date::Date;
use checklist_shared::item::Status;
use checklist_shared::wire::find::{FindItems, ItemFilter};
use checklist_shared::{Context, ItemId};

use crate::i18n::Words;
use crate::port::{ErrorDetail, TokenCallback, TokenReason};

/// Which open items to show, and where their links lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorklistSettings {
    /// The base URL of the web services, without `/api/…`.
    pub base_url: String,
    /// `me` or nothing: the person of the token. `*`: anybody and nobody. Else the id of an
    /// assignee.
    pub assignee: String,
    /// Overdue items alone.
    pub late: bool,
    /// Items alone for which somebody proposes a status.
    pub proposed: bool,
    /// Only lists of that object type.
    pub object_type: String,
    /// Only lists of that purpose.
    pub purpose: String,
    /// Only lists that follow that template.
    pub template: String,
    /// Only items whose text contains each of these words.
    pub text: String,
    /// How many items are read at a time, 1 to 200; [`WorklistSettings::USUAL_LIMIT`] where it is no
    /// such number.
    pub limit: String,
    /// The address of an object's page, with `{ObjectType}`, `{ObjectId}`, `{Purpose}` and `{ItemId}`
    /// in it. Without it the page opens the object itself.
    pub href: String,
    /// Language tag.
    pub lang: String,
    /// The texts; the default is those of the language tag.
    pub words: Option<Words>,
}

/// The page around a worklist.
pub trait WorklistHost {
    /// A token for the lists of these contexts, in which `*` stands for any; empty where the page's
    /// own session will do.
    fn token(&self, contexts: Vec<Context>, reason: TokenReason, done: TokenCallback);

    /// Asks before a status is set; `false` stops it.
    fn before_tick(&self, tick: &TickDetail) -> bool;

    /// A person has set a status, and the server has stored it.
    fn ticked(&self, tick: TickDetail);

    /// A person opens an object. `false`: the page shows it, and no link is to be followed.
    fn opened(&self, detail: OpenDetail) -> bool;

    /// There is something to see: whatever stood in for it may go.
    fn shown(&self) {}

    /// Items could not be read, or one could not be changed.
    fn error(&self, problem: ErrorDetail);
}

/// A status that is set: the detail of `before-checklist-check` and `checklist-change`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TickDetail {
    /// The list.
    pub context: Context,
    /// The item.
    pub item: ItemId,
    /// Its status before.
    pub before: Status,
    /// Its status afterwards.
    pub after: Status,
}

/// An object that is opened: the detail of `checklist-open`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenDetail {
    /// The list.
    pub context: Context,
    /// The item from which it is opened.
    pub item: ItemId,
}

/// Stands for any value in the contexts of a token, and for any assignee.
pub const ANY: &str = "*";

impl WorklistSettings {
    /// How many items are read at a time where nothing else is said.
    pub const USUAL_LIMIT: u32 = 50;
    /// The most that the server gives at a time.
    pub const MOST: u32 = 200;

    /// How many items are read at a time.
    #[must_use]
    pub fn page_size(&self) -> u32 {
        let limit = self.limit.trim().parse().unwrap_or(Self::USUAL_LIMIT);
        limit.clamp(1, Self::MOST)
    }

    /// The words around the items.
    #[must_use]
    pub fn words(&self) -> Words {
        self.words.unwrap_or_else(|| Words::of(&self.lang))
    }

    /// The id of somebody else than the caller whose items are asked for.
    #[must_use]
    pub fn other_assignee(&self) -> Option<&str> {
        let assignee = self.assignee.trim();
        let is_other = !assignee.is_empty() && !assignee.eq_ignore_ascii_case("me");
        (is_other && assignee != ANY).then_some(assignee)
    }

    /// Whether the caller's own items are asked for.
    #[must_use]
    pub fn is_of_caller(&self) -> bool {
        self.assignee.trim() != ANY && self.other_assignee().is_none()
    }

    /// The first page of it, for a reader with that date.
    #[must_use]
    pub fn question(&self, today: Date) -> FindItems {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let me = self.is_of_caller().then_some(ItemFilter::ME);
        FindItems {
            filter: ItemFilter {
                assignee: me.or_else(|| self.other_assignee()).map(str::to_owned),
                late: self.late.then_some(true),
                proposed: self.proposed.then_some(true),
                object_type: given(&self.object_type),
                purpose: given(&self.purpose),
                template: given(&self.template),
                text: given(self.text.trim()),
                ..ItemFilter::default()
            },
            limit: Some(self.page_size()),
            today: Some(today),
            ..FindItems::default()
        }
    }

    /// The lists for which a token is needed: all that may hold such items.
    #[must_use]
    pub fn scope(&self) -> Context {
        let or_any = |text: &str| if text.is_empty() { ANY } else { text }.to_owned();
        Context::new(&or_any(&self.object_type), ANY, &or_any(&self.purpose))
    }

    /// The address of an item's object, where the page has given a pattern. `encode` writes a value
    /// as a part of an address.
    #[must_use]
    pub fn address(&self, detail: &OpenDetail, encode: fn(&str) -> String) -> Option<String> {
        if self.href.is_empty() {
            return None;
        }
        let context = &detail.context;
        let mut address = String::with_capacity(self.href.len() + 16);
        let mut rest = self.href.as_str();
        // In one pass: a value that looks like a placeholder is not filled again.
        while let Some((before, after)) = rest.split_once('{') {
            address.push_str(before);
            let place = after.split_once('}').and_then(|(name, tail)| {
                let value = match name {
                    "ObjectType" => context.object_type.clone(),
                    "ObjectId" => context.object_id.clone(),
                    "Purpose" => context.purpose.clone(),
                    "ItemId" => detail.item.to_text(),
                    _ => return None,
                };
                Some((value, tail))
            });
            if let Some((value, tail)) = place {
                address.push_str(&encode(&value));
                rest = tail;
            } else {
                address.push('{');
                rest = after;
            }
        }
        address.push_str(rest);
        Some(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(assignee: &str) -> FindItems {
        let settings = WorklistSettings {
            assignee: assignee.to_owned(),
            ..WorklistSettings::default()
        };
        settings.question(Date::from_days(0))
    }

    #[test]
    fn it_asks_for_the_callers_items_unless_somebody_is_named() {
        for me in ["", "me", " Me "] {
            assert_eq!(of(me).filter.assignee.as_deref(), Some("Me"), "{me:?}");
        }
        assert_eq!(
            of("M. Keller").filter.assignee.as_deref(),
            Some("M. Keller")
        );
        assert_eq!(of("*").filter.assignee, None);
    }

    #[test]
    fn what_is_not_set_narrows_nothing() {
        let everything = WorklistSettings {
            assignee: ANY.to_owned(),
            ..WorklistSettings::default()
        };
        let question = everything.question(Date::from_days(0));
        assert_eq!(question.filter, ItemFilter::default());
        assert_eq!(everything.scope(), Context::new("*", "*", "*"));
        let narrow = WorklistSettings {
            late: true,
            object_type: "incident".to_owned(),
            ..everything
        };
        assert_eq!(narrow.question(Date::from_days(0)).filter.late, Some(true));
        assert_eq!(narrow.scope(), Context::new("incident", "*", "*"));
    }

    #[test]
    fn a_limit_that_is_none_is_the_usual_one_and_none_is_beyond_the_servers() {
        for (text, limit) in [
            ("", 50),
            ("all", 50),
            ("-1", 50),
            ("0", 1),
            ("20", 20),
            ("1000", 200),
        ] {
            let settings = WorklistSettings {
                limit: text.to_owned(),
                ..WorklistSettings::default()
            };
            assert_eq!(settings.page_size(), limit, "{text:?}");
        }
    }

    #[test]
    fn an_address_holds_values_as_parts_and_leaves_other_braces_alone() {
        let encode = |text: &str| text.replace('/', "%2F").replace('{', "%7B");
        let detail = OpenDetail {
            context: Context::new("incident", "A/{Purpose}", "x"),
            item: ItemId::from_bytes([0; 16]),
        };
        let address = |href: &str| {
            let settings = WorklistSettings {
                href: href.to_owned(),
                ..WorklistSettings::default()
            };
            settings.address(&detail, encode)
        };
        assert_eq!(address(""), None);
        assert_eq!(
            address("/desk/{ObjectType}s/{ObjectId}?list={Purpose}#{Else}{").as_deref(),
            Some("/desk/incidents/A%2F%7BPurpose}?list=x#{Else}{")
        );
    }
}
