//! Who can sign in, everywhere with the same password: in the realm, in the file of digests and
//! in NTLM's.
//!
//! Each test of a wrong password has a person of its own, so that its attempts can be counted.

/// Everybody's password.
pub const PASSWORD: &str = "Passw0rd! <&ü";

/// The realm of Kerberos.
pub const REALM: &str = "SITE.TEST";

/// The domain of NTLM.
pub const DOMAIN: &str = "SITE";

/// The realm of Digest.
pub const DIGEST_REALM: &str = "site";

/// Somebody who can sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    /// Who does the work.
    Alice,
    /// Somebody else.
    Bob,
    /// Whose tickets hold for seconds.
    Hasty,
    /// Whose password is changed while work goes on.
    Leaver,
    /// Whose password is typed wrongly over Kerberos.
    Clumsy,
    /// Whose password is typed wrongly over Negotiate.
    Forgetful,
    /// Whose password is typed wrongly when it is handed on.
    Careless,
    /// Whose password is wrong in a service connection.
    Hapless,
    /// Whose password is typed wrongly at a virtual host that is open to everybody.
    Stray,
    /// In whose name many ask at once by NTLM, with a password that is wrong.
    ManyByNtlm,
    /// The same by Digest.
    ManyByDigest,
    /// The same by Kerberos.
    ManyByKerberos,
    /// The same by Negotiate.
    ManyByNegotiate,
}

impl Person {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Alice,
        Self::Bob,
        Self::Hasty,
        Self::Leaver,
        Self::Clumsy,
        Self::Forgetful,
        Self::Careless,
        Self::Hapless,
        Self::Stray,
        Self::ManyByNtlm,
        Self::ManyByDigest,
        Self::ManyByKerberos,
        Self::ManyByNegotiate,
    ];

    /// The name that is typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alice => "alice",
            Self::Bob => "bob",
            Self::Hasty => "hasty",
            Self::Leaver => "leaver",
            Self::Clumsy => "clumsy",
            Self::Forgetful => "forgetful",
            Self::Careless => "careless",
            Self::Hapless => "hapless",
            Self::Stray => "stray",
            Self::ManyByNtlm => "manybyntlm",
            Self::ManyByDigest => "manybydigest",
            Self::ManyByKerberos => "manybykerberos",
            Self::ManyByNegotiate => "manybynegotiate",
        }
    }
}
