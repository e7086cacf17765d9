//! A body that a caller sends: it is read, or every wrong field in it is told; nothing else.

use std::fmt::Debug;

use checklist_shared::template::Template;
use checklist_shared::wire::list::GetItems;
use checklist_shared::wire::write::{AddItems, UpdateItems};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::{field_errors, strict};

/// Reads the bytes as the bodies of some calls.
pub fn hold(data: &[u8]) {
    read::<GetItems>(data);
    read::<AddItems>(data);
    read::<UpdateItems>(data);
    read::<Template>(data);
}

fn read<T: DeserializeOwned + ToSchema + Serialize + PartialEq + Debug>(data: &[u8]) {
    let mut text = serde_json::Deserializer::from_slice(data);
    let taken = strict::read::<T, _>(&mut text).and_then(|value| text.end().map(|()| value));
    match (taken, serde_json::from_slice::<serde_json::Value>(data)) {
        (Ok(value), _) => {
            let written = serde_json::to_vec(&value).expect("what was read can be written");
            let again: T = serde_json::from_slice(&written).expect("and be read again");
            assert_eq!(again, value);
            let _ = field_errors::nul_errors(data);
        }
        (Err(error), Ok(value)) => {
            let told = field_errors::of::<T>(data, &value);
            assert!(!told.is_empty(), "refused without a reason: {error}");
            let clear = |one: &checklist_shared::problem::FieldError| {
                (one.pointer.is_empty() || one.pointer.starts_with('/')) && !one.detail.is_empty()
            };
            assert!(told.iter().all(clear), "{told:?}");
        }
        (Err(_), Err(_)) => {}
    }
}
