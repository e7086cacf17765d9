//! The cases of `faults`: which fault meets which write or read of which operation, and where.
//!
//! Made once for both databases, each case a world of its own. Asked by `faults`.

use checklist_site_server::{Kind, Rule};
use checklist_tests::data::on_postgres;
use checklist_tests::promise::in_full;

use crate::lane::Protocol;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Create,
    Update,
    Adopt,
    Delete,
}

const OPERATIONS: [Operation; 4] = [
    Operation::Create,
    Operation::Update,
    Operation::Adopt,
    Operation::Delete,
];

#[derive(Clone, Copy, Debug)]
pub enum Position {
    First,
    Middle,
    Last,
}

const POSITIONS: [Position; 3] = [Position::First, Position::Middle, Position::Last];

/// What a fault is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    /// The write of one computer.
    OneWrite,
    /// A batch of writes as a whole: what happens to the connection does so to all of it.
    Batch,
    /// What is read before anything is written.
    Read,
}

/// Twelve faults, some of them in more than one shape.
const FAULTS: [(Kind, Meets); 18] = [
    (Kind::ThrottledSeconds, Meets::OneWrite),
    (Kind::ThrottledDate, Meets::Batch),
    (Kind::Busy, Meets::OneWrite),
    (Kind::Busy, Meets::Batch),
    (Kind::BadRequestPage, Meets::OneWrite),
    (Kind::SignInEnded, Meets::Batch),
    (Kind::Conflict, Meets::OneWrite),
    (Kind::Stale, Meets::OneWrite),
    (Kind::TimeoutBefore, Meets::Batch),
    (Kind::TimeoutAfter, Meets::Batch),
    (Kind::HalfBody, Meets::Batch),
    (Kind::ResetBefore, Meets::Batch),
    (Kind::ResetAfter, Meets::Batch),
    (Kind::WrongType, Meets::OneWrite),
    (Kind::WrongType, Meets::Batch),
    (Kind::TruncatedPage, Meets::Read),
    (Kind::Threshold, Meets::Read),
    (Kind::Duplicate, Meets::OneWrite),
];

/// One case.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub fault: Kind,
    pub meets: Meets,
    pub operation: Operation,
    position: Position,
}

impl Case {
    pub fn rule(self, protocol: Protocol) -> Rule {
        let rule = Rule::once(self.fault);
        let place = match self.position {
            Position::First => 0,
            Position::Middle => 1,
            Position::Last => 2,
        };
        let rule = match self.fault {
            Kind::TimeoutBefore | Kind::TimeoutAfter => rule.lasting(4),
            _ => rule,
        };
        match (self.meets, self.position) {
            (Meets::Batch, _) => rule.of_method("POST").containing("$batch").after(place),
            (Meets::OneWrite, _) => {
                // The first of the first chunk, one of the middle one, the last of the last.
                let place = [0, 3, 5][place as usize];
                let rule = match (self.operation, protocol) {
                    (Operation::Create, _) => rule.of_method("POST").containing("/items"),
                    (Operation::Update | Operation::Adopt, Protocol::Rest) => {
                        rule.of_method("MERGE").containing("/items(")
                    }
                    (Operation::Update | Operation::Adopt, Protocol::Graph) => {
                        rule.of_method("PATCH").containing("/items/")
                    }
                    (Operation::Delete, Protocol::Rest) => {
                        rule.of_method("POST").containing("/recycle")
                    }
                    (Operation::Delete, Protocol::Graph) => {
                        rule.of_method("DELETE").containing("/items/")
                    }
                };
                rule.after(place)
            }
            (Meets::Read, Position::First) => rule.of_method("GET").containing("/lists"),
            (Meets::Read, Position::Middle) => rule.of_method("GET").containing("/items"),
            (Meets::Read, Position::Last) => rule.of_method("GET"),
        }
    }

    pub fn name(self) -> String {
        let Self {
            fault,
            meets,
            operation,
            position,
        } = self;
        format!("{operation:?} {position:?} {} of {meets:?}", fault.name())
    }
}

/// All of them where there is time; otherwise each is tried on one of the two databases: on PostgreSQL
/// each fault and operation in one position, on SQLite in the two others.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (number, (fault, meets)) in FAULTS.into_iter().enumerate() {
        for (further, operation) in OPERATIONS.into_iter().enumerate() {
            for (place, position) in POSITIONS.into_iter().enumerate() {
                let for_postgres = (number + further) % POSITIONS.len() == place;
                if !is_long() && for_postgres != on_postgres() {
                    continue;
                }
                cases.push(Case {
                    fault,
                    meets,
                    operation,
                    position,
                });
            }
        }
    }
    cases
}

/// Whether there is time for everything.
pub fn is_long() -> bool {
    in_full() || std::env::var_os("CHECKLIST_WORLDS").is_some()
}
