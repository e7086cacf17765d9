//! The built-in pages about templates: writing, previewing, comparing, publishing, exchanging.
//!
//! Rules of drafts and comparison are tested natively in the crate of the pages.

use checklist_tests::browser::{Keys, Pages};
use checklist_tests::template::{author, fragment, item, publish, section, under};
use checklist_tests::{Server, incident};
use serde_json::{Value, json};

const PREVIEW: &str = ".preview-stage .text";
const ROWS: &str = ".outline-text";

#[test]
fn the_import_can_be_left_while_its_language_has_the_focus() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates");
    pages.is_at("Templates");
    pages.click("Import");
    pages.is_at("Import templates");
    pages.fill("Language of the texts", "de");
    pages.browser.back();
    pages.is_at("Templates");
    pages.says("Standard incident");
    pages.browser.is_untroubled();
}

#[test]
fn a_template_is_written_previewed_published_and_used() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates");
    pages.click("New template");
    pages.is_at("New template");
    pages.fill("ID", "moving");
    pages.fill("Name", "Moving house");
    pages.click("Add section");
    pages.fill("Text", "Before");
    pages.click("Done");
    pages.click("Add to “Before”");
    pages.fill("Text", "Pack the books");
    pages.click("Required");
    pages.fill("Due after", "2 days");
    pages.click("Done");
    pages.says("Required · 2 days");
    assert_eq!(pages.texts(ROWS), ["Before", "Pack the books"]);
    assert_eq!(pages.texts(PREVIEW), ["Pack the books"]);
    pages.says("Due 2 days after the start");
    pages.click("Save draft");
    pages.is_at("Moving house");
    pages.says("Draft of version 1");
    pages.click("Publish…");
    pages.says("This is the first version");
    pages.click("Publish version 1");
    pages.says("Version 1 is published");
    pages.browser.is_untroubled();

    let anna = server.editor_on(&incident("1").for_purpose("x").from_template("moving"));
    let list = anna.list();
    let book = list.item("Pack the books").clone();
    assert_eq!(
        (&book["Required"], &book["TemplateKey"]),
        (&json!(true), &json!("pack-the-books"))
    );
    // Its date begins with the first write.
    assert_eq!(book["DueOffset"], "P2D");
}

#[test]
fn what_is_wrong_is_told_at_its_field_before_anything_is_sent() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/new");
    pages.fill("ID", "wrong");
    pages.fill("Name", "Wrong");
    pages.click("Add item");
    pages.fill("Text", "One");
    pages.fill("Due after", "two days");
    pages.says("Enter a number and a unit");
    pages.click("Done");
    pages.click("Add item");
    pages.click("Done");
    pages.click("Save draft");
    pages.says("Check the marked fields");
    pages.until("document.activeElement.matches('[aria-invalid=true]')");
    author(&server)
        .get("Templates/wrong")
        .refused(404, "TemplateNotFound");
    pages.click("Remove “Untitled”");
    pages.fill("Due after", "P2D");
    pages.click("Save draft");
    pages.is_at("Wrong");
    let kept = author(&server).get("Templates/wrong").ok();
    assert_eq!(kept["Draft"]["Items"][0]["DueOffset"], "P2D");
}

#[test]
fn how_long_before_items_are_announced_is_checked_while_it_is_typed_and_kept() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "One")]));
    let pages = Pages::of_demo(&server, "/templates/of/f");
    let label = "Announce open items before they are due";
    let kept = || author(&server).get("Templates/f").ok()["Draft"]["DueNotice"].clone();
    pages.click("Settingsf");
    pages.fill(label, "P1M");
    pages.says("Enter a number and a unit");
    pages.fill(label, "P1DT12H");
    pages.says_no_longer("Enter a number and a unit");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    assert_eq!(kept(), "P1DT12H");
    pages.browser.reload();
    pages.click("Settingsf");
    pages.until(&format!(
        "{}?.value === '1 day 12 hours'",
        Pages::field(label)
    ));
    pages.fill(label, "90 minutes");
    pages.click("Save draft");
    pages
        .until("!!document.querySelector('.sr[role=status]')?.textContent.includes('Draft saved')");
    assert_eq!(kept(), "PT90M");
    pages.browser.is_untroubled();
}

