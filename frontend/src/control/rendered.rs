//! Renders a list to HTML, for the first paint of a page before its script has loaded.
//!
//! The views are those of the control, for a reader whose clock, time zone and language the server
//! knows. The HTML includes its data, with which the element takes it over.

use std::rc::Rc;

use checklist_shared::item::Actor;
use checklist_shared::wire::list::ListAnswer;
use checklist_shared::wire::render::{self, Render};
use leptos::prelude::*;

use super::Controller;
use crate::components::whole::{Whole, WholeProps};
use crate::effects::DetachedHost;
use crate::i18n::{Language, Words};
use crate::markup::{escape, html_of};
use crate::model::message::Msg;
use crate::model::served::ServedList;
use crate::port::Settings;
use crate::reader;
pub use crate::reader::Reader;
use crate::stylesheet::Styling;

/// JSON between single quotes, which has to write fewer characters in another way than between
/// double ones.
fn escape_in_single(json: &str, out: &mut String) {
    for character in json.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&#39;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ => out.push(character),
        }
    }
}

macro_rules! settings_of {
    (texts { $($texts:tt)* }
     flags { $($(#[doc = $flag_doc:tt])+ $flag:ident $flag_attribute:tt $flag_more:tt;)* }
     choices { $($(#[doc = $choice_doc:tt])+ $setting:ident $choice_attribute:tt
                 [$choice:ident $word:tt $option:tt $values:ident($no:ident, $yes:ident) $label:tt];)* }
     page { $($page:tt)* }) => {
        /// The settings that the options of `Render` amount to.
        fn settings_of(options: &Render) -> Settings {
            Settings {
                $($flag: options.$flag,)*
                $($setting: options.$choice == render::$values::$yes,)*
                ..Settings::default()
            }
        }
    };
}

checklist_descriptors::descriptors!(settings_of);

/// The element's attributes, and the reader.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The person who will read it.
    pub reader: Reader,
    /// The caller, whose ticks can be undone.
    pub me: Actor,
    /// The base URL of the web services, without `/api/…`.
    pub base_url: String,
    /// Linked or inline styles.
    pub styling: Styling,
    /// The element's settings.
    pub options: Render,
}

impl Drawing {
    /// A `<checklist-control>` with the list as declarative shadow DOM; `data` is the same list
    /// as GetItems answers it, less what the element computes, for the element that takes over.
    /// Whole without scripts, without `style` attributes and without inline scripts.
    #[must_use]
    pub fn fragment(&self, list: &ListAnswer, data: &str) -> String {
        let mut html = String::from("<checklist-control");
        let mut attribute = |name: &str, value: &str| {
            html.push(' ');
            html.push_str(name);
            if !value.is_empty() {
                html.push_str("=\"");
                escape(value, &mut html);
                html.push('"');
            }
        };
        let context = &list.context;
        attribute("base-url", &self.base_url);
        attribute("object-type", &context.object_type);
        attribute("object-id", &context.object_id);
        for (name, value) in [
            ("purpose", context.purpose.as_str()),
            ("template", context.template_id.as_deref().unwrap_or("")),
            ("lang", &self.reader.language),
        ] {
            if !value.is_empty() {
                attribute(name, value);
            }
        }
        for (name, value) in self.options.attributes() {
            attribute(name, value);
        }
        let content = self.content(list);
        html.push_str("><template shadowrootmode=\"open\">");
        self.styling.write(&content, &mut html);
        html.push_str(&content);
        // Behind the rows, which are to be seen before it has come.
        html.push_str("<data hidden lang=\"");
        escape(&self.reader.language, &mut html);
        html.push_str("\" value='");
        escape_in_single(data, &mut html);
        html.push_str("'></data>");
        html.push_str("</template></checklist-control>\n");
        html
    }

    /// The content of the shadow root.
    fn content(&self, list: &ListAnswer) -> String {
        let language = &self.reader.language;
        let settings = Settings {
            object_type: list.context.object_type.clone(),
            object_id: list.context.object_id.clone(),
            // One of few: tags are kept for good.
            lang: Language::of(language).tag().to_owned(),
            words: Some(Words::of(language)),
            ..settings_of(&self.options)
        };
        reader::reading(self.reader.clone(), || {
            let controller = Controller::without_page(Rc::new(DetachedHost), settings);
            controller.show_served(ServedList::from(list.clone()), &self.me);
            let html = html_of(|| Whole(WholeProps { controller }).into_any());
            controller.dispose();
            html
        })
    }
}

impl Controller {
    /// Shows a list as it was served, all rows at once.
    fn show_served(&self, served: ServedList, me: &Actor) {
        self.runtime().model.borrow_mut().list.me = me.clone();
        self.screen().drawn.set(usize::MAX);
        self.tell(Msg::Begin(Some(Box::new(served))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> ListAnswer {
        let item = |id: u8, text: &str, status: &str| {
            serde_json::json!({
                "Id": format!("00000000-0000-7000-8000-0000000000{id:02}"), "Origin": "Template", "Kind": "Item",
                "SortKey": format!("a{id}"), "Text": text, "TextHash": "", "TextOverridden": false,
                "Status": status, "Required": true, "AllowNotApplicable": false,
                "NotApplicableNeedsReason": false, "Version": 1,
                "StatusBy": { "Id": "anna", "Name": "Anna Berg", "Kind": "Person" }, "StatusAt": "2026-11-18T09:14:00Z",
                "CreatedBy": { "Id": "anna", "Name": "Anna", "Kind": "Person" }, "CreatedAt": "2026-11-18T09:00:00Z",
                "ModifiedBy": { "Id": "anna", "Name": "Anna", "Kind": "Person" }, "ModifiedAt": "2026-11-18T09:14:00Z",
                "ChangedSinceChecked": false
            })
        };
        let answer = serde_json::json!({
            "Context": { "ObjectType": "incident", "ObjectId": "1 \"&\" 2", "Purpose": "" },
            "Revision": 3, "State": "Open", "Completed": false,
            "Counts": { "Total": 2, "Done": 1, "NotApplicable": 0, "Open": 1, "RequiredOpen": 1 },
            "Blockers": [], "Removed": [], "Delta": false, "CompletionRule": "All", "Title": "Steps",
            "Items": [item(1, "Ask <the> owner", "Done"), item(2, "Build", "Open")],
            "Permissions": ["Read", "Check"],
            "Limits": { "Items": { "Max": 200, "WarnAt": 180, "Used": 2 }, "Text": 1000, "Help": 8000, "Note": 1000, "Batch": 200 }
        });
        serde_json::from_value(answer).expect("a list")
    }

    fn drawn(language: &str) -> String {
        let reader = Reader {
            now: "2026-11-18T12:00:00Z".parse().expect("a time"),
            zone: jiff::tz::TimeZone::UTC,
            language: language.to_owned(),
        };
        let drawing = Drawing {
            reader,
            me: Actor::person("anna", "Anna"),
            base_url: "https://host/platform".to_owned(),
            styling: Styling::Linked("https://host/platform/control/checklist.css".to_owned()),
            options: Render {
                required: true,
                name: Some("steps".to_owned()),
                ..Render::default()
            },
        };
        drawing.fragment(&list(), "{\"Revision\":3,\"A\":\"O'Neil & <b>\"}")
    }

    #[test]
    fn rows_boxes_and_counts_are_there_and_texts_mean_themselves() {
        let html = drawn("en");
        assert!(
            html.contains("object-id=\"1 &quot;&amp;&quot; 2\""),
            "{html}"
        );
        assert!(html.contains("Ask &lt;the&gt; owner"), "{html}");
        assert!(html.contains("1 of 2 done"), "{html}");
        assert_eq!(html.matches("type=\"checkbox\"").count(), 2, "{html}");
        assert_eq!(html.matches(" checked ").count(), 1, "{html}");
        assert!(html.contains("Anna Berg"), "{html}");
        assert!(html.contains(" required name=\"steps\">"), "{html}");
        assert!(
            html.ends_with(
                "<data hidden lang=\"en\" value='{\"Revision\":3,\"A\":\"O&#39;Neil &amp; &lt;b&gt;\"}'></data></template></checklist-control>\n"
            ),
            "{html}"
        );
    }

    #[test]
    fn the_state_of_each_row_is_there_in_a_word() {
        assert!(drawn("en").contains("data-state=\"Done\""));
        assert!(drawn("de").contains("data-state=\"Erledigt\""));
    }

    #[test]
    fn nothing_is_drawn_that_a_strict_policy_refuses() {
        let html = drawn("ar");
        assert!(
            !html.contains("<script") && !html.contains(" style="),
            "{html}"
        );
        assert!(!html.contains(" on"), "{html}");
        assert!(html.contains("dir=\"rtl\""), "{html}");
    }

    #[test]
    fn what_is_drawn_does_not_depend_on_what_was_drawn_before() {
        let first = drawn("de");
        drawn("fr");
        assert_eq!(drawn("de"), first);
    }
}
