//! The chain that makes an edited audit trail show.
//!
//! Each row's hash covers the row before and every field of its own, exactly as stored. Both
//! the writing and the verifying side of a store call [`AuditFields::hash`]; what a row says is
//! decided by the rules in `checklist_shared`.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

/// The hash before the first row.
pub const FIRST: [u8; 32] = [0; 32];

/// The fields of a row as they are stored; `actor` and `event` are the stored JSON, byte by byte.
#[derive(Clone, Copy, Debug)]
pub struct AuditFields<'a> {
    /// Whose trail it is.
    pub tenant: &'a str,
    /// From 1, without gaps.
    pub sequence: u64,
    /// The list's type.
    pub object_type: &'a str,
    /// The list's object.
    pub object_id: &'a str,
    /// The list's purpose.
    pub purpose: &'a str,
    /// The list's revision that this made.
    pub revision: u64,
    /// What the caller named the operation.
    pub operation_id: Option<&'a str>,
    /// Who, as JSON.
    pub actor: &'a str,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What, as JSON.
    pub event: &'a str,
}

impl AuditFields<'_> {
    /// SHA-256 of the previous hash and the fields, each text led by its length in bytes (eight
    /// of them, big-endian), so that nothing can be moved from one field into the next.
    #[must_use]
    pub fn hash(&self, previous: &[u8; 32]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(previous);
        hash.update(self.sequence.to_be_bytes());
        hash.update(self.revision.to_be_bytes());
        hash.update(self.at.to_be_bytes());
        hash.update([u8::from(self.operation_id.is_some())]);
        let texts = [
            self.tenant,
            self.object_type,
            self.object_id,
            self.purpose,
            self.operation_id.unwrap_or_default(),
            self.actor,
            self.event,
        ];
        for text in texts {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        }
        hash.finalize().into()
    }
}

/// What verifying a tenant's trail has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whose trail.
    pub tenant: String,
    /// How many rows stand in an unbroken chain from the first on.
    pub rows: u64,
    /// Where the chain breaks, if it does.
    pub broken: Option<Break>,
}

/// The first broken row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The sequence number at which the trail stops being what was written.
    pub sequence: u64,
    /// What is wrong there, a sentence for people.
    pub reason: String,
}

/// A walk along a tenant's trail, row by row from the first, until one is not what was written.
pub struct Walk {
    verdict: Verdict,
    previous: [u8; 32],
    /// The newest row of each list so far: type, object, purpose.
    newest: HashMap<(String, String, String), u64>,
}

impl Walk {
    /// Stands before a tenant's first row.
    #[must_use]
    pub fn of(tenant: &str) -> Self {
        Self {
            verdict: Verdict {
                tenant: tenant.to_owned(),
                rows: 0,
                broken: None,
            },
            previous: FIRST,
            newest: HashMap::new(),
        }
    }

    /// Looks at the next row, its stored hash and the row it names as the one before of its
    /// list. `false` when the walk has come to its end.
    pub fn step(&mut self, row: &AuditFields<'_>, hash: Option<[u8; 32]>, before: u64) -> bool {
        let expected = self.verdict.rows + 1;
        if row.sequence != expected {
            return self.breaks("the row is missing");
        }
        let computed = row.hash(&self.previous);
        if hash != Some(computed) {
            return self.breaks("the row is not what was written, or the row before is another");
        }
        let list = (
            row.object_type.to_owned(),
            row.object_id.to_owned(),
            row.purpose.to_owned(),
        );
        // What an administrator did belongs to no list, so nothing leads to it or from it.
        let previous = match row.object_type {
            "" => 0,
            _ => self.newest.insert(list, expected).unwrap_or(0),
        };
        if previous != before {
            return self.breaks("the row points at another row of its list than the one before");
        }
        self.previous = computed;
        self.verdict.rows = expected;
        true
    }

    /// A list that knows of a later row than there is shows that the end of the trail was cut
    /// off. `false` when that is so.
    pub fn list_knows(
        &mut self,
        object_type: &str,
        object_id: &str,
        purpose: &str,
        row: u64,
    ) -> bool {
        let list = (
            object_type.to_owned(),
            object_id.to_owned(),
            purpose.to_owned(),
        );
        let newest = self.newest.get(&list).copied().unwrap_or(0);
        if newest == 0 {
            return self.breaks(&format!(
                "a list of {object_type} {object_id} was changed, and no row tells of it"
            ));
        }
        if newest == row {
            return true;
        }
        self.breaks(&format!(
            "a list of {object_type} {object_id} knows of row {row}, which is missing"
        ))
    }

    /// Where the next row is going to be appended, as the store has noted it. `false` when that
    /// is not where the trail ends.
    pub fn ends_at(&mut self, row: u64, hash: Option<[u8; 32]>) -> bool {
        if row == self.verdict.rows && hash == Some(self.previous) {
            return true;
        }
        self.breaks("the trail ends elsewhere than it was continued last")
    }

    fn breaks(&mut self, reason: &str) -> bool {
        self.verdict.broken = Some(Break {
            sequence: self.verdict.rows + 1,
            reason: reason.to_owned(),
        });
        false
    }

    /// What was found.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        self.verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: AuditFields<'static> = AuditFields {
        tenant: "acme",
        sequence: 7,
        object_type: "incident",
        object_id: "INC-1",
        purpose: "",
        revision: 3,
        operation_id: Some("op"),
        actor: "{}",
        at: 1_700_000_000_000,
        event: "{}",
    };

    #[test]
    fn every_field_and_the_row_before_change_the_hash() {
        let honest = ROW.hash(&FIRST);
        let forged = [
            AuditFields {
                tenant: "other",
                ..ROW
            },
            AuditFields { sequence: 8, ..ROW },
            AuditFields {
                object_type: "task",
                ..ROW
            },
            AuditFields {
                object_id: "INC-2",
                ..ROW
            },
            AuditFields {
                purpose: "x",
                ..ROW
            },
            AuditFields { revision: 4, ..ROW },
            AuditFields {
                operation_id: None,
                ..ROW
            },
            AuditFields { actor: "[]", ..ROW },
            AuditFields {
                at: 1_700_000_000_001,
                ..ROW
            },
            AuditFields { event: "[]", ..ROW },
        ];
        for row in forged {
            assert_ne!(row.hash(&FIRST), honest, "{row:?}");
        }
        assert_ne!(ROW.hash(&[1; 32]), honest);
    }

    #[test]
    fn text_cannot_move_between_fields() {
        let one = AuditFields {
            object_type: "ab",
            object_id: "c",
            ..ROW
        };
        let other = AuditFields {
            object_type: "a",
            object_id: "bc",
            ..ROW
        };
        assert_ne!(one.hash(&FIRST), other.hash(&FIRST));
    }

    #[test]
    fn an_absent_operation_is_not_an_empty_one() {
        let none = AuditFields {
            operation_id: None,
            ..ROW
        };
        let empty = AuditFields {
            operation_id: Some(""),
            ..ROW
        };
        assert_ne!(none.hash(&FIRST), empty.hash(&FIRST));
    }
}
