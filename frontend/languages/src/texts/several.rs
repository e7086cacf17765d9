//! Several items at once: the selection, the box of a section, pasted lines.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::actions::END;
    /// Button of a menu.
    select: text en "Select"
        de "Auswählen"
        fr "Sélectionner"
        es "Seleccionar"
        ar "تحديد";
    /// Button of a menu.
    deselect: text en "Deselect"
        de "Auswahl aufheben"
        fr "Désélectionner"
        es "Deseleccionar"
        ar "إلغاء التحديد";
    /// Button: gives all rows that are selected to somebody.
    assign: text en "Assign"
        de "Zuweisen"
        fr "Attribuer"
        es "Asignar"
        ar "إسناد";
    /// The row is selected.
    selected: text en "Selected"
        de "Ausgewählt"
        fr "Sélectionné"
        es "Seleccionado"
        ar "محدد";
    /// Button: checks what is selected.
    check: text en "Check"
        de "Abhaken"
        fr "Cocher"
        es "Marcar"
        ar "وضع العلامة";
    /// Button: unchecks what is selected.
    uncheck: text en "Uncheck"
        de "Haken entfernen"
        fr "Décocher"
        es "Desmarcar"
        ar "إزالة العلامة";
    /// Button: nothing is selected any more.
    clear_selection: text en "Clear selection"
        de "Auswahl aufheben"
        fr "Effacer la sélection"
        es "Borrar la selección"
        ar "مسح التحديد";
    /// Box of the `{section}`: checks its items.
    check_section: text en "Check all in “{section}”"
        de "Alle in „{section}“ abhaken"
        fr "Tout cocher dans «\u{202f}{section}\u{202f}»"
        es "Marcar todo en «{section}»"
        ar "وضع العلامة على كل ما في «{section}»";
    /// The item with that `{text}` is selected now.
    said_selected: text en "“{text}” selected."
        de "„{text}“ ausgewählt."
        fr "«\u{202f}{text}\u{202f}» sélectionné."
        es "«{text}» seleccionado."
        ar "حُدد «{text}».";
    /// The item with that `{text}` is not selected any more.
    said_deselected: text en "“{text}” deselected."
        de "„{text}“ nicht mehr ausgewählt."
        fr "«\u{202f}{text}\u{202f}» désélectionné."
        es "«{text}» deseleccionado."
        ar "أُلغي تحديد «{text}».";
    /// Nothing is selected any more.
    said_cleared: text en "Selection cleared."
        de "Auswahl aufgehoben."
        fr "Sélection effacée."
        es "Selección borrada."
        ar "مُسح التحديد.";
    /// `{n}` items are selected.
    selected_count: plural en "{n} selected|{n} selected"
        de "{n} ausgewählt|{n} ausgewählt"
        fr "{n} sélectionné|{n} sélectionnés|{n} sélectionnés"
        es "{n} seleccionado|{n} seleccionados|{n} seleccionados"
        ar "لا شيء محدد|بند واحد محدد|بندان محددان|{n} بنود محددة|{n} بندًا محددًا|{n} بند محدد";
    /// `{n}` items were checked.
    said_many_checked: plural en "{n} item checked.|{n} items checked."
        de "{n} Eintrag abgehakt.|{n} Einträge abgehakt."
        fr "{n} élément coché.|{n} d’éléments cochés.|{n} éléments cochés."
        es "{n} elemento marcado.|{n} de elementos marcados.|{n} elementos marcados."
        ar "لم توضع علامة على أي بند.|وُضعت العلامة على بند واحد.|وُضعت العلامة على بندين.|وُضعت العلامة على {n} بنود.|وُضعت العلامة على {n} بندًا.|وُضعت العلامة على {n} بند.";
    /// `{n}` items were unchecked.
    said_many_opened: plural en "{n} item unchecked.|{n} items unchecked."
        de "{n} Eintrag wieder offen.|{n} Einträge wieder offen."
        fr "{n} élément décoché.|{n} d’éléments décochés.|{n} éléments décochés."
        es "{n} elemento desmarcado.|{n} de elementos desmarcados.|{n} elementos desmarcados."
        ar "لم تُزل العلامة عن أي بند.|أُزيلت العلامة عن بند واحد.|أُزيلت العلامة عن بندين.|أُزيلت العلامة عن {n} بنود.|أُزيلت العلامة عن {n} بندًا.|أُزيلت العلامة عن {n} بند.";
    /// `{n}` items were assigned.
    said_many_assigned: plural en "{n} item assigned.|{n} items assigned."
        de "{n} Eintrag zugewiesen.|{n} Einträge zugewiesen."
        fr "{n} élément attribué.|{n} d’éléments attribués.|{n} éléments attribués."
        es "{n} elemento asignado.|{n} de elementos asignados.|{n} elementos asignados."
        ar "لم يُسند أي بند.|أُسند بند واحد.|أُسند بندان.|أُسندت {n} بنود.|أُسند {n} بندًا.|أُسند {n} بند.";
    /// `{n}` items were deleted.
    many_deleted: plural en "{n} item was deleted.|{n} items were deleted."
        de "{n} Eintrag wurde gelöscht.|{n} Einträge wurden gelöscht."
        fr "{n} élément a été supprimé.|{n} d’éléments ont été supprimés.|{n} éléments ont été supprimés."
        es "Se eliminó {n} elemento.|Se eliminaron {n} de elementos.|Se eliminaron {n} elementos."
        ar "لم يُحذف أي بند.|حُذف بند واحد.|حُذف بندان.|حُذفت {n} بنود.|حُذف {n} بندًا.|حُذف {n} بند.";
    /// `{n}` of several items were not changed: their `{names}`.
    not_changed: plural en "{n} item was not changed: {names}|{n} items were not changed: {names}"
        de "{n} Eintrag wurde nicht geändert: {names}|{n} Einträge wurden nicht geändert: {names}"
        fr "{n} élément n’a pas été modifié\u{a0}: {names}|{n} d’éléments n’ont pas été modifiés\u{a0}: {names}|{n} éléments n’ont pas été modifiés\u{a0}: {names}"
        es "{n} elemento no se modificó: {names}|{n} de elementos no se modificaron: {names}|{n} elementos no se modificaron: {names}"
        ar "لم يتغير أي بند: {names}|لم يتغير بند واحد: {names}|لم يتغير بندان: {names}|لم تتغير {n} بنود: {names}|لم يتغير {n} بندًا: {names}|لم يتغير {n} بند: {names}";
    /// At most `{n}` items can be changed at once.
    change_at_once: plural en "At most {n} item can be changed at once.|At most {n} items can be changed at once."
        de "Auf einmal lässt sich höchstens {n} Eintrag ändern.|Auf einmal lassen sich höchstens {n} Einträge ändern."
        fr "Au plus {n} élément peut être modifié à la fois.|Au plus {n} d’éléments peuvent être modifiés à la fois.|Au plus {n} éléments peuvent être modifiés à la fois."
        es "Se puede cambiar como máximo {n} elemento a la vez.|Se pueden cambiar como máximo {n} de elementos a la vez.|Se pueden cambiar como máximo {n} elementos a la vez."
        ar "لا يمكن تغيير أي بند.|يمكن تغيير بند واحد على الأكثر في المرة.|يمكن تغيير بندين على الأكثر في المرة.|يمكن تغيير {n} بنود على الأكثر في المرة.|يمكن تغيير {n} بندًا على الأكثر في المرة.|يمكن تغيير {n} بند على الأكثر في المرة.";
    /// Button: puts pasted lines into the field as one.
    paste_as_one: text en "Insert as one line"
        de "Als eine Zeile einfügen"
        fr "Insérer sur une seule ligne"
        es "Insertar en una sola línea"
        ar "إدراج في سطر واحد";
    /// Asks whether `{n}` pasted lines become items.
    paste_question: plural en "Add {n} item?|Add {n} items?"
        de "{n} Eintrag hinzufügen?|{n} Einträge hinzufügen?"
        fr "Ajouter {n} élément\u{a0}?|Ajouter {n} d’éléments\u{a0}?|Ajouter {n} éléments\u{a0}?"
        es "¿Añadir {n} elemento?|¿Añadir {n} de elementos?|¿Añadir {n} elementos?"
        ar "ألا تضيف أي بند؟|أتريد إضافة بند واحد؟|أتريد إضافة بندين؟|أتريد إضافة {n} بنود؟|أتريد إضافة {n} بندًا؟|أتريد إضافة {n} بند؟";
    /// `{n}` lines that are not named.
    paste_more: plural en "and {n} more|and {n} more"
        de "und {n} weiterer|und {n} weitere"
        fr "et {n} autre|et {n} autres|et {n} autres"
        es "y {n} más|y {n} más|y {n} más"
        ar "لا شيء غيرها|وبند آخر|وبندان آخران|و{n} بنود أخرى|و{n} بندًا آخر|و{n} بند آخر";
    /// Only `{n}` items fit in.
    paste_room: plural en "There is room for {n} more item only.|There is room for {n} more items only."
        de "Es passt nur noch {n} Eintrag hinein.|Es passen nur noch {n} Einträge hinein."
        fr "Il ne reste de la place que pour {n} élément.|Il ne reste de la place que pour {n} d’éléments.|Il ne reste de la place que pour {n} éléments."
        es "Solo cabe {n} elemento más.|Solo caben {n} de elementos más.|Solo caben {n} elementos más."
        ar "لم يبقَ مكان لأي بند.|لم يبقَ إلا مكان لبند واحد.|لم يبقَ إلا مكان لبندين.|لم يبقَ إلا مكان لـ {n} بنود.|لم يبقَ إلا مكان لـ {n} بندًا.|لم يبقَ إلا مكان لـ {n} بند.";
    /// At most `{n}` items can be added at once.
    paste_at_once: plural en "At most {n} item can be added at once.|At most {n} items can be added at once."
        de "Auf einmal lässt sich höchstens {n} Eintrag hinzufügen.|Auf einmal lassen sich höchstens {n} Einträge hinzufügen."
        fr "Au plus {n} élément peut être ajouté à la fois.|Au plus {n} d’éléments peuvent être ajoutés à la fois.|Au plus {n} éléments peuvent être ajoutés à la fois."
        es "Se puede añadir como máximo {n} elemento a la vez.|Se pueden añadir como máximo {n} de elementos a la vez.|Se pueden añadir como máximo {n} elementos a la vez."
        ar "لا يمكن إضافة أي بند.|يمكن إضافة بند واحد على الأكثر في المرة.|يمكن إضافة بندين على الأكثر في المرة.|يمكن إضافة {n} بنود على الأكثر في المرة.|يمكن إضافة {n} بندًا على الأكثر في المرة.|يمكن إضافة {n} بند على الأكثر في المرة.";
    /// An item's text may have `{n}` characters.
    paste_long: plural en "“{text}” is too long: an item may have {n} character.|“{text}” is too long: an item may have {n} characters."
        de "„{text}“ ist zu lang: Ein Eintrag darf {n} Zeichen haben.|„{text}“ ist zu lang: Ein Eintrag darf {n} Zeichen haben."
        fr "« {text} » est trop long\u{a0}: un élément peut avoir {n} caractère.|« {text} » est trop long\u{a0}: un élément peut avoir {n} de caractères.|« {text} » est trop long\u{a0}: un élément peut avoir {n} caractères."
        es "«{text}» es demasiado largo: un elemento puede tener {n} carácter.|«{text}» es demasiado largo: un elemento puede tener {n} de caracteres.|«{text}» es demasiado largo: un elemento puede tener {n} caracteres."
        ar "«{text}» طويل جدًا: لا يُسمح بأي حرف.|«{text}» طويل جدًا: يُسمح بحرف واحد في البند.|«{text}» طويل جدًا: يُسمح بحرفين في البند.|«{text}» طويل جدًا: يُسمح بـ {n} أحرف في البند.|«{text}» طويل جدًا: يُسمح بـ {n} حرفًا في البند.|«{text}» طويل جدًا: يُسمح بـ {n} حرف في البند.";
    /// `{n}` items were added.
    said_many_added: plural en "{n} item added.|{n} items added."
        de "{n} Eintrag hinzugefügt.|{n} Einträge hinzugefügt."
        fr "{n} élément ajouté.|{n} d’éléments ajoutés.|{n} éléments ajoutés."
        es "{n} elemento añadido.|{n} de elementos añadidos.|{n} elementos añadidos."
        ar "لم يُضف أي بند.|أُضيف بند واحد.|أُضيف بندان.|أُضيفت {n} بنود.|أُضيف {n} بندًا.|أُضيف {n} بند.";
}
