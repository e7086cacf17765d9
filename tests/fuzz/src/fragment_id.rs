//! Ids that come from the outside: a context is refused or can be stored and told again; two lists
//! never share the id of an item.

use checklist_shared::context::Context;
use checklist_shared::{ItemId, Timestamp};

/// Takes the bytes for a context, for an id, and for a time: parts are apart by line ends.
pub fn hold(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut parts = text.split('\n');
    let mut next = || parts.next().unwrap_or_default();
    let mut context = Context::new(next(), next(), next());
    let key = next();
    context.template_id = Some(next().to_owned()).filter(|id| !id.is_empty());
    if context.validate().is_ok() {
        let written = serde_json::to_string(&context).expect("a context can be written");
        let again: Context = serde_json::from_str(&written).expect("and be read again");
        assert_eq!(again, context);
        assert!(again.same_list(&context));
    }
    let id = ItemId::projected(&context, key);
    assert_eq!(id.to_string().parse(), Ok(id));
    let mut other = context.clone();
    other.purpose.push('x');
    assert_ne!(ItemId::projected(&other, key), id);
    if let Ok(id) = text.parse::<ItemId>() {
        assert_eq!(id.to_string().parse(), Ok(id));
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        assert_eq!(time.to_string().parse(), Ok(time));
    }
    let start = Timestamp::from_millis(1_800_000_000_000);
    if let Ok(later) = start.plus_iso(text) {
        assert_eq!(later.to_string().parse(), Ok(later));
    }
}
