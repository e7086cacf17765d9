//! The files that are inside the program: the control, the built-in pages, the demo page, the documentation.
//!
//! The program has them from its build script and hands them in at its start, so a rebuilt control does not
//! compile this library again. Invariant: they are the same for as long as the process lives.

use std::sync::OnceLock;

/// One file.
pub struct File {
    /// Its name, without a folder.
    pub name: &'static str,
    /// Its media type.
    pub content_type: &'static str,
    /// Hex SHA-256 of the plain form.
    pub sha256: &'static str,
    /// Whether the name changes with the content.
    pub immutable: bool,
    /// As it is.
    pub plain: &'static [u8],
    /// Brotli.
    pub brotli: Option<&'static [u8]>,
    /// Gzip.
    pub gzip: Option<&'static [u8]>,
}

/// A file of the documentation.
pub struct Packed {
    /// Below `/docs/`; a page has no extension, that of a folder is `…/index`.
    pub path: &'static str,
    /// Its media type.
    pub content_type: &'static str,
    /// Hex SHA-256 of the plain form.
    pub sha256: &'static str,
    /// Gzip, its only form.
    pub gzip: &'static [u8],
}

/// The tables; empty where the program was built without them.
#[derive(Clone, Copy)]
pub struct Embedded {
    /// What pages load for the elements.
    pub control: &'static [File],
    /// Below `/admin/`.
    pub pages: &'static [File],
    /// Below `/demo/`.
    pub demo: &'static [File],
    /// Below `/docs/`.
    pub docs: &'static [Packed],
}

const NOTHING: Embedded = Embedded {
    control: &[],
    pages: &[],
    demo: &[],
    docs: &[],
};

static EMBEDDED: OnceLock<Embedded> = OnceLock::new();

/// Keeps them for this process; the first ones stay.
pub fn embed(files: Embedded) {
    EMBEDDED.get_or_init(|| files);
}

/// A file of the control, for tests.
#[cfg(test)]
pub const HASHED: File = File {
    name: "checklist-00ff.wasm",
    content_type: "application/wasm",
    sha256: "00ff",
    immutable: true,
    plain: b"plain",
    brotli: Some(b"br"),
    gzip: Some(b"gz"),
};

/// That file and a page of the documentation, the same for all tests of this library.
#[cfg(test)]
pub fn embed_two_files() {
    embed(Embedded {
        control: &[HASHED],
        docs: &[Packed {
            path: "index",
            content_type: "text/html; charset=utf-8",
            sha256: "00fe",
            // An empty text.
            gzip: b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0",
        }],
        ..NOTHING
    });
}

/// What this process has; nothing, where nobody has embedded anything.
pub fn embedded() -> &'static Embedded {
    EMBEDDED.get().unwrap_or(&NOTHING)
}
