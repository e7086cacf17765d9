//! An entity on its way out: properties with what verbose answers say of their types, and what
//! hangs below them. Written in the flavour that was asked for.
//!
//! Made by `rest::…`, which knows what a list or an item is; written here.

use serde_json::{Map, Value, json};

use super::flavour::Flavour;

/// One property.
#[derive(Clone, Debug)]
pub enum Property {
    /// A text, number, flag or null; or an object that is written as it is.
    Plain(Value),
    /// An object of a named type.
    Complex(&'static str, Map<String, Value>),
    /// Several values of a type.
    Collection(&'static str, Vec<Value>),
    /// Something else that was not asked for; the last part of its address.
    Deferred(String),
    /// Another entity that was.
    One(Option<Box<Entity>>),
    /// Other entities that were.
    Many(Vec<Entity>),
}

/// An entity.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Its type, e.g. `SP.List`.
    pub kind: String,
    /// Its absolute address.
    pub uri: String,
    pub etag: Option<String>,
    pub properties: Vec<(String, Property)>,
}

impl Entity {
    /// The entity as an object. Verbose ones carry their metadata with them, minimal ones theirs.
    #[must_use]
    pub fn written(&self, flavour: Flavour) -> Map<String, Value> {
        let mut out = Map::new();
        match flavour {
            Flavour::Verbose => {
                let mut metadata = json!({"id": self.uri, "uri": self.uri});
                if let Some(etag) = &self.etag {
                    metadata["etag"] = json!(etag);
                }
                metadata["type"] = json!(self.kind);
                out.insert("__metadata".to_owned(), metadata);
            }
            Flavour::Minimal => {
                out.insert("odata.type".to_owned(), json!(self.kind));
                out.insert("odata.id".to_owned(), json!(self.uri));
                if let Some(etag) = &self.etag {
                    out.insert("odata.etag".to_owned(), json!(etag));
                }
                out.insert("odata.editLink".to_owned(), json!(self.edit_link()));
            }
            Flavour::None => {}
        }
        for (name, property) in &self.properties {
            self.write_property(&mut out, name, property, flavour);
        }
        out
    }

    fn edit_link(&self) -> &str {
        self.uri
            .split_once("/_api/")
            .map_or(&self.uri, |(_, link)| link)
    }

    fn write_property(
        &self,
        out: &mut Map<String, Value>,
        name: &str,
        property: &Property,
        flavour: Flavour,
    ) {
        let key = name.to_owned();
        match property {
            Property::Deferred(link) => match flavour {
                Flavour::Verbose => {
                    let uri = format!("{}/{link}", self.uri);
                    out.insert(key, json!({"__deferred": {"uri": uri}}));
                }
                Flavour::Minimal | Flavour::None => {}
            },
            Property::One(entity) => {
                if flavour == Flavour::Minimal {
                    let link = format!("{}/{name}", self.edit_link());
                    out.insert(format!("{name}@odata.navigationLinkUrl"), json!(link));
                }
                out.insert(
                    key,
                    entity
                        .as_ref()
                        .map_or(Value::Null, |entity| Value::Object(entity.written(flavour))),
                );
            }
            Property::Many(entities) => {
                if flavour == Flavour::Minimal {
                    let link = format!("{}/{name}", self.edit_link());
                    out.insert(format!("{name}@odata.navigationLinkUrl"), json!(link));
                }
                let all: Vec<_> = entities
                    .iter()
                    .map(|entity| Value::Object(entity.written(flavour)))
                    .collect();
                out.insert(key, several(all, flavour));
            }
            property => {
                out.insert(key, value_of(property, flavour));
            }
        }
    }
}

/// What a property is by itself: as part of an entity, or asked for alone.
#[must_use]
pub fn value_of(property: &Property, flavour: Flavour) -> Value {
    let verbose = flavour == Flavour::Verbose;
    match property {
        Property::Plain(value) => value.clone(),
        Property::Complex(kind, members) => {
            let mut out = Map::new();
            if verbose {
                out.insert("__metadata".to_owned(), json!({"type": kind}));
            }
            out.extend(members.clone());
            Value::Object(out)
        }
        Property::Collection(kind, values) if verbose => {
            json!({"__metadata": {"type": format!("Collection({kind})")}, "results": values})
        }
        Property::Collection(_, values) => json!(values),
        Property::Deferred(_) => Value::Null,
        Property::One(entity) => entity
            .as_ref()
            .map_or(Value::Null, |entity| Value::Object(entity.written(flavour))),
        Property::Many(entities) => {
            let all = entities.iter();
            several(
                all.map(|entity| Value::Object(entity.written(flavour)))
                    .collect(),
                flavour,
            )
        }
    }
}

fn several(all: Vec<Value>, flavour: Flavour) -> Value {
    match flavour {
        Flavour::Verbose => json!({"results": all}),
        Flavour::Minimal | Flavour::None => Value::Array(all),
    }
}
