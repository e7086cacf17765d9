//! What a caller may do with a list, and the roles that bundle permissions.
//!
//! Permissions come from the caller's token, and the server enforces them on every path. The
//! control only uses them to decide which buttons to show.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One thing that a caller may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Permission {
    /// See the list.
    Read,
    /// Set the status of items, and take back one's own.
    Check,
    /// Take back a status that somebody else has set.
    UncheckOthers,
    /// Change text, help, note, assignee and due date.
    Edit,
    /// Add items.
    Add,
    /// Delete items.
    Delete,
    /// Move items.
    Reorder,
    /// Bring a list to another version of its template.
    Refresh,
    /// Lock and unlock a list.
    Lock,
    /// Read the audit trail.
    Audit,
    /// Write templates and types.
    Templates,
    /// Everything else that an administrator does.
    Admin,
    /// Run site-list activities through service connections.
    Sites,
    /// Delete items that the template requires.
    DeleteRequired,
    /// Let a list pass although items are open, and take that back.
    Waive,
}

impl Permission {
    /// All of them, in the order in which answers list them.
    pub const ALL: [Self; 15] = [
        Self::Read,
        Self::Check,
        Self::UncheckOthers,
        Self::Edit,
        Self::Add,
        Self::Delete,
        Self::Reorder,
        Self::Refresh,
        Self::Lock,
        Self::Audit,
        Self::Templates,
        Self::Admin,
        Self::Sites,
        Self::DeleteRequired,
        Self::Waive,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "Read",
            Self::Check => "Check",
            Self::UncheckOthers => "UncheckOthers",
            Self::Edit => "Edit",
            Self::Add => "Add",
            Self::Delete => "Delete",
            Self::Reorder => "Reorder",
            Self::Refresh => "Refresh",
            Self::Lock => "Lock",
            Self::Audit => "Audit",
            Self::Templates => "Templates",
            Self::Admin => "Admin",
            Self::Sites => "Sites",
            Self::DeleteRequired => "DeleteRequired",
            Self::Waive => "Waive",
        }
    }

    /// Back from the name on the wire.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|permission| permission.name() == name)
    }
}

/// A set of permissions; on the wire an array of names.
///
/// ```
/// use checklist_shared::permission::{Permission, Permissions, Role};
/// assert!(Role::Editor.permissions().allows(Permission::Add));
/// assert!(!Role::Checker.permissions().allows(Permission::Add));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Permissions(u16);

impl Permissions {
    /// Everything.
    #[must_use]
    pub fn all() -> Self {
        Permission::ALL.into_iter().collect()
    }

    /// What embed tokens can ever allow: everything but administration.
    #[must_use]
    pub fn ever_embedded() -> Self {
        let all = Permission::ALL.into_iter();
        all.filter(|permission| *permission != Permission::Admin)
            .collect()
    }

    /// What the tokens of an embed key may allow where nobody has said more or less: the work on
    /// lists.
    #[must_use]
    pub fn usually_embedded() -> Self {
        Role::Owner.permissions()
    }

    /// Whether `permission` is in the set.
    #[must_use]
    pub const fn allows(self, permission: Permission) -> bool {
        self.0 & (1 << permission as u16) != 0
    }

    /// This set with `permission` in it.
    #[must_use]
    pub const fn with(self, permission: Permission) -> Self {
        Self(self.0 | (1 << permission as u16))
    }

    /// What is in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is in the set.
    #[must_use]
    pub const fn holds(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// The set as a number, as a database stores it.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Back from the stored number.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The permissions in the set, in the order of [`Permission::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL
            .into_iter()
            .filter(move |permission| self.allows(*permission))
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        permissions.into_iter().fold(Self::default(), Self::with)
    }
}

impl Serialize for Permissions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Permissions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Permission>::deserialize(deserializer)?
            .into_iter()
            .collect())
    }
}

impl Permissions {
    /// Reads a set out of an answer, which may name permissions that only a newer server knows.
    ///
    /// # Errors
    /// It is no list of names.
    pub fn known_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let known = names.iter().filter_map(|name| Permission::from_name(name));
        Ok(known.collect())
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Permissions {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        Vec::<Permission>::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Permissions {}

/// A named bundle of permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Sees lists.
    Reader,
    /// Reader, and ticks.
    Checker,
    /// Checker, and edits, adds, deletes, moves, refreshes, takes back others' ticks.
    Editor,
    /// Editor, and locks, waives, and deletes what the template requires.
    Owner,
    /// Sees lists and the audit trail.
    Auditor,
    /// Writes templates and types.
    TemplateAdmin,
    /// Runs site-list activities.
    SiteOperator,
    /// Everything.
    Admin,
}

impl Role {
    /// What the role may do.
    #[must_use]
    pub fn permissions(self) -> Permissions {
        use Permission as P;
        match self {
            Self::Reader => [P::Read].into_iter().collect(),
            Self::Checker => [P::Read, P::Check].into_iter().collect(),
            Self::Editor => [
                P::Read,
                P::Check,
                P::UncheckOthers,
                P::Edit,
                P::Add,
                P::Delete,
                P::Reorder,
                P::Refresh,
            ]
            .into_iter()
            .collect(),
            Self::Owner => Self::Editor
                .permissions()
                .with(P::Lock)
                .with(P::DeleteRequired)
                .with(P::Waive),
            Self::Auditor => [P::Read, P::Audit].into_iter().collect(),
            Self::TemplateAdmin => [P::Read, P::Templates].into_iter().collect(),
            Self::SiteOperator => [P::Sites].into_iter().collect(),
            Self::Admin => Permissions::all(),
        }
    }
}
