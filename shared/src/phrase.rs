//! Sentences for people as a code with parameters, so that the built-in pages can show them in the
//! reader's language; the server has the English wording.
//!
//! The catalogue below is complete.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A sentence: which one, and what stands in its places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Phrase {
    /// Which sentence it is.
    pub code: PhraseCode,
    /// What stands in its places, by the names that they have in the wording.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
}

impl Phrase {
    /// That sentence, without anything in its places.
    #[must_use]
    pub const fn of(code: PhraseCode) -> Self {
        Self {
            code,
            parameters: BTreeMap::new(),
        }
    }

    /// The same with something in a place.
    #[must_use]
    pub fn with(mut self, place: impl Into<String>, what: impl ToString) -> Self {
        self.parameters.insert(place.into(), what.to_string());
        self
    }

    /// The first of these phrases that a text begins with in English, and what follows it: sentences
    /// that were stored before somebody asks for them in another language.
    #[must_use]
    pub fn parse<'a>(
        text: &'a str,
        phrases: &[(PhraseCode, &'static str)],
    ) -> Option<(Self, &'a str)> {
        let mut phrases = phrases.iter();
        phrases.find_map(|(code, wording)| Self::of(*code).parsed(wording, text))
    }

    fn parsed<'a>(mut self, wording: &'static str, text: &'a str) -> Option<(Self, &'a str)> {
        let (start, mut wording) = split_at_place(wording);
        let mut rest = text.strip_prefix(start)?;
        while let Some((name, behind)) = wording {
            let (literal, next) = split_at_place(behind);
            // A value may have full stops of its own.
            let end = match literal {
                "." => rest.rfind('.'),
                _ => rest.find(literal),
            };
            let (value, after) = rest.split_at(end?);
            self = self.with(name, value);
            rest = after.strip_prefix(literal)?;
            wording = next;
        }
        Some((self, rest.trim_start()))
    }

    /// The sentence in English.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.filled(self.code.english())
    }

    /// A wording of the sentence, with everything in its place. What a parameter holds is never
    /// looked at for further places.
    #[must_use]
    pub fn filled(&self, wording: &str) -> String {
        let mut said = String::with_capacity(wording.len());
        let mut rest = wording;
        while let Some((before, behind)) = rest.split_once('{') {
            said.push_str(before);
            let place = behind.split_once('}');
            let known =
                place.and_then(|(name, after)| Some((self.parameters.get(name)?.as_str(), after)));
            rest = match known {
                Some((what, after)) => {
                    said.push_str(what);
                    after
                }
                None => {
                    said.push('{');
                    behind
                }
            };
        }
        said.push_str(rest);
        said
    }
}

/// The wording up to its next place; the name of the place, and what follows it.
fn split_at_place(wording: &str) -> (&str, Option<(&str, &str)>) {
    match wording.split_once('{') {
        Some((before, behind)) => (before, behind.split_once('}')),
        None => (wording, None),
    }
}

/// Makes the catalogue: a code and its English wording, line by line.
macro_rules! catalogue {
    ($($code:ident $english:literal;)*) => {
        /// Which sentence it is. Codes may be added; what is said beside one stays understandable
        /// without it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[expect(rustdoc::bare_urls, reason = "sentences name addresses as examples, not to follow")]
        pub enum PhraseCode {
            $(#[doc = $english] $code,)*
        }

        impl PhraseCode {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => stringify!($code),)*
                }
            }

            /// The wording in English, its places in braces.
            #[must_use]
            pub const fn english(self) -> &'static str {
                match self {
                    $(Self::$code => $english,)*
                }
            }
        }
    };
}

