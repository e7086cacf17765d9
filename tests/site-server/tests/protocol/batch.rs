//! Batches of both protocols: answers in order, each failure for itself.
//!
//! What real clients rely on, asked over a real connection.

use serde_json::json;

use crate::caller::{Caller, send};

#[test]
fn a_batch_with_bare_line_ends_is_answered_in_order() {
    let site = Caller::new();
    let web = site.server.site_url();
    let body = format!(
        "--batch_1\nContent-Type: multipart/mixed; boundary=\"changeset_1\"\n\n--changeset_1\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\nPOST {web}/_api/web/lists/getByTitle('Computers')/items HTTP/1.1\naccept: application/json;odata=nometadata\ncontent-type: application/json;charset=utf-8\n\n{{\"Title\":\"PC\"}}\n\n--changeset_1--\n\n--batch_1\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\nGET {web}/_api/web/lists/getByTitle('Computers')/items?$select=Title HTTP/1.1\naccept: application/json\n\n--batch_1\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\nGET {web}/_api/web/lists/getByTitle('Nowhere') HTTP/1.1\naccept: application/json\n\n--batch_1--\n"
    );
    let request = site
        .request("POST", "/_api/$batch")
        .header("content-type", "multipart/mixed; boundary=batch_1");
    let answer = send(request.body(body)).expect(200);
    let statuses: Vec<_> = answer
        .text
        .lines()
        .filter(|line| line.starts_with("HTTP/1.1 "))
        .map(str::trim)
        .collect();
    assert_eq!(
        statuses,
        [
            "HTTP/1.1 201 Created",
            "HTTP/1.1 200 OK",
            "HTTP/1.1 404 Not Found"
        ]
    );
    assert!(
        answer
            .header("content-type")
            .starts_with("multipart/mixed; boundary=batchresponse_")
    );
    assert!(answer.text.ends_with("--\r\n"));
    let seen = site.server.requests();
    assert_eq!(seen.iter().filter(|seen| seen.in_batch).count(), 3);
    assert_eq!(seen.iter().filter(|seen| !seen.in_batch).count(), 1);
    assert!(seen.iter().all(|seen| seen.user == "alice@demo.test"));
}

#[test]
fn a_batch_that_is_too_large_or_broken_is_refused_whole() {
    let site = Caller::new();
    let send_body = |body: String| {
        let request = site
            .request("POST", "/_api/$batch")
            .header("content-type", "multipart/mixed; boundary=b");
        send(request.body(body))
    };
    let part = format!(
        "--b\nContent-Type: application/http\n\nGET {}/_api/web HTTP/1.1\naccept: application/json\n\n",
        site.server.site_url()
    );
    send_body(format!("{}--b--\n", part.repeat(100))).expect(200);
    send_body(format!("{}--b--\n", part.repeat(101))).expect(400);
    send_body(part).expect(400);
}

#[test]
fn a_graph_batch_answers_by_id_and_knows_what_depends_on_what() {
    let site = Caller::new();
    let lists = site.graph_site().replacen("/v1.0", "", 1) + "/lists";
    let body = json!({"requests": [
        {"id": "1", "method": "POST", "url": format!("{lists}/Computers/items"),
            "headers": {"Content-Type": "application/json"}, "body": {"fields": {"Title": "PC"}}},
        {"id": "2", "method": "GET", "url": format!("{lists}/Nowhere")},
        {"id": "3", "method": "GET", "url": format!("{lists}/Computers"), "dependsOn": ["2"]},
        {"id": "4", "method": "GET", "url": format!("/v1.0{lists}/Computers/items/1"), "dependsOn": ["1"]}]});
    let answers = site.post("/v1.0/$batch", &body).expect(200).json();
    let statuses: Vec<_> = answers["responses"]
        .as_array()
        .expect("answers")
        .iter()
        .map(|one| one["status"].clone())
        .collect();
    assert_eq!(statuses, [201, 404, 424, 200]);
    assert_eq!(answers["responses"][3]["body"]["fields"]["Title"], "PC");
    let many: Vec<_> = (0..21)
        .map(|id| json!({"id": id.to_string(), "method": "GET", "url": "/me"}))
        .collect();
    site.post("/v1.0/$batch", &json!({"requests": many}))
        .expect(400);
}
