//! Traces, as a collector of the test's own gets them: OTLP over HTTP, decoded by OpenTelemetry's own
//! messages.
//!
//! Of a server that was built with the feature `opentelemetry`.

use checklist_tests::client::json as with_json;
use checklist_tests::receiver::{Receiver, Reply};
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message as _;
use reqwest::Method;
use serde_json::json;

const UPDATE: &str = "POST /api/Vendor/ChecklistControl/UpdateItems";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

fn collector() -> Receiver {
    let collector = Receiver::open();
    collector.then(Reply::Status(200));
    collector
}

/// A server that sends its spans there every so many milliseconds.
fn traced(setup: Setup, endpoint: &str, every: &str) -> Server {
    setup
        .environment("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        .environment("OTEL_BSP_SCHEDULE_DELAY", every)
        .start()
}

fn for_a_host() -> Setup {
    Setup::for_hosts(&[HostKey::of("north")])
}

fn erin(server: &Server) -> Person {
    server.editor_on(&incident("INC-SECRET").for_purpose("x"))
}

fn batches(collector: &Receiver) -> Vec<ExportTraceServiceRequest> {
    let received = collector.received();
    let decoded = received.iter().map(|batch| {
        assert_eq!(batch.path, "/v1/traces");
        ExportTraceServiceRequest::decode(&*batch.body).expect("what OTLP has for traces")
    });
    decoded.collect()
}

fn spans(collector: &Receiver) -> Vec<Span> {
    let resources = batches(collector)
        .into_iter()
        .flat_map(|b| b.resource_spans);
    let scopes = resources.flat_map(|resource| resource.scope_spans);
    scopes.flat_map(|scope| scope.spans).collect()
}

#[track_caller]
fn span(collector: &Receiver, name: &str) -> Span {
    until(name, || {
        spans(collector).into_iter().find(|span| span.name == name)
    })
}

fn attribute(span: &Span, key: &str) -> String {
    let found = span.attributes.iter().find(|one| one.key == key);
    found.map_or(String::new(), |one| format!("{:?}", one.value))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_request_goes_on_with_the_callers_trace_and_says_where_its_time_went() {
    let collector = collector();
    let server = traced(for_a_host(), &collector.origin, "50");
    let erin = erin(&server);
    let id = erin.add("Call back");
    let tick = json!({ "Context": incident("INC-SECRET").for_purpose("x").context(), "Items": [{ "Id": id, "Status": "Done" }] });
    let request = erin
        .request(Method::POST, "UpdateItems")
        .header("traceparent", format!("00-{TRACE}-{PARENT}-01"));
    let answer = checklist_tests::client::send(with_json(request, &tick));
    assert_eq!(answer.status, 200);

    let request = span(&collector, UPDATE);
    assert_eq!(hex(&request.trace_id), TRACE);
    assert_eq!(hex(&request.parent_span_id), PARENT);
    assert_eq!(request.kind(), SpanKind::Server);
    assert!(attribute(&request, "http.response.status_code").contains("200"));
    let logged = answer.header("x-request-id");
    assert!(attribute(&request, "checklist.request_id").contains(logged));
    let writing = until("the part of the store", || {
        let mut parts = spans(&collector).into_iter();
        parts.find(|part| part.parent_span_id == request.span_id)
    });
    assert_eq!(writing.name, "write a list");
    assert_eq!(hex(&writing.trace_id), TRACE);
    assert!(writing.start_time_unix_nano >= request.start_time_unix_nano);
    assert!(writing.end_time_unix_nano <= request.end_time_unix_nano);
}

#[test]
fn a_refusal_is_named_by_its_code() {
    let collector = collector();
    let server = traced(for_a_host(), &collector.origin, "50");
    let stranger = erin(&server).with_token("nonsense");
    assert_eq!(stranger.call("GetItems", json!({})).status, 401);
    let request = span(&collector, "POST /api/Vendor/ChecklistControl/GetItems");
    assert!(attribute(&request, "http.response.status_code").contains("401"));
    assert!(attribute(&request, "error.type").contains("Unauthenticated"));
}

#[test]
fn no_span_holds_what_a_request_was_about() {
    let collector = collector();
    let server = traced(for_a_host(), &collector.origin, "50");
    let erin = erin(&server);
    erin.add("Text of an item");
    let answer = erin.get("Types/hidden-name?secret=hidden-query");
    assert_ne!(answer.status, 200);
    span(&collector, "GET /api/Vendor/ChecklistControl/Types/{name}");
    let told = format!("{:?}", batches(&collector));
    for hidden in [
        "INC-SECRET",
        "Text of an item",
        "Erin Editor",
        "north",
        "hidden-name",
        "hidden-query",
        "authorization",
        "Bearer",
    ] {
        assert!(!told.contains(hidden), "{hidden} is in {told}");
    }
    assert!(told.contains("checklist-server"), "the service is named");
}

#[test]
fn the_last_spans_are_sent_before_the_server_ends() {
    let collector = collector();
    // Nothing is sent by itself for a day.
    let mut server = traced(for_a_host(), &collector.origin, "86400000");
    erin(&server).add("Call back");
    assert!(collector.received().is_empty());
    server.stop();
    span(&collector, "POST /api/Vendor/ChecklistControl/AddItems");
}

#[test]
fn a_collector_that_is_not_there_costs_nobody_an_answer() {
    let nobody = checklist_tests::setup::free_address();
    let mut server = traced(for_a_host(), &format!("http://{nobody}"), "10");
    let erin = erin(&server);
    for n in 0..20 {
        erin.add(&format!("Item {n}"));
    }
    until("the log to say so", || {
        server.errors().contains("opentelemetry").then_some(())
    });
    assert_eq!(erin.list().items().len(), 20);
    server.stop();
}

#[test]
fn whoever_is_asked_is_not_told_of_the_trace() {
    let (collector, receiver) = (collector(), Receiver::open());
    let setup = for_a_host().with_vault();
    let setup = setup.argument("--allow-origin").argument(&receiver.origin);
    let server = traced(setup, &collector.origin, "50");
    let admin = server
        .as_admin()
        .on(&incident("INC-SECRET").for_purpose("x"));
    let wish = json!({ "Name": "Desk", "Url": receiver.url(), "Events": ["checklist.completed"] });
    admin.about_webhooks().send("", &wish).ok();
    admin.add("Call back");
    admin.tick("Call back");
    let told = &receiver.waits_for(1)[0];
    let names: Vec<&str> = told.headers.keys().map(|name| name.as_str()).collect();
    assert!(!names.contains(&"traceparent") && !names.contains(&"tracestate"));

    let asked = span(&collector, "POST");
    assert_eq!(asked.kind(), SpanKind::Client);
    assert!(attribute(&asked, "server.address").contains("127.0.0.1"));
    let delivery = span(&collector, "deliver to a webhook");
    assert_eq!(asked.parent_span_id, delivery.span_id);
}
