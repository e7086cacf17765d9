//! Rejects records in the form of JSON arrays.
//!
//! serde accepts `["incident", "INC-1"]` for a record with two fields, because compact formats
//! encode records that way. In an API that would be a second, undocumented form of every request.
//! `body` and `field_errors` wrap their deserializers in this one.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

/// A deserializer whose records are objects, all the way down.
pub struct Strict<D>(pub D);

/// Reads a value.
///
/// # Errors
/// Those of the format, and records that are no objects.
pub fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::deserialize(Strict(from))
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(StrictVisitor::<V, false>(visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0
            .deserialize_option(StrictVisitor::<V, false>(visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = StrictVisitor::<V, false>(visitor);
        self.0.deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = StrictVisitor::<V, true>(visitor);
        self.0.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        // The API's enums are names without content, so there is nothing below to check.
        self.0.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_ignored_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier
    }
}

/// Wraps the visitors of everything inside. A record rejects an array.
struct StrictVisitor<V, const IS_RECORD: bool>(V);

macro_rules! pass_on {
    ($($method:ident: $type:ty),*) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>, const IS_RECORD: bool> Visitor<'de> for StrictVisitor<V, IS_RECORD> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    pass_on! {
        visit_bool: bool, visit_i64: i64, visit_i128: i128, visit_u64: u64, visit_u128: u128, visit_f64: f64,
        visit_str: &str, visit_borrowed_str: &'de str, visit_string: String
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Strict(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Strict(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        if IS_RECORD {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self.0));
        }
        self.0.visit_seq(StrictAccess(access))
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(StrictAccess(access))
    }
}

/// The content of an array or object.
struct StrictAccess<A>(A);

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for StrictAccess<A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.0.next_element_seed(StrictSeed(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for StrictAccess<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        self.0.next_value_seed(StrictSeed(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

struct StrictSeed<T>(T);

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for StrictSeed<T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T::Value, D::Error> {
        self.0.deserialize(Strict(from))
    }
}

#[cfg(test)]
mod tests {
    use checklist_shared::template::Template;
    use checklist_shared::wire::admin::Type;
    use checklist_shared::wire::list::GetItems;
    use checklist_shared::wire::write::UpdateItems;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    fn both<T: DeserializeOwned + PartialEq + std::fmt::Debug>(
        value: &Value,
    ) -> Result<(), String> {
        let strict: T = super::read(value).map_err(|error| error.to_string())?;
        assert_eq!(
            strict,
            serde_json::from_value(value.clone()).expect("serde reads it, too")
        );
        Ok(())
    }

    #[test]
    fn what_is_written_as_objects_reads_as_ever() {
        let id = "00000000-0000-7000-8000-000000000000";
        let update = json!({"Context": {"ObjectType": "a", "ObjectId": "b"}, "Items": [
            {"Id": id, "Status": "Done", "Note": null, "Due": "2026-01-01T00:00:00Z", "AfterId": id, "BaseVersion": 3}]});
        assert_eq!(both::<UpdateItems>(&update), Ok(()));
        assert_eq!(
            both::<Type>(&json!({"Name": "a", "Classes": ["UnitOfWork"], "Templates": {"": "t"}})),
            Ok(())
        );
        let template = json!({"Id": "a", "Key": "a", "Name": {"de": "A", "en": "B"}, "Status": "Draft", "Version": 1,
            "Items": [{"Key": "k", "Text": {"en": "T"}, "Kind": "Section"}]});
        assert_eq!(both::<Template>(&template), Ok(()));
    }

    #[test]
    fn records_written_as_arrays_are_refused_at_any_depth() {
        for bad in [
            json!([]),
            json!({"Context": ["a", "b"]}),
            json!({"Contexts": [["a", "b"]]}),
        ] {
            assert!(
                both::<GetItems>(&bad).is_err_and(|error| error.contains("sequence")),
                "{bad}"
            );
        }
    }
}
