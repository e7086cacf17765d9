//! An item whose status another system reports, and what a person does about it.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::waiver::END;
    /// The system `{source}` sets the status, and has not done so yet.
    signal_waits: text en "Set by {source}; no report yet"
        de "Wird von {source} gesetzt; noch keine Meldung"
        fr "Défini par {source}\u{202f}; aucun signalement pour l’instant"
        es "Lo establece {source}; aún no hay ningún aviso"
        ar "يحددها {source}؛ لا بلاغ بعد";
    /// The system `{source}` says `{status}`, as of `{when}`.
    signal_reports: text en "Reported by {source}: {status}, as of {when}"
        de "Gemeldet von {source}: {status}, Stand {when}"
        fr "Signalé par {source}\u{a0}: {status}, état au {when}"
        es "Según {source}: {status}, a fecha de {when}"
        ar "بحسب {source}: {status}، حتى {when}";
    /// The same, and since `{when}` it should have reported again.
    signal_stale: text en "Reported by {source}: {status}. Out of date since {when}"
        de "Gemeldet von {source}: {status}. Veraltet seit {when}"
        fr "Signalé par {source}\u{a0}: {status}. Périmé depuis {when}"
        es "Según {source}: {status}. Desactualizado desde {when}"
        ar "بحسب {source}: {status}. قديم منذ {when}";
    /// A person has set another status, for that `{reason}`.
    overridden_because: text en "Overridden: {reason}"
        de "Übersteuert: {reason}"
        fr "Remplacé\u{a0}: {reason}"
        es "Anulado: {reason}"
        ar "تم التجاوز: {reason}";
    /// What the system `{who}` has done to an item.
    did_report: text en "{who} reported the status"
        de "{who} hat den Status gemeldet"
        fr "{who} a signalé l’état"
        es "{who} comunicó el estado"
        ar "أبلغ {who} عن الحالة";
    /// Button: sets another status than the system says.
    override_signal: text en "Override"
        de "Übersteuern"
        fr "Remplacer"
        es "Anular"
        ar "تجاوز";
    /// Label; of the system `{source}`.
    override_reason: text en "Why override {source}?"
        de "Warum {source} übersteuern?"
        fr "Pourquoi remplacer {source}\u{202f}?"
        es "¿Por qué anular {source}?"
        ar "لماذا تتجاوز {source}؟";
}
