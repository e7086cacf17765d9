//! Answers of the API, read by what people see: items by their text, results by their outcome.
//!
//! Made by `person`, read by tests. The JSON inside stays open to whoever needs more.

use serde_json::Value;

/// A list as GetItems answers it.
#[derive(Clone, Debug, PartialEq)]
pub struct List(pub Value);

/// The answer of a writing call.
#[derive(Clone, Debug, PartialEq)]
pub struct Written(pub Value);

impl List {
    /// The items in the order of the answer.
    #[must_use]
    #[track_caller]
    pub fn items(&self) -> &[Value] {
        match self.0["Items"].as_array() {
            Some(items) => items,
            None => panic!("an answer without Items: {}", self.0),
        }
    }

    /// The texts in order.
    #[must_use]
    #[track_caller]
    pub fn texts(&self) -> Vec<&str> {
        self.items()
            .iter()
            .filter_map(|item| item["Text"].as_str())
            .collect()
    }

    /// The ids in order.
    #[must_use]
    #[track_caller]
    pub fn ids(&self) -> Vec<&str> {
        self.items()
            .iter()
            .filter_map(|item| item["Id"].as_str())
            .collect()
    }

    /// Whether there is an item with that text.
    #[must_use]
    #[track_caller]
    pub fn has(&self, text: &str) -> bool {
        self.texts().contains(&text)
    }

    /// The item with that text.
    #[must_use]
    #[track_caller]
    pub fn item(&self, text: &str) -> &Value {
        match self.items().iter().find(|item| item["Text"] == text) {
            Some(item) => item,
            None => panic!("there is no item {text:?} among {:?}", self.texts()),
        }
    }

    /// The item made from that template item.
    #[must_use]
    #[track_caller]
    pub fn by_key(&self, key: &str) -> &Value {
        match self.items().iter().find(|item| item["TemplateKey"] == key) {
            Some(item) => item,
            None => panic!("there is no item of key {key:?} in {}", self.0),
        }
    }

    /// Whether there is an item made from that template item.
    #[must_use]
    #[track_caller]
    pub fn has_key(&self, key: &str) -> bool {
        self.items().iter().any(|item| item["TemplateKey"] == key)
    }

    /// The id of the item with that text.
    #[must_use]
    #[track_caller]
    pub fn id(&self, text: &str) -> String {
        self.item(text)["Id"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The status of the item with that text.
    #[must_use]
    #[track_caller]
    pub fn status(&self, text: &str) -> &str {
        self.item(text)["Status"].as_str().unwrap_or_default()
    }

    /// The list's revision.
    #[must_use]
    #[track_caller]
    pub fn revision(&self) -> u64 {
        self.0["Revision"].as_u64().expect("a list has a revision")
    }

    /// The list's state.
    #[must_use]
    #[track_caller]
    pub fn state(&self) -> &str {
        self.0["State"].as_str().expect("a list has a state")
    }

    /// Whether it is completed.
    #[must_use]
    #[track_caller]
    pub fn completed(&self) -> bool {
        self.0["Completed"]
            .as_bool()
            .expect("a list says whether it is completed")
    }

    /// Total, done, not applicable, open, required open.
    #[must_use]
    pub fn counts(&self) -> [u64; 5] {
        counts(&self.0)
    }
}

impl Written {
    /// The outcomes in the order of the request.
    #[must_use]
    #[track_caller]
    pub fn outcomes(&self) -> Vec<&str> {
        self.results()
            .iter()
            .filter_map(|result| result["Outcome"].as_str())
            .collect()
    }

    /// The results in the order of the request.
    #[must_use]
    #[track_caller]
    pub fn results(&self) -> &[Value] {
        match self.0["Results"].as_array() {
            Some(results) => results,
            None => panic!("an answer without Results: {}", self.0),
        }
    }

    /// The only result, which has to have that outcome.
    #[track_caller]
    pub fn only(&self, outcome: &str) -> &Value {
        let [result] = self.results() else {
            panic!("expected one result: {}", self.0)
        };
        assert_eq!(result["Outcome"], outcome, "{}", self.0);
        result
    }

    /// The code of the only result's problem, which has to have that outcome.
    #[must_use]
    #[track_caller]
    pub fn problem(&self, outcome: &str) -> &str {
        self.only(outcome)["Problem"]["Code"]
            .as_str()
            .expect("a problem has a code")
    }

    /// The list's revision afterwards.
    #[must_use]
    #[track_caller]
    pub fn revision(&self) -> u64 {
        self.0["Revision"]
            .as_u64()
            .expect("an answer has a revision")
    }

    /// Whether the list is completed afterwards.
    #[must_use]
    #[track_caller]
    pub fn completed(&self) -> bool {
        self.0["Completed"]
            .as_bool()
            .expect("an answer says whether the list is completed")
    }

    /// Total, done, not applicable, open, required open.
    #[must_use]
    pub fn counts(&self) -> [u64; 5] {
        counts(&self.0)
    }

    /// Case and template key of each change of a refresh, sorted.
    #[must_use]
    #[track_caller]
    pub fn cases(&self) -> Vec<(&str, &str)> {
        let Some(changes) = self.0["Changes"].as_array() else {
            panic!("a refresh without Changes: {}", self.0)
        };
        let mut cases: Vec<_> = changes
            .iter()
            .map(|change| {
                let text = |key: &str| change[key].as_str().unwrap_or_default();
                (text("Case"), text("TemplateKey"))
            })
            .collect();
        cases.sort_unstable();
        cases
    }
}

fn counts(answer: &Value) -> [u64; 5] {
    ["Total", "Done", "NotApplicable", "Open", "RequiredOpen"]
        .map(|name| answer["Counts"][name].as_u64().unwrap_or(u64::MAX))
}
