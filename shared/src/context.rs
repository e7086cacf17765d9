//! What identifies a checklist: the object it is about, and its purpose on that object.
//!
//! There is one checklist per tenant and (ObjectType, ObjectId, Purpose). The template in a context
//! is only used for a list that was never written.

use serde::{Deserialize, Deserializer, Serialize};

#[cfg(feature = "records")]
use crate::facts::Facts;
use crate::limits::Limits;

/// The context of a checklist, as every call carries it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Context {
    /// The platform type of the object, for example `incident`.
    pub object_type: String,
    /// The id of the object in the platform; opaque, compared exactly.
    pub object_id: String,
    /// Which list of the object; the empty purpose is the default list.
    #[serde(default)]
    pub purpose: String,
    /// The template that a list not yet written is made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    /// Facts of the object, by which items apply: of a list not yet written, and where a refresh renews
    /// them. They identify nothing, and no answer's context has them. Not for embed tokens, which bring
    /// their own.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
}

/// What is wrong with a context, and at which of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} {reason}")]
pub struct InvalidContext {
    /// The field's name on the wire.
    pub field: &'static str,
    /// What is wrong with it, ready to follow the field's name in a sentence.
    pub reason: &'static str,
}

/// The context as an answer names it, which may grow.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answered {
    object_type: String,
    object_id: String,
    #[serde(default)]
    purpose: String,
    #[serde(default)]
    template_id: Option<String>,
}

impl Context {
    /// Reads a context out of an answer, where a newer server may say more than this knows.
    ///
    /// # Errors
    /// It names no list.
    pub fn of_answer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = Answered::deserialize(deserializer)?;
        Ok(Self {
            object_type: named.object_type,
            object_id: named.object_id,
            purpose: named.purpose,
            template_id: named.template_id,
            #[cfg(feature = "records")]
            facts: None,
        })
    }

    /// The same as answers name it, without facts.
    #[cfg(feature = "records")]
    #[must_use]
    pub fn without_facts(&self) -> Self {
        Self {
            facts: None,
            ..self.clone()
        }
    }

    /// A context without a template.
    #[must_use]
    pub fn new(object_type: &str, object_id: &str, purpose: &str) -> Self {
        Self {
            object_type: object_type.to_owned(),
            object_id: object_id.to_owned(),
            purpose: purpose.to_owned(),
            template_id: None,
            #[cfg(feature = "records")]
            facts: None,
        }
    }

    /// Whether both name the same checklist; the template does not count.
    #[must_use]
    pub fn same_list(&self, other: &Self) -> bool {
        self.object_type == other.object_type
            && self.object_id == other.object_id
            && self.purpose == other.purpose
    }

    /// Checks that the parts are there, short enough, free of control characters, and not the star
    /// by which a token covers any object.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn validate(&self) -> Result<(), InvalidContext> {
        let parts = [
            ("ObjectType", self.object_type.as_str(), true),
            ("ObjectId", self.object_id.as_str(), true),
            ("Purpose", self.purpose.as_str(), false),
            (
                "TemplateId",
                self.template_id.as_deref().unwrap_or("-"),
                true,
            ),
        ];
        for (field, value, needed) in parts {
            let reason = if needed && value.is_empty() {
                "is empty"
            } else if value.chars().count() > Limits::IDENTIFIER {
                "is longer than 200 characters"
            } else if value.chars().any(char::is_control) {
                "holds control characters"
            } else if value == "*" && field != "TemplateId" {
                "is a star, which stands for any value in tokens and names nothing"
            } else {
                continue;
            };
            return Err(InvalidContext { field, reason });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_star_of_tokens_is_no_name_of_an_object_a_type_or_a_purpose() {
        for (context, field) in [
            (Context::new("*", "1", ""), "ObjectType"),
            (Context::new("incident", "*", ""), "ObjectId"),
            (Context::new("incident", "1", "*"), "Purpose"),
        ] {
            assert_eq!(context.validate().map_err(|error| error.field), Err(field));
        }
        let starred = Context::new("incident", "INC*", "a * b");
        assert_eq!(starred.validate(), Ok(()));
    }
}
