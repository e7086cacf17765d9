//! A waiver: a person lets a list pass although items are open.
//!
//! A row for each text: what it means, its name, and its wording in every language.

super::topic! {
    after super::history::END;
    /// State of a list, after its count.
    waived: text en "Waived"
        de "Ausnahme genehmigt"
        fr "Dérogation accordée"
        es "Excepción concedida"
        ar "مُنح استثناء";
    /// `{who}` and `{when}`.
    waived_by: text en "Waived by {who}, {when}"
        de "Ausnahme genehmigt von {who}, {when}"
        fr "Dérogation accordée par {who}, {when}"
        es "Excepción concedida por {who}, {when}"
        ar "منح الاستثناء {who}، {when}";
    /// Action: opens a form.
    waive: text en "Waive open items…"
        de "Ausnahme genehmigen …"
        fr "Accorder une dérogation…"
        es "Conceder una excepción…"
        ar "منح استثناء…";
    /// Action: opens a form.
    revoke_waiver: text en "Revoke waiver…"
        de "Ausnahme zurücknehmen …"
        fr "Révoquer la dérogation…"
        es "Revocar la excepción…"
        ar "إلغاء الاستثناء…";
    /// Action: ends that form.
    waive_now: text en "Waive"
        de "Genehmigen"
        fr "Accorder"
        es "Conceder"
        ar "منح";
    /// Action: ends that form.
    revoke_now: text en "Revoke"
        de "Zurücknehmen"
        fr "Révoquer"
        es "Revocar"
        ar "إلغاء";
    /// Label of the reason.
    waiver_reason: text en "Reason (visible to everyone)"
        de "Begründung (für alle sichtbar)"
        fr "Motif (visible par tous)"
        es "Motivo (visible para todos)"
        ar "السبب (يراه الجميع)";
    /// Error.
    waiver_reason_needed: text en "Enter a reason."
        de "Bitte geben Sie eine Begründung an."
        fr "Indiquez un motif."
        es "Indique un motivo."
        ar "أدخل سببًا.";
    /// Announced.
    said_waiver_revoked: text en "Waiver revoked."
        de "Ausnahme zurückgenommen."
        fr "Dérogation révoquée."
        es "Excepción revocada."
        ar "أُلغي الاستثناء.";
}
