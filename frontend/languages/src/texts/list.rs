//! The list as a whole: its name and counts, its states, the connection, search and what is hidden.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::START;
    /// The name of a list that has none.
    checklist: text en "Checklist"
        de "Checkliste"
        fr "Liste de contrôle"
        es "Lista de comprobación"
        ar "قائمة تحقق";
    /// `{done}` of `{total}`, as a sentence.
    done_of: text en "{done} of {total} done"
        de "{done} von {total} erledigt"
        fr "{done} sur {total} faits"
        es "{done} de {total} hechos"
        ar "أُنجز {done} من {total}";
    /// `{done}` of `{total}`, at a section.
    count_of: text en "{done} of {total}"
        de "{done} von {total}"
        fr "{done} sur {total}"
        es "{done} de {total}"
        ar "{done} من {total}";
    /// Everything is resolved.
    completed: text en "Completed"
        de "Erledigt"
        fr "Terminée"
        es "Completada"
        ar "مكتملة";
    /// Button.
    go_to_first: text en "Show first open item"
        de "Zum ersten offenen Eintrag"
        fr "Afficher le premier élément à faire"
        es "Mostrar el primer elemento pendiente"
        ar "عرض أول بند مفتوح";
    /// `{n}` items that block, and their `{names}`.
    still_open: plural en "{n} item still open: {names}|{n} items still open: {names}"
        de "{n} Eintrag noch offen: {names}|{n} Einträge noch offen: {names}"
        fr "{n} élément encore à faire\u{a0}: {names}|{n} d’éléments encore à faire\u{a0}: {names}|{n} éléments encore à faire\u{a0}: {names}"
        es "{n} elemento pendiente: {names}|{n} de elementos pendientes: {names}|{n} elementos pendientes: {names}"
        ar "لا بنود مفتوحة: {names}|بند واحد ما زال مفتوحًا: {names}|بندان ما زالا مفتوحين: {names}|{n} بنود ما زالت مفتوحة: {names}|{n} بندًا ما زالت مفتوحة: {names}|{n} بند ما زالت مفتوحة: {names}";
    /// Items that still fit in.
    left: plural en "{n} more item fits in.|{n} more items fit in."
        de "{n} weiterer Eintrag passt hinein.|{n} weitere Einträge passen hinein."
        fr "Encore {n} élément possible.|Encore {n} d’éléments possibles.|Encore {n} éléments possibles."
        es "Cabe {n} elemento más.|Caben {n} de elementos más.|Caben {n} elementos más."
        ar "لا مكان لبند آخر.|هناك مكان لبند واحد آخر.|هناك مكان لبندين آخرين.|هناك مكان لـ {n} بنود أخرى.|هناك مكان لـ {n} بندًا آخر.|هناك مكان لـ {n} بند آخر.";
    /// State.
    loading: text en "Loading the checklist…"
        de "Die Checkliste wird geladen …"
        fr "Chargement de la liste…"
        es "Cargando la lista…"
        ar "جارٍ تحميل القائمة…";
    /// State.
    load_failed: text en "The checklist could not be loaded."
        de "Die Checkliste konnte nicht geladen werden."
        fr "La liste n’a pas pu être chargée."
        es "No se pudo cargar la lista."
        ar "تعذّر تحميل القائمة.";
    /// Button.
    try_again: text en "Try again"
        de "Erneut versuchen"
        fr "Réessayer"
        es "Reintentar"
        ar "إعادة المحاولة";
    /// While what was pressed waits for a part of the control that is loaded later.
    part_loading: text en "Loading…"
        de "Wird geladen …"
        fr "Chargement…"
        es "Cargando…"
        ar "جارٍ التحميل…";
    /// That part cannot be loaded; a button to try again follows.
    part_failed: text en "This part of the checklist could not be loaded. Your changes are kept."
        de "Dieser Teil der Checkliste konnte nicht geladen werden. Ihre Änderungen bleiben erhalten."
        fr "Cette partie de la liste n’a pas pu être chargée. Vos modifications sont conservées."
        es "No se pudo cargar esta parte de la lista. Sus cambios se conservan."
        ar "تعذّر تحميل هذا الجزء من القائمة. تغييراتك محفوظة.";
    /// State.
    empty: text en "No items yet"
        de "Noch keine Einträge"
        fr "Aucun élément"
        es "Aún no hay elementos"
        ar "لا توجد بنود بعد";
    /// State, for somebody who may add.
    empty_add: text en "Add the first thing that has to be done."
        de "Hier eintragen, was als Erstes zu tun ist."
        fr "Ajoutez la première chose à faire."
        es "Añada lo primero que haya que hacer."
        ar "أضف أول ما يجب عمله.";
    /// State, for everybody else.
    empty_read: text en "Nothing has to be done here so far."
        de "Hier ist bisher nichts zu tun."
        fr "Rien à faire ici pour l’instant."
        es "Por ahora no hay nada que hacer aquí."
        ar "لا شيء يجب عمله هنا حتى الآن.";
    /// State of a list that a form requires, for somebody who may not add.
    empty_ask: text en "The form requires this checklist, but it has no items yet and you can’t add any. Ask whoever is responsible for the form."
        de "Das Formular verlangt diese Checkliste, sie hat aber noch keine Einträge, und Sie können keine hinzufügen. Bitte wenden Sie sich an die Person, die für das Formular zuständig ist."
        fr "Le formulaire exige cette liste, mais elle n’a pas encore d’éléments et vous ne pouvez pas en ajouter. Adressez-vous à la personne responsable du formulaire."
        es "El formulario exige esta lista, pero aún no tiene elementos y usted no puede añadirlos. Consulte a la persona responsable del formulario."
        ar "يشترط النموذج هذه القائمة، لكنها بلا بنود ولا يمكنك إضافة بنود إليها. اسأل المسؤول عن النموذج.";
    /// `{who}` and `{when}`.
    locked: text en "Locked by {who}, {when}"
        de "Gesperrt von {who}, {when}"
        fr "Verrouillée par {who}, {when}"
        es "Bloqueada por {who}, {when}"
        ar "أقفلها {who}، {when}";
    /// With the `{reason}`.
    locked_because: text en "Locked by {who}, {when}: {reason}"
        de "Gesperrt von {who}, {when}: {reason}"
        fr "Verrouillée par {who}, {when}\u{a0}: {reason}"
        es "Bloqueada por {who}, {when}: {reason}"
        ar "أقفلها {who}، {when}: {reason}";
    /// Beside the name of the list: which earlier run of it this is.
    run_number: text en "(run {n})"
        de "(Durchlauf {n})"
        fr "(passage {n})"
        es "(ejecución {n})"
        ar "(الجولة {n})";
    /// State: this is an earlier run of the list.
    run_closed: text en "This run was closed by {who}, {when}."
        de "Dieser Durchlauf wurde von {who} geschlossen, {when}."
        fr "Ce passage a été clos par {who}, {when}."
        es "Esta ejecución fue cerrada por {who}, {when}."
        ar "أغلق {who} هذه الجولة، {when}.";
    /// The same with the reason.
    run_closed_because: text en "This run was closed by {who}, {when}: {reason}"
        de "Dieser Durchlauf wurde von {who} geschlossen, {when}: {reason}"
        fr "Ce passage a été clos par {who}, {when}\u{a0}: {reason}"
        es "Esta ejecución fue cerrada por {who}, {when}: {reason}"
        ar "أغلق {who} هذه الجولة، {when}: {reason}";
    /// State: the page allows no changes.
    read_only: text en "This checklist is read-only."
        de "Diese Checkliste ist schreibgeschützt."
        fr "Cette liste est en lecture seule."
        es "Esta lista es de solo lectura."
        ar "هذه القائمة للقراءة فقط.";
    /// State: the form has disabled the control.
    disabled: text en "This checklist is disabled."
        de "Diese Checkliste ist deaktiviert."
        fr "Cette liste est désactivée."
        es "Esta lista está desactivada."
        ar "هذه القائمة معطّلة.";
    /// State: the person may not change anything.
    may_only_read: text en "You don’t have permission to change this checklist."
        de "Sie haben keine Berechtigung, diese Checkliste zu ändern."
        fr "Vous n’avez pas l’autorisation de modifier cette liste."
        es "No tiene permiso para cambiar esta lista."
        ar "ليس لديك إذن بتغيير هذه القائمة.";
    /// State.
    draft: text en "Not saved yet. Your changes are sent with the form."
        de "Noch nicht gespeichert. Ihre Änderungen werden mit dem Formular gesendet."
        fr "Pas encore enregistrée. Vos modifications partent avec le formulaire."
        es "Aún sin guardar. Sus cambios se envían con el formulario."
        ar "لم تُحفظ بعد: تُرسل تغييراتك مع النموذج.";
    /// State.
    offline: text en "No connection."
        de "Keine Verbindung."
        fr "Pas de connexion."
        es "Sin conexión."
        ar "لا يوجد اتصال.";
    /// What becomes of changes that are not sent yet.
    unsent_kept: text en "Unsaved changes are kept in this browser for 7 days and sent when you open this checklist here again."
        de "Nicht gespeicherte Änderungen bleiben 7 Tage in diesem Browser erhalten und werden gesendet, sobald Sie diese Checkliste hier wieder öffnen."
        fr "Les modifications non enregistrées sont conservées 7 jours dans ce navigateur et envoyées dès que vous rouvrez cette liste ici."
        es "Los cambios sin guardar se conservan 7 días en este navegador y se envían cuando vuelva a abrir esta lista aquí."
        ar "تبقى التغييرات غير المحفوظة في هذا المتصفح مدة 7 أيام، وتُرسل عند فتح هذه القائمة هنا من جديد.";
    /// The same, where only the tab keeps them.
    unsent_tab: text en "Unsaved changes are kept in this tab only and are lost when you close it."
        de "Nicht gespeicherte Änderungen bleiben nur in diesem Tab erhalten und gehen verloren, wenn Sie ihn schließen."
        fr "Les modifications non enregistrées ne sont conservées que dans cet onglet et seront perdues si vous le fermez."
        es "Los cambios sin guardar solo se conservan en esta pestaña y se pierden si la cierra."
        ar "تبقى التغييرات غير المحفوظة في علامة التبويب هذه فقط، وتُفقد عند إغلاقها.";
    /// The same, where nothing keeps them.
    unsent_lost: text en "Unsaved changes are lost when you close or reload this page."
        de "Nicht gespeicherte Änderungen gehen verloren, wenn Sie diese Seite schließen oder neu laden."
        fr "Les modifications non enregistrées seront perdues si vous fermez ou rechargez cette page."
        es "Los cambios sin guardar se pierden si cierra o recarga esta página."
        ar "تُفقد التغييرات غير المحفوظة عند إغلاق هذه الصفحة أو إعادة تحميلها.";
    /// Why a form waits.
    saving: text en "Saving…"
        de "Wird gespeichert …"
        fr "Enregistrement…"
        es "Guardando…"
        ar "جارٍ الحفظ…";
    /// While a form waits.
    saving_first: text en "Saving your changes before the form is sent…"
        de "Ihre Änderungen werden gespeichert, dann wird das Formular gesendet …"
        fr "Enregistrement de vos modifications avant l’envoi du formulaire…"
        es "Guardando los cambios antes de enviar el formulario…"
        ar "جارٍ حفظ تغييراتك قبل إرسال النموذج…";
    /// Heading.
    retired_group: text en "No longer in the template"
        de "Nicht mehr in der Vorlage"
        fr "Absents du modèle"
        es "Ya no están en la plantilla"
        ar "لم تعد في القالب";
    /// For people; the `{reason}`, which the title has, is for whoever sets up the platform.
    not_journaled: text en "Nothing was written to the journal. Your administrator can set this up."
        de "Es wurde nichts ins Journal geschrieben. Ihre Administration kann das einrichten."
        fr "Rien n’a été écrit au journal. Votre administrateur peut le configurer."
        es "No se escribió nada en el diario. Su administrador puede configurarlo."
        ar "لم يُكتب شيء في السجل. يمكن للمسؤول إعداد ذلك.";
    /// Who else is on the list: `{names}`.
    also_here: text en "Also here: {names}"
        de "Auch hier: {names}"
        fr "Également ici\u{a0}: {names}"
        es "También aquí: {names}"
        ar "هنا أيضًا: {names}";
    /// Button.
    hide_done: text en "Hide done"
        de "Erledigte ausblenden"
        fr "Masquer les éléments terminés"
        es "Ocultar los completados"
        ar "إخفاء المنجز";
    /// Button.
    show_done: text en "Show done"
        de "Erledigte einblenden"
        fr "Afficher les éléments terminés"
        es "Mostrar los completados"
        ar "إظهار المنجز";
    /// `{n}` items that are done are not shown.
    done_hidden: plural en "{n} done hidden|{n} done hidden"
        de "{n} erledigter Eintrag ausgeblendet|{n} erledigte Einträge ausgeblendet"
        fr "{n} élément terminé masqué|{n} d’éléments terminés masqués|{n} éléments terminés masqués"
        es "{n} completado oculto|{n} de completados ocultos|{n} completados ocultos"
        ar "لا بنود منجزة مخفية|بند منجز واحد مخفي|بندان منجزان مخفيان|{n} بنود منجزة مخفية|{n} بندًا منجزًا مخفيًا|{n} بند منجز مخفي";
    /// Name of the search field.
    search_items: text en "Search items"
        de "Einträge suchen"
        fr "Rechercher des éléments"
        es "Buscar elementos"
        ar "البحث في البنود";
    /// Button.
    clear_search: text en "Clear search"
        de "Suche leeren"
        fr "Effacer la recherche"
        es "Borrar la búsqueda"
        ar "مسح البحث";
    /// A search finds nothing.
    no_matches: text en "No matches"
        de "Keine Treffer"
        fr "Aucun résultat"
        es "Sin resultados"
        ar "لا نتائج";
    /// Between the parts of “the template has changed”.
    comma: text en ", "
        de ", "
        fr ", "
        es ", "
        ar "، ";
    /// Between the names of what is still open.
    semicolon: text en "; "
        de "; "
        fr "\u{a0}; "
        es "; "
        ar "؛ ";
    /// `{names}` and `{n}` others.
    and_more: text en "{names} and {n} more"
        de "{names} und {n} weitere"
        fr "{names} et {n} de plus"
        es "{names} y {n} más"
        ar "{names} و{n} غيرها";
}
