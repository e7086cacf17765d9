//! What can be done with an item: the menu, the small forms, adding and moving.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::details::END;
    /// Button.
    edit: text en "Edit"
        de "Bearbeiten"
        fr "Modifier"
        es "Editar"
        ar "تعديل";
    /// The same with the item's `{text}`.
    edit_named: text en "Edit “{text}”"
        de "„{text}“ bearbeiten"
        fr "Modifier «\u{202f}{text}\u{202f}»"
        es "Editar «{text}»"
        ar "تعديل «{text}»";
    /// Button that opens the menu.
    more: text en "More"
        de "Mehr"
        fr "Plus"
        es "Más"
        ar "المزيد";
    /// The same with the item's `{text}`.
    more_named: text en "More for “{text}”"
        de "Mehr zu „{text}“"
        fr "Plus pour «\u{202f}{text}\u{202f}»"
        es "Más para «{text}»"
        ar "المزيد حول «{text}»";
    /// Menu.
    mark_not_applicable: text en "Not applicable…"
        de "Entfällt …"
        fr "Sans objet…"
        es "No aplicable…"
        ar "لا ينطبق…";
    /// Menu.
    applies_again: text en "Mark as applicable again"
        de "Entfällt nicht mehr"
        fr "Marquer de nouveau comme applicable"
        es "Marcar de nuevo como aplicable"
        ar "وضع علامة «ينطبق» من جديد";
    /// Menu.
    move_up: text en "Move up"
        de "Nach oben"
        fr "Monter"
        es "Subir"
        ar "نقل إلى أعلى";
    /// Menu.
    move_down: text en "Move down"
        de "Nach unten"
        fr "Descendre"
        es "Bajar"
        ar "نقل إلى أسفل";
    /// Menu.
    move_to: text en "Move to position…"
        de "An Position verschieben …"
        fr "Déplacer à la position…"
        es "Mover a la posición…"
        ar "نقل إلى الموضع…";
    /// Menu.
    delete: text en "Delete"
        de "Löschen"
        fr "Supprimer"
        es "Eliminar"
        ar "حذف";
    /// Button.
    save: text en "Save"
        de "Speichern"
        fr "Enregistrer"
        es "Guardar"
        ar "حفظ";
    /// Button.
    cancel: text en "Cancel"
        de "Abbrechen"
        fr "Annuler"
        es "Cancelar"
        ar "إلغاء";
    /// Label of the field in which an item's text is edited.
    text_label: text en "Text of the item"
        de "Text des Eintrags"
        fr "Texte de l’élément"
        es "Texto del elemento"
        ar "نص البند";
    /// Label.
    reason_label: text en "Why does it not apply?"
        de "Warum entfällt der Eintrag?"
        fr "Pourquoi est-ce sans objet\u{202f}?"
        es "¿Por qué no es aplicable?"
        ar "لماذا لا ينطبق؟";
    /// Label.
    reason_optional: text en "Why does it not apply? (optional)"
        de "Warum entfällt der Eintrag? (optional)"
        fr "Pourquoi est-ce sans objet\u{202f}? (facultatif)"
        es "¿Por qué no es aplicable? (opcional)"
        ar "لماذا لا ينطبق؟ (اختياري)";
    /// Error at the field.
    reason_needed: text en "This item needs a reason."
        de "Dieser Eintrag braucht eine Begründung."
        fr "Cet élément demande une raison."
        es "Este elemento necesita un motivo."
        ar "يحتاج هذا البند إلى سبب.";
    /// Label; from `{first}` to `{count}`.
    position_label: text en "Position, {first} to {count}"
        de "Position, {first} bis {count}"
        fr "Position, de {first} à {count}"
        es "Posición, de {first} a {count}"
        ar "الموضع، من {first} إلى {count}";
    /// Button.
    move_it: text en "Move"
        de "Verschieben"
        fr "Déplacer"
        es "Mover"
        ar "نقل";
    /// Opens the field for a new item.
    add_item: text en "Add an item"
        de "Eintrag hinzufügen"
        fr "Ajouter un élément"
        es "Añadir un elemento"
        ar "إضافة بند";
    /// The same for the `{section}`.
    add_to: text en "Add an item to “{section}”"
        de "Eintrag zu „{section}“ hinzufügen"
        fr "Ajouter un élément à «\u{202f}{section}\u{202f}»"
        es "Añadir un elemento a «{section}»"
        ar "إضافة بند إلى «{section}»";
    /// Label of the field for a new item.
    new_item: text en "New item"
        de "Neuer Eintrag"
        fr "Nouvel élément"
        es "Elemento nuevo"
        ar "بند جديد";
    /// Button.
    add: text en "Add"
        de "Hinzufügen"
        fr "Ajouter"
        es "Añadir"
        ar "إضافة";
    /// Button.
    close: text en "Close"
        de "Schließen"
        fr "Fermer"
        es "Cerrar"
        ar "إغلاق";
    /// Button that takes a notice away.
    dismiss: text en "Dismiss"
        de "Ausblenden"
        fr "Masquer"
        es "Ocultar"
        ar "إخفاء";
    /// Button.
    undo: text en "Undo"
        de "Rückgängig"
        fr "Annuler la dernière action"
        es "Deshacer"
        ar "تراجع";
    /// Button.
    redo: text en "Redo"
        de "Wiederholen"
        fr "Rétablir la dernière action"
        es "Rehacer"
        ar "إعادة";
    /// What the handle of a row does.
    drag: text en "Drag to move"
        de "Zum Verschieben ziehen"
        fr "Faire glisser pour déplacer"
        es "Arrastrar para mover"
        ar "اسحب للنقل";
    /// The key that deletes, as it is written on keyboards.
    key_delete: text en "Del"
        de "Entf"
        fr "Suppr"
        es "Supr"
        ar "Del";
}