catalogue! {
    // Certificates of clients.
    CertificateMissing "There is no certificate in it; give the certificate and its private key as PEM.";
    CertificateKeyMissing "There is no private key in it that can be read; give it as PEM, without a passphrase.";
    CertificateKeyOfAnother "The private key does not belong to the certificate, or one of them cannot be read.";
    CertificateKeyUnsupported "The key has to be one of RSA with 2048 bits at least, or of the elliptic curve P-256.";
    WebAddressWrong "Enter a web address such as https://desk.example/hooks/checklists.";
    CertificateAndSecret "Give a secret or a certificate, not both.";
    CertificateAndRemoval "Give a new certificate or remove the old one, not both.";
    SecretAndRemoval "Give a new secret or remove the old one, not both.";
    // Templates that are imported from a text or a table: errors, then notes.
    ImportNoItems "The file contains no items.";
    ImportNoTextColumn "There is no column “Text”. The first row has to name the columns: Text, and optionally Template, Section, Help, Required, Assignee, Due.";
    ImportColumnTwice "The column “{name}” occurs twice.";
    ImportTooManyCells "The row has {cells} cells for {columns} columns. Put values that contain the separator in quotation marks.";
    ImportNoText "The row has no text.";
    ImportNotYesOrNo "“{value}” is neither yes nor no.";
    ImportNotDuration "“{value}” is not an ISO 8601 duration such as P2D or PT4H.";
    ImportOpenQuote "A quotation mark that opens in this row is never closed.";
    ImportTooManyItems "A template can have at most {most} items.";
    ImportTooLong "The text is longer than {most} characters.";
    ImportNotUtf8 "The file is not UTF-8 and was read as Windows-1252. Check letters such as ä, é and ß.";
    ImportUnknownColumn "The column “{name}” is not supported and is not imported.";
    ImportEmptyList "The checklist has no items and is not imported.";
    ImportIgnored "The text belongs to no item and is not imported.";
    ImportChecked "The item is checked in the file and is imported as open.";
    ImportNested "The item is nested too deeply and is imported directly below its section.";
    // What a step of a run does, then what it did. Stored in English; `STEPS` has their codes.
    StepOpening "Opens {connection}.";
    StepReading "Reads the list.";
    StepComparing "Compares the list with the inventory.";
    StepSending "Has {n} changes to send.";
    StepConfirming "Waits for confirmation. Adoptions: {adoptions}, deletions: {deletions}.";
    StepOpenedWithoutKey "Opened the list {list} over {connection}. Its key column would be made.";
    StepOpened "Opened the list {list} over {connection}.";
    StepRead "Read {n} entries.";
    StepDecided "Decided {n} computers; {writes} changes are to be sent now.";
    StepSentSome "Sent {n} of {total} changes; every outcome is certain.";
    StepSentSomeUnclear "Sent {n} of {total} changes; {unclear} are looked at once more.";
    StepSent "Sent {n} changes; every outcome is certain.";
    StepSentUnclear "Sent {n} changes; {unclear} are looked at once more.";
    StepStopped "Stopped.";
}

/// Codes with their English wordings.
macro_rules! worded {
    ($($code:ident),* $(,)?) => {
        &[$((PhraseCode::$code, PhraseCode::$code.english())),*]
    };
}

/// What steps of runs say, each before those whose wording it contains.
pub const STEPS: &[(PhraseCode, &str)] = worded![
    StepOpening,
    StepReading,
    StepComparing,
    StepSending,
    StepConfirming,
    StepOpenedWithoutKey,
    StepOpened,
    StepRead,
    StepDecided,
    StepSentSome,
    StepSentSomeUnclear,
    StepSent,
    StepSentUnclear,
    StepStopped,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_said_in_english_is_found_again_with_its_values() {
        for (code, english) in STEPS {
            let mut phrase = Phrase::of(*code);
            let mut wording = split_at_place(english).1;
            let mut number = 3;
            while let Some((name, behind)) = wording {
                let value = match name {
                    "list" | "connection" => format!("A. Team: no. {number}"),
                    _ => number.to_string(),
                };
                phrase = phrase.with(name, value);
                number += 1;
                wording = split_at_place(behind).1;
            }
            let sentence = phrase.sentence();
            let parsed = Phrase::parse(&sentence, STEPS);
            assert_eq!(parsed, Some((phrase, "")), "{sentence}");
        }
    }

    #[test]
    fn what_follows_a_known_sentence_is_kept_as_it_is() {
        let parsed = Phrase::parse("Read 5 entries. It has 3 more entries.", STEPS);
        let read = Phrase::of(PhraseCode::StepRead).with("n", 5);
        assert_eq!(parsed, Some((read, "It has 3 more entries.")));
        assert_eq!(Phrase::parse("The site is away.", STEPS), None);
    }

    #[test]
    fn a_parameter_is_put_in_its_place_and_never_taken_for_a_wording() {
        let phrase = Phrase::of(PhraseCode::CertificateMissing)
            .with("list", "{site}")
            .with("site", "S");
        assert_eq!(
            phrase.filled("{list} of {site}, {nobody} {"),
            "{site} of S, {nobody} {"
        );
    }

    #[test]
    fn a_code_is_known_on_the_wire_by_its_name() {
        for code in PhraseCode::ALL {
            let json = serde_json::to_value(Phrase::of(*code)).expect("JSON");
            assert_eq!(json, serde_json::json!({ "Code": code.name() }));
        }
    }
}