#[test]
fn due_dates_are_counted_in_the_calendar_that_somebody_enters() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "One")]));
    let pages = Pages::of_demo(&server, "/templates/of/f");
    let kept = || author(&server).get("Templates/f").ok()["Draft"].clone();
    pages.click("Settingsf");
    pages.fill("Due dates count from", "Created");
    pages.click("Use a calendar for due datesItems can then be due on a day, or after working days and hours.");
    let zone = "Intl.DateTimeFormat().resolvedOptions().timeZone";
    pages.until(&format!("{}?.value === {zone}", Pages::field("Time zone")));
    pages.fill("Time zone", "Europe/Atlantis");
    // Keys of a field for a time depend on the browser's language.
    let chooses = |label: &str, time: &str| {
        pages.until(&format!(
            "(() => {{ const field = {}; field.value = '{time}'; \
             return ['input', 'change'].every((name) => field.dispatchEvent(new Event(name, {{ bubbles: true }}))); }})()",
            Pages::field(label)
        ));
    };
    chooses("Work starts at", "08:00");
    pages.fill("Holidays", "2026-12-25\nChristmas");
    pages.click("Saturday");
    pages.click("Save draft");
    pages.says("Enter both times, the end after the start.");
    pages.says("Enter one date per line");
    chooses("Work ends at", "00:00");
    pages.fill("Holidays", "2026-12-25");
    pages.click("Save draft");
    // Only the server knows every time zone.
    pages.says("Choose a time zone from the list");
    pages.fill("Time zone", "Asia/Riyadh");
    pages.click("Edit “One”");
    pages.choose("Time counts as", "Working days, due on a day");
    pages.fill("Due after", "4 hours");
    pages.says("Enter days, for example");
    pages.fill("Due after", "2 days");
    pages.says_no_longer("Enter days, for example");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    let draft = kept();
    assert_eq!(
        draft["Calendar"],
        json!({
            "TimeZone": "Asia/Riyadh",
            "WorkingDays": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
            "WorkingHours": { "Start": "08:00", "End": "24:00" }, "Holidays": ["2026-12-25"]
        })
    );
    assert_eq!(draft["DueFrom"], "Created");
    assert_eq!(draft["Items"][0]["DueCountedIn"], "WorkingDays");
    pages.says("Due 2 working days after “Created”");
    pages.browser.is_untroubled();
}

#[test]
fn a_template_without_an_id_says_so_at_its_field() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/new");
    pages.fill("Name", "Nameless");
    pages.click("Save draft");
    pages.says("This field is required.");
    pages.until("document.activeElement.id === 'template-id'");
    pages.browser.is_untroubled();
}

#[test]
fn what_the_server_refuses_is_told_at_its_field() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/new");
    pages.fill("ID", "Export");
    pages.fill("Name", "An address");
    pages.click("Save draft");
    pages.says("'Export' is an address of its own here");
    pages.until("document.activeElement.id === 'template-id'");
}

#[test]
fn rows_are_moved_by_button_and_by_key_and_keep_the_focus() {
    let server = Server::demo();
    publish(
        &server,
        &fragment(
            "f",
            [
                item("a", "A"),
                section("s", "S"),
                under("s", item("x", "X")),
            ],
        ),
    );
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.is_at("f");
    pages.click("Move “A” down");
    assert_eq!(pages.texts(ROWS), ["S", "A", "X"]);
    pages.until("__probe.active() === 'button Move “A” down'");
    pages.browser.press_with(Keys::Alt, Keys::Down);
    pages.until("[...document.querySelectorAll('.outline-text')].map((one) => one.textContent).join() === 'S,X,A'");
    pages.browser.press_with(Keys::Alt, Keys::Down);
    pages.until("!document.querySelectorAll('.outline-row')[2].matches('.inside')");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    let kept = author(&server).get("Templates/f").ok();
    let shape: Vec<(&str, bool)> = kept["Draft"]["Items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            (
                item["Key"].as_str().unwrap(),
                item.get("ParentKey").is_some(),
            )
        })
        .collect();
    assert_eq!(shape, [("s", false), ("x", true), ("a", false)]);
}

