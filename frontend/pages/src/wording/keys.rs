//! Words of the pages about keys and people.
//!
//! Called through `Wording::keys`.

super::wording! {
    /// Keys and people.
    Keys {
        api_search_hint: "Name, id, maker.", "Name, ID, angelegt von.";
        embed_search_hint: "Key id, origin.", "Schlüssel-ID, Ursprung.";
        people_search_hint: "Name, subject, issuer.", "Name, Kennung, Aussteller.";
        api: "For programs", "Für Programme";
        embed: "For host platforms", "Für Plattformen";
        api_intro: "A program signs its calls with an API key. Its secret is shown once, when it is made.", "Ein Programm weist sich mit einem API-Schlüssel aus. Sein Geheimnis wird einmal gezeigt, beim Anlegen.";
        api_empty: "No API keys yet", "Noch keine API-Schlüssel";
        api_empty_hint: "Make one for each program, so that each can be revoked alone.", "Für jedes Programm einen anlegen, damit jeder einzeln widerrufen werden kann.";
        api_new: "New API key", "Neuer API-Schlüssel";
        embed_intro: "Public keys of the platforms that embed checklists. A platform signs its tokens with the private key, which stays with the platform.", "Öffentliche Schlüssel der Plattformen, die Checklisten einbetten. Die Plattform signiert ihre Token mit dem privaten Schlüssel, der bei ihr bleibt.";
        embed_empty: "No embed keys yet", "Noch keine Plattformschlüssel";
        embed_empty_hint: "Register the public key of the platform that embeds checklists.", "Den öffentlichen Schlüssel der Plattform eintragen, die Checklisten einbettet.";
        embed_new: "Register a key", "Schlüssel eintragen";
        people_intro: "Whoever signs in with the provider is known by issuer and subject, never by an e-mail address.", "Wer sich beim Anbieter anmeldet, ist an Aussteller und Kennung zu erkennen, nie an einer E-Mail-Adresse.";
        people_empty: "Nobody yet", "Noch niemand";
        people_empty_hint: "Add the people who may sign in, each with a role.", "Die Personen hinzufügen, die sich anmelden dürfen, jede mit einer Rolle.";
        people_new: "Add a person", "Person hinzufügen";
        name: "Name", "Name";
        roles: "Roles", "Rollen";
        roles_needed: "Choose at least one role.", "Mindestens eine Rolle wählen.";
        contexts: "Only for these contexts", "Nur für diese Kontexte";
        contexts_hint: "One a line as type/object/purpose, * for any. Empty: every context.", "Einer je Zeile als Typ/Objekt/Zweck, * für beliebig. Leer: alle Kontexte.";
        contexts_wrong: "Write type/object or type/object/purpose, such as incident/*/*.", "Typ/Objekt oder Typ/Objekt/Zweck schreiben, etwa incident/*/*.";
        every_context: "Every context", "Alle Kontexte";
        expires: "Ends on", "Endet am";
        expires_hint: "Empty: it does not end by itself.", "Leer: endet nicht von selbst.";
        never: "Never", "Nie";
        expired: "Ended", "Abgelaufen";
        revoked: "Revoked", "Widerrufen";
        active: "Active", "Aktiv";
        disabled: "Disabled", "Gesperrt";
        state: "State", "Stand";
        create: "Create key", "Schlüssel anlegen";
        secret_title: "The secret of “{name}”", "Das Geheimnis von „{name}“";
        secret_hint: "Copy it now. It is kept here as a fingerprint only and cannot be shown again.", "Jetzt kopieren. Hier bleibt nur ein Fingerabdruck davon; es kann nicht noch einmal gezeigt werden.";
        secret_kept: "I have kept it", "Ich habe es verwahrt";
        revoke: "Revoke", "Widerrufen";
        revoke_named: "Revoke “{name}”", "„{name}“ widerrufen";
        revoke_title: "Revoke “{name}”?", "„{name}“ widerrufen?";
        revoke_api_hint: "Programs that use it are refused within seconds. This cannot be undone.", "Programme, die ihn benutzen, werden binnen Sekunden abgewiesen. Das lässt sich nicht rückgängig machen.";
        revoke_embed_hint: "Every token signed with it is refused within seconds, and every checklist on that platform's pages with it. This cannot be undone.", "Alle damit unterschriebenen Token werden binnen Sekunden abgewiesen, und mit ihnen alle Checklisten auf den Seiten der Plattform. Das lässt sich nicht rückgängig machen.";
        revoke_now: "Revoke key", "Schlüssel widerrufen";
        revoked_now: "“{name}” is revoked.", "„{name}“ ist widerrufen.";
        kid: "Key id (kid)", "Schlüsselkennung (kid)";
        kid_hint: "What the platform writes into the head of its tokens.", "Was die Plattform in den Kopf ihrer Token schreibt.";
        public_key: "Public key", "Öffentlicher Schlüssel";
        public_key_hint: "PEM or JWK, Ed25519 or P-256. Never the private one.", "PEM oder JWK, Ed25519 oder P-256. Niemals der private.";
        origins: "Pages that may use it", "Seiten, die ihn benutzen dürfen";
        origins_hint: "One origin a line, such as https://desk.example. Empty: any page.", "Je Zeile ein Ursprung, etwa https://desk.example. Leer: jede Seite.";
        ceiling: "Allows at most", "Erlaubt höchstens";
        embed_issuer_hint: "The only issuer (iss) that its tokens may name. Empty: any.", "Der einzige Aussteller (iss), den seine Token nennen dürfen. Leer: jeder.";
        any_origin: "Any page", "Jede Seite";
        algorithm: "Algorithm", "Verfahren";
        register: "Register key", "Schlüssel eintragen";
        registered: "Key “{name}” is registered.", "Schlüssel „{name}“ ist eingetragen.";
        issuer: "Issuer", "Aussteller";
        issuer_hint: "The provider's address, exactly as it stands in its tokens.", "Die Adresse des Anbieters, genau wie in seinen Token.";
        subject: "Subject", "Kennung";
        subject_hint: "The person's unchanging id at the provider (sub).", "Die unveränderliche Kennung der Person beim Anbieter (sub).";
        may_sign_in: "May sign in", "Darf sich anmelden";
        edit: "Edit", "Bearbeiten";
        edit_named: "Edit {name}", "{name} bearbeiten";
        edit_title: "Edit a person", "Person bearbeiten";
        person_saved: "{name} is saved.", "{name} ist gespeichert.";
        actions: "Actions", "Aktionen";
        end_all: "Revoke everything…", "Alles widerrufen …";
        end_all_title: "Revoke everything that was given out in this tenant?", "Alles widerrufen, was in diesem Mandanten ausgegeben wurde?";
        end_all_hint: "Every token, session, API key and embed key is refused within seconds, yours among them. Programs and host platforms need new keys. For when a key may have leaked. This cannot be undone.", "Alle Token, Sitzungen, API-Schlüssel und Plattformschlüssel werden binnen Sekunden abgewiesen, auch die eigenen. Programme und Plattformen brauchen danach neue Schlüssel. Für den Fall, dass ein Schlüssel bekannt geworden sein könnte. Das lässt sich nicht rückgängig machen.";
        end_all_now: "Revoke everything", "Alles widerrufen";
        end_all_done: "Everything given out so far is revoked.", "Alles bisher Ausgegebene ist widerrufen.";
        role_reader: "Reader: sees lists", "Leser: sieht Listen";
        role_checker: "Checker: ticks", "Prüfer: hakt ab";
        role_editor: "Editor: edits lists", "Bearbeiter: ändert Listen";
        role_owner: "Owner: also locks lists", "Besitzer: sperrt auch Listen";
        role_auditor: "Auditor: reads the audit trail", "Revisor: liest den Prüfpfad";
        role_template_admin: "Template administrator: writes templates and types", "Vorlagenpfleger: schreibt Vorlagen und Typen";
        role_site_operator: "Site operator: runs site lists", "Site-Betreuer: führt Site-Listen";
        role_admin: "Administrator: everything", "Administrator: alles";
    }
}
