//! A newer version of the template with its review, and the preview of a template.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::announcements::END;
    /// With `{parts}` such as “2 new, 1 changed”.
    template_changed: text en "The template has changed: {parts}."
        de "Die Vorlage hat sich geändert: {parts}."
        fr "Le modèle a changé\u{a0}: {parts}."
        es "La plantilla ha cambiado: {parts}."
        ar "تغيّر القالب: {parts}.";
    /// What the host says of the object (its facts) decides which items apply. With `{parts}` as above.
    facts_changed: text en "The details of this record have changed: {parts}."
        de "Die Angaben zu diesem Vorgang haben sich geändert: {parts}."
        fr "Les informations de ce dossier ont changé\u{a0}: {parts}."
        es "Los datos de este registro han cambiado: {parts}."
        ar "تغيّرت بيانات هذا السجل: {parts}.";
    /// Button.
    review: text en "Review"
        de "Ansehen"
        fr "Examiner"
        es "Revisar"
        ar "مراجعة";
    /// Button.
    apply: text en "Apply"
        de "Übernehmen"
        fr "Appliquer"
        es "Aplicar"
        ar "تطبيق";
    /// Button.
    not_now: text en "Not now"
        de "Nicht jetzt"
        fr "Plus tard"
        es "Ahora no"
        ar "ليس الآن";
    /// Heading of the dry run.
    review_title: text en "What the new version brings"
        de "Was die neue Version bringt"
        fr "Ce qu’apporte la nouvelle version"
        es "Qué trae la nueva versión"
        ar "ما الذي يأتي به الإصدار الجديد";
    /// Case of a refresh.
    case_added: text en "New"
        de "Neu"
        fr "Nouveau"
        es "Nuevo"
        ar "جديد";
    /// Case of a refresh.
    case_changed: text en "Changed"
        de "Geändert"
        fr "Modifié"
        es "Cambiado"
        ar "مغيّر";
    /// Case of a refresh.
    case_flagged: text en "Stays checked, wording changed"
        de "Bleibt abgehakt, Wortlaut geändert"
        fr "Reste coché, texte modifié"
        es "Sigue marcado, texto cambiado"
        ar "تبقى العلامة، تغيّرت الصياغة";
    /// Case of a refresh.
    case_reopened: text en "Opened again"
        de "Wieder offen"
        fr "Rouvert"
        es "Abierto de nuevo"
        ar "فُتح من جديد";
    /// Case of a refresh.
    case_kept: text en "Your text stays"
        de "Eigener Text bleibt"
        fr "Votre texte est gardé"
        es "Se conserva su texto"
        ar "يبقى نصك";
    /// Case of a refresh.
    case_removed: text en "Removed"
        de "Entfernt"
        fr "Supprimé"
        es "Quitado"
        ar "محذوف";
    /// Case of a refresh.
    case_retired: text en "Kept, no longer in the template"
        de "Bleibt, nicht mehr in der Vorlage"
        fr "Gardé, absent du modèle"
        es "Se conserva, ya no está en la plantilla"
        ar "يبقى، لم يعد في القالب";
    /// Case of a refresh.
    case_returned: text en "Back"
        de "Zurück"
        fr "De retour"
        es "De vuelta"
        ar "عاد";
    /// Case of a refresh.
    case_moved: text en "Moved"
        de "Verschoben"
        fr "Déplacé"
        es "Movido"
        ar "منقول";
    /// `{before}` and `{after}`.
    becomes: text en "“{before}” becomes “{after}”"
        de "„{before}“ wird zu „{after}“"
        fr "«\u{202f}{before}\u{202f}» devient «\u{202f}{after}\u{202f}»"
        es "«{before}» pasa a ser «{after}»"
        ar "«{before}» يصبح «{after}»";
    /// `{text}`.
    quoted: text en "“{text}”"
        de "„{text}“"
        fr "«\u{202f}{text}\u{202f}»"
        es "«{text}»"
        ar "«{text}»";
    /// The dry run found nothing.
    nothing_new: text en "Nothing would change."
        de "Es würde sich nichts ändern."
        fr "Rien ne changerait."
        es "No cambiaría nada."
        ar "لن يتغيّر شيء.";
    /// Part of “the template has changed”.
    some_new: plural en "{n} new|{n} new"
        de "{n} neu|{n} neu"
        fr "{n} nouveau|{n} de nouveaux|{n} nouveaux"
        es "{n} nuevo|{n} de nuevos|{n} nuevos"
        ar "لا جديد|واحد جديد|اثنان جديدان|{n} جديدة|{n} جديدًا|{n} جديد";
    /// Part of “the template has changed”.
    some_changed: plural en "{n} changed|{n} changed"
        de "{n} geändert|{n} geändert"
        fr "{n} modifié|{n} de modifiés|{n} modifiés"
        es "{n} cambiado|{n} de cambiados|{n} cambiados"
        ar "لا مغيّر|واحد مغيّر|اثنان مغيّران|{n} مغيّرة|{n} مغيّرًا|{n} مغيّر";
    /// Part of “the template has changed”.
    some_removed: plural en "{n} removed|{n} removed"
        de "{n} entfernt|{n} entfernt"
        fr "{n} supprimé|{n} de supprimés|{n} supprimés"
        es "{n} quitado|{n} de quitados|{n} quitados"
        ar "لا محذوف|واحد محذوف|اثنان محذوفان|{n} محذوفة|{n} محذوفًا|{n} محذوف";
    /// Said of a template without items.
    preview_empty: text en "This template has no items."
        de "Diese Vorlage hat keine Einträge."
        fr "Ce modèle n’a pas d’éléments."
        es "Esta plantilla no tiene elementos."
        ar "لا توجد بنود في هذا القالب.";
    /// Said while a template is on its way.
    preview_loading: text en "Loading the preview…"
        de "Die Vorschau wird geladen …"
        fr "Chargement de l’aperçu…"
        es "Cargando la vista previa…"
        ar "جارٍ تحميل المعاينة…";
    /// At the head of a preview: `{n}` items.
    preview_count: plural en "Preview, {n} item|Preview, {n} items"
        de "Vorschau, {n} Eintrag|Vorschau, {n} Einträge"
        fr "Aperçu, {n} élément|Aperçu, {n} d’éléments|Aperçu, {n} éléments"
        es "Vista previa, {n} elemento|Vista previa, {n} de elementos|Vista previa, {n} elementos"
        ar "معاينة، بلا بنود|معاينة، بند واحد|معاينة، بندان|معاينة، {n} بنود|معاينة، {n} بندًا|معاينة، {n} بند";
    /// For which `{role}` an item is.
    for_role: text en "For: {role}"
        de "Für: {role}"
        fr "Pour\u{a0}: {role}"
        es "Para: {role}"
        ar "لـ: {role}";
    /// Only a person resolves the item: programs and assistants can propose a status.
    needs_person: text en "Needs a person"
        de "Nur durch Personen"
        fr "Réservé aux personnes"
        es "Requiere una persona"
        ar "يتطلب شخصًا";
    /// One person does the item, and another one confirms it.
    needs_second_person: text en "Needs a second person"
        de "Vier-Augen-Prinzip"
        fr "Exige une deuxième personne"
        es "Requiere una segunda persona"
        ar "يتطلب شخصًا ثانيًا";
    /// Due so much `{time}` after the list was made.
    due_after: text en "Due {time} after the start"
        de "Fällig {time} nach Beginn"
        fr "Échéance {time} après le début"
        es "Vence {time} después del inicio"
        ar "الموعد بعد البداية بـ {time}";
    /// Due so much `{time}` after what the host calls `{fact}`.
    due_after_fact: text en "Due {time} after “{fact}”"
        de "Fällig {time} nach „{fact}“"
        fr "Échéance {time} après «\u{a0}{fact}\u{a0}»"
        es "Vence {time} después de «{fact}»"
        ar "الموعد بعد «{fact}» بـ {time}";
    /// Part of a duration that is counted in working time.
    working_days: plural en "{n} working day|{n} working days"
        de "{n} Arbeitstag|{n} Arbeitstage"
        fr "{n} jour ouvré|{n} de jours ouvrés|{n} jours ouvrés"
        es "{n} día laborable|{n} de días laborables|{n} días laborables"
        ar "لا أيام عمل|يوم عمل واحد|يومي عمل|{n} أيام عمل|{n} يوم عمل|{n} يوم عمل";
    /// Part of a duration that is counted in working time.
    working_hours: plural en "{n} working hour|{n} working hours"
        de "{n} Arbeitsstunde|{n} Arbeitsstunden"
        fr "{n} heure ouvrée|{n} d’heures ouvrées|{n} heures ouvrées"
        es "{n} hora laborable|{n} de horas laborables|{n} horas laborables"
        ar "لا ساعات عمل|ساعة عمل واحدة|ساعتي عمل|{n} ساعات عمل|{n} ساعة عمل|{n} ساعة عمل";
    /// Part of a duration.
    years: plural en "{n} year|{n} years"
        de "{n} Jahr|{n} Jahre"
        fr "{n} an|{n} d’ans|{n} ans"
        es "{n} año|{n} de años|{n} años"
        ar "لا سنوات|سنة واحدة|سنتين|{n} سنوات|{n} سنة|{n} سنة";
    /// Part of a duration.
    months: plural en "{n} month|{n} months"
        de "{n} Monat|{n} Monate"
        fr "{n} mois|{n} de mois|{n} mois"
        es "{n} mes|{n} de meses|{n} meses"
        ar "لا أشهر|شهر واحد|شهرين|{n} أشهر|{n} شهرًا|{n} شهر";
    /// Part of a duration.
    weeks: plural en "{n} week|{n} weeks"
        de "{n} Woche|{n} Wochen"
        fr "{n} semaine|{n} de semaines|{n} semaines"
        es "{n} semana|{n} de semanas|{n} semanas"
        ar "لا أسابيع|أسبوع واحد|أسبوعين|{n} أسابيع|{n} أسبوعًا|{n} أسبوع";
    /// Part of a duration.
    days: plural en "{n} day|{n} days"
        de "{n} Tag|{n} Tage"
        fr "{n} jour|{n} de jours|{n} jours"
        es "{n} día|{n} de días|{n} días"
        ar "لا أيام|يوم واحد|يومين|{n} أيام|{n} يومًا|{n} يوم";
    /// Part of a duration.
    hours: plural en "{n} hour|{n} hours"
        de "{n} Stunde|{n} Stunden"
        fr "{n} heure|{n} d’heures|{n} heures"
        es "{n} hora|{n} de horas|{n} horas"
        ar "لا ساعات|ساعة واحدة|ساعتين|{n} ساعات|{n} ساعة|{n} ساعة";
    /// Part of a duration.
    minutes: plural en "{n} minute|{n} minutes"
        de "{n} Minute|{n} Minuten"
        fr "{n} minute|{n} de minutes|{n} minutes"
        es "{n} minuto|{n} de minutos|{n} minutos"
        ar "لا دقائق|دقيقة واحدة|دقيقتين|{n} دقائق|{n} دقيقة|{n} دقيقة";
}