#[test]
fn a_removed_row_comes_back_with_everything_in_it() {
    let server = Server::demo();
    publish(
        &server,
        &fragment("f", [item("a", "A"), item("b", "B"), item("c", "C")]),
    );
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.is_at("f");
    pages.click("Remove “B”");
    assert_eq!(pages.texts(ROWS), ["A", "C"]);
    // Not on a button that removes, which a second press would use.
    pages.until("__probe.active() === 'button Edit “C”'");
    pages.click("Undo");
    assert_eq!(pages.texts(ROWS), ["A", "B", "C"]);
    pages.says("Version 1 is published");
}

#[test]
fn before_publishing_the_number_of_touched_lists_is_told() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    for id in ["1", "2", "3"] {
        server
            .editor_on(&incident(id).for_purpose("x").from_template("f"))
            .tick("A");
    }
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.is_at("f");
    pages.click("Edit “A”");
    pages.fill("Text", "A, with care");
    pages.click("Add item");
    pages.fill("Text", "B");
    pages.click("Save and publish…");
    pages.says("3 existing lists will offer the update");
    pages.says("1 added: “B”; 1 changed: “A, with care”");
    pages.click("Cancel");
    pages.says("Draft of version 2");
    assert_eq!(
        author(&server).get("Templates/f").ok()["Published"]["Version"],
        1
    );
    pages.publish(2);
    pages.click("Edit “A, with care”");
    pages.says("The key can no longer be changed");
}

#[test]
fn publishing_says_why_it_cannot_and_what_is_no_change() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/new");
    pages.click("Publish…");
    pages.says("Save the draft before publishing it.");
    publish(&server, &fragment("f", [item("a", "A")]));
    pages.open("/templates/of/f");
    pages.is_at("f");
    pages.click("Publish…");
    pages.says("There is nothing to publish");
    // A draft that is what was published before.
    pages.click("Save draft");
    pages.says("Draft of version 2");
    pages.click("Publish…");
    pages.says("These versions are identical");
    pages.until("![...document.querySelectorAll('dialog[open] button')].some((one) => one.textContent.includes('Publish version'))");
    pages.click("Cancel");
    assert_eq!(
        author(&server).get("Templates/f").ok()["Published"]["Version"],
        1
    );
    pages.browser.is_untroubled();
}

#[test]
fn an_error_in_the_settings_opens_them() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.is_at("f");
    pages.click("Settingsf");
    pages.fill("Name", "");
    pages.click("Settingsf");
    pages.until("!document.querySelector('.fold').open");
    pages.click("Save draft");
    pages.until("document.querySelector('.fold').open && document.activeElement.matches('[aria-invalid=true]')");
    // And the bar does not cover it.
    pages.until("document.activeElement.getBoundingClientRect().top >= document.querySelector('.save-bar').getBoundingClientRect().bottom");
    pages.browser.is_untroubled();
}

#[test]
fn the_number_of_lists_leads_to_them() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    server
        .editor_on(&incident("1").for_purpose("x").from_template("f"))
        .tick("A");
    publish(&server, &fragment("f", [item("a", "B")]));
    let pages = Pages::of_demo(&server, "/templates");
    pages.is_at("Templates");
    pages.click_of("ff", "1");
    pages.is_at("All checklists");
    pages.until("location.search === '?Template=f'");
    pages.says("version 2 available");
    pages.choose("Template update", "Available");
    pages.click("Search");
    pages.until("location.search === '?Template=f&UpdateOffered=true'");
    pages.says("version 2 available");
    pages.choose("Template update", "Up to date");
    pages.click("Search");
    pages.says("No matching checklists");
    pages.browser.is_untroubled();
}

#[test]
fn two_versions_are_compared_word_by_word() {
    let server = Server::demo();
    publish(
        &server,
        &fragment(
            "f",
            [
                item("a", "Tell the caller"),
                item("b", "B"),
                item("c", "C"),
                item("e", "E"),
            ],
        ),
    );
    publish(
        &server,
        &fragment(
            "f",
            [
                item("e", "E"),
                item("a", "Tell the duty manager"),
                item("c", "C"),
                item("d", "D"),
            ],
        ),
    );
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.is_at("f");
    pages.click("Compare versions");
    pages.is_at("Compare versions");
    pages.says("1 added, 1 changed, 1 removed, 1 moved");
    assert_eq!(pages.texts(".marked del"), ["caller"]);
    assert_eq!(pages.texts(".marked ins"), ["duty manager"]);
    pages.choose("After", "Version 1");
    pages.says("These versions are identical");
    pages.browser.is_untroubled();
}

