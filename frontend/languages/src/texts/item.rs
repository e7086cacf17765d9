//! A row: its status, who set it, its wording, its help.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::list::END;
    /// The item has to be resolved.
    required: text en "Required"
        de "Pflicht"
        fr "Obligatoire"
        es "Obligatorio"
        ar "إلزامي";
    /// The item does not count.
    optional: text en "Optional"
        de "Optional"
        fr "Facultatif"
        es "Opcional"
        ar "اختياري";
    /// Status in words.
    open: text en "Open"
        de "Offen"
        fr "À faire"
        es "Pendiente"
        ar "مفتوح";
    /// Status in words.
    done: text en "Done"
        de "Erledigt"
        fr "Fait"
        es "Hecho"
        ar "تم";
    /// Status in words.
    not_applicable: text en "Not applicable"
        de "Entfällt"
        fr "Sans objet"
        es "No aplicable"
        ar "لا ينطبق";
    /// With the `{reason}`.
    not_applicable_because: text en "Not applicable: {reason}"
        de "Entfällt: {reason}"
        fr "Sans objet\u{a0}: {reason}"
        es "No aplicable: {reason}"
        ar "لا ينطبق: {reason}";
    /// `{who}` set a status, `{when}`.
    by_at: text en "{who}, {when}"
        de "{who}, {when}"
        fr "{who}, {when}"
        es "{who}, {when}"
        ar "{who}، {when}";
    /// The assistant `{agent}` acted for `{who}`; stands for a name, also inside of a sentence.
    by_assistant: text en "{who} (by assistant {agent})"
        de "{who} (durch Assistent {agent})"
        fr "{who} (par l’assistant {agent})"
        es "{who} (mediante el asistente {agent})"
        ar "{who} (عبر المساعد {agent})";
    /// In place of the name of somebody who was erased.
    erased_person: text en "erased person"
        de "gelöschte Person"
        fr "personne effacée"
        es "persona eliminada"
        ar "شخص محذوف";
    /// A time of day inside of a sentence: `{when}`.
    at_time: text en "at {when}"
        de "um {when}"
        fr "à {when}"
        es "a las {when}"
        ar "الساعة {when}";
    /// A date with its time inside of a sentence: `{when}`.
    on_date: text en "on {when}"
        de "am {when}"
        fr "le {when}"
        es "el {when}"
        ar "في {when}";
    /// The template's wording is another one than was checked.
    changed_since: text en "Wording changed since it was checked"
        de "Wortlaut seit dem Abhaken geändert"
        fr "Texte modifié depuis la coche"
        es "El texto cambió después de marcarlo"
        ar "تغيّرت الصياغة بعد وضع العلامة";
    /// The `{text}` that was confirmed.
    attested: text en "Checked as “{text}”"
        de "Abgehakt als „{text}“"
        fr "Coché avec le texte «\u{202f}{text}\u{202f}»"
        es "Marcado como «{text}»"
        ar "وُضعت العلامة على «{text}»";
    /// The template's `{text}`, on offer.
    template_says: text en "The template says “{text}”"
        de "In der Vorlage steht „{text}“"
        fr "Le modèle dit «\u{202f}{text}\u{202f}»"
        es "La plantilla dice «{text}»"
        ar "النص في القالب «{text}»";
    /// Takes the template's text.
    use_template: text en "Use the template’s text"
        de "Text der Vorlage übernehmen"
        fr "Prendre le texte du modèle"
        es "Usar el texto de la plantilla"
        ar "استخدام نص القالب";
    /// The row's last change is not stored yet.
    unsaved: text en "not saved yet"
        de "noch nicht gespeichert"
        fr "pas encore enregistré"
        es "aún sin guardar"
        ar "لم يُحفظ بعد";
    /// Opens the help of an item.
    help: text en "Help"
        de "Hilfe"
        fr "Aide"
        es "Ayuda"
        ar "مساعدة";
    /// The same with the item's `{text}`.
    help_named: text en "Help for “{text}”"
        de "Hilfe zu „{text}“"
        fr "Aide pour «\u{202f}{text}\u{202f}»"
        es "Ayuda para «{text}»"
        ar "مساعدة حول «{text}»";
    /// At a row, for a moment: `{who}`.
    just_checked: text en "{who} checked this just now"
        de "{who} hat dies gerade abgehakt"
        fr "{who} vient de cocher ceci"
        es "{who} acaba de marcar esto"
        ar "{who} وضع العلامة هنا الآن";
    /// At a row, for a moment: `{who}`.
    just_changed: text en "{who} changed this just now"
        de "{who} hat dies gerade geändert"
        fr "{who} vient de modifier ceci"
        es "{who} acaba de cambiar esto"
        ar "{who} غيّر هذا الآن";
    /// At a row: what `{who}` proposes.
    proposes: text en "{who} proposes: {status}"
        de "{who} schlägt vor: {status}"
        fr "{who} propose\u{a0}: {status}"
        es "{who} propone: {status}"
        ar "يقترح {who}: {status}";
    /// At a row: who proposed the status that a person accepted.
    proposed: text en "Proposed by {who}: {status}"
        de "Vorgeschlagen von {who}: {status}"
        fr "Proposé par {who}\u{a0}: {status}"
        es "Propuesto por {who}: {status}"
        ar "اقترحه {who}: {status}";
    /// Button: sets the proposed status.
    accept: text en "Accept"
        de "Annehmen"
        fr "Accepter"
        es "Aceptar"
        ar "قبول";
    /// Button: removes the proposal.
    decline: text en "Decline"
        de "Ablehnen"
        fr "Refuser"
        es "Rechazar"
        ar "رفض";
    /// At a row that takes two people, and announced: one of them has done it.
    awaits_second: text en "Waiting for a second person"
        de "Wartet auf eine zweite Person"
        fr "En attente d’une deuxième personne"
        es "A la espera de una segunda persona"
        ar "في انتظار شخص ثانٍ";
    /// At such a row: who was the first, and what they have set.
    first_person: text en "First person: {who} ({status})"
        de "Erste Person: {who} ({status})"
        fr "Première personne\u{a0}: {who} ({status})"
        es "Primera persona: {who} ({status})"
        ar "الشخص الأول: {who} ({status})";
    /// Button: the second person agrees.
    confirm: text en "Confirm"
        de "Bestätigen"
        fr "Confirmer"
        es "Confirmar"
        ar "تأكيد";
    /// Button: the second person does not agree.
    send_back: text en "Send back"
        de "Zurückgeben"
        fr "Renvoyer"
        es "Devolver"
        ar "إعادة";
    /// Button: the first person withdraws.
    take_back: text en "Take back"
        de "Zurücknehmen"
        fr "Retirer"
        es "Retirar"
        ar "تراجع";
    /// Above the link to what supports a status.
    evidence: text en "Evidence"
        de "Nachweis"
        fr "Justificatif"
        es "Justificante"
        ar "الدليل";
    /// Label: the name of what supports it.
    evidence_name: text en "Name of the evidence"
        de "Name des Nachweises"
        fr "Nom du justificatif"
        es "Nombre del justificante"
        ar "اسم الدليل";
    /// Label: where what supports it is.
    evidence_url: text en "Web address"
        de "Webadresse"
        fr "Adresse web"
        es "Dirección web"
        ar "عنوان الويب";
    /// Error at the fields.
    evidence_needed: text en "This item needs evidence: a name and a web address."
        de "Dieser Eintrag braucht einen Nachweis: Name und Webadresse."
        fr "Cet élément demande un justificatif\u{202f}: un nom et une adresse web."
        es "Este elemento necesita un justificante: nombre y dirección web."
        ar "يحتاج هذا البند إلى دليل: اسم وعنوان ويب.";
    /// At the fields, where the item has stopped asking for it meanwhile.
    evidence_unneeded: text en "This item no longer needs evidence. Fill in both fields to attach it anyway, or clear them."
        de "Dieser Eintrag braucht keinen Nachweis mehr. Beide Felder ausfüllen, um ihn trotzdem anzuhängen, oder beide leeren."
        fr "Cet élément ne demande plus de justificatif. Remplissez les deux champs pour le joindre quand même, ou videz-les."
        es "Este elemento ya no necesita justificante. Rellene ambos campos para adjuntarlo de todos modos o vacíelos."
        ar "لم يعد هذا البند يحتاج إلى دليل. املأ الحقلين لإرفاقه رغم ذلك، أو أفرغهما.";
    /// In place of a field: the `{text}` that was typed into it before the item stopped asking for it.
    not_asked_any_more: text en "No longer asked for, so not saved: “{text}”"
        de "Wird nicht mehr abgefragt und daher nicht gespeichert: „{text}“"
        fr "N’est plus demandé, donc pas enregistré\u{a0}: «\u{202f}{text}\u{202f}»"
        es "Ya no se pide, por lo que no se guarda: «{text}»"
        ar "لم يعد مطلوبًا، لذا لن يُحفظ: «{text}»";
    /// Label: what was answered.
    answer: text en "Answer"
        de "Antwort"
        fr "Réponse"
        es "Respuesta"
        ar "الإجابة";
    /// Label of a number with a unit.
    answer_in: text en "Answer in {unit}"
        de "Antwort in {unit}"
        fr "Réponse en {unit}"
        es "Respuesta en {unit}"
        ar "الإجابة ({unit})";
    /// In the row of an item that was answered.
    answered: text en "Answer: {answer}"
        de "Antwort: {answer}"
        fr "Réponse\u{202f}: {answer}"
        es "Respuesta: {answer}"
        ar "الإجابة: {answer}";
    /// Menu: opens the form with the answer again.
    change_answer: text en "Change answer"
        de "Antwort ändern"
        fr "Modifier la réponse"
        es "Cambiar la respuesta"
        ar "تغيير الإجابة";
    /// Error at a field without an answer.
    answer_needed: text en "This item needs an answer."
        de "Dieser Eintrag braucht eine Antwort."
        fr "Cet élément demande une réponse."
        es "Este elemento necesita una respuesta."
        ar "يحتاج هذا البند إلى إجابة.";
    /// Error at a field for a number; which ones are accepted may follow.
    number_needed: text en "Enter a number."
        de "Bitte eine Zahl eingeben."
        fr "Saisissez un nombre."
        es "Escriba un número."
        ar "أدخل رقمًا.";
    /// Which numbers are accepted.
    from_to: text en "From {min} to {max}"
        de "Von {min} bis {max}"
        fr "De {min} à {max}"
        es "De {min} a {max}"
        ar "من {min} إلى {max}";
    /// Which numbers are accepted.
    at_least: text en "At least {min}"
        de "Mindestens {min}"
        fr "Au moins {min}"
        es "Como mínimo {min}"
        ar "{min} على الأقل";
    /// Which numbers are accepted.
    at_most: text en "At most {max}"
        de "Höchstens {max}"
        fr "Au plus {max}"
        es "Como máximo {max}"
        ar "{max} على الأكثر";
    /// Announced.
    said_declined: text en "Proposal declined."
        de "Vorschlag abgelehnt."
        fr "Proposition refusée."
        es "Propuesta rechazada."
        ar "رُفض الاقتراح.";
}
