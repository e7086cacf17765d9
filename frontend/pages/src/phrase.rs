//! Sentences of the server by their code: in English as it says them, in German as it stands
//! here. A code without German does not compile.

use checklist_shared::phrase::PhraseCode;

/// A sentence of the server, in the reader's language; `detail` is what it says in English.
#[cfg(target_arch = "wasm32")]
#[must_use]
pub fn sentence(
    app: crate::app::App,
    phrase: &checklist_shared::phrase::Phrase,
    detail: &str,
) -> String {
    use crate::wording::Language;
    match app.language {
        Language::De => phrase.filled(german(phrase.code)),
        _ => detail.to_owned(),
    }
}

/// The wording in German, with the same places as the English one.
#[must_use]
pub const fn german(code: PhraseCode) -> &'static str {
    use PhraseCode as Code;
    match code {
        Code::CertificateMissing => {
            "Darin ist kein Zertifikat; Zertifikat und privater Schlüssel werden als PEM gebraucht."
        }
        Code::CertificateKeyMissing => {
            "Darin ist kein lesbarer privater Schlüssel; er wird als PEM gebraucht, ohne Passphrase."
        }
        Code::CertificateKeyOfAnother => {
            "Der private Schlüssel gehört nicht zum Zertifikat, oder eines von beiden ist nicht lesbar."
        }
        Code::CertificateKeyUnsupported => {
            "Es muss ein RSA-Schlüssel mit mindestens 2048 Bit sein oder einer der Kurve P-256."
        }
        Code::WebAddressWrong => {
            "Geben Sie eine Webadresse ein, etwa https://desk.example/hooks/checklists."
        }
        Code::CertificateAndSecret => "Ein Geheimnis oder ein Zertifikat angeben, nicht beides.",
        Code::CertificateAndRemoval => {
            "Ein neues Zertifikat angeben oder das alte entfernen, nicht beides."
        }
        Code::SecretAndRemoval => {
            "Ein neues Geheimnis angeben oder das alte entfernen, nicht beides."
        }
        Code::ImportNoItems => "Die Datei enthält keine Einträge.",
        Code::ImportNoTextColumn => {
            "Es gibt keine Spalte „Text“. Die erste Zeile muss die Spalten nennen: Text und nach Bedarf Vorlage, Abschnitt, Hilfe, Pflicht, Zuständig, Fällig."
        }
        Code::ImportColumnTwice => "Die Spalte „{name}“ kommt zweimal vor.",
        Code::ImportTooManyCells => {
            "Die Zeile hat {cells} Zellen bei {columns} Spalten. Setzen Sie Werte, die das Trennzeichen enthalten, in Anführungszeichen."
        }
        Code::ImportNoText => "Die Zeile hat keinen Text.",
        Code::ImportNotYesOrNo => "„{value}“ ist weder Ja noch Nein.",
        Code::ImportNotDuration => "„{value}“ ist keine Dauer nach ISO 8601 wie P2D oder PT4H.",
        Code::ImportOpenQuote => {
            "Ein Anführungszeichen, das in dieser Zeile beginnt, wird nicht geschlossen."
        }
        Code::ImportTooManyItems => "Eine Vorlage kann höchstens {most} Einträge haben.",
        Code::ImportTooLong => "Der Text ist länger als {most} Zeichen.",
        Code::ImportNotUtf8 => {
            "Die Datei ist nicht in UTF-8 und wurde als Windows-1252 gelesen. Prüfen Sie Buchstaben wie ä, é und ß."
        }
        Code::ImportUnknownColumn => {
            "Die Spalte „{name}“ wird nicht unterstützt und nicht importiert."
        }
        Code::ImportEmptyList => "Die Checkliste hat keine Einträge und wird nicht importiert.",
        Code::ImportIgnored => "Der Text gehört zu keinem Eintrag und wird nicht importiert.",
        Code::ImportChecked => {
            "Der Eintrag ist in der Datei erledigt und wird als offen importiert."
        }
        Code::ImportNested => {
            "Der Eintrag ist zu tief verschachtelt und wird direkt unter seinem Abschnitt importiert."
        }
        Code::StepOpening => "Öffnet {connection}.",
        Code::StepReading => "Liest die Liste.",
        Code::StepComparing => "Vergleicht die Liste mit dem Inventar.",
        Code::StepSending => "Hat {n} Änderungen zu senden.",
        Code::StepConfirming => {
            "Wartet auf Bestätigung. Übernahmen: {adoptions}, Löschungen: {deletions}."
        }
        Code::StepOpenedWithoutKey => {
            "Liste {list} über {connection} geöffnet. Ihre Schlüsselspalte würde angelegt."
        }
        Code::StepOpened => "Liste {list} über {connection} geöffnet.",
        Code::StepRead => "{n} Einträge gelesen.",
        Code::StepDecided => {
            "Über {n} Rechner entschieden; {writes} Änderungen werden jetzt gesendet."
        }
        Code::StepSentSome => "{n} von {total} Änderungen gesendet; jedes Ergebnis steht fest.",
        Code::StepSentSomeUnclear => {
            "{n} von {total} Änderungen gesendet; {unclear} werden noch einmal geprüft."
        }
        Code::StepSent => "{n} Änderungen gesendet; jedes Ergebnis steht fest.",
        Code::StepSentUnclear => "{n} Änderungen gesendet; {unclear} werden noch einmal geprüft.",
        Code::StepStopped => "Angehalten.",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names in braces.
    fn places(wording: &str) -> BTreeSet<&str> {
        let behind = wording.split('{').skip(1);
        behind
            .filter_map(|rest| Some(rest.split_once('}')?.0))
            .collect()
    }

    #[test]
    fn both_languages_have_the_same_places() {
        for code in PhraseCode::ALL {
            let (english, german) = (code.english(), german(*code));
            assert_eq!(places(english), places(german), "{code:?}");
            assert_ne!(english, german, "{code:?}");
        }
    }
}
