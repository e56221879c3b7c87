//! The names of the values of an enum, as they are written in JSON.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// The names of the values of an enum without fields; empty for every other type.
pub(super) fn variants<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // Reading says what it would take before it finds that there is nothing to read.
    _ = T::deserialize(Recorder(&mut names));
    names
}

struct Recorder<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Recorder<'_> {
    type Error = Error;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = variants;
        Err(Error::custom("only the names are read"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom("this is no enum"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, SpeakingOrder};

    #[test]
    fn an_enum_says_its_names_and_nothing_else_does() {
        assert_eq!(variants::<SpeakingOrder>(), ["sequential", "random", "rotating"]);
        assert_eq!(variants::<Rules>(), [""; 0]);
        assert_eq!(variants::<u32>(), [""; 0]);
    }
}