#[test]
fn the_preview_speaks_the_language_that_is_chosen() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/of/handover");
    pages.is_at("Shift handover");
    pages.choose("Preview language", "de");
    pages.until("document.querySelector('.preview-stage h2').textContent === 'Schichtübergabe'");
    pages.click("Settingshandover");
    pages.fill("Name (de)", "Übergabe der Schicht");
    pages.until(
        "document.querySelector('.preview-stage h2').textContent === 'Übergabe der Schicht'",
    );
    pages.click("Discard changes");
    pages.says("Discard unsaved changes?");
    pages.click("Discard changes");
    pages.until("document.querySelector('.preview-stage h2').textContent === 'Schichtübergabe'");
}

#[test]
fn a_language_is_added_and_asked_for_everywhere() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    let pages = Pages::of_demo(&server, "/templates/of/f");
    pages.is_at("f");
    pages.click("Settingsf");
    pages.fill("Language tag, for example fr or de-AT", "fr");
    pages.browser.press(Keys::Enter);
    // A click does not scroll to what stands in the window, below the bar.
    pages.browser.script("scrollTo(0, 0)", &[]);
    pages.fill("Name (fr)", "Modèle");
    pages.click("Edit “A”");
    pages.fill("Text (fr)", "Un");
    pages.click("Save draft");
    pages.says("Draft of version 2");
    let draft = author(&server).get("Templates/f").ok()["Draft"].clone();
    assert_eq!(draft["Name"]["fr"], "Modèle");
    assert_eq!(draft["Items"][0]["Text"], json!({ "en": "A", "fr": "Un" }));
}

fn bundle(templates: &[Value]) -> String {
    json!({ "Templates": templates }).to_string()
}

#[test]
fn templates_are_imported_from_a_file_as_drafts() {
    let server = Server::demo();
    publish(&server, &fragment("known", [item("a", "A")]));
    let pages = Pages::of_demo(&server, "/templates/import");
    let file = bundle(&[
        fragment("known", [item("a", "B")]),
        fragment("fresh", [item("a", "A")]),
    ]);
    pages.choose_file("Choose file", "templates.json", &file);
    pages.says("new template");
    pages.says("new draft of an existing template");
    pages.click("Import 2 templates");
    pages.is_at("Templates");
    pages.click("fresh");
    pages.is_at("fresh");
    pages.says("Draft of version 1");
    let known = author(&server).get("Templates/known").ok();
    assert_eq!(known["Draft"]["Items"][0]["Text"]["en"], "B");
    assert_eq!(known["Published"]["Items"][0]["Text"]["en"], "A");
}

#[test]
fn an_example_is_previewed_in_the_readers_language_and_taken_by_the_keyboard() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/import");
    pages.choose("Language", "Deutsch");
    pages.says("Oder mit einem Beispiel beginnen");
    let focus = "[...document.querySelectorAll('.import-examples button')].find((one) => one.textContent === 'Änderung').focus();";
    pages.browser.script(focus, &[]);
    pages.browser.press(Keys::Enter);
    pages.says("neue Vorlage");
    pages.says("14 Zeilen");
    pages.browser.is_accessible_in_every_scheme("main");
    // A file that is chosen then takes the example's place.
    pages.choose_file("Datei auswählen", "move.md", "# Umzug\n- [ ] Kartons\n");
    pages.says("umzug");
    pages.says_no_longer("change-request");
    pages.browser.script(focus, &[]);
    pages.browser.press(Keys::Enter);
    pages.says("change-request");
    pages.click("1 Vorlage importieren");
    pages.is_at("Vorlagen");
    let made = author(&server).get("Templates/change-request").ok();
    assert_eq!(made["Draft"]["Items"].as_array().map(Vec::len), Some(14));
    assert_eq!(made["Draft"]["Items"][4]["SecondPerson"], true);
}

