//! What a test asks of Firefox beside its pages: colours that the reader prefers, a narrow view.
//!
//! Both are things of the browser's own window, so they are done by scripts that run there.

use serde_json::{Value, json};
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::{RequestData, SessionId};

use super::driver::Browser;

const SCHEME: &str = "layout.css.prefers-color-scheme.content-override";

/// Chooses where scripts run: in the page, or in the browser's own window.
#[derive(Debug)]
struct Context(&'static str);

impl FormatRequestData for Context {
    fn format_request(&self, session: &SessionId) -> RequestData {
        RequestData::new(http::Method::POST, format!("session/{session}/moz/context"))
            .add_body(json!({ "context": self.0 }))
    }
}

impl Browser {
    #[track_caller]
    pub(super) fn prefer_in_firefox(&self, scheme: &str) {
        let value = u8::from(scheme == "light");
        self.in_window(
            "Services.prefs.setIntPref(...arguments);",
            &[json!(SCHEME), json!(value)],
        );
        self.until(&format!(
            "matchMedia('(prefers-color-scheme: {scheme})').matches"
        ));
    }

    /// What an earlier test has preferred holds no longer.
    #[track_caller]
    pub(super) fn forget_what_was_preferred(&self) {
        self.in_window(
            "Services.prefs.clearUserPref(...arguments);",
            &[json!(SCHEME)],
        );
    }

    #[track_caller]
    pub(super) fn resize_firefox(&self, width: u32, height: u32) {
        self.in_window(
            "const [width, height] = arguments; const { style } = gBrowser.selectedBrowser;\
             for (const most of ['minWidth', 'maxWidth']) style[most] = `${width}px`;\
             for (const most of ['minHeight', 'maxHeight']) style[most] = `${height}px`;",
            &[json!(width), json!(height)],
        );
        self.until(&format!(
            "innerWidth === {width} && innerHeight === {height}"
        ));
    }

    /// Runs a function body in the browser's own window.
    #[track_caller]
    fn in_window(&self, body: &str, arguments: &[Value]) {
        let choose = |context| {
            let chosen = self.wait_for(self.driver().handle().cmd(Context(context)));
            chosen.expect("scripts may run in the browser's window");
        };
        choose("chrome");
        self.script(body, arguments);
        choose("content");
    }
}
