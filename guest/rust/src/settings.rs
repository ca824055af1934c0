use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::abi::{Map, Value};

/// The configuration that a script gives a guest, or a part of it.
///
/// A value that is missing or null gives the default. One of another type than asked
/// for is a [`SettingError`]; with `?` it becomes an error that tells the host that
/// the configuration isn't usable. Ask for everything in [`Guest::on_open`] to have
/// that before the first call.
///
/// [`Guest::on_open`]: crate::Guest::on_open
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    map: Option<&'a Map>,
    prefix: String, // of the names in errors
}

/// A setting of another type than asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// The setting's key, with those of the maps around it.
    pub key: String,
    /// What it has to be, for example `a text`.
    pub want: &'static str,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "config: {} must be {}", self.key, self.want)
    }
}

#[cfg(feature = "std")]
impl std::error::Error for SettingError {}

impl<'a> Settings<'a> {
    pub(crate) fn new(map: &'a Map) -> Self {
        Settings {
            map: Some(map),
            prefix: String::new(),
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.map?.get(key)
    }

    /// The keys and values, in the order in which the host sent them.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.map.into_iter().flat_map(Map::iter)
    }

    /// A text.
    pub fn text<'b>(&self, key: &str, default: &'b str) -> Result<&'b str, SettingError>
    where
        'a: 'b,
    {
        match self.get(key) {
            None | Some(Value::Null) => Ok(default),
            Some(Value::Text(text)) => Ok(text),
            Some(_) => Err(self.error(key, "a text")),
        }
    }

    /// An integer.
    pub fn int(&self, key: &str, default: i64) -> Result<i64, SettingError> {
        match self.get(key) {
            None | Some(Value::Null) => Ok(default),
            Some(Value::Int(n)) => Ok(*n),
            Some(_) => Err(self.error(key, "an integer")),
        }
    }

    /// True or false.
    pub fn bool(&self, key: &str, default: bool) -> Result<bool, SettingError> {
        match self.get(key) {
            None | Some(Value::Null) => Ok(default),
            Some(Value::Bool(b)) => Ok(*b),
            Some(_) => Err(self.error(key, "true or false")),
        }
    }

    /// A list of texts; a missing one is empty.
    pub fn texts(&self, key: &str) -> Result<Vec<&'a str>, SettingError> {
        const WANT: &str = "a list of texts";
        match self.get(key) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::List(values)) => values
                .iter()
                .map(|value| match value {
                    Value::Text(text) => Ok(text.as_str()),
                    _ => Err(self.error(key, WANT)),
                })
                .collect(),
            Some(_) => Err(self.error(key, WANT)),
        }
    }

    /// A map within the configuration; a missing one is empty.
    pub fn section(&self, key: &str) -> Result<Settings<'a>, SettingError> {
        let map = match self.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::Map(map)) => Some(map),
            Some(_) => return Err(self.error(key, "a map")),
        };
        Ok(Settings {
            map,
            prefix: format!("{}{}.", self.prefix, key),
        })
    }

    fn error(&self, key: &str, want: &'static str) -> SettingError {
        SettingError {
            key: self.prefix.to_owned() + key,
            want,
        }
    }
}
