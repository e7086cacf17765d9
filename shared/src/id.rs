//! Identifiers of items.
//!
//! Items made by people have a UUIDv7, which the client may choose. Items projected from a template
//! have a UUIDv5 of their context and template key, so that every reader of a list that was never
//! written sees the same ids.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::checklist::FIRST_RUN;
use crate::context::Context;

/// The namespace of projected item ids; fixed for good, because ids are stored by hosts.
const PROJECTION: Uuid = Uuid::from_u128(0x6f2a_5c1e_91d4_5b7a_8f03_2d6c_4e9b_a718);

/// The namespace of the ids of appended items; fixed for good, because an id is how a list
/// remembers what was appended to it.
const APPENDED: Uuid = Uuid::from_u128(0xb1d0_74e3_2c8f_5e06_9a47_f35d_08c6_1e92);

/// The id of an item, a UUID in its hyphenated lowercase form on the wire.
///
/// ```
/// use checklist_shared::ItemId;
/// let id = ItemId::from_millis_and_random(1_700_000_000_000, [7; 10]);
/// assert_eq!(id.to_string().parse::<ItemId>(), Ok(id));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = Uuid))]
#[serde(transparent)]
pub struct ItemId(Uuid);

impl ItemId {
    /// A UUIDv7 from milliseconds since 1970 and ten random bytes; both come from the caller.
    #[must_use]
    pub fn from_millis_and_random(millis: u64, random: [u8; 10]) -> Self {
        Self(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
    }

    /// The id of the item that `template_key` projects to in `context`.
    ///
    /// The template itself is not part of it: a list that moves to another template keeps the
    /// state of the keys that both share.
    #[must_use]
    pub fn projected(context: &Context, template_key: &str) -> Self {
        Self::projected_in(FIRST_RUN, context, template_key)
    }

    /// The same in that run of the list: no item of one run has the id of an item of another.
    #[must_use]
    pub fn projected_in(run: u32, context: &Context, template_key: &str) -> Self {
        let name = name_of(context) + template_key;
        Self(Uuid::new_v5(&of_run(PROJECTION, run), name.as_bytes()))
    }

    /// The id of the item that is appended to the list of `context` when a template that it does not
    /// follow is applied to it.
    ///
    /// The version is not part of it: a key is appended once, whichever version it came from.
    #[must_use]
    pub fn appended(context: &Context, template_id: &str, template_key: &str) -> Self {
        Self::appended_in(FIRST_RUN, context, template_id, template_key)
    }

    /// The same in that run of the list, to which the template can be applied anew.
    #[must_use]
    pub fn appended_in(run: u32, context: &Context, template_id: &str, template_key: &str) -> Self {
        let name = name_of(context) + &part(template_id) + template_key;
        Self(Uuid::new_v5(&of_run(APPENDED, run), name.as_bytes()))
    }

    /// The sixteen bytes, as a database stores them.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// Back from sixteen stored bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }
}

/// The namespace of a run; that of the first one is older than runs are.
fn of_run(namespace: Uuid, run: u32) -> Uuid {
    match run {
        ..=FIRST_RUN => namespace,
        later => Uuid::new_v5(&namespace, &later.to_be_bytes()),
    }
}

/// A list as part of the name of a UUIDv5.
fn name_of(context: &Context) -> String {
    let parts = [&context.object_type, &context.object_id, &context.purpose];
    parts.map(|text| part(text)).concat()
}

/// A length prefix keeps ("a", "bc") and ("ab", "c") apart.
fn part(text: &str) -> String {
    format!("{}:{text};", text.len())
}

impl ItemId {
    /// The id as text, the same as `to_string` without the machinery of formatting.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = Uuid::encode_buffer();
        self.0.hyphenated().encode_lower(&mut text).to_owned()
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is not a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a UUID")]
pub struct InvalidId;

impl FromStr for ItemId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Uuid::try_parse(text).map(Self).map_err(|_| InvalidId)
    }
}
