//! The types of a tenant, as far as their rows can be read.
//!
//! An unreadable row is a problem for the lists of that type only. It is logged once instead of at
//! every read, because decisions on all lists of the tenant need these types. The `catalogue` of
//! each store builds them, its `facts` read them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use checklist_shared::wire::admin::{PutType, Type};

use super::expected::{ExpectedState, PreconditionError};
use super::store::StoreError;
use super::unreadable_type::UnreadableType;

/// The most unreadable rows that are remembered as logged.
const MOST_LOGGED: usize = 1_000;

/// All types of a tenant by name.
#[derive(Debug, Default)]
pub(super) struct TypesByName {
    types: BTreeMap<String, Result<Arc<Type>, UnreadableType>>,
    retired: BTreeSet<String>,
}

impl FromIterator<(String, Result<Type, String>)> for TypesByName {
    /// Collects rows, each with its type or what is wrong with it.
    fn from_iter<I: IntoIterator<Item = (String, Result<Type, String>)>>(rows: I) -> Self {
        let types = rows.into_iter().map(|(name, read)| {
            let read = match read {
                Ok(kind) => Ok(Arc::new(kind)),
                Err(reason) => Err(UnreadableType {
                    name: name.clone(),
                    reason,
                }),
            };
            (name, read)
        });
        Self {
            types: types.collect(),
            retired: BTreeSet::new(),
        }
    }
}

impl TypesByName {
    /// The same with the ids of retired templates.
    pub(super) fn with_retired(self, retired: BTreeSet<String>) -> Self {
        Self { retired, ..self }
    }

    /// Whether no list is begun from that template.
    pub(super) fn is_retired(&self, template: &str) -> bool {
        self.retired.contains(template)
    }

    /// The type with that name, if there is one.
    pub(super) fn get(&self, name: &str) -> Result<Option<Arc<Type>>, UnreadableType> {
        self.types.get(name).cloned().transpose()
    }

    /// All types, for a listing.
    pub(super) fn rows(&self) -> TypeRows {
        let mut rows = TypeRows {
            retired_templates: self.retired.clone(),
            ..TypeRows::default()
        };
        for read in self.types.values() {
            match read {
                Ok(kind) => rows.types.push(Type::clone(kind)),
                Err(unreadable) => rows.unreadable.push(unreadable.name.clone()),
            }
        }
        rows
    }
}

/// The types of a tenant, for a listing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeRows {
    /// The readable ones, by name.
    pub types: Vec<Type>,
    /// The names of the unreadable ones.
    pub unreadable: Vec<String>,
    /// The ids of the tenant's retired templates, which types may still name.
    pub retired_templates: BTreeSet<String>,
}

/// The type after a request.
///
/// Fields of an unreadable row cannot be kept: only a request that names every field can replace
/// such a row.
///
/// # Errors
/// `UnreadableType`; the inner result fails if the precondition does.
pub(super) fn apply(
    name: &str,
    present: Option<Result<Type, String>>,
    change: &PutType,
    expected: &ExpectedState,
) -> Result<Result<Type, PreconditionError>, StoreError> {
    let present = match present.transpose() {
        Ok(present) => {
            if let Err(refused) = expected.hold_type(present.as_ref()) {
                return Ok(Err(refused));
            }
            present
        }
        Err(reason) => {
            if let Err(refused) = expected.hold_unreadable() {
                return Ok(Err(refused));
            }
            if !change.is_whole() {
                return Err(StoreError::UnreadableType(UnreadableType {
                    name: name.to_owned(),
                    reason,
                }));
            }
            None
        }
    };
    Ok(Ok(change.applied_to(name, present)))
}

/// The unreadable rows that were logged, by tenant and name.
#[derive(Debug, Default)]
pub(super) struct UnreadableLog(Mutex<HashSet<(String, String)>>);

impl UnreadableLog {
    /// Logs the unreadable rows that were not logged yet. A row that has become readable is logged
    /// again if it breaks a second time.
    pub(super) fn log(&self, tenant: &str, types: &TypesByName) {
        let unreadable = || types.types.values().filter_map(|read| read.as_ref().err());
        let mut logged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.is_empty() && unreadable().next().is_none() {
            return;
        }
        logged.retain(|(of, name)| of != tenant || unreadable().any(|one| one.name == *name));
        if logged.len() >= MOST_LOGGED {
            logged.clear();
        }
        for one in unreadable() {
            if logged.insert((tenant.to_owned(), one.name.clone())) {
                tracing::error!(
                    tenant,
                    object_type = one.name,
                    reason = one.reason,
                    "a stored type cannot be read: the checklists of this type fail until it is written anew"
                );
            }
        }
    }
}
