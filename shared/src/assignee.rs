//! Whom an item is assigned to: an id that decides who it is, and a name for people to read.
//!
//! A text alone (a name that somebody typed, the role of a template) is an id that is its own name.
//! Ids come from the host and are opaque: whether two are one person, nobody here knows.

#[cfg(feature = "records")]
pub(crate) mod reading;

use serde::Serialize;

use crate::limits::Limits;
use crate::text::{is_blank, trimmed};

/// Whom an item is assigned to.
///
/// ```
/// use checklist_shared::assignee::Assignee;
/// let role = Assignee::from("Second level");
/// assert_eq!((role.id.as_str(), role.name.as_str()), ("Second level", "Second level"));
/// assert!(role.is_text());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
// The control reads what servers write: always an object.
#[cfg_attr(not(feature = "records"), derive(serde::Deserialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Assignee {
    /// Stable id: what filters compare. Of a person the `sub` of their tokens, so that `Me` finds them.
    pub id: String,
    /// Name for people, as of this assignment. Of a typed name or a role the same text as `Id`.
    pub name: String,
}

impl Assignee {
    /// Somebody with an id and a name.
    #[must_use]
    pub fn new(id: &str, name: &str) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
        }
    }

    /// Whether it is a text: a typed name or a role.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.id == self.name
    }

    /// The id, where it is not the name.
    #[must_use]
    pub fn other_id(&self) -> Option<&str> {
        (!self.is_text()).then_some(&self.id)
    }

    /// What tells it apart from others, where its name is one of these.
    #[must_use]
    pub fn distinction(&self, ambiguous: &[String]) -> Option<&str> {
        self.other_id().filter(|_| ambiguous.contains(&self.name))
    }

    /// As it is stored: without blanks at the ends, and with a name. `None` if there is no id.
    #[must_use]
    pub fn tidy(&self) -> Option<Self> {
        let name = if is_blank(&self.name) {
            &self.id
        } else {
            &self.name
        };
        (!is_blank(&self.id)).then(|| Self::new(trimmed(&self.id), trimmed(name)))
    }

    /// Whether assigning `wanted` changes anything for an item that has `current`. The id alone,
    /// without a name, is no news about the name.
    #[must_use]
    pub fn is_changed(current: Option<&Self>, wanted: Option<&Self>) -> bool {
        match (current, wanted) {
            (Some(current), Some(wanted)) => {
                current.id != wanted.id || (current.name != wanted.name && !wanted.is_text())
            }
            (current, wanted) => current != wanted,
        }
    }

    /// The texts that have a limit: the member of a request, its value, its length at most.
    #[must_use]
    pub fn limited_texts(wanted: Option<&Self>) -> [(&'static str, Option<&str>, usize); 2] {
        let id = match wanted {
            Some(wanted) if !wanted.is_text() => "Assignee/Id",
            _ => "Assignee",
        };
        [
            (id, wanted.map(|it| it.id.as_str()), Limits::IDENTIFIER),
            (
                "Assignee/Name",
                wanted.filter(|it| !it.is_text()).map(|it| it.name.as_str()),
                Limits::IDENTIFIER,
            ),
        ]
    }
}

/// The names that several of these assignees have, who are not the same: by their names alone nobody can
/// tell them apart.
pub fn ambiguous_names<'a>(assignees: impl Iterator<Item = &'a Assignee>) -> Vec<String> {
    // Few people share a list, however many items it has; a sort would be a kilobyte of WASM.
    let mut known: Vec<&Assignee> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for who in assignees {
        if known.contains(&who) {
            continue;
        }
        let is_taken = known.iter().any(|one| one.name == who.name);
        if is_taken && !names.contains(&who.name) {
            names.push(who.name.clone());
        }
        known.push(who);
    }
    names
}

impl From<&str> for Assignee {
    fn from(text: &str) -> Self {
        Self::new(text, text)
    }
}

impl From<String> for Assignee {
    fn from(text: String) -> Self {
        Self {
            name: text.clone(),
            id: text,
        }
    }
}

/// The schema of an assignee in a request.
#[cfg(feature = "openapi")]
#[derive(Debug)]
pub struct NewAssignee;

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for NewAssignee {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{
            AdditionalProperties, ObjectBuilder, OneOfBuilder, Schema, Type,
        };
        let text = |about: &str| {
            ObjectBuilder::new()
                .schema_type(Type::String)
                .description(Some(about))
        };
        let person = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("A person."))
            .property(
                "Id",
                text("Stable id: the `sub` of their tokens, so that `Me` finds them."),
            )
            .property("Name", text("Name for people; without it the id."))
            .required("Id")
            .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false)));
        OneOfBuilder::new()
            .item(text(
                "A typed name or a role: `Id` and `Name` are this text.",
            ))
            .item(person)
            .description(Some("Whom an item is assigned to."))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for NewAssignee {}

#[cfg(test)]
mod tests {
    use super::{Assignee, ambiguous_names};

    #[test]
    fn the_id_alone_is_no_news_about_the_name_and_another_name_is() {
        let ada = Assignee::new("u1", "Ada");
        let changes = |wanted: Assignee| Assignee::is_changed(Some(&ada), Some(&wanted));
        assert!(!changes(ada.clone()));
        assert!(!changes("u1".into()));
        assert!(changes(Assignee::new("u1", "Ada Berg")));
        assert!(changes(Assignee::new("u2", "Ada")));
        assert!(changes("Ada".into()), "a typed name is nobody's id");
        assert!(Assignee::is_changed(Some(&ada), None) && Assignee::is_changed(None, Some(&ada)));
    }

    #[test]
    fn people_with_one_name_are_told_apart_and_nobody_else_is() {
        let all = [
            Assignee::new("u1", "Ada"),
            Assignee::new("u2", "Ada"),
            Assignee::new("u1", "Ada"),
            Assignee::new("u3", "Ben"),
            "Ben".into(),
            Assignee::new("u4", "Carla"),
            Assignee::new("u4", "Carla"),
        ];
        let names = ambiguous_names(all.iter());
        assert_eq!(names, ["Ada", "Ben"]);
        let told: Vec<_> = all.iter().map(|who| who.distinction(&names)).collect();
        let (one, two, ben) = (Some("u1"), Some("u2"), Some("u3"));
        assert_eq!(told, [one, two, one, ben, None, None, None]);
        let texts: [Assignee; 2] = ["Ada".into(), "Ada".into()];
        assert!(ambiguous_names(texts.iter()).is_empty());
    }

    #[test]
    fn blanks_at_the_ends_go_and_a_blank_name_is_the_id() {
        assert_eq!(
            Assignee::new(" u 1 ", " ").tidy(),
            Some(Assignee::new("u 1", "u 1"))
        );
        assert_eq!(Assignee::new(" ", "Ada").tidy(), None);
    }
}
