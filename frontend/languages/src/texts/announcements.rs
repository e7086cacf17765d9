//! What a screen reader is given to read.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::notices::END;
    /// Announced.
    said_checked: text en "Checked."
        de "Abgehakt."
        fr "Coché."
        es "Marcado."
        ar "وُضعت العلامة.";
    /// Announced.
    said_opened: text en "Open again."
        de "Wieder offen."
        fr "De nouveau à faire."
        es "Pendiente de nuevo."
        ar "مفتوح من جديد.";
    /// Announced.
    said_not_applicable: text en "Marked as not applicable."
        de "Als „entfällt“ markiert."
        fr "Mis sans objet."
        es "Puesto como no aplicable."
        ar "أصبح غير منطبق.";
    /// Announced.
    said_added: text en "Item added."
        de "Eintrag hinzugefügt."
        fr "Élément ajouté."
        es "Elemento añadido."
        ar "أُضيف البند.";
    /// Announced.
    said_deleted: text en "Item deleted."
        de "Eintrag gelöscht."
        fr "Élément supprimé."
        es "Elemento eliminado."
        ar "حُذف البند.";
    /// Announced.
    said_saved: text en "Saved."
        de "Gespeichert."
        fr "Enregistré."
        es "Guardado."
        ar "تم الحفظ.";
    /// Announced: `{position}` of `{count}`.
    said_moved: text en "Moved to position {position} of {count}."
        de "An Position {position} von {count} verschoben."
        fr "Déplacé à la position {position} sur {count}."
        es "Movido a la posición {position} de {count}."
        ar "نُقل إلى الموضع {position} من {count}.";
    /// Announced.
    said_undone: text en "Undone."
        de "Rückgängig gemacht."
        fr "Annulé."
        es "Deshecho."
        ar "تم التراجع.";
    /// Said.
    said_redone: text en "Redone."
        de "Wiederholt."
        fr "Rétabli."
        es "Rehecho."
        ar "أُعيد التنفيذ.";
    /// Announced.
    said_refreshed: text en "The template’s changes were taken over."
        de "Die Änderungen der Vorlage wurden übernommen."
        fr "Les changements du modèle ont été repris."
        es "Se aplicaron los cambios de la plantilla."
        ar "أُخذت تغييرات القالب.";
    /// Announced after what was done, while it cannot be sent.
    not_saved_yet: text en "Not saved yet."
        de "Noch nicht gespeichert."
        fr "Pas encore enregistré."
        es "Aún sin guardar."
        ar "لم يُحفظ بعد.";
    /// Announced: `{who}`.
    said_changed: text en "{who} changed the checklist."
        de "{who} hat die Checkliste geändert."
        fr "{who} a modifié la liste."
        es "{who} ha cambiado la lista."
        ar "غيّر {who} القائمة.";
    /// Announced: `{who}` and the `{text}`.
    other_checked: text en "{who} checked “{text}”."
        de "{who} hat „{text}“ abgehakt."
        fr "{who} a coché « {text} »."
        es "{who} ha marcado «{text}»."
        ar "أنجز {who} «{text}».";
    /// Announced: `{who}` and the `{text}`.
    other_opened: text en "{who} unchecked “{text}”."
        de "{who} hat „{text}“ wieder geöffnet."
        fr "{who} a décoché « {text} »."
        es "{who} ha desmarcado «{text}»."
        ar "ألغى {who} إنجاز «{text}».";
    /// Announced: `{who}` and the `{text}`.
    other_not_applicable: text en "{who} marked “{text}” as not applicable."
        de "{who} hat „{text}“ als „entfällt“ markiert."
        fr "{who} a marqué « {text} » comme sans objet."
        es "{who} ha puesto «{text}» como no aplicable."
        ar "حدّد {who} أن «{text}» لا ينطبق.";
    /// Announced: `{who}` and the `{text}`.
    other_changed: text en "{who} changed “{text}”."
        de "{who} hat „{text}“ geändert."
        fr "{who} a modifié « {text} »."
        es "{who} ha modificado «{text}»."
        ar "غيّر {who} «{text}».";
    /// Announced: `{who}` and the `{text}`.
    other_added: text en "{who} added “{text}”."
        de "{who} hat „{text}“ hinzugefügt."
        fr "{who} a ajouté « {text} »."
        es "{who} ha añadido «{text}»."
        ar "أضاف {who} «{text}».";
    /// Announced: `{who}` and the `{text}`.
    other_deleted: text en "{who} deleted “{text}”."
        de "{who} hat „{text}“ gelöscht."
        fr "{who} a supprimé « {text} »."
        es "{who} ha eliminado «{text}»."
        ar "حذف {who} «{text}».";
    /// Announced: `{who}` and how many.
    other_many: plural en "{who} changed {n} item.|{who} changed {n} items."
        de "{who} hat {n} Eintrag geändert.|{who} hat {n} Einträge geändert."
        fr "{who} a modifié {n} élément.|{who} a modifié {n} d’éléments.|{who} a modifié {n} éléments."
        es "{who} ha modificado {n} elemento.|{who} ha modificado {n} de elementos.|{who} ha modificado {n} elementos."
        ar "لم يغيّر {who} أي بند.|غيّر {who} بندًا واحدًا.|غيّر {who} بندين.|غيّر {who} {n} بنود.|غيّر {who} {n} بندًا.|غيّر {who} {n} بند.";
}
