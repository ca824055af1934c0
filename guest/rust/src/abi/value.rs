use alloc::{string::String, vec::Vec};

use super::encoder::{Encode, Encoder};
use super::reader::{Merge, Names, Reader};

/// A JSON-like value without fractions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Value>),
    /// A map.
    Map(Map),
}

impl Value {
    /// How deeply the value nests: 1 if it holds no others.
    pub fn depth(&self) -> usize {
        let inner = match self {
            Value::List(values) => values.iter().map(Value::depth).max(),
            Value::Map(map) => map.iter().map(|(_, v)| v.depth()).max(),
            _ => None,
        };
        1 + inner.unwrap_or(0)
    }

    /// The same value with the keys of all maps in it in ascending order, without
    /// duplicates.
    pub(crate) fn sorted(self) -> Self {
        match self {
            Value::List(values) => Value::List(values.into_iter().map(Value::sorted).collect()),
            Value::Map(map) => Value::Map(map.entries.into_iter().collect()),
            other => other,
        }
    }
}

macro_rules! value_from {
    ($($type:ty => |$v:ident| $value:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($v: $type) -> Self {
                $value
            }
        }
    )*};
}

value_from! {
    bool => |v| Value::Bool(v);
    i64 => |v| Value::Int(v);
    i32 => |v| Value::Int(v.into());
    u32 => |v| Value::Int(v.into());
    &str => |v| Value::Text(v.into());
    String => |v| Value::Text(v);
    &[u8] => |v| Value::Bytes(v.into());
    Vec<u8> => |v| Value::Bytes(v);
    Vec<Value> => |v| Value::List(v);
    Map => |v| Value::Map(v);
}

impl<'a> Merge<'a> for Value {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Value",
            fields: &["bool", "int", "text", "data", "list", "map"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => *self = Value::Bool(r.bool()),
            2 => *self = Value::Int(r.sint64()),
            3 => *self = Value::Text(r.text().into()),
            4 => *self = Value::Bytes(r.bytes().into()),
            5 => {
                if !matches!(self, Value::List(_)) {
                    *self = Value::List(Vec::new());
                }
                if let Value::List(values) = self {
                    r.merge(values);
                }
            }
            6 => {
                if !matches!(self, Value::Map(_)) {
                    *self = Value::Map(Map::default());
                }
                if let Value::Map(map) = self {
                    r.merge(map);
                }
            }
            _ => r.skip(),
        }
    }
}

impl Encode for Value {
    fn encode(&self, e: &mut Encoder) {
        match self {
            Value::Null => {}
            Value::Bool(v) => e.set_uint(1, u64::from(*v)),
            Value::Int(v) => e.set_sint(2, *v),
            Value::Text(v) => e.set_bytes(3, v.as_bytes()),
            Value::Bytes(v) => e.set_bytes(4, v),
            Value::List(values) => e.embedded(5, |e| e.all(1, values)),
            Value::Map(map) => e.embedded(6, |e| map.encode_field(1, e)),
        }
    }
}

impl<'a> Merge<'a> for Vec<Value> {
    fn names(&self) -> &'static Names {
        &Names {
            message: "ValueList",
            fields: &["values"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => {
                let mut value = Value::Null;
                r.nested(&mut value);
                self.push(value);
            }
            _ => r.skip(),
        }
    }
}

/// Named values. One that a guest makes is in ascending order of the keys; one that
/// the host sent is as it came, and of a key that occurs twice the last value
/// counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    entries: Vec<(String, Value)>,
}

impl Map {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries
            .iter()
            .rev()
            .find(|(k, _)| k == key)
            .map(|(_, v)| v)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.set(key.into(), value.into());
    }

    fn set(&mut self, key: String, value: Value) {
        let value = value.sorted();
        match self.entries.binary_search_by(|(k, _)| k.as_str().cmp(&key)) {
            Ok(i) => self.entries[i].1 = value,
            Err(i) => self.entries.insert(i, (key, value)),
        }
    }

    /// The keys and values, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Value)> {
        self.entries.iter().map(|(k, v)| (k.as_str(), v))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes the entries as a repeated field.
    pub(super) fn encode_field(&self, num: u32, e: &mut Encoder) {
        for (key, value) in self.entries.iter().rev() {
            e.embedded(num, |e| {
                if *value != Value::Null {
                    e.message(2, value);
                }
                e.bytes(1, key.as_bytes());
            });
        }
    }

    /// Reads one entry of a repeated field.
    pub(super) fn read_entry(&mut self, r: &mut Reader<'_>) {
        let mut entry = Entry::default();
        r.merge(&mut entry);
        self.entries.push((entry.key, entry.value));
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Map {
    /// Of a key that occurs twice the last value counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Map::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<K: Into<String>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Map {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<'a> Merge<'a> for Map {
    fn names(&self) -> &'static Names {
        &Names {
            message: "ValueMap",
            fields: &["entries"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.read_entry(r),
            _ => r.skip(),
        }
    }
}

#[derive(Default)]
struct Entry {
    key: String,
    value: Value,
}

impl<'a> Merge<'a> for Entry {
    fn names(&self) -> &'static Names {
        &Names {
            message: "Entry",
            fields: &["key", "value"],
        }
    }

    fn field(&mut self, r: &mut Reader<'a>) {
        match r.num {
            1 => self.key = r.text().into(),
            2 => r.nested(&mut self.value),
            _ => r.skip(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_that_a_guest_makes_ascend_by_key() {
        let inner = Map {
            entries: vec![
                ("z".into(), Value::Int(1)),
                ("a".into(), Value::Null),
                ("z".into(), Value::Int(2)),
            ],
        };
        let map = Map::from([
            ("b", Value::Map(inner)),
            ("a", true.into()),
            ("b ", 1.into()),
            ("a", false.into()),
        ]);
        let keys: Vec<_> = map.iter().map(|(k, _)| k).collect();
        assert_eq!(keys, ["a", "b", "b "]);
        assert_eq!(map.get("a"), Some(&Value::Bool(false)));
        assert_eq!(
            map.get("b"),
            Some(&Map::from([("a", Value::Null), ("z", Value::Int(2))]).into())
        );
    }

    #[test]
    fn depth_counts_the_deepest_value() {
        assert_eq!(Value::Null.depth(), 1);
        assert_eq!(Value::List(vec![]).depth(), 1);
        let list = Value::List(vec![
            1.into(),
            Value::List(vec![Map::from([("a", "b")]).into()]),
        ]);
        assert_eq!(list.depth(), 4);
    }
}
