//! Which list: the context of the calls, and the objects that most tests use.

use serde_json::{Value, json};

/// Which list: the context of the calls.
#[derive(Clone, Debug)]
pub struct Place {
    /// The platform type.
    pub object_type: String,
    /// The object.
    pub object_id: String,
    /// Which list of the object.
    pub purpose: String,
    /// The template that the list is made from.
    pub template: Option<String>,
    /// The facts of the object.
    pub facts: Option<Value>,
}

/// An object of a type with both classes.
#[must_use]
pub fn incident(object_id: &str) -> Place {
    Place::new("incident", object_id)
}

/// An object of a type that lacks the unit-of-work class.
#[must_use]
pub fn task(object_id: &str) -> Place {
    Place::new("task", object_id)
}

/// An object of a type that lacks the checklist-item class.
#[must_use]
pub fn asset(object_id: &str) -> Place {
    Place::new("asset", object_id)
}

impl Place {
    /// The default list of an object.
    #[must_use]
    pub fn new(object_type: &str, object_id: &str) -> Self {
        Self {
            object_type: object_type.to_owned(),
            object_id: object_id.to_owned(),
            purpose: String::new(),
            template: None,
            facts: None,
        }
    }

    /// The object's list of that purpose.
    #[must_use]
    pub fn for_purpose(mut self, purpose: &str) -> Self {
        purpose.clone_into(&mut self.purpose);
        self
    }

    /// The list as that template makes it.
    #[must_use]
    pub fn from_template(mut self, template: &str) -> Self {
        self.template = Some(template.to_owned());
        self
    }

    /// The list with those facts.
    #[must_use]
    pub fn with_facts(mut self, facts: Value) -> Self {
        self.facts = Some(facts);
        self
    }

    /// The context as it travels.
    #[must_use]
    pub fn context(&self) -> Value {
        let mut context = json!({ "ObjectType": self.object_type, "ObjectId": self.object_id, "Purpose": self.purpose });
        if let Some(template) = &self.template {
            context["TemplateId"] = json!(template);
        }
        if let Some(facts) = &self.facts {
            context["Facts"] = facts.clone();
        }
        context
    }
}
