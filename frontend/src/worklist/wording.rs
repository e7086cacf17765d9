//! The words of a worklist in every language; what it has in common with the control it takes from
//! there.
//!
//! A table of its own, so that pages with the control alone do not download it.

use crate::i18n::{Language, Plural};

macro_rules! wording {
    ($(
        $(#[doc = $about:literal])+
        $name:ident: $kind:ident
            en $en:literal
            de $de:literal
            fr $fr:literal
            es $es:literal
            ar $ar:literal;
    )+) => {
        /// The words of a worklist in one language.
        #[derive(Debug)]
        pub struct Wording {
            $($(#[doc = $about])+ pub $name: wording!(@type $kind),)+
        }

        impl Wording {
            /// The words of a language.
            #[must_use]
            pub const fn of(language: Language) -> &'static Self {
                match language {
                    Language::En => &Self { $($name: wording!(@make $kind, $en),)+ },
                    Language::De => &Self { $($name: wording!(@make $kind, $de),)+ },
                    Language::Fr => &Self { $($name: wording!(@make $kind, $fr),)+ },
                    Language::Es => &Self { $($name: wording!(@make $kind, $es),)+ },
                    Language::Ar => &Self { $($name: wording!(@make $kind, $ar),)+ },
                }
            }
        }
    };
    (@type text) => { &'static str };
    (@type plural) => { Plural };
    (@make text, $text:literal) => { $text };
    (@make plural, $text:literal) => { Plural($text) };
}

wording! {
    /// Title: what is open for the reader.
    mine: text
        en "Assigned to me"
        de "Mir zugewiesen"
        fr "Attribués à moi"
        es "Asignado a mí"
        ar "المسند إليّ";
    /// Title: what is open for `{name}`.
    of_other: text
        en "Assigned to {name}"
        de "Zugewiesen an {name}"
        fr "Attribué à {name}"
        es "Asignado a {name}"
        ar "المسند إلى {name}";
    /// Title: what is overdue.
    late: text
        en "Overdue items"
        de "Überfällige Einträge"
        fr "Éléments en retard"
        es "Elementos vencidos"
        ar "عناصر متأخرة";
    /// Title: what waits for a decision.
    proposed: text
        en "Waiting for a decision"
        de "Zu entscheiden"
        fr "En attente d’une décision"
        es "Pendiente de decisión"
        ar "بانتظار قرار";
    /// Title: what is open.
    all: text
        en "Open items"
        de "Offene Einträge"
        fr "Éléments ouverts"
        es "Elementos abiertos"
        ar "العناصر المفتوحة";
    /// At a row: somebody else has resolved the item, or assigned it to others, since it was read.
    left: text
        en "No longer on this list"
        de "Nicht mehr in dieser Liste"
        fr "N’est plus dans cette liste"
        es "Ya no está en esta lista"
        ar "لم يعد في هذه القائمة";
    /// Instead of items: they are on their way.
    loading: text
        en "Loading open items…"
        de "Offene Einträge werden geladen …"
        fr "Chargement des éléments ouverts…"
        es "Cargando los elementos abiertos…"
        ar "جارٍ تحميل العناصر المفتوحة…";
    /// Instead of items: they could not be had.
    load_failed: text
        en "The open items could not be loaded."
        de "Die offenen Einträge konnten nicht geladen werden."
        fr "Les éléments ouverts n’ont pas pu être chargés."
        es "No se pudieron cargar los elementos abiertos."
        ar "تعذّر تحميل العناصر المفتوحة.";
    /// Above items that could not be read again.
    refresh_failed: text
        en "This list may be out of date."
        de "Diese Liste ist möglicherweise nicht mehr aktuell."
        fr "Cette liste n’est peut-être plus à jour."
        es "Puede que esta lista no esté actualizada."
        ar "قد لا تكون هذه القائمة محدَّثة.";
    /// Button: the next items.
    more: text
        en "Load more"
        de "Mehr laden"
        fr "Afficher plus"
        es "Cargar más"
        ar "تحميل المزيد";
    /// Where the server has looked through many lists and found nothing yet.
    search_on: text
        en "Keep searching"
        de "Weitersuchen"
        fr "Continuer la recherche"
        es "Seguir buscando"
        ar "متابعة البحث";
    /// Announced: `{n}` further items are there.
    said_more: plural
        en "{n} more item loaded.|{n} more items loaded."
        de "{n} weiterer Eintrag geladen.|{n} weitere Einträge geladen."
        fr "{n} élément de plus chargé.|{n} d’éléments de plus chargés.|{n} éléments de plus chargés."
        es "Se cargó {n} elemento más.|Se cargaron {n} de elementos más.|Se cargaron {n} elementos más."
        ar "لم يُحمَّل أي عنصر آخر.|تم تحميل عنصر واحد آخر.|تم تحميل عنصرين آخرين.|تم تحميل {n} عناصر أخرى.|تم تحميل {n} عنصرًا آخر.|تم تحميل {n} عنصر آخر.";
    /// Announced: there are `{n}` items.
    said_loaded: plural
        en "{n} open item.|{n} open items."
        de "{n} offener Eintrag.|{n} offene Einträge."
        fr "{n} élément ouvert.|{n} d’éléments ouverts.|{n} éléments ouverts."
        es "{n} elemento abierto.|{n} de elementos abiertos.|{n} elementos abiertos."
        ar "لا عناصر مفتوحة.|عنصر مفتوح واحد.|عنصران مفتوحان.|{n} عناصر مفتوحة.|{n} عنصرًا مفتوحًا.|{n} عنصر مفتوح.";
    /// Title of an empty list.
    none_mine: text
        en "Nothing is assigned to you"
        de "Ihnen ist nichts zugewiesen"
        fr "Rien ne vous est attribué"
        es "No tiene nada asignado"
        ar "لا شيء مسند إليك";
    /// What it would show.
    none_mine_hint: text
        en "Open items that are assigned to you appear here, those that are due first. A typed name is not enough: they are found by your ID."
        de "Hier erscheinen offene Einträge, die Ihnen zugewiesen sind, die zuerst fälligen oben. Ein getippter Name genügt nicht: Gefunden werden sie über Ihre Kennung."
        fr "Les éléments ouverts qui vous sont attribués apparaissent ici, par échéance. Un nom saisi ne suffit pas : ils sont trouvés par votre identifiant."
        es "Aquí aparecen los elementos abiertos que tiene asignados, primero los que vencen antes. No basta con un nombre escrito: se encuentran por su identificador."
        ar "تظهر هنا العناصر المفتوحة المسندة إليك، الأقرب موعدًا أولًا. لا يكفي اسم مكتوب: يُعثر عليها بمعرّفك.";
    /// Title of an empty list of somebody else.
    none_other: text
        en "Nothing open is assigned to {name}"
        de "{name} ist nichts Offenes zugewiesen"
        fr "Aucun élément ouvert n’est attribué à {name}"
        es "No hay nada abierto asignado a {name}"
        ar "لا عناصر مفتوحة مسندة إلى {name}";
    /// Why it may be empty.
    none_other_hint: text
        en "The ID has to be exactly the one in the items."
        de "Die Kennung muss genau so lauten wie in den Einträgen."
        fr "L’identifiant doit être exactement celui des éléments."
        es "El identificador debe ser exactamente el de los elementos."
        ar "يجب أن يطابق المعرّف ما في العناصر تمامًا.";
    /// Title of an empty list.
    none_late: text
        en "Nothing is overdue"
        de "Nichts ist überfällig"
        fr "Rien n’est en retard"
        es "No hay nada vencido"
        ar "لا شيء متأخر";
    /// What it would show.
    none_late_hint: text
        en "Open items whose due date has passed appear here."
        de "Hier erscheinen offene Einträge, deren Fälligkeit vorbei ist."
        fr "Les éléments ouverts dont l’échéance est passée apparaissent ici."
        es "Aquí aparecen los elementos abiertos cuyo plazo ha pasado."
        ar "تظهر هنا العناصر المفتوحة التي فات موعدها.";
    /// Title of an empty list.
    none_proposed: text
        en "Nothing is waiting for a decision"
        de "Es steht keine Entscheidung aus"
        fr "Rien n’attend de décision"
        es "No hay nada pendiente de decisión"
        ar "لا شيء بانتظار قرار";
    /// What it would show.
    none_proposed_hint: text
        en "Items for which somebody proposes a status appear here until somebody decides."
        de "Hier erscheinen Einträge, für die jemand einen Status vorschlägt, bis jemand entscheidet."
        fr "Les éléments pour lesquels quelqu’un propose un état apparaissent ici jusqu’à ce qu’on décide."
        es "Aquí aparecen los elementos para los que alguien propone un estado, hasta que alguien decida."
        ar "تظهر هنا العناصر التي اقترح أحد حالةً لها، إلى أن يُتخذ قرار.";
    /// Title of an empty list.
    none_all: text
        en "Nothing is open"
        de "Nichts ist offen"
        fr "Rien n’est ouvert"
        es "No hay nada abierto"
        ar "لا شيء مفتوح";
    /// Why it may be empty.
    none_all_hint: text
        en "A checklist that nobody has worked on yet is not counted."
        de "Eine Checkliste, an der noch niemand gearbeitet hat, zählt nicht mit."
        fr "Une liste sur laquelle personne n’a encore travaillé ne compte pas."
        es "Una lista en la que nadie ha trabajado todavía no cuenta."
        ar "القائمة التي لم يعمل عليها أحد بعد لا تُحتسب.";
    /// Under the title of a list in which the words that the page looks for are found nowhere.
    none_text_hint: text
        en "No open item has these words in its text."
        de "Kein offener Eintrag hat diese Wörter im Text."
        fr "Aucun élément ouvert ne contient ces mots."
        es "Ningún elemento abierto contiene estas palabras."
        ar "لا يحتوي أي عنصر مفتوح على هذه الكلمات.";
    /// Name of the link or button to an object `{id}`.
    open_object: text
        en "Open {id}"
        de "{id} öffnen"
        fr "Ouvrir {id}"
        es "Abrir {id}"
        ar "فتح {id}";
    /// Why a box cannot be ticked here.
    second_person: text
        en "Takes two people and is confirmed in the checklist."
        de "Braucht zwei Personen und wird in der Checkliste bestätigt."
        fr "Exige deux personnes et se confirme dans la liste."
        es "Requiere dos personas y se confirma en la lista."
        ar "يتطلب شخصين ويُؤكَّد في القائمة.";
    /// Why a box cannot be ticked.
    not_permitted: text
        en "You don’t have permission to check this item."
        de "Sie dürfen diesen Eintrag nicht abhaken."
        fr "Vous n’êtes pas autorisé à cocher cet élément."
        es "No tiene permiso para marcar este elemento."
        ar "ليس لديك إذن بتأشير هذا العنصر.";
    /// After a change that failed: the item is as it was.
    unchanged: text
        en "{reason} Nothing was changed."
        de "{reason} Es wurde nichts geändert."
        fr "{reason} Rien n’a été modifié."
        es "{reason} No se ha cambiado nada."
        ar "{reason} لم يتغير شيء.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Words, fill, plural};

    #[test]
    fn every_language_has_words_of_its_own() {
        for language in Language::ALL {
            let others = Language::ALL.into_iter().filter(|other| *other != language);
            for other in others {
                assert_ne!(
                    Wording::of(language).none_mine,
                    Wording::of(other).none_mine
                );
            }
        }
    }

    #[test]
    fn places_are_filled_and_numbers_have_their_form_in_every_language() {
        for language in Language::ALL {
            let words = Words::of(language.tag());
            let wording = Wording::of(language);
            let name = fill(wording.none_other, &[("name", "Keller")]);
            assert!(name.contains("Keller") && !name.contains('{'), "{name}");
            for n in [3, 11, 100] {
                let said = plural(words, wording.said_more, n, &[]);
                assert!(said.contains(&words.number(n)), "{said}");
            }
        }
        let german = Words::of("de");
        let one = plural(german, Wording::of(Language::De).said_loaded, 1, &[]);
        assert_eq!(one, "1 offener Eintrag.");
    }
}
