//! The few sentences that are needed while there is no WASM.
//!
//! The elements' script says them; they stand at the end of each language's table.

use crate::language::Language;

/// Makes the sentences from a row for each of them.
macro_rules! failures {
    ($(
        $(#[doc = $about:literal])+
        $name:ident
            en $en:literal
            de $de:literal
            fr $fr:literal
            es $es:literal
            ar $ar:literal;
    )+) => {
        /// What the elements say while they have no WASM.
        #[derive(Debug)]
        pub struct Failures {
            $($(#[doc = $about])+ pub $name: &'static str,)+
        }

        impl Failures {
            /// The sentences of a language.
            #[must_use]
            pub const fn of(language: Language) -> Self {
                match language {
                    Language::En => Self { $($name: $en,)+ },
                    Language::De => Self { $($name: $de,)+ },
                    Language::Fr => Self { $($name: $fr,)+ },
                    Language::Es => Self { $($name: $es,)+ },
                    Language::Ar => Self { $($name: $ar,)+ },
                }
            }

            /// Every sentence with its name.
            pub fn entries(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }
        }
    };
}

failures! {
    /// The list cannot be loaded.
    failed en "The checklist could not be loaded."
        de "Die Checkliste konnte nicht geladen werden."
        fr "La liste n’a pas pu être chargée."
        es "No se pudo cargar la lista."
        ar "تعذّر تحميل القائمة.";
    /// The list has stopped.
    stopped en "The checklist has stopped. Everything that was confirmed is stored."
        de "Die Checkliste wurde angehalten. Alles Bestätigte ist gespeichert."
        fr "La liste s’est arrêtée. Tout ce qui était confirmé est enregistré."
        es "La lista se ha detenido. Todo lo confirmado está guardado."
        ar "توقفت القائمة. كل ما تم تأكيده محفوظ.";
    /// Button: loads again.
    again en "Load again"
        de "Neu laden"
        fr "Recharger"
        es "Cargar de nuevo"
        ar "تحميل من جديد";
    /// Said by a form before the list is there.
    incomplete en "This checklist has to be completed."
        de "Diese Checkliste muss abgeschlossen werden."
        fr "Cette liste doit être terminée."
        es "Hay que completar esta lista."
        ar "يجب إكمال هذه القائمة.";
}
