//! The hash chain that reveals edits of the audit trail.
//!
//! Each row's hash covers the previous hash and all fields of the row, exactly as stored. Both the
//! writing and the verifying side of a store call [`AuditFields::hash`]. The rules in
//! `checklist_shared` decide what a row contains.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

/// The hash before the first row.
pub const FIRST: [u8; 32] = [0; 32];

/// The fields of a row. `actor` and `event` are the stored JSON, byte for byte.
#[derive(Clone, Copy, Debug)]
pub struct AuditFields<'a> {
    /// The tenant that the trail belongs to.
    pub tenant: &'a str,
    /// The number of the row: from 1, without gaps.
    pub sequence: u64,
    /// The object type of the list.
    pub object_type: &'a str,
    /// The object id of the list.
    pub object_id: &'a str,
    /// The purpose of the list.
    pub purpose: &'a str,
    /// The revision of the list after the change.
    pub revision: u64,
    /// The operation id that the caller chose.
    pub operation_id: Option<&'a str>,
    /// The actor, as JSON.
    pub actor: &'a str,
    /// The time, in milliseconds since 1970.
    pub at: i64,
    /// The event, as JSON.
    pub event: &'a str,
}

impl AuditFields<'_> {
    /// SHA-256 of the previous hash and the fields. Each text is prefixed with its length in bytes
    /// (64 bits, big-endian), so that no text can be moved from one field to the next.
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

/// The result of verifying a tenant's trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The verified tenant.
    pub tenant: String,
    /// The number of intact rows, from the first on.
    pub rows: u64,
    /// The first broken row, if any.
    pub broken: Option<Break>,
}

/// The first row at which the chain is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The sequence number of the row.
    pub sequence: u64,
    /// The reason, as a sentence.
    pub reason: String,
}

/// Verifies a tenant's trail row by row, until the first broken one.
pub struct Walk {
    verdict: Verdict,
    previous: [u8; 32],
    /// The newest row of each list so far, by type, object and purpose.
    newest: HashMap<(String, String, String), u64>,
}

impl Walk {
    /// Starts before a tenant's first row.
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

    /// Verifies the next row with its stored hash and its link to the previous row of its list.
    /// `false` ends the walk.
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
        // Administrative acts belong to no list, so they have no links.
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

    /// Verifies the link from a list to its newest row. `false` if the list links to a row that
    /// does not exist: then the end of the trail was cut off.
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

    /// Verifies the stored end of the trail, where the next row will be appended. `false` if the
    /// trail ends elsewhere.
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

    /// Ends the walk and returns its result.
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
