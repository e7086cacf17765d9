//! Text with the spacing that a reader has set (WCAG 2.2, 1.4.12): lines, letters, words, paragraphs.
//!
//! What is measured is whether text is cut or runs out of its box; the shadow trees are part of it.

use serde_json::{Value, json};

use super::driver::Browser;

/// The least spacing of the criterion, in every tree, whatever the styles say.
const SPACE: &str = "
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }');
    for (const root of [document, ...[...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean)])
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];";

/// Elements that clip text which does not fit into them, and those that text leaves. A field scrolls its
/// text, what is one pixel large is for screen readers, and the second line of a row (`.meta`) ends with
/// an ellipsis, because its details have all of it.
const CUT: &str = "
    [document, ...[...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean)]
      .flatMap((root) => [...root.querySelectorAll(root === document ? 'body *' : '*')])
      .filter((one) => {
        const box = one.getBoundingClientRect();
        if (one.matches('input, select, textarea, option, script, style, .meta > *') || !one.checkVisibility({ visibilityProperty: true }) || box.width <= 2 || box.height <= 2) return false;
        const style = getComputedStyle(one);
        if (style.display === 'inline' || !one.textContent.trim()) return false;
        const clips = (overflow) => overflow === 'hidden' || overflow === 'clip';
        const has_text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const tall = one.scrollHeight > one.clientHeight + 2, wide = one.scrollWidth > one.clientWidth + 2;
        return tall && (clips(style.overflowY) || has_text && style.overflowY === 'visible') || wide && clips(style.overflowX);
      })
      .map((one) => `${one.localName}.${one.className} “${one.textContent.trim().slice(0, 40)}” ${one.scrollWidth}×${one.scrollHeight} in ${one.clientWidth}×${one.clientHeight}`)";

impl Browser {
    /// Sets the spacing in what is there now.
    #[track_caller]
    pub fn space_text(&self) {
        self.script(SPACE, &[]);
    }

    /// Fails if text is cut or leaves its box, or the page has to be scrolled sideways.
    #[track_caller]
    pub fn text_is_whole(&self, place: &str) {
        assert_eq!(self.value(CUT.trim()), json!([]), "{place}");
        let root = "document.documentElement";
        let fits: Value = self.value(&format!("{root}.scrollWidth <= {root}.clientWidth"));
        assert_eq!(fits, json!(true), "{place} scrolls sideways");
    }
}