#[test]
fn a_task_list_a_table_and_a_foreign_checklist_are_previewed_imported_and_published() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/import");
    pages.choose_file("Choose file", "laptops.csv", "Text,Due\nWipe,soon\n");
    pages.says("Line 2 › Due");
    pages.says("“soon” is not an ISO 8601 duration");
    let western: &[u8] =
        b"Section;Text;Required;Due;Colour\r\nR\xfcckgabe;Seriennummer;ja;PT4H;rot\r\n;Close;no;;\r\n";
    pages.choose_file("Choose file", "Laptop return.csv", western);
    pages.says("laptop-return");
    pages.says("was read as Windows-1252");
    pages.says("The column “Colour” is not supported and is not imported.");
    pages.click("3 rows");
    pages.says("Rückgabe");
    pages.says("Required · 4 hours");
    pages.choose_file(
        "Choose file",
        "release.txt",
        "# Release\n--- Before\n* [x] Notes written\n* [x] Notes read\n*? Screenshots\n>> of every page\n",
    );
    pages.says("Lines 3–4");
    pages.says("The item is checked in the file and is imported as open.");
    pages.choose_file(
        "Choose file",
        "move.md",
        "# Moving desks\n\n## Before\n- [ ] Order boxes\n- [ ] Tell facilities\n  By mail.\n",
    );
    pages.says("moving-desks");
    pages.says("new template");
    pages.says_no_longer("Not imported as in the file");
    // The outline stays open from file to file.
    pages.says("Tell facilities");
    pages.browser.is_accessible_in_every_scheme("main");
    pages.click("Import 1 template");
    pages.is_at("Templates");
    pages.click("Moving desks");
    pages.is_at("Moving desks");
    pages.publish(1);
    let made = author(&server).get("Template/moving-desks").ok();
    let items = made["Items"].as_array().expect("items");
    let texts = items.iter().map(|item| item["Text"]["en"].as_str());
    let texts: Vec<_> = texts.flatten().collect();
    assert_eq!(texts, ["Before", "Order boxes", "Tell facilities"]);
    assert_eq!(items[2]["Help"]["en"], "By mail.");
    assert_eq!(items[1]["ParentKey"], items[0]["Key"]);
}

#[test]
fn a_dropped_file_is_imported_in_the_language_that_is_named() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/import");
    pages.drop_file(
        ".file-field",
        "trasloco.md",
        "# Trasloco\n\n- [ ] Ordinare scatole\n",
    );
    pages.says("trasloco.md");
    pages.says("new template");
    pages.fill("Language of the texts", "no such language");
    pages.browser.press(Keys::Tab);
    pages.says("The file cannot be imported.");
    // Without leaving the field first: what it says now counts.
    pages.fill("Language of the texts", "it");
    pages.browser.press(Keys::Enter);
    pages.says("new template");
    pages.fill("Language of the texts", "it-CH");
    pages.click("Import 1 template");
    pages.is_at("Templates");
    let made = author(&server).get("Templates/trasloco").ok();
    assert_eq!(made["Draft"]["Name"], json!({ "it-CH": "Trasloco" }));
    assert_eq!(
        made["Draft"]["Items"][0]["Text"],
        json!({ "it-CH": "Ordinare scatole" })
    );
}

#[test]
fn what_is_not_imported_as_it_stands_is_said_in_german() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/import");
    pages.choose("Language", "Deutsch");
    pages.says("Datei auswählen");
    pages.choose_file("Datei auswählen", "a.md", "- [x] Eins\n\nProsa.\n");
    pages.says("Zeile 1");
    pages.says("Der Eintrag ist in der Datei erledigt und wird als offen importiert.");
    pages.says("Der Text gehört zu keinem Eintrag und wird nicht importiert.");
    pages.choose_file("Datei auswählen", "a.csv", "Text;Fällig\nEins;bald\n");
    pages.says("Zeile 2 › Fällig");
    pages.says("„bald“ ist keine Dauer nach ISO 8601 wie P2D oder PT4H.");
}

