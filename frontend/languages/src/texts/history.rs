//! The history of an item.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::template::END;
    /// Menu.
    history: text en "History…"
        de "Verlauf …"
        fr "Historique…"
        es "Historial…"
        ar "السجل…";
    /// Label; the item's `{text}`.
    history_of: text en "History of “{text}”"
        de "Verlauf von „{text}“"
        fr "Historique de « {text} »"
        es "Historial de «{text}»"
        ar "سجل «{text}»";
    /// Said while it is on its way.
    history_loading: text en "Loading the history…"
        de "Der Verlauf wird geladen …"
        fr "Chargement de l’historique…"
        es "Cargando el historial…"
        ar "جارٍ تحميل السجل…";
    /// Nothing was done to the item.
    history_empty: text en "Nobody has changed this item yet."
        de "Diesen Eintrag hat noch niemand geändert."
        fr "Personne n’a encore modifié cet élément."
        es "Nadie ha modificado este elemento todavía."
        ar "لم يغيّر أحد هذا البند بعد.";
    /// It could not be loaded.
    history_failed: text en "The history could not be loaded."
        de "Der Verlauf konnte nicht geladen werden."
        fr "Impossible de charger l’historique."
        es "No se pudo cargar el historial."
        ar "تعذّر تحميل السجل.";
    /// Button: loads what came before.
    history_more: text en "Show older"
        de "Ältere anzeigen"
        fr "Afficher plus ancien"
        es "Mostrar anteriores"
        ar "عرض الأقدم";
    /// What `{who}` has done to an item.
    did_add: text en "{who} added this item"
        de "{who} hat den Eintrag hinzugefügt"
        fr "{who} a ajouté cet élément"
        es "{who} añadió este elemento"
        ar "أضاف {who} هذا البند";
    /// What `{who}` has done to an item.
    did_check: text en "{who} checked this"
        de "{who} hat das abgehakt"
        fr "{who} a coché cet élément"
        es "{who} lo marcó"
        ar "وضع {who} العلامة";
    /// What `{who}` has done to an item.
    did_confirm: text en "{who} confirmed the new wording"
        de "{who} hat den neuen Wortlaut bestätigt"
        fr "{who} a confirmé le nouveau texte"
        es "{who} confirmó el nuevo texto"
        ar "أكّد {who} الصياغة الجديدة";
    /// What `{who}` has done to an item.
    did_reopen: text en "{who} unchecked this"
        de "{who} hat den Haken entfernt"
        fr "{who} a décoché cet élément"
        es "{who} lo desmarcó"
        ar "أزال {who} العلامة";
    /// What `{who}` has done to an item.
    did_set_aside: text en "{who} marked this as not applicable"
        de "{who} hat das auf „entfällt“ gesetzt"
        fr "{who} l’a mis sans objet"
        es "{who} lo puso como no aplicable"
        ar "جعله {who} غير منطبق";
    /// What `{who}` has done to an item.
    did_reason: text en "{who} changed the reason"
        de "{who} hat die Begründung geändert"
        fr "{who} a modifié la raison"
        es "{who} cambió el motivo"
        ar "غيّر {who} السبب";
    /// What `{who}` has done to an item.
    did_text: text en "{who} changed the text"
        de "{who} hat den Text geändert"
        fr "{who} a modifié le texte"
        es "{who} cambió el texto"
        ar "غيّر {who} النص";
    /// What `{who}` has done to an item.
    did_move: text en "{who} moved this"
        de "{who} hat das verschoben"
        fr "{who} l’a déplacé"
        es "{who} lo movió"
        ar "نقله {who}";
    /// What `{who}` has done to an item.
    did_delete: text en "{who} deleted this"
        de "{who} hat das gelöscht"
        fr "{who} l’a supprimé"
        es "{who} lo eliminó"
        ar "حذفه {who}";
    /// What `{who}` has done to an item.
    did_restore: text en "{who} restored this"
        de "{who} hat das wiederhergestellt"
        fr "{who} l’a rétabli"
        es "{who} lo restauró"
        ar "استعاده {who}";
    /// A template no longer has the item; who took that over.
    did_retire: text en "{who} took over a template without this item"
        de "{who} hat eine Vorlage ohne diesen Eintrag übernommen"
        fr "{who} a repris un modèle sans cet élément"
        es "{who} aplicó una plantilla sin este elemento"
        ar "أخذ {who} قالبًا ليس فيه هذا البند";
    /// Who took over what a template has changed.
    did_follow: text en "{who} took over the template’s change"
        de "{who} hat die Änderung der Vorlage übernommen"
        fr "{who} a repris le changement du modèle"
        es "{who} aplicó el cambio de la plantilla"
        ar "أخذ {who} تغيير القالب";
    /// Anything else that `{who}` has done.
    did_change: text en "{who} changed this"
        de "{who} hat das geändert"
        fr "{who} a modifié cet élément"
        es "{who} lo cambió"
        ar "غيّره {who}";
}
