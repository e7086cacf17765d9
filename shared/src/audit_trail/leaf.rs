//! The byte form of an audit row: the leaf of the tenant's Merkle tree.
//!
//! What can be personal (who acted, and every text) is in the leaf as a salted commitment only:
//! value and salt stand beside the leaf, and can be deleted without changing it. The form is public;
//! another form gets another [`FORM`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Error, Map, Value};
use sha2::{Digest, Sha256};

use super::merkle::{self, Hash};

/// The first byte of a leaf: which form follows.
pub const FORM: u8 = 1;

/// The random bytes before a committed value. They keep whoever has the leaf from guessing it.
pub type Salt = [u8; 16];

/// The members of an event and of an administrator's act that are committed to as words; the others
/// are in the leaf.
const WORDS: [&str; 10] = [
    "Text", "Before", "After", "BeforeId", "AfterId", "Evidence", "Answer", "Id", "Name", "Changes",
];

/// The fields of a leaf.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// The number of the row: from 1, without gaps. The index in the tree is one less.
    pub sequence: u64,
    /// The row before of the same list; 0 for its first, and for acts of administration.
    pub list_previous: u64,
    /// The revision of the list after the change; 0 for acts of administration.
    pub revision: u64,
    /// The time, in milliseconds since 1970.
    pub at: i64,
    /// The tenant that the trail belongs to.
    pub tenant: &'a str,
    /// The object type of the list; empty for acts of administration.
    pub object_type: &'a str,
    /// The object id of the list.
    pub object_id: &'a str,
    /// The purpose of the list.
    pub purpose: &'a str,
    /// The operation id that the caller chose.
    pub operation_id: Option<&'a str>,
    /// What happened, without words: JSON, byte for byte as stored.
    pub event: &'a str,
    /// The commitment to the actor.
    pub actor: &'a Hash,
    /// The commitment to the words.
    pub words: &'a Hash,
}

impl Leaf<'_> {
    /// The bytes of the leaf. Integers have 64 bits, big-endian; a text is preceded by its length in
    /// bytes (32 bits, big-endian).
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(256);
        bytes.push(FORM);
        bytes.extend_from_slice(&self.sequence.to_be_bytes());
        bytes.extend_from_slice(&self.list_previous.to_be_bytes());
        bytes.extend_from_slice(&self.revision.to_be_bytes());
        bytes.extend_from_slice(&self.at.to_be_bytes());
        let mut text = |text: &str| {
            let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(text.as_bytes());
        };
        text(self.tenant);
        text(self.object_type);
        text(self.object_id);
        text(self.purpose);
        text(self.event);
        // An operation without an id ends here; an id of no letters would be a length more.
        if let Some(operation_id) = self.operation_id {
            text(operation_id);
        }
        bytes.extend_from_slice(self.actor);
        bytes.extend_from_slice(self.words);
        bytes
    }

    /// The hash of the leaf in the tree.
    #[must_use]
    pub fn hash(&self) -> Hash {
        merkle::leaf_hash(&self.encode())
    }
}

/// The commitment to a value: SHA-256 of salt and value.
#[must_use]
pub fn commitment(salt: &Salt, value: &str) -> Hash {
    let mut hash = Sha256::new();
    hash.update(salt);
    hash.update(value.as_bytes());
    hash.finalize().into()
}

/// Divides an event or an act into what is in the leaf, and the words. Both are JSON objects; the
/// order of their members counts for nothing but the bytes that are hashed.
///
/// # Errors
/// The value is no JSON.
pub fn split<T: Serialize>(value: &T) -> Result<(String, String), Error> {
    let members = match serde_json::to_value(value)? {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    let (words, event): (Map<_, _>, Map<_, _>) = members
        .into_iter()
        .partition(|(name, _)| WORDS.contains(&name.as_str()));
    Ok((
        serde_json::to_string(&event)?,
        serde_json::to_string(&words)?,
    ))
}

/// Undoes [`split`].
///
/// # Errors
/// The parts are not those of a `T`.
pub fn join<T: DeserializeOwned>(event: &str, words: &str) -> Result<T, Error> {
    let mut members: Map<String, Value> = serde_json::from_str(event)?;
    members.extend(serde_json::from_str::<Map<String, Value>>(words)?);
    serde_json::from_value(Value::Object(members))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::administration::{Action, AdministrativeAct, FieldChange, Subject};
    use crate::event::{Event, What};

    const LEAF: Leaf<'static> = Leaf {
        sequence: 7,
        list_previous: 5,
        revision: 3,
        at: 1_700_000_000_000,
        tenant: "acme",
        object_type: "incident",
        object_id: "INC-1",
        purpose: "",
        operation_id: Some("op"),
        event: "{}",
        actor: &[1; 32],
        words: &[2; 32],
    };

    #[test]
    fn every_field_changes_the_hash() {
        let others = [
            Leaf {
                sequence: 8,
                ..LEAF
            },
            Leaf {
                list_previous: 6,
                ..LEAF
            },
            Leaf {
                revision: 4,
                ..LEAF
            },
            Leaf {
                at: 1_700_000_000_001,
                ..LEAF
            },
            Leaf {
                tenant: "other",
                ..LEAF
            },
            Leaf {
                object_type: "task",
                ..LEAF
            },
            Leaf {
                object_id: "INC-2",
                ..LEAF
            },
            Leaf {
                purpose: "x",
                ..LEAF
            },
            Leaf {
                operation_id: Some("o"),
                ..LEAF
            },
            Leaf {
                event: "[]",
                ..LEAF
            },
            Leaf {
                actor: &[3; 32],
                ..LEAF
            },
            Leaf {
                words: &[1; 32],
                ..LEAF
            },
        ];
        for leaf in others {
            assert_ne!(leaf.hash(), LEAF.hash(), "{leaf:?}");
        }
    }

    #[test]
    fn text_cannot_move_between_fields_and_no_operation_is_not_an_empty_one() {
        let of = |object_type, object_id| Leaf {
            object_type,
            object_id,
            ..LEAF
        };
        assert_ne!(of("ab", "c").hash(), of("a", "bc").hash());
        let by = |operation_id| Leaf {
            operation_id,
            ..LEAF
        };
        assert_ne!(by(None).hash(), by(Some("")).hash());
    }

    #[test]
    fn words_are_apart_from_what_happened_and_come_back() {
        let event = Event {
            text: "Tell the team".to_owned(),
            after: Some("why".to_owned()),
            ..Event::of_list(What::Checked)
        };
        let (public, words) = split(&event).expect("JSON");
        assert_eq!(public, r#"{"What":"Checked"}"#);
        assert!(words.contains("Tell the team") && words.contains("why"));
        assert_eq!(join::<Event>(&public, &words).expect("an event"), event);

        let act = AdministrativeAct {
            subject: Subject::User,
            id: "https://idp.example anna".to_owned(),
            name: "Anna".to_owned(),
            action: Action::Changed,
            changes: vec![FieldChange {
                field: "Name".to_owned(),
                before: None,
                after: Some("Anna".to_owned()),
            }],
            secrets_changed: vec!["Password".to_owned()],
        };
        let (public, words) = split(&act).expect("JSON");
        assert!(!public.contains("nna"), "{public}");
        assert_eq!(
            join::<AdministrativeAct>(&public, &words).expect("an act"),
            act
        );
    }
}