#[test]
fn a_file_with_mistakes_is_refused_with_their_places() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/import");
    pages.choose_file("Choose file", "broken.json", "{ \"Templates\": [");
    pages.says("The file is not valid JSON");
    pages.choose_file("Choose file", "other.json", "{ \"Colour\": 1 }");
    pages.says("The file contains no templates");
    let twice = [item("a", "A"), item("a", "B")];
    let file = bundle(&[fragment("fine", [item("a", "A")]), fragment("twice", twice)]);
    pages.choose_file("Choose file", "twice.json", &file);
    pages.says("twice › a › Key");
    pages.says("This value appears more than once.");
    author(&server)
        .get("Templates/fine")
        .refused(404, "TemplateNotFound");
}

#[test]
fn what_an_author_may_not_have_meant_is_said_before_the_template_is_published() {
    let server = Server::demo();
    let mut draft = fragment("odd", [item("a", "Call back"), item("b", "Write it down")]);
    draft["CompletionRule"] = json!("Required");
    draft["Items"][0]["Text"] = json!({ "en": "Call back", "de": "Zurückrufen" });
    draft["Items"][1]["DueOffset"] = json!("PT0S");
    author(&server).put("Templates/odd", &draft).ok();
    let pages = Pages::of_demo(&server, "/templates/of/odd");
    pages.click("Publish…");
    pages.says("Check before publishing");
    pages.says("no item is required");
    pages.says("“Write it down” is not translated into every language.");
    pages.says("“Write it down” is due as soon as the checklist starts.");
    pages.browser.is_accessible("body", "the warnings");
    pages.click("Publish version 1");
    pages.says("Version 1");
    pages.browser.is_untroubled();
}

#[test]
fn the_rarer_actions_stay_within_a_phone_in_either_language() {
    let server = Server::demo();
    let template = "/templates/of/incident-standard";
    let pages = Pages::of_demo(&server, template);
    pages.browser.resize(320, 720);
    for (language, button) in [("en", "More actions"), ("de", "Weitere Aktionen")] {
        let set = "localStorage.setItem('checklist-language', arguments[0]);";
        pages.browser.script(set, &[json!(language)]);
        pages.open(template);
        pages.click(button);
        let list = "document.querySelector('.more-list').getBoundingClientRect()";
        pages.until(&format!("{list}.width > 0"));
        let fits = pages.value(&format!("{list}.left >= 0 && {list}.right <= 320"));
        assert_eq!(fits, json!(true), "in {language}");
    }
}

#[test]
fn a_template_is_deleted_unless_a_type_or_a_list_uses_it() {
    let server = Server::demo();
    publish(&server, &fragment("idle", [item("a", "Call back")]));
    let pages = Pages::of_demo(&server, "/templates/of/incident-standard");
    pages.click("More actions");
    pages.click("Delete template");
    pages.says("This cannot be undone.");
    pages.click_in_dialog("Delete template");
    pages.says("It cannot be deleted: a type uses it.");
    pages.open("/templates/of/idle");
    pages.click("More actions");
    pages.click("Delete template");
    pages.click_in_dialog("Delete template");
    pages.is_at("Templates");
    pages.says("Template deleted.");
    author(&server)
        .get("Template/idle")
        .refused(404, "TemplateNotFound");
}

#[test]
fn a_template_is_retired_and_offered_again_and_a_type_that_names_it_says_so() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/of/incident-standard");
    pages.click("More actions");
    pages.click("Retire…");
    pages.says("You can offer the template again at any time.");
    pages.browser.is_accessible("body", "asking to retire");
    pages.click_in_dialog("Retire template");
    pages.says("New checklists do not start from this template.");
    let list = server.editor_on(&incident("new")).list();
    assert_eq!(list.texts().len(), 0);
    pages.open("/templates");
    pages.says("Retired");
    pages.open("/types/of/incident");
    pages.says("A template of this type is retired");
    pages
        .browser
        .is_accessible("body", "a type with a retired template");
    pages.open("/");
    pages.says("These types name a retired template");
    pages.browser.is_accessible("body", "the overview warns");
    pages.click("incident");
    pages.says("A template of this type is retired");
    pages.open("/templates/of/incident-standard");
    pages.click("More actions");
    pages.click("Offer again");
    pages.says("Template is offered again.");
    pages.says_no_longer("New checklists do not start from this template.");
    assert!(!server.editor_on(&incident("new")).list().texts().is_empty());
    pages.browser.is_untroubled();
}

