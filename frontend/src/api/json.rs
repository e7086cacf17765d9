//! JSON, written by hand into one string.
//!
//! The browser could do it, but from objects that would first have to be made, field by field.
//! Called by `write`.

use checklist_shared::ItemId;
use checklist_shared::patch::Patch;

/// Writes one JSON object.
pub(super) struct Object<'a> {
    out: &'a mut String,
    empty: bool,
}

impl Object<'_> {
    pub(super) fn name(&mut self, name: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    pub(super) fn raw(&mut self, name: &str, value: &str) {
        self.name(name).push_str(value);
    }

    pub(super) fn text(&mut self, name: &str, value: &str) {
        quote(self.name(name), value);
    }

    pub(super) fn some_text(&mut self, name: &str, value: Option<&String>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    pub(super) fn id(&mut self, name: &str, value: Option<ItemId>) {
        if let Some(value) = value {
            self.text(name, &value.to_text());
        }
    }

    pub(super) fn patch<T>(&mut self, name: &str, value: &Patch<T>, text: impl Fn(&T) -> String) {
        match value {
            Patch::Keep => {}
            Patch::Clear => self.raw(name, "null"),
            Patch::Set(value) => self.text(name, &text(value)),
        }
    }

    pub(super) fn object(&mut self, name: &str, fill: impl FnOnce(&mut Object<'_>)) {
        object(self.name(name), fill);
    }

    pub(super) fn list<T>(
        &mut self,
        name: &str,
        values: &[T],
        mut write: impl FnMut(&mut String, &T),
    ) {
        let out = self.name(name);
        out.push('[');
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            write(out, value);
        }
        out.push(']');
    }
}

pub(super) fn object(out: &mut String, fill: impl FnOnce(&mut Object<'_>)) {
    out.push('{');
    fill(&mut Object { out, empty: true });
    out.push('}');
}

pub(super) fn quote(out: &mut String, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if u32::from(c) < 32 => {
                let code = c as usize;
                out.push_str("\\u00");
                out.push(char::from(HEX[code >> 4]));
                out.push(char::from(HEX[code & 15]));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
