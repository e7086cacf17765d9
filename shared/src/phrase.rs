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

/// Makes the catalogue: a code and its English wording, line by line.
macro_rules! catalogue {
    ($($code:ident $english:literal;)*) => {
        /// Which sentence it is. Codes may be added; what is said beside one stays understandable
        /// without it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
