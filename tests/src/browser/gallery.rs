//! The gallery, as the tests of the looks open it: every state at the same moment of
//! the same day, without motion, in letters that are the same on every machine.

use std::fs;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::driver::Browser;
use crate::server::Server;

/// The typefaces: file of the package, weight, range of letters.
const FACES: [(&str, &str, &str); 5] = [
    (
        "noto-sans/files/noto-sans-latin-400-normal.woff2",
        "400",
        "U+0-58F, U+900-FAFF",
    ),
    (
        "noto-sans/files/noto-sans-latin-600-normal.woff2",
        "500 900",
        "U+0-58F, U+900-FAFF",
    ),
    (
        "noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff2",
        "400",
        "U+600-6FF",
    ),
    (
        "noto-sans-arabic/files/noto-sans-arabic-arabic-600-normal.woff2",
        "500 900",
        "U+600-6FF",
    ),
    (
        "noto-sans-hebrew/files/noto-sans-hebrew-hebrew-400-normal.woff2",
        "400",
        "U+590-5FF",
    ),
];

/// Wednesday, 18 November 2026, half past nine in the morning, and it stays so.
const CLOCK: &str = "{ const Real = Date; const now = Real.UTC(2026, 10, 18, 9, 30);
    window.Date = class extends Real { constructor(...parts) { super(...(parts.length ? parts : [now])); } static now() { return now; } }; }";

/// Where what the tests of the looks need lies.
///
/// # Panics
/// When it is not there.
#[must_use]
#[track_caller]
pub fn looks() -> PathBuf {
    let folder = std::env::var_os("CHECKLIST_LOOKS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/tools/looks"),
        PathBuf::from,
    );
    assert!(
        folder.join("node_modules").is_dir(),
        "there are no typefaces; `cargo xtask test` fetches them, or name their folder in CHECKLIST_LOOKS"
    );
    folder
}

impl Browser {
    /// Stops the clock and takes the typefaces, in every page that is opened from here on.
    #[track_caller]
    pub fn holds_still(&self) {
        let fonts = looks().join("node_modules/@fontsource");
        let faces: Vec<Value> = FACES
            .iter()
            .map(|(file, weight, range)| {
                let bytes =
                    fs::read(fonts.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
                json!({ "data": STANDARD.encode(bytes), "weight": weight, "range": range })
            })
            .collect();
        let letters = format!(
            "for (const {{ data, weight, range }} of {}) {{
               const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
               document.fonts.add(new FontFace('Gallery', bytes, {{ weight, unicodeRange: range }}));
             }}
             addEventListener('DOMContentLoaded', () => {{
               document.documentElement.style.setProperty('--checklist-font', 'Gallery');
               document.documentElement.style.fontFamily = 'Gallery';
             }});",
            json!(faces)
        );
        for source in [CLOCK, &letters] {
            self.command(
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": source }),
            );
        }
        self.command(
            "Emulation.setTimezoneOverride",
            json!({ "timezoneId": "UTC" }),
        );
        self.command(
            "Emulation.setFocusEmulationEnabled",
            json!({ "enabled": true }),
        );
        // A picture of more than the window shows takes the bar away for as long as it lasts, and
        // the page is wider then.
        self.command("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
    }

    /// What the reader's system asks for: colours of its own, no motion, a scheme.
    #[track_caller]
    pub fn emulate(&self, features: &[(&str, &str)]) {
        let features: Vec<_> = features
            .iter()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// Opens the gallery and waits until every state has come about.
    #[track_caller]
    pub fn open_gallery(&self, server: &Server) {
        self.open(&format!("{}/docs/gallery", server.base_url()));
        self.gallery_becomes("!!dataset.ready && document.fonts.status === 'loaded'");
        self.show_the_rest();
        self.script("scrollTo(0, 0)", &[]);
    }

    /// Brings those states of the gallery about that wait until they are seen.
    #[track_caller]
    pub fn show_the_rest(&self) {
        const WAITING: &str = "document.querySelector('.stage:not([data-shown])')";
        let scroll = format!("{WAITING}?.scrollIntoView({{ block: 'center' }})");
        while self.value(&format!("!{WAITING}")) == json!(false) {
            let waiting =
                self.value("document.querySelectorAll('.stage:not([data-shown])').length");
            self.script(&scroll, &[]);
            self.until(&format!(
                "document.querySelectorAll('.stage:not([data-shown])').length < {waiting}"
            ));
        }
    }

    /// Waits for a gallery to be so, as long as its states go on coming about: they are many, and
    /// come one after the other.
    #[track_caller]
    pub fn gallery_becomes(&self, expression: &str) {
        let with = |expression: &str| {
            format!("(({{ dataset }}) => {expression})(document.documentElement)")
        };
        loop {
            let drawn = self.value(&with("dataset.drawn ?? ''"));
            let wanted = with(&format!("({expression}) || dataset.drawn !== {drawn}"));
            self.until(&wanted);
            if self.value(&with(expression)) == json!(true) {
                return;
            }
        }
    }

    /// Shows one of its chapters and hides the others: whatever looks at a whole page takes seconds for all.
    #[track_caller]
    pub fn show_chapter_alone(&self, chapter: &str) {
        self.value(&format!(
            "document.querySelectorAll('.chapter').forEach((one) => {{ one.style.display = one.id === '{chapter}' ? '' : 'none'; }})"
        ));
    }

    /// The ids of its chapters.
    #[must_use]
    #[track_caller]
    pub fn chapters(&self) -> Vec<String> {
        let ids = self.value("[...document.querySelectorAll('.chapter')].map((one) => one.id)");
        serde_json::from_value(ids).expect("a list of ids")
    }
}
