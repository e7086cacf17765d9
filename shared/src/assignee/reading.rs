//! Reads assignees: an object, or a text, in requests and in what was stored before there were names.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Assignee;
use crate::patch::Patch;

/// Declares how a person is named; without a name it is the id.
macro_rules! named {
    ($(#[$attribute:meta])* $name:ident) => {
        #[derive(Deserialize)]
        $(#[$attribute])*
        #[serde(rename_all = "PascalCase")]
        struct $name {
            id: String,
            #[serde(default)]
            name: Option<String>,
        }

        impl From<$name> for Assignee {
            fn from($name { id, name }: $name) -> Self {
                let name = name.unwrap_or_else(|| id.clone());
                Self { id, name }
            }
        }
    };
}

named! {
    /// In an answer, which may grow.
    Named
}

named! {
    /// In a request: a member that nobody knows is a mistake.
    #[serde(deny_unknown_fields)]
    RequestedNamed
}

impl<'de> Deserialize<'de> for Assignee {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AssigneeVisitor::<Named>(PhantomData))
    }
}

/// An assignee of a request.
struct Requested(Assignee);

impl<'de> Deserialize<'de> for Requested {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = AssigneeVisitor::<RequestedNamed>(PhantomData);
        deserializer.deserialize_any(visitor).map(Self)
    }
}

/// Reads the assignee of an item that a request adds.
pub(crate) fn requested<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Assignee>, D::Error> {
    let requested = Option::<Requested>::deserialize(deserializer)?;
    Ok(requested.map(|requested| requested.0))
}

/// Reads the assignee of an item that a request changes.
pub(crate) fn requested_patch<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Patch<Assignee>, D::Error> {
    Ok(requested(deserializer)?.map_or(Patch::Clear, Patch::Set))
}

struct AssigneeVisitor<N>(PhantomData<N>);

impl<'de, N: Deserialize<'de> + Into<Assignee>> Visitor<'de> for AssigneeVisitor<N> {
    type Value = Assignee;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, or an object with Id and Name")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Assignee, E> {
        Ok(text.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Assignee, A::Error> {
        N::deserialize(MapAccessDeserializer::new(map)).map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::Assignee;
    use crate::wire::write::{AddItem, UpdateItem};

    fn read(json: &str) -> Result<Assignee, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn a_text_is_an_id_that_is_its_own_name() {
        assert_eq!(read(r#""Ada""#), Ok(Assignee::new("Ada", "Ada")));
        assert_eq!(read(r#"{"Id": "u1"}"#), Ok(Assignee::new("u1", "u1")));
        let ada = Assignee::new("u1", "Ada");
        assert_eq!(read(r#"{"Id": "u1", "Name": "Ada"}"#), Ok(ada.clone()));
        let written = serde_json::to_string(&ada).unwrap();
        assert_eq!(written, r#"{"Id":"u1","Name":"Ada"}"#);
    }

    #[test]
    fn what_names_nobody_says_what_it_should_be() {
        for wrong in ["7", "[]", "true"] {
            let error = read(wrong).unwrap_err();
            assert!(
                error.contains("a text, or an object with Id and Name"),
                "{error}"
            );
        }
        assert!(read(r#"{"Name": "Ada"}"#).unwrap_err().contains("`Id`"));
    }

    #[test]
    fn an_answer_may_grow() {
        let grown = read(r#"{"Id": "u1", "Name": "Ada", "Mail": "a@b.example"}"#);
        assert_eq!(grown, Ok(Assignee::new("u1", "Ada")));
    }

    #[test]
    fn a_member_of_a_request_that_nobody_knows_is_refused() {
        let update = r#"{"Id": "01a1f7c4-397b-773b-9cd5-d79b60c9258d", "Assignee": {"Id": "u1", "Nmae": "Ada"}}"#;
        let error = serde_json::from_str::<UpdateItem>(update).unwrap_err();
        assert!(error.to_string().contains("Nmae"), "{error}");
        let add = r#"{"Text": "Ask", "Assignee": {"Id": "u1", "Nmae": "Ada"}}"#;
        let error = serde_json::from_str::<AddItem>(add).unwrap_err();
        assert!(error.to_string().contains("Nmae"), "{error}");
    }
}
