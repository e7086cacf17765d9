//! One table of names for each enum that has names: on the wire, in columns, for hosts.
//!
//! The names are those that serde writes; a test compares the two. No other code has its own table.

/// Gives a type `ALL`, `name` and `from_name`.
macro_rules! names {
    ($type:ty { $($value:ident),+ $(,)? }) => {
        impl $type {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => stringify!($value)),+
                }
            }

            /// Back from the name on the wire.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }
    };
}

pub(crate) use names;
