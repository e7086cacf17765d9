//! A computer of the inventory.
//!
//! Imports write this record, `GET /Computers` returns it, and the example workflow exports it to a
//! site list. Fields are addressed by name, so that a field map can name them. `check` validates a
//! computer, `difference` compares two.

mod check;
mod difference;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::names::names;

/// One computer.
///
/// ```
/// use checklist_shared::computer::{Computer, ComputerField, ComputerStatus, ComputerValue};
/// let computer = Computer::new("c-17", "PC-0815", ComputerStatus::InUse);
/// assert_eq!(computer.value(ComputerField::Name), Some(ComputerValue::Text("PC-0815")));
/// assert_eq!(computer.value(ComputerField::SerialNumber), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Computer {
    /// The inventory's own id, 1 to 128 characters; never changes.
    pub id: String,
    /// The name, 1 to 255 characters.
    pub name: String,
    /// The manufacturer's serial number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial_number: Option<String>,
    /// The number on the sticker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asset_tag: Option<String>,
    /// Who built it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manufacturer: Option<String>,
    /// What they call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Where it is in its life.
    pub status: ComputerStatus,
    /// Login name or e-mail address of the person who has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_to: Option<String>,
    /// That person's department.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub department: Option<String>,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The operating system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operating_system: Option<String>,
    /// Main memory in GiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u32>,
    /// When it was bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchased_on: Option<Day>,
    /// The last day of its warranty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warranty_until: Option<Day>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Computer {
    /// A computer of which no more is known.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, status: ComputerStatus) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            serial_number: None,
            asset_tag: None,
            manufacturer: None,
            model: None,
            status,
            assigned_to: None,
            department: None,
            location: None,
            operating_system: None,
            memory: None,
            purchased_on: None,
            warranty_until: None,
            note: None,
        }
    }

    /// What a field holds; `None` for nothing.
    #[must_use]
    pub fn value(&self, field: ComputerField) -> Option<ComputerValue<'_>> {
        match field {
            ComputerField::Id => Some(ComputerValue::Text(&self.id)),
            ComputerField::Name => Some(ComputerValue::Text(&self.name)),
            ComputerField::SerialNumber => text_of(&self.serial_number),
            ComputerField::AssetTag => text_of(&self.asset_tag),
            ComputerField::Manufacturer => text_of(&self.manufacturer),
            ComputerField::Model => text_of(&self.model),
            ComputerField::Status => Some(ComputerValue::Text(self.status.label())),
            ComputerField::AssignedTo => self.assigned_to.as_deref().map(ComputerValue::Person),
            ComputerField::Department => text_of(&self.department),
            ComputerField::Location => text_of(&self.location),
            ComputerField::OperatingSystem => text_of(&self.operating_system),
            ComputerField::Memory => self.memory.map(ComputerValue::Number),
            ComputerField::PurchasedOn => self.purchased_on.map(ComputerValue::Day),
            ComputerField::WarrantyUntil => self.warranty_until.map(ComputerValue::Day),
            ComputerField::Note => text_of(&self.note),
        }
    }
}

fn text_of(text: &Option<String>) -> Option<ComputerValue<'_>> {
    text.as_deref().map(ComputerValue::Text)
}

/// Where a computer is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ComputerStatus {
    /// Ordered, not here yet.
    Ordered,
    /// Here, with nobody.
    InStock,
    /// With somebody.
    InUse,
    /// Being mended.
    InRepair,
    /// Nobody knows where.
    Missing,
    /// Gone: its entry in a site list goes too.
    Scrapped,
}

impl ComputerStatus {
    /// All of them, in the order of a life.
    pub const ALL: [Self; 6] = [
        Self::Ordered,
        Self::InStock,
        Self::InUse,
        Self::InRepair,
        Self::Missing,
        Self::Scrapped,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ordered => "Ordered",
            Self::InStock => "InStock",
            Self::InUse => "InUse",
            Self::InRepair => "InRepair",
            Self::Missing => "Missing",
            Self::Scrapped => "Scrapped",
        }
    }

    /// The words that a site list gets.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Ordered => "Ordered",
            Self::InStock => "In stock",
            Self::InUse => "In use",
            Self::InRepair => "In repair",
            Self::Missing => "Missing",
            Self::Scrapped => "Scrapped",
        }
    }

    /// Back from the name on the wire, or from the label; letter case and blanks do not matter.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let plain = |text: &str| -> String {
            text.chars()
                .filter(|letter| !letter.is_whitespace())
                .flat_map(char::to_lowercase)
                .collect()
        };
        let name = plain(name);
        Self::ALL
            .into_iter()
            .find(|status| plain(status.name()) == name)
    }
}

names! {
    /// A field of a computer, as a field map names it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    #[expect(
        missing_docs,
        reason = "the fields of `Computer`, which are documented there"
    )]
    pub enum ComputerField {
        Id,
        Name,
        SerialNumber,
        AssetTag,
        Manufacturer,
        Model,
        Status,
        AssignedTo,
        Department,
        Location,
        OperatingSystem,
        Memory,
        PurchasedOn,
        WarrantyUntil,
        Note,
    }
}

impl ComputerField {
    /// The field that a heading means: the name on the wire, whatever the letter case and however
    /// its words are kept apart.
    ///
    /// ```
    /// use checklist_shared::computer::ComputerField;
    /// for heading in ["SerialNumber", "Serial number", "serial_number", " SERIAL-NUMBER "] {
    ///     assert_eq!(ComputerField::from_heading(heading), Some(ComputerField::SerialNumber));
    /// }
    /// assert_eq!(ComputerField::from_heading("Colour"), None);
    /// ```
    #[must_use]
    pub fn from_heading(heading: &str) -> Option<Self> {
        let plain = |text: &str| -> String {
            text.chars()
                .filter(|letter| !letter.is_whitespace() && !matches!(letter, '_' | '-'))
                .flat_map(char::to_lowercase)
                .collect()
        };
        let heading = plain(heading);
        Self::ALL
            .into_iter()
            .find(|field| plain(field.name()) == heading)
    }
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputerValue<'a> {
    /// Words.
    Text(&'a str),
    /// A login name or an e-mail address.
    Person(&'a str),
    /// A count.
    Number(u32),
    /// A day.
    Day(Day),
}

/// A day of the calendar, without a time and without a zone: `2026-11-20`.
///
/// ```
/// use checklist_shared::computer::Day;
/// let day: Day = "2026-11-20".parse().unwrap();
/// assert_eq!(day.to_string(), "2026-11-20");
/// assert!("2026-02-30".parse::<Day>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
pub struct Day(jiff::civil::Date);

/// The text is no day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a day such as 2026-11-20")]
pub struct InvalidDay;

impl FromStr for Day {
    type Err = InvalidDay;

    fn from_str(text: &str) -> Result<Self, InvalidDay> {
        let shaped = text.len() == 10
            && text.bytes().enumerate().all(|(index, byte)| match index {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        let day = text.parse().ok().filter(|_| shaped);
        day.map(Self).ok_or(InvalidDay)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