#[test]
fn the_answers_to_a_long_question_stay_in_sight_on_a_phone() {
    let server = Server::demo();
    let items = (0..9).map(|n| {
        let text =
            "An item without a German text, which takes several lines on the screen of a phone";
        item(&format!("k{n}"), &format!("{text}: {n}"))
    });
    let mut draft = fragment("warned", items);
    draft["Name"] = json!({ "en": "Warned", "de": "Gewarnt" });
    author(&server).put("Templates/warned", &draft).ok();
    let pages = Pages::of_demo(&server, "/templates/of/warned");
    pages.browser.resize(320, 600);
    pages.click("Publish…");
    pages.says("Check before publishing");
    let in_sight = "[...document.querySelectorAll('dialog .buttons.end button')].every((one) => {\
        const { left, right, top, bottom } = one.getBoundingClientRect();\
        return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)); })";
    let is_longer = "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('dialog'))";
    pages.until(is_longer);
    pages.until(in_sight);
    pages
        .browser
        .script("document.querySelector('dialog').scrollTo(0, 9999);", &[]);
    pages.until(in_sight);
    pages
        .browser
        .is_accessible("dialog", "a question that is longer than the window");
    pages.browser.press(Keys::Escape);
    pages.until("document.activeElement.textContent === 'Publish…'");
    pages.browser.is_untroubled();
}

#[test]
fn what_is_searched_for_outlives_a_reload_and_leads_back() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates");
    pages.says("Shift handover");
    pages.says("Server decommissioning");
    let label = "Search by name, key or ID";
    pages.fill(label, "handover");
    pages.click("Search");
    pages.until("location.search === '?Search=handover'");
    pages.says_no_longer("Server decommissioning");
    pages.browser.reload();
    pages.says("Shift handover");
    assert!(!pages.tells("Server decommissioning"));
    let field = Pages::field(label);
    assert_eq!(pages.value(&format!("{field}.value")), json!("handover"));
    pages.click("Shift handover");
    pages.is_at("Shift handover");
    pages.browser.script("history.back()", &[]);
    pages.until("location.search === '?Search=handover'");
    pages.says("Shift handover");
    assert!(!pages.tells("Server decommissioning"));
    // Before the search there was everything.
    pages.browser.script("history.back()", &[]);
    pages.says("Server decommissioning");
    assert_eq!(pages.value(&format!("{field}.value")), json!(""));
    pages.browser.is_untroubled();
}

#[test]
fn rarer_actions_close_by_keyboard_and_by_a_press_elsewhere_and_give_the_focus_back() {
    const BUTTON: &str = "document.activeElement.ariaLabel === 'More actions' && document.activeElement.ariaExpanded";
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/templates/of/incident-standard");
    let (is_open, is_closed) = (
        format!("{BUTTON} === 'true'"),
        format!("{BUTTON} === 'false'"),
    );
    let focus_is_on = |name: &str| {
        pages.until(&format!(
            "__probe.named(document.activeElement) === {}",
            json!(name)
        ));
    };
    pages.click("More actions");
    pages.until(&is_open);
    pages.browser.is_accessible("body", "rarer actions");
    pages.browser.press(Keys::Tab);
    focus_is_on("Export");
    pages.browser.press(Keys::Tab);
    focus_is_on("Retire…");
    pages.browser.press(Keys::Enter);
    pages.asks();
    assert!(!pages.tells("Export"));
    pages.browser.press(Keys::Escape);
    pages.until(&is_closed);
    pages.browser.press(Keys::Enter);
    pages.until(&is_open);
    pages.browser.press(Keys::Escape);
    pages.until(&is_closed);
    pages.browser.press(Keys::Enter);
    pages.until(&is_open);
    pages.browser.press_with(Keys::Shift, Keys::Tab);
    focus_is_on("Health");
    pages.says_no_longer("Export");
    pages.click("More actions");
    pages.until(&is_open);
    pages.browser.click("document.querySelector('main h1')");
    pages.says_no_longer("Export");
}
