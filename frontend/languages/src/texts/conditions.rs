//! Conditions of templates in words. Only previews say them, and those of the elements get them from
//! the server: they are in no table that a page loads.

use crate::language::Language;

/// Makes the words from a row for each of them.
macro_rules! conditions {
    ($(
        $(#[doc = $about:literal])+
        $name:ident
            en $en:literal
            de $de:literal
            fr $fr:literal
            es $es:literal
            ar $ar:literal;
    )+) => {
        /// The words of conditions.
        #[derive(Debug)]
        pub struct Conditions {
            $($(#[doc = $about])+ pub $name: &'static str,)+
        }

        impl Conditions {
            /// The words of a language.
            #[must_use]
            pub fn of(language: Language) -> &'static Self {
                static ALL: [Conditions; 5] = [
                    Conditions { $($name: $en,)+ },
                    Conditions { $($name: $de,)+ },
                    Conditions { $($name: $fr,)+ },
                    Conditions { $($name: $es,)+ },
                    Conditions { $($name: $ar,)+ },
                ];
                &ALL[language as usize]
            }
        }
    };
}

conditions! {
    /// Under an item of a preview: the whole `{condition}`.
    applies_if en "Applies if {condition}"
        de "Bedingung: {condition}"
        fr "Condition\u{a0}: {condition}"
        es "Condición: {condition}"
        ar "الشرط: {condition}";
    /// `{fact}` is the name of a fact, `{value}` what it is compared with.
    is en "{fact} is {value}"
        de "{fact} ist {value}"
        fr "{fact} est {value}"
        es "{fact} es {value}"
        ar "{fact} يساوي {value}";
    /// Also where there is no such fact.
    is_not en "{fact} is not {value}"
        de "{fact} ist nicht {value}"
        fr "{fact} n’est pas {value}"
        es "{fact} no es {value}"
        ar "{fact} لا يساوي {value}";
    /// `{value}` is a list.
    one_of en "{fact} is one of {value}"
        de "{fact} ist eines von {value}"
        fr "{fact} est l’une des valeurs {value}"
        es "{fact} es uno de {value}"
        ar "{fact} إحدى القيم {value}";
    /// `{value}` is a list.
    none_of en "{fact} is none of {value}"
        de "{fact} ist keines von {value}"
        fr "{fact} n’est aucune des valeurs {value}"
        es "{fact} no es ninguno de {value}"
        ar "{fact} ليس من القيم {value}";
    /// `{value}` is a number.
    at_least en "{fact} is at least {value}"
        de "{fact} ist mindestens {value}"
        fr "{fact} est d’au moins {value}"
        es "{fact} es como mínimo {value}"
        ar "{fact} لا يقل عن {value}";
    /// `{value}` is a number.
    at_most en "{fact} is at most {value}"
        de "{fact} ist höchstens {value}"
        fr "{fact} est d’au plus {value}"
        es "{fact} es como máximo {value}"
        ar "{fact} لا يزيد على {value}";
    /// Whatever its value.
    present en "{fact} is known"
        de "{fact} ist bekannt"
        fr "{fact} est connu"
        es "se conoce {fact}"
        ar "{fact} معروف";
    /// There is no such fact.
    absent en "{fact} is not known"
        de "{fact} ist nicht bekannt"
        fr "{fact} n’est pas connu"
        es "no se conoce {fact}"
        ar "{fact} غير معروف";
    /// Between conditions of which each holds.
    and en "and"
        de "und"
        fr "et"
        es "y"
        ar "و";
    /// Between conditions of which one holds.
    or en "or"
        de "oder"
        fr "ou"
        es "o"
        ar "أو";
    /// Turns a `{condition}` round.
    not en "not ({condition})"
        de "nicht ({condition})"
        fr "non ({condition})"
        es "no ({condition})"
        ar "ليس ({condition})";
    /// Between the values of a list.
    comma en ", "
        de ", "
        fr ", "
        es ", "
        ar "، ";
    /// The sign before the fraction of a number.
    decimal en "."
        de ","
        fr ","
        es ","
        ar ".";
    /// A value.
    yes en "yes"
        de "ja"
        fr "oui"
        es "sí"
        ar "نعم";
    /// A value.
    no en "no"
        de "nein"
        fr "non"
        es "no"
        ar "لا";
}
