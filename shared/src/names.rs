//! Enums whose values have names: on the wire, in columns, for hosts.
//!
//! The names are those of the values, which serde writes as well; a test compares the two.

/// Declares an enum, and gives it `ALL`, `name` and `from_name`.
macro_rules! names {
    (
        $(#[$about:meta])*
        pub enum $type:ident {
            $($(#[$about_value:meta])* $value:ident,)+
        }
    ) => {
        $(#[$about])*
        pub enum $type {
            $($(#[$about_value])* $value,)+
        }

        impl $type {
            /// All values.
            pub const ALL: [Self; [$(stringify!($value)),+].len()] = [$(Self::$value),+];

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
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
}

pub(crate) use names;
