//! The comparison with recorded answers: what it finds the same, what different, what it leaves.
//!
//! The recordings here are made up; real ones lie outside of the project.

use std::fs;

use checklist_site_server::recordings;
use serde_json::{Value, json};

use crate::caller::Caller;

fn report(answers: &[(u16, String)]) -> recordings::Report {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let below = folder.path().join("Tests");
    fs::create_dir(&below).expect("a folder");
    for (number, (status, body)) in answers.iter().enumerate() {
        let file = json!({"IsSuccessStatusCode": *status < 300, "StatusCode": status, "Headers": {}, "Response": body});
        // As the files are, with a mark at the beginning.
        let text = format!("\u{feff}{file}");
        fs::write(
            below.join(format!("Test-0-{number:05}.response.json")),
            text,
        )
        .expect("a file");
    }
    recordings::compare(folder.path()).expect("a folder of recordings")
}

fn list_answer() -> Value {
    let site = Caller::new();
    site.get("/_api/web/lists/getByTitle('Computers')")
        .expect(200)
        .json()
}

#[test]
fn an_answer_of_this_very_server_is_the_same() {
    let list = list_answer();
    let item = {
        let site = Caller::new();
        site.get("/_api/web/lists/getByTitle('All Types')/items?$top=1")
            .expect(200)
            .json()
    };
    let missing = json!({"odata.error": {"code": "-1, System.ArgumentException",
        "message": {"lang": "en-US", "value": "List 'x' does not exist at site with URL 'https://h/sites/s'."}}});
    let batch = "--batchresponse_1\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--batchresponse_1--\r\n";
    let report = report(&[
        (200, list.to_string()),
        (200, item.to_string()),
        (404, missing.to_string()),
        (200, batch.to_owned()),
    ]);
    assert_eq!(report.totals(), (4, 4), "{:?}", report.differences);
}

#[test]
fn a_missing_member_another_type_and_another_number_are_told() {
    let mut missing = list_answer();
    missing["Newer"] = json!(1);
    let mut retyped = list_answer();
    retyped["ItemCount"] = json!("3");
    let error = json!({"odata.error": {"code": "-2, System.ArgumentException",
        "message": {"lang": "en-US", "value": "List 'x' does not exist at site with URL 'https://h/sites/s'."}}});
    let comments = json!({"value": [{"likeCount": 1}]});
    let report = report(&[
        (200, missing.to_string()),
        (200, retyped.to_string()),
        (404, error.to_string()),
        (200, comments.to_string()),
    ]);
    assert_eq!(report.totals(), (0, 3), "{:?}", report.differences);
    assert_eq!(report.outside.get("comments and likes"), Some(&1));
    assert!((report.share() - 0.0).abs() < f64::EPSILON);
}
