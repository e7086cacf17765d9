//! Notices: conflicts with other people, and why something was refused.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::several::END;
    /// The item's `{text}`.
    deleted: text en "“{text}” was deleted."
        de "„{text}“ wurde gelöscht."
        fr "«\u{202f}{text}\u{202f}» a été supprimé."
        es "Se eliminó «{text}»."
        ar "حُذف «{text}».";
    /// `{who}` and `{when}`.
    text_conflict: text en "{who} changed this text {when}."
        de "{who} hat diesen Text {when} geändert."
        fr "{who} a modifié ce texte {when}."
        es "{who} cambió este texto {when}."
        ar "غيّر {who} هذا النص {when}.";
    /// The person's own `{text}`.
    yours: text en "Yours: “{text}”"
        de "Eigener Text: „{text}“"
        fr "Votre texte\u{a0}: «\u{202f}{text}\u{202f}»"
        es "Texto propio: «{text}»"
        ar "نصك: «{text}»";
    /// Button.
    take_theirs: text en "Take theirs"
        de "Neuen Text übernehmen"
        fr "Prendre l’autre texte"
        es "Tomar el otro texto"
        ar "أخذ النص الآخر";
    /// Button.
    keep_mine: text en "Keep mine"
        de "Eigenen Text behalten"
        fr "Garder mon texte"
        es "Conservar el mío"
        ar "الإبقاء على نصي";
    /// `{who}` and `{when}`.
    done_by_other: text en "{who} checked this {when}."
        de "{who} hat dies {when} abgehakt."
        fr "{who} a coché cet élément {when}."
        es "{who} marcó este elemento {when}."
        ar "وضع {who} العلامة هنا {when}.";
    /// `{who}` and `{when}`.
    not_applicable_by_other: text en "{who} marked this as not applicable {when}."
        de "{who} hat dies {when} als „entfällt“ markiert."
        fr "{who} a marqué cet élément comme sans objet {when}."
        es "{who} marcó este elemento como no aplicable {when}."
        ar "جعله {who} غير منطبق {when}.";
    /// `{who}` and `{when}`.
    opened_by_other: text en "{who} unchecked this {when}."
        de "{who} hat dies {when} wieder geöffnet."
        fr "{who} a décoché cet élément {when}."
        es "{who} desmarcó este elemento {when}."
        ar "ألغى {who} إنجاز هذا البند {when}.";
    /// A tick was meant for another wording, which `{who}` has changed `{when}`.
    wording_conflict: text en "{who} changed the wording {when}. Read it again, then check it."
        de "{who} hat den Wortlaut {when} geändert. Bitte neu lesen und dann abhaken."
        fr "{who} a modifié le texte {when}. Relisez-le avant de cocher."
        es "{who} cambió el texto {when}. Vuelva a leerlo antes de marcar."
        ar "غيّر {who} الصياغة {when}. اقرأها من جديد ثم ضع العلامة.";
    /// `{who}` and `{when}`.
    changed_by_other: text en "{who} changed this {when}."
        de "{who} hat dies {when} geändert."
        fr "{who} a modifié cet élément {when}."
        es "{who} cambió este elemento {when}."
        ar "غيّر {who} هذا البند {when}.";
    /// Button: opens the field with what was typed.
    edit_again: text en "Edit again"
        de "Erneut bearbeiten"
        fr "Modifier à nouveau"
        es "Editar de nuevo"
        ar "تعديل من جديد";
    /// Somebody whose name is not known.
    somebody: text en "Somebody"
        de "Jemand"
        fr "Quelqu’un"
        es "Alguien"
        ar "شخص ما";
    /// Error.
    error_network: text en "The server cannot be reached."
        de "Der Server ist nicht erreichbar."
        fr "Le serveur ne répond pas."
        es "No se puede acceder al servidor."
        ar "تعذّر الوصول إلى الخادم.";
    /// Error.
    error_sign_in: text en "Your sign-in could not be confirmed. You may have to sign in again, for example in another tab."
        de "Ihre Anmeldung konnte nicht geprüft werden. Vielleicht müssen Sie sich neu anmelden, zum Beispiel in einem anderen Tab."
        fr "Votre connexion n’a pas pu être vérifiée. Il faut peut-être vous reconnecter, par exemple dans un autre onglet."
        es "No se pudo comprobar su sesión. Quizá deba iniciarla de nuevo, por ejemplo en otra pestaña."
        ar "تعذّر التحقق من تسجيل دخولك. قد يلزم تسجيله من جديد، في علامة تبويب أخرى مثلًا.";
    /// Error.
    error_permission: text en "You don’t have permission to make this change."
        de "Sie haben keine Berechtigung für diese Änderung."
        fr "Vous n’avez pas l’autorisation de faire cette modification."
        es "No tiene permiso para hacer este cambio."
        ar "ليس لديك إذن بإجراء هذا التغيير.";
    /// Error.
    error_not_found: text en "There is no such checklist, or you don’t have permission to view it."
        de "Diese Checkliste gibt es nicht, oder Sie haben keine Berechtigung, sie zu sehen."
        fr "Cette liste n’existe pas, ou vous ne pouvez pas la voir."
        es "Esta lista no existe o no se puede ver."
        ar "لا توجد قائمة كهذه، أو لا يمكنك رؤيتها.";
    /// Error.
    error_template_not_found: text en "There is no such template, or no version of it has been published."
        de "Diese Vorlage gibt es nicht, oder es ist noch keine Version davon veröffentlicht."
        fr "Ce modèle n’existe pas, ou aucune de ses versions n’a encore été publiée."
        es "Esta plantilla no existe o todavía no se ha publicado ninguna versión."
        ar "لا يوجد قالب كهذا، أو لم يُنشر أي إصدار منه بعد.";
    /// Error.
    error_type_not_found: text en "There is no type of this name."
        de "Einen Typ mit diesem Namen gibt es nicht."
        fr "Il n’existe aucun type de ce nom."
        es "No existe ningún tipo con este nombre."
        ar "لا يوجد نوع بهذا الاسم.";
    /// Error.
    error_item_gone: text en "This item is no longer in the checklist."
        de "Diesen Eintrag gibt es in der Checkliste nicht mehr."
        fr "Cet élément n’est plus dans la liste."
        es "Este elemento ya no está en la lista."
        ar "لم يعد هذا البند في القائمة.";
    /// Error.
    error_locked: text en "The checklist is locked."
        de "Die Checkliste ist gesperrt."
        fr "La liste est verrouillée."
        es "La lista está bloqueada."
        ar "القائمة مقفلة.";
    /// Error.
    error_limit: text en "This checklist is full."
        de "Diese Checkliste ist voll."
        fr "Cette liste est pleine."
        es "Esta lista está llena."
        ar "هذه القائمة ممتلئة.";
    /// Error.
    error_undo: text en "This can no longer be undone: the checklist has changed since."
        de "Das lässt sich nicht mehr rückgängig machen: Die Checkliste hat sich seither geändert."
        fr "Il n’est plus possible d’annuler\u{a0}: la liste a changé depuis."
        es "Ya no se puede deshacer: la lista ha cambiado desde entonces."
        ar "لم يعد التراجع ممكنًا: تغيّرت القائمة منذ ذلك الحين.";
    /// Error.
    error_moved: text en "Somebody else has moved the item meanwhile."
        de "Jemand anderes hat den Eintrag inzwischen verschoben."
        fr "Quelqu’un d’autre a déplacé l’élément entre-temps."
        es "Otra persona ha movido el elemento mientras tanto."
        ar "نقل شخص آخر البند في هذه الأثناء.";
    /// Error.
    error_second_person: text en "You did this yourself. Another person has to confirm it."
        de "Das haben Sie selbst getan. Eine andere Person muss es bestätigen."
        fr "Vous l’avez fait vous-même. Une autre personne doit le confirmer."
        es "Lo ha hecho usted. Debe confirmarlo otra persona."
        ar "قمت بهذا بنفسك. يجب أن يؤكده شخص آخر.";
    /// Error.
    error_stale: text en "The checklist has changed meanwhile. Look again."
        de "Die Checkliste hat sich inzwischen geändert. Bitte erneut prüfen."
        fr "La liste a changé entre-temps. Regardez-la à nouveau."
        es "La lista ha cambiado mientras tanto. Vuelva a mirarla."
        ar "تغيّرت القائمة في هذه الأثناء. انظر إليها من جديد.";
    /// Error; `{detail}` comes from the server.
    error_other: text en "That did not work: {detail}"
        de "Das hat nicht geklappt: {detail}"
        fr "Cela n’a pas fonctionné\u{a0}: {detail}"
        es "No ha funcionado: {detail}"
        ar "لم ينجح ذلك: {detail}";
}
