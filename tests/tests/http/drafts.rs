//! Drafts that several people write: nobody overwrites what they have not seen, and a draft can be
//! thrown away.
//!
//! What a draft says and what publishing does is tested in `templates`.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::template::{author, fragment, item, publish};
use checklist_tests::{Answer, Person, Server, incident};
use reqwest::Method;
use serde_json::{Value, json};

/// The tag of the template `f`, as it is.
fn tag(author: &Person) -> String {
    let tag = author.get("Templates/f").header("etag").to_owned();
    assert!(tag.starts_with('"'), "{tag:?}");
    tag
}

/// Writes the draft of `f` with one item of that text.
fn write(author: &Person, text: &str, condition: (&str, &str)) -> Answer {
    let request = author
        .request(Method::PUT, "Templates/f")
        .header(condition.0, condition.1);
    send(with_json(request, &fragment("f", [item("a", text)])))
}

fn ask(author: &Person, method: Method, path: &str, tag: &str) -> Answer {
    send(author.request(method, path).header("if-match", tag))
}

fn text_of_draft(author: &Person) -> Value {
    author.get("Templates/f").ok()["Draft"]["Items"][0]["Text"]["en"].clone()
}

#[test]
fn of_two_who_write_the_same_draft_the_later_one_is_told() {
    let server = Server::demo();
    let (anna, ben) = (author(&server), author(&server));
    write(&anna, "begun", ("if-none-match", "*")).ok();
    let (of_anna, of_ben) = (tag(&anna), tag(&ben));
    assert_eq!(of_anna, of_ben);
    let written = write(&anna, "Anna's", ("if-match", &of_anna));
    written.ok();
    write(&ben, "Ben's", ("if-match", &of_ben)).refused(412, "TemplateChanged");
    assert_eq!(text_of_draft(&anna), "Anna's");

    assert_eq!(written.header("etag"), tag(&anna), "Anna writes on");
    write(&anna, "Anna's again", ("if-match", written.header("etag"))).ok();
    write(&ben, "Ben's", ("if-match", &tag(&ben))).ok();
    assert_eq!(text_of_draft(&anna), "Ben's", "who has seen it may");
}

#[test]
fn of_two_who_make_the_same_template_one_is_the_first() {
    let server = Server::demo();
    let (anna, ben) = (author(&server), author(&server));
    write(&anna, "Anna's", ("if-none-match", "*")).ok();
    write(&ben, "Ben's", ("if-none-match", "*")).refused(412, "TemplateChanged");
    assert_eq!(text_of_draft(&anna), "Anna's");
}

#[test]
fn of_many_who_write_at_once_one_wins() {
    const WRITERS: usize = 8;
    let server = Server::demo();
    let anna = author(&server);
    write(&anna, "begun", ("if-none-match", "*")).ok();
    for round in 0..5 {
        let seen = tag(&anna);
        let answers: Vec<u16> = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    let (anna, seen) = (&anna, &seen);
                    let text = format!("round {round}, writer {writer}");
                    scope.spawn(move || write(anna, &text, ("if-match", seen)).status)
                })
                .collect();
            writers
                .into_iter()
                .map(|writer| writer.join().unwrap())
                .collect()
        });
        let count = |status| answers.iter().filter(|&&one| one == status).count();
        assert_eq!((count(200), count(412)), (1, WRITERS - 1), "{answers:?}");
    }
}

#[test]
fn nobody_publishes_what_they_have_not_seen() {
    let server = Server::demo();
    let (anna, ben) = (author(&server), author(&server));
    write(&anna, "Anna's", ("if-none-match", "*")).ok();
    let seen = tag(&anna);
    write(&ben, "Ben's", ("if-match", &seen)).ok();
    ask(&anna, Method::POST, "Templates/f/Publish", &seen).refused(412, "TemplateChanged");
    let published = ask(&anna, Method::POST, "Templates/f/Publish", &tag(&anna));
    published.ok();
    assert_eq!(published.header("etag"), tag(&anna));
    // What was published meanwhile is a change, too.
    write(&ben, "more", ("if-match", &seen)).refused(412, "TemplateChanged");
}

#[test]
fn a_draft_that_is_discarded_leaves_what_was_published() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "published")]));
    let (anna, ben) = (author(&server), author(&server));
    write(&anna, "draft", ("if-match", &tag(&anna))).ok();
    let seen = tag(&ben);
    write(&anna, "newer draft", ("if-match", &tag(&anna))).ok();
    ask(&ben, Method::DELETE, "Templates/f", &seen).refused(412, "TemplateChanged");
    let gone = send(anna.request(Method::DELETE, "Templates/f"));
    assert_eq!(gone.status, 204, "{}", gone.text());
    let history = anna.get("Templates/f").ok();
    assert!(history.get("Draft").is_none(), "{history}");
    assert_eq!(history["Published"]["Items"][0]["Text"]["en"], "published");
    send(anna.request(Method::DELETE, "Templates/f")).refused(409, "TemplatePublished");
    send(anna.request(Method::POST, "Templates/f/Publish")).refused(409, "TemplatePublished");
}

#[test]
fn a_template_that_was_never_published_is_gone_with_its_draft() {
    let server = Server::demo();
    let anna = author(&server);
    write(&anna, "draft", ("if-none-match", "*")).ok();
    let gone = send(anna.request(Method::DELETE, "Templates/f"));
    assert_eq!(gone.status, 204, "{}", gone.text());
    anna.get("Templates/f").refused(404, "TemplateNotFound");
    send(anna.request(Method::DELETE, "Templates/f")).refused(404, "TemplateNotFound");
    write(&anna, "again", ("if-none-match", "*")).ok();
}

#[test]
fn a_reader_is_told_no_tag_and_a_condition_that_says_nothing_is_refused() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    let reader = server.as_reader("Rita").on(&incident("1"));
    assert_eq!(reader.get("Templates/f").header("etag"), "");
    let anna = author(&server);
    write(&anna, "B", ("if-none-match", "\"a\"")).refused(422, "InvalidRequest");
    write(&anna, "B", ("if-match", "")).refused(412, "TemplateChanged");
    write(&anna, "B", ("if-match", "*")).ok();
    assert_eq!(text_of_draft(&anna), json!("B"));
}
