//! Words of the pages about keys and people.
//!
//! Called through `Wording::keys`.

super::wording! {
    /// Keys and people.
    Keys {
        api_search_hint: "Search by name, ID or creator.", "Nach Name, ID oder Ersteller suchen.";
        embed_search_hint: "Search by key ID or allowed origin.", "Nach Schlüssel-ID oder erlaubtem Ursprung suchen.";
        people_search_hint: "Search by name, subject or issuer.", "Nach Name, Kennung oder Aussteller suchen.";
        api: "API keys", "API-Schlüssel";
        embed: "Embed keys", "Plattformschlüssel";
        api_intro: "Programs authenticate with API keys. The secret of a key is shown once, when you create it.", "Programme authentifizieren sich mit API-Schlüsseln. Das Geheimnis eines Schlüssels wird nur einmal angezeigt, beim Anlegen.";
        api_empty: "No API keys yet", "Noch keine API-Schlüssel";
        api_empty_hint: "Create one key for each program, so that you can revoke them individually.", "Legen Sie für jedes Programm einen eigenen Schlüssel an, damit Sie ihn einzeln widerrufen können.";
        api_new: "New API key", "Neuer API-Schlüssel";
        embed_intro: "Public keys of the platforms that embed checklists. A platform signs its tokens with the private key, which never leaves the platform.", "Öffentliche Schlüssel der Plattformen, die Checklisten einbetten. Eine Plattform signiert ihre Token mit dem privaten Schlüssel, der sie nie verlässt.";
        embed_empty: "No embed keys yet", "Noch keine Plattformschlüssel";
        embed_empty_hint: "Register the public key of the platform that embeds checklists.", "Registrieren Sie den öffentlichen Schlüssel der Plattform, die Checklisten einbettet.";
        embed_new: "Register key", "Schlüssel registrieren";
        people_intro: "People who sign in with the identity provider are identified by issuer and subject, never by e-mail address.", "Wer sich über den Identitätsanbieter anmeldet, wird an Aussteller und Kennung erkannt, nie an der E-Mail-Adresse.";
        people_empty: "No people yet", "Noch keine Personen";
        people_empty_hint: "Add the people who may sign in, and give each a role.", "Fügen Sie die Personen hinzu, die sich anmelden dürfen, und geben Sie jeder eine Rolle.";
        people_new: "Add person", "Person hinzufügen";
        name: "Name", "Name";
        roles: "Roles", "Rollen";
        roles_needed: "Select at least one role.", "Wählen Sie mindestens eine Rolle aus.";
        contexts: "Allowed contexts", "Erlaubte Kontexte";
        contexts_hint: "One per line, as type/object/purpose; * matches any. Leave empty for all contexts.", "Einer pro Zeile, als Typ/Objekt/Zweck; * steht für beliebig. Leer gilt der Schlüssel für alle Kontexte.";
        contexts_wrong: "Use type/object or type/object/purpose, for example incident/*/*.", "Verwenden Sie Typ/Objekt oder Typ/Objekt/Zweck, zum Beispiel incident/*/*.";
        every_context: "All contexts", "Alle Kontexte";
        expires: "Expires", "Gültig bis";
        expires_hint: "Leave empty if the key should not expire.", "Leer läuft der Schlüssel nicht ab.";
        never: "Never", "Unbegrenzt";
        expired: "Expired", "Abgelaufen";
        revoked: "Revoked", "Widerrufen";
        active: "Active", "Aktiv";
        disabled: "Disabled", "Gesperrt";
        state: "Status", "Status";
        create: "Create key", "Schlüssel anlegen";
        secret_title: "Secret for “{name}”", "Geheimnis für „{name}“";
        secret_hint: "Copy this secret now. You won't be able to see it again.", "Kopieren Sie das Geheimnis jetzt. Es wird nicht noch einmal angezeigt.";
        secret_kept: "Done", "Fertig";
        revoke: "Revoke", "Widerrufen";
        revoke_named: "Revoke “{name}”", "„{name}“ widerrufen";
        revoke_title: "Revoke “{name}”?", "„{name}“ widerrufen?";
        revoke_api_hint: "Programs that use this key lose access within seconds. This cannot be undone.", "Programme mit diesem Schlüssel verlieren binnen Sekunden den Zugriff. Das lässt sich nicht rückgängig machen.";
        revoke_embed_hint: "All tokens signed with this key stop working within seconds, and so do the checklists on the platform's pages. This cannot be undone.", "Alle mit diesem Schlüssel signierten Token werden binnen Sekunden ungültig, und damit auch die Checklisten auf den Seiten der Plattform. Das lässt sich nicht rückgängig machen.";
        revoke_now: "Revoke key", "Schlüssel widerrufen";
        revoked_now: "“{name}” was revoked.", "„{name}“ wurde widerrufen.";
        kid: "Key ID (kid)", "Schlüssel-ID (kid)";
        kid_hint: "The kid header of the platform's tokens.", "Der kid-Header in den Token der Plattform.";
        public_key: "Public key", "Öffentlicher Schlüssel";
        public_key_hint: "PEM or JWK, Ed25519 or P-256. Never paste the private key.", "PEM oder JWK, Ed25519 oder P-256. Niemals den privaten Schlüssel einfügen.";
        origins: "Allowed origins", "Erlaubte Ursprünge";
        origins_hint: "One per line, for example https://desk.example. Leave empty to allow any origin.", "Einer pro Zeile, zum Beispiel https://desk.example. Leer sind alle Ursprünge erlaubt.";
        ceiling: "Maximum roles", "Maximale Rollen";
        embed_issuer_hint: "The issuer (iss) that tokens must have. Leave empty to accept any.", "Der Aussteller (iss), den die Token haben müssen. Leer wird jeder akzeptiert.";
        any_origin: "Any origin", "Alle Ursprünge";
        algorithm: "Algorithm", "Verfahren";
        registered: "Key “{name}” was registered.", "Schlüssel „{name}“ wurde registriert.";
        issuer: "Issuer", "Aussteller";
        issuer_hint: "The address of the identity provider, exactly as in the iss claim of its tokens.", "Die Adresse des Identitätsanbieters, genau wie im iss-Claim seiner Token.";
        subject: "Subject", "Kennung";
        subject_hint: "The person's permanent ID at the provider (sub).", "Die dauerhafte Kennung der Person beim Anbieter (sub).";
        may_sign_in: "Can sign in", "Darf sich anmelden";
        edit: "Edit", "Bearbeiten";
        edit_named: "Edit {name}", "{name} bearbeiten";
        edit_title: "Edit person", "Person bearbeiten";
        person_saved: "{name} was saved.", "{name} wurde gespeichert.";
        actions: "Actions", "Aktionen";
        end_all: "Revoke all…", "Alle widerrufen …";
        end_all_title: "Revoke all credentials of this tenant?", "Alle Zugangsdaten dieses Mandanten widerrufen?";
        end_all_hint: "All tokens, sessions, API keys and embed keys stop working within seconds, including yours. Programs and platforms will need new keys. Use this if a key may have been leaked. This cannot be undone.", "Alle Token, Sitzungen, API-Schlüssel und Plattformschlüssel werden binnen Sekunden ungültig, auch Ihre eigenen. Programme und Plattformen brauchen danach neue Schlüssel. Gedacht für den Fall, dass ein Schlüssel bekannt geworden ist. Das lässt sich nicht rückgängig machen.";
        end_all_now: "Revoke all", "Alle widerrufen";
        end_all_done: "All credentials issued so far were revoked.", "Alle bisher ausgegebenen Zugangsdaten wurden widerrufen.";
        role_reader: "Reader: views checklists", "Leser: sieht Checklisten";
        role_checker: "Checker: checks items off", "Prüfer: hakt Punkte ab";
        role_editor: "Editor: edits checklists", "Bearbeiter: ändert Checklisten";
        role_owner: "Owner: also locks checklists", "Besitzer: sperrt auch Checklisten";
        role_auditor: "Auditor: views the audit trail", "Revisor: sieht den Prüfpfad ein";
        role_template_admin: "Template administrator: manages templates and types", "Vorlagenverwalter: verwaltet Vorlagen und Typen";
        role_site_operator: "Site operator: manages site lists", "Site-Betreuer: verwaltet Site-Listen";
        role_admin: "Administrator: can do everything", "Administrator: darf alles";
    }
}
