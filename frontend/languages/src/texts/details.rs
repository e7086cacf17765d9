//! The details of an item: the labels of the form, what a row and the history say of them.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::item::END;
    /// Label.
    note: text en "Note"
        de "Notiz"
        fr "Note"
        es "Nota"
        ar "ملاحظة";
    /// Label.
    assignee: text en "Assignee"
        de "Zuständig"
        fr "Responsable"
        es "Responsable"
        ar "المسؤول";
    /// Label.
    due_date: text en "Due date"
        de "Fälligkeit"
        fr "Échéance"
        es "Vencimiento"
        ar "الموعد";
    /// Label: the time of a due date.
    due_time: text en "Time (optional)"
        de "Uhrzeit (optional)"
        fr "Heure (facultatif)"
        es "Hora (opcional)"
        ar "الوقت (اختياري)";
    /// A due date that is only partly filled in.
    due_incomplete: text en "Enter a complete date."
        de "Geben Sie ein vollständiges Datum ein."
        fr "Saisissez une date complète."
        es "Introduce una fecha completa."
        ar "أدخل تاريخًا كاملًا.";
    /// Menu: opens note, assignee and due date.
    edit_details: text en "Edit details"
        de "Details bearbeiten"
        fr "Modifier les détails"
        es "Editar detalles"
        ar "تعديل التفاصيل";
    /// Button.
    clear_assignee: text en "Clear assignee"
        de "Zuständigkeit entfernen"
        fr "Effacer le responsable"
        es "Quitar el responsable"
        ar "مسح المسؤول";
    /// Button.
    clear_due: text en "Clear due date"
        de "Fälligkeit entfernen"
        fr "Effacer l’échéance"
        es "Quitar el vencimiento"
        ar "مسح الموعد";
    /// What was typed before the form was left is still in it.
    details_draft: text en "These changes are not saved yet."
        de "Diese Änderungen sind noch nicht gespeichert."
        fr "Ces modifications ne sont pas encore enregistrées."
        es "Estos cambios aún no se han guardado."
        ar "لم تُحفظ هذه التغييرات بعد.";
    /// Button.
    discard: text en "Discard changes"
        de "Änderungen verwerfen"
        fr "Abandonner les modifications"
        es "Descartar los cambios"
        ar "تجاهل التغييرات";
    /// People are asked for.
    people_loading: text en "Loading people…"
        de "Personen werden geladen …"
        fr "Chargement des personnes…"
        es "Cargando personas…"
        ar "جارٍ تحميل الأشخاص…";
    /// Asking for people did not work.
    people_failed: text en "People could not be loaded. You can still type a name."
        de "Die Personen konnten nicht geladen werden. Sie können trotzdem einen Namen eingeben."
        fr "Impossible de charger les personnes. Vous pouvez quand même saisir un nom."
        es "No se pudieron cargar las personas. Aun así, puedes escribir un nombre."
        ar "تعذّر تحميل الأشخاص. لا يزال بإمكانك كتابة اسم.";
    /// Name of the list of people to choose from.
    people_offered: text en "People"
        de "Personen"
        fr "Personnes"
        es "Personas"
        ar "الأشخاص";
    /// `{when}` in the future.
    due_on: text en "Due {when}"
        de "Fällig {when}"
        fr "Échéance {when}"
        es "Vence {when}"
        ar "الموعد {when}";
    /// Due today, no time given.
    due_on_this_day: text en "Due today"
        de "Fällig heute"
        fr "Échéance aujourd’hui"
        es "Vence hoy"
        ar "الموعد اليوم";
    /// Due tomorrow, no time given.
    due_on_the_next_day: text en "Due tomorrow"
        de "Fällig morgen"
        fr "Échéance demain"
        es "Vence mañana"
        ar "الموعد غدًا";
    /// `{time}` of this day.
    due_today: text en "Due today {time}"
        de "Fällig heute {time}"
        fr "Échéance aujourd’hui {time}"
        es "Vence hoy {time}"
        ar "الموعد اليوم {time}";
    /// `{time}` of the next day.
    due_tomorrow: text en "Due tomorrow {time}"
        de "Fällig morgen {time}"
        fr "Échéance demain {time}"
        es "Vence mañana {time}"
        ar "الموعد غدًا {time}";
    /// It was due `{when}`.
    late: text en "Overdue since {when}"
        de "Überfällig seit {when}"
        fr "En retard\u{a0}: échéance {when}"
        es "Con retraso: vencía {when}"
        ar "متأخر: كان الموعد {when}";
    /// Label: the help of an item, with its formatting.
    help_field: text en "Help (Markdown)"
        de "Hilfe (Markdown)"
        fr "Aide (Markdown)"
        es "Ayuda (Markdown)"
        ar "المساعدة (Markdown)";
    /// Checkbox: the row is something to read, and nothing to check.
    for_information: text en "For information only, nothing to check"
        de "Nur zur Information, nichts abzuhaken"
        fr "Pour information, rien à cocher"
        es "Solo informativo, nada que marcar"
        ar "للعلم فقط، دون خانة للتحديد";
    /// What `{who}` has done to an item.
    did_note: text en "{who} changed the note"
        de "{who} hat die Notiz geändert"
        fr "{who} a modifié la note"
        es "{who} cambió la nota"
        ar "غيّر {who} الملاحظة";
    /// What `{who}` has done to an item.
    did_assign: text en "{who} changed the assignee"
        de "{who} hat die Zuständigkeit geändert"
        fr "{who} a modifié le responsable"
        es "{who} cambió el responsable"
        ar "غيّر {who} المسؤول";
    /// What `{who}` has done to an item.
    did_due: text en "{who} changed the due date"
        de "{who} hat die Fälligkeit geändert"
        fr "{who} a modifié l’échéance"
        es "{who} cambió el vencimiento"
        ar "غيّر {who} الموعد";
    /// What `{who}` has done to an item.
    did_help: text en "{who} changed the help"
        de "{who} hat die Hilfe geändert"
        fr "{who} a modifié l’aide"
        es "{who} cambió la ayuda"
        ar "غيّر {who} المساعدة";
    /// What `{who}` has done to an item.
    did_require: text en "{who} made the item required"
        de "{who} hat den Eintrag zum Pflichteintrag gemacht"
        fr "{who} a rendu l’élément obligatoire"
        es "{who} hizo obligatorio el elemento"
        ar "جعل {who} العنصر مطلوبًا";
    /// What `{who}` has done to an item.
    did_make_optional: text en "{who} made the item optional"
        de "{who} hat den Eintrag optional gemacht"
        fr "{who} a rendu l’élément facultatif"
        es "{who} hizo opcional el elemento"
        ar "جعل {who} العنصر اختياريًا";
    /// What `{who}` has done to an item.
    did_make_info: text en "{who} turned the item into information"
        de "{who} hat den Eintrag zum Hinweis gemacht"
        fr "{who} a transformé l’élément en information"
        es "{who} convirtió el elemento en información"
        ar "حوّل {who} العنصر إلى معلومة";
    /// What `{who}` has done to an item.
    did_make_item: text en "{who} turned the information into an item"
        de "{who} hat den Hinweis zum Eintrag gemacht"
        fr "{who} a transformé l’information en élément"
        es "{who} convirtió la información en elemento"
        ar "حوّل {who} المعلومة إلى عنصر";
}
