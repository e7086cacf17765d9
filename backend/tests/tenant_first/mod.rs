//! The tenant is the first column of every primary key and every index, so that a database that is
//! sharded by tenant needs no other schema.
//!
//! The test of each database reads its schema and passes the keys in.

use std::collections::BTreeSet;

/// A primary key or an index: its table and its first column.
pub type Key = (String, String);

/// A key that may begin with another column, and why: table, column, reason.
pub type Exception = (&'static str, &'static str, &'static str);

const CREDENTIAL: &str = "a credential names no tenant: it says whose it is once it was found";
const EXCEPTIONS: [Exception; 10] = [
    ("tenant", "id", "this is the tenant"),
    (
        "person",
        "issuer",
        "who signs in is looked for in every tenant",
    ),
    ("pending_sign_in", "state", "belongs to no tenant yet"),
    ("pending_consent", "state", CREDENTIAL),
    (
        "api_key",
        "secret",
        "a credential, and no two tenants may have the same",
    ),
    ("session", "secret", CREDENTIAL),
    ("admin_link", "secret", CREDENTIAL),
    ("passkey", "id", CREDENTIAL),
    ("pending_passkey", "challenge", "belongs to no tenant yet"),
    (
        "refinery_schema_history",
        "version",
        "the migrations' own table",
    ),
];

/// Checks that all keys begin with the tenant except for the exceptions, and that every exception
/// exists, so that none is left over.
pub fn assert_all_begin_with_the_tenant(keys: &[Key], own: &[Exception]) {
    let tables: BTreeSet<_> = keys.iter().map(|(table, _)| table).collect();
    assert!(tables.len() > 20, "{tables:?}");
    let others: BTreeSet<_> = keys
        .iter()
        .filter(|(_, column)| column != "tenant")
        .map(|(table, column)| (table.as_str(), column.as_str()))
        .collect();
    let allowed: BTreeSet<_> = EXCEPTIONS
        .iter()
        .chain(own)
        .map(|(table, column, _)| (*table, *column))
        .collect();
    assert_eq!(others, allowed);
}
