//! The six site-list activities over HTTP, against the local site server: with a service
//! connection, with a handle, with credentials of the caller's own; who may, and what is never
//! told.

use checklist_site_server::{Kind, Options, Rule, SiteServer};
use checklist_tests::client::{field_errors, json as with_json, send};
use checklist_tests::{Answer, HostKey, Person, Server, Setup, incident, until};
use reqwest::Method;
use serde_json::{Value, json};

/// A server, a site that it may ask, an administrator and a program that runs activities.
struct World {
    server: Server,
    site: SiteServer,
    admin: Person,
    operator: Person,
}

fn world() -> World {
    world_of(Setup::for_hosts(&[
        HostKey::of("north"),
        HostKey::of("south"),
    ]))
}

fn world_of(setup: Setup) -> World {
    let site = SiteServer::start(Options::default()).expect("a site server");
    let server = setup
        .with_vault()
        .argument("--allow-origin")
        .argument(&site.origin())
        .start();
    let admin = server.as_admin().on(&incident("1")).about_sites();
    World {
        operator: program(&server, &["site-operator"]),
        admin,
        server,
        site,
    }
}

/// A program with an API key of these roles.
fn program(server: &Server, roles: &[&str]) -> Person {
    let admin = server.as_admin().on(&incident("1"));
    admin.program("Program", roles).about_sites()
}

impl World {
    /// The id of a service connection to the site, without credentials.
    fn connection(&self) -> String {
        let wish =
            json!({ "Name": "Demo site", "Method": "Anonymous", "Url": self.site.site_url() });
        let made = self.admin.send("ServiceConnections", &wish).ok();
        made["Id"].as_str().expect("an id").to_owned()
    }

    /// What stands for that connection.
    fn handle(&self) -> Value {
        let wish = json!({ "ServiceConnection": self.connection() });
        let made = self.operator.send("EstablishSiteConnection", &wish).ok();
        json!({ "Handle": made["Connection"]["Handle"] })
    }

    fn add(&self, connection: &Value, title: &str) -> i64 {
        let body = json!({ "Connection": connection, "List": "Computers",
            "Fields": [{ "Name": "Title", "Value": title }] });
        let added = self.operator.send("AddSiteItem", &body).ok();
        added["ItemId"].as_i64().expect("an id")
    }

    fn get(&self, connection: &Value, id: i64) -> Answer {
        let body = json!({ "Connection": connection, "List": "Computers", "ItemId": id });
        self.operator.send("GetSiteItem", &body)
    }
}

#[test]
fn an_item_is_added_read_found_edited_and_deleted_over_a_handle() {
    let world = world();
    let connection = world.handle();
    let id = world.add(&connection, "PC-0815");
    let read = world.get(&connection, id).ok();
    assert_eq!(read["Result"]["Title"]["Value"], "PC-0815");
    assert_eq!(read["Result"]["Title"]["InternalName"], "Title");
    assert_eq!(read["Result"]["_id"], id);
    assert_eq!(read["Result"]["_title"], "PC-0815");

    let edit = json!({ "Connection": connection, "List": { "Title": "Computers" }, "ItemId": id,
        "Fields": [{ "Name": "Title", "Value": "PC-4711" }], "ETag": read["ETag"] });
    world.operator.send("EditSiteItem", &edit).ok();
    let stale = world
        .operator
        .send("EditSiteItem", &edit)
        .refused(412, "SiteConflict");
    assert!(stale["Site"]["ETag"].is_string(), "{stale}");

    let find = json!({ "Connection": connection, "List": "Computers", "Field": "Title", "Value": "PC-4711" });
    let found = world.operator.send("GetSiteItems", &find).ok();
    assert_eq!(found["Result"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["Result"][0]["_id"], id);

    let delete = json!({ "Connection": connection, "List": "Computers", "ItemId": id });
    world.operator.send("DeleteSiteItem", &delete).ok();
    world.get(&connection, id).refused(404, "ItemNotFound");
    let everything = json!({ "Connection": connection, "List": "Computers" });
    let all = world.operator.send("GetSiteItems", &everything).ok();
    assert!(
        all["Result"]
            .as_array()
            .unwrap()
            .iter()
            .all(|item| item["_id"] != id)
    );
}

#[test]
fn a_service_connection_is_named_by_its_id_and_leads_to_its_own_site_alone() {
    let world = world();
    let id = world.connection();
    let named = json!({ "AuthenticationType": "ServiceConnection", "ServiceConnection": id, "Url": world.site.site_url() });
    let item = world.add(&named, "A");
    let bare = json!({ "ServiceConnection": id });
    world.get(&bare, item).ok();
    let elsewhere = json!({ "ServiceConnection": id, "Url": "https://evil.example/sites/demo" });
    let problem = world.get(&elsewhere, item).refused(422, "InvalidRequest");
    assert_eq!(field_errors(&problem)[0].0, "/Connection/Url");
    let unknown = json!({ "ServiceConnection": "0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f" });
    world.get(&unknown, item).refused(404, "ConnectionNotFound");
}

#[test]
fn credentials_of_the_callers_own_go_to_registered_origins_alone() {
    let world = world();
    let own = |url: &str| json!({ "Url": url, "AuthenticationType": "Anonymous", "Timeout": 5 });
    let establish = json!({ "Credentials": own(&world.site.site_url()) });
    let made = world
        .operator
        .send("EstablishSiteConnection", &establish)
        .ok();
    assert_eq!(made["Connection"]["AuthenticationType"], "Anonymous");
    assert_eq!(made["Connection"]["Timeout"], 5);
    let item = world.add(&made["Connection"], "A");
    world.get(&own(&world.site.site_url()), item).ok();
    let before = world.site.requests().len();
    for url in [
        "https://example.org/sites/demo",
        "http://127.0.0.1:1/",
        "https://169.254.169.254/",
    ] {
        let problem = world.get(&own(url), item).refused(422, "InvalidRequest");
        assert_eq!(field_errors(&problem)[0].0, "/Connection/Url", "{url}");
    }
    assert_eq!(world.site.requests().len(), before);

    let wish = json!({ "Name": "Registers its origin", "Method": "Anonymous", "Url": "https://intranet.example" });
    world.admin.send("ServiceConnections", &wish).ok();
    let answer = world.get(&own("https://intranet.example/sites/it"), item);
    assert_ne!(
        answer.json()["Code"],
        "InvalidRequest",
        "its origin is registered now"
    );
}

#[test]
fn both_ways_to_say_who_one_is_at_once_are_refused() {
    let world = world();
    let credentials = json!({ "Url": world.site.site_url(), "AuthenticationType": "Anonymous" });
    let both = json!({ "ServiceConnection": world.connection(), "Credentials": credentials });
    let problem = world
        .operator
        .send("EstablishSiteConnection", &both)
        .refused(422, "InvalidRequest");
    assert_eq!(field_errors(&problem)[0].0, "/Credentials");
    let neither = world.operator.send("EstablishSiteConnection", &json!({}));
    neither.refused(422, "InvalidRequest");
}

#[test]
fn a_handle_is_its_callers_own() {
    let world = world();
    let connection = world.handle();
    let item = world.add(&connection, "A");
    let other = program(&world.server, &["site-operator"]);
    let body = json!({ "Connection": connection, "List": "Computers", "ItemId": item });
    other
        .send("GetSiteItem", &body)
        .refused(404, "ConnectionNotFound");
    let made_up =
        json!({ "Connection": { "Handle": "sh_nonsense" }, "List": "Computers", "ItemId": item });
    world
        .operator
        .send("GetSiteItem", &made_up)
        .refused(404, "ConnectionNotFound");
}

#[test]
fn a_handle_ends_with_its_service_connection() {
    let world = world();
    let id = world.connection();
    let wish = json!({ "ServiceConnection": id });
    let made = world.operator.send("EstablishSiteConnection", &wish).ok();
    let connection = json!({ "Handle": made["Connection"]["Handle"] });
    let item = world.add(&connection, "A");
    world.admin.remove(&format!("ServiceConnections/{id}")).ok();
    world
        .get(&connection, item)
        .refused(404, "ConnectionNotFound");
}

#[test]
fn a_handle_ends_by_itself() {
    let world = world_of(
        Setup::for_hosts(&[HostKey::of("north")])
            .argument("--handle-seconds")
            .argument("2"),
    );
    let wish = json!({ "ServiceConnection": world.connection() });
    let made = world.operator.send("EstablishSiteConnection", &wish).ok();
    assert!(made["Connection"]["ExpiresAt"].is_string(), "{made}");
    let connection = json!({ "Handle": made["Connection"]["Handle"] });
    until("the handle to end", || {
        let answer = world.get(&connection, 1).json();
        (answer["Code"] == "ConnectionNotFound").then_some(())
    });
    world.get(&connection, 1).refused(404, "ConnectionNotFound");
    let another = world.operator.send("EstablishSiteConnection", &wish).ok();
    assert_ne!(another["Connection"]["Handle"], connection["Handle"]);
}

#[test]
fn activities_are_for_site_operators_and_never_for_embed_tokens() {
    let world = world();
    let wish = json!({ "ServiceConnection": world.connection() });
    let reader = program(&world.server, &["reader", "template-admin"]);
    reader
        .send("EstablishSiteConnection", &wish)
        .refused(403, "PermissionDenied");
    let host = HostKey::of("north");
    let claims = host.claims(&world.server.base_url(), "ada", &["Sites", "Admin"]);
    let page = world.admin.with_token(&host.sign(&claims));
    let problem = page
        .send("EstablishSiteConnection", &wish)
        .refused(403, "PermissionDenied");
    assert!(problem["detail"].as_str().unwrap().contains("embed tokens"));
    let operators = world.operator.get("ServiceConnections");
    operators.refused(403, "PermissionDenied");
}

#[test]
fn the_header_that_signs_in_here_never_reaches_the_site() {
    let world = world();
    let wish = json!({ "Name": "Own", "Method": "PassThrough", "Url": world.site.site_url() });
    let made = world.admin.send("ServiceConnections", &wish).ok();
    let connection = json!({ "ServiceConnection": made["Id"] });
    let body = json!({ "Connection": connection, "List": "Computers", "Fields": [{ "Name": "Title", "Value": "A" }] });
    let without = world
        .operator
        .send("AddSiteItem", &body)
        .refused(422, "InvalidConnection");
    assert!(
        without["Site"]["Hint"]
            .as_str()
            .unwrap()
            .contains("Site-Authorization")
    );

    let request = world.operator.request(Method::POST, "AddSiteItem");
    let request = request.header("site-authorization", "Bearer of-the-caller");
    let added = send(with_json(request, &body)).ok();
    assert!(added["ItemId"].is_i64());
    let users = world.site.users();
    assert!(!users.iter().any(|user| user.contains("ck_")), "{users:?}");
    let negotiate = world.operator.request(Method::POST, "AddSiteItem");
    let negotiate = negotiate.header("site-authorization", "Negotiate YII=");
    send(with_json(negotiate, &body)).refused(422, "InvalidConnection");
}

#[test]
fn what_the_site_refuses_is_told_with_what_it_said() {
    let world = world();
    let connection = world.handle();
    let body = |list: &str, field: &str, value: Value| json!({ "Connection": connection, "List": list, "Fields": [{ "Name": field, "Value": value }] });
    let problem = world
        .operator
        .send("AddSiteItem", &body("Nowhere", "Title", json!("A")));
    problem.refused(404, "ListNotFound");
    let problem = world
        .operator
        .send("AddSiteItem", &body("Computers", "Nothing", json!("A")));
    let problem = problem.refused(422, "FieldNotFound");
    assert_eq!(problem["Site"]["Field"], "Nothing");
    let problem = world
        .operator
        .send("AddSiteItem", &body("Computers", "ID", json!(7)));
    assert_eq!(problem.status, 422, "{}", problem.text());
}

#[test]
fn a_connection_is_tried_step_by_step() {
    let world = world();
    let path = format!("ServiceConnections/{}/Test", world.connection());
    let tested = world
        .admin
        .send(&path, &json!({ "List": "Computers" }))
        .ok();
    let steps: Vec<(&str, &str)> = tested["Steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| {
            (
                step["Step"].as_str().unwrap(),
                step["Outcome"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = ["Dns", "Tls", "SignIn", "Site", "List", "Write", "Columns"];
    assert_eq!(steps, expected.map(|step| (step, "Passed")));
    assert_eq!(tested["Works"], true);
    assert_eq!(tested["Steps"][3]["Finding"], "SiteThere");
    assert_eq!(tested["Steps"][3]["About"], "Demo");

    let tested = world.admin.send(&path, &json!({ "List": "Nowhere" })).ok();
    assert_eq!(tested["Works"], false);
    assert_eq!(tested["Steps"][4]["Outcome"], "Failed");
    assert_eq!(tested["Steps"][4]["Finding"], "ListNotFound");
    assert_eq!(tested["Steps"][5]["Outcome"], "Skipped");
    assert_eq!(tested["Steps"][5]["Finding"], "NotTried");

    let nobody =
        json!({ "Name": "Nobody", "Method": "Anonymous", "Url": "https://nobody.invalid/sites/x" });
    let made = world.admin.send("ServiceConnections", &nobody).ok();
    let path = format!("ServiceConnections/{}/Test", made["Id"].as_str().unwrap());
    let tested = world.admin.send(&path, &json!({})).ok();
    assert_eq!(tested["Steps"][0]["Outcome"], "Failed");
    assert_eq!(tested["Steps"][6]["Outcome"], "Skipped");
}

#[test]
fn lists_and_columns_are_there_to_choose_from() {
    let world = world();
    let path = format!("ServiceConnections/{}/Lists", world.connection());
    let lists = world.operator.get(&path).ok();
    let titles: Vec<&str> = lists["Lists"]
        .as_array()
        .unwrap()
        .iter()
        .map(|list| list["Title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["All Types", "Colours", "Computers"]);
    let computers = &lists["Lists"][2];
    assert_eq!(computers["ItemCount"], 0);
    let place = format!("{}/Lists/Computers", world.site.site_url());
    assert_eq!(computers["WebUrl"], place.as_str());

    let column = |columns: &Value, name: &str| {
        let all = columns["Columns"].as_array().unwrap();
        let found = all.iter().find(|column| column["InternalName"] == name);
        found
            .unwrap_or_else(|| panic!("{name} in {columns}"))
            .clone()
    };
    let by_id = format!("{path}/{}/Columns", computers["Id"].as_str().unwrap());
    let by_title = format!("{path}/All%20Types/Columns");
    let columns = world.operator.get(&by_id).ok();
    assert_eq!(columns["List"]["Title"], "Computers");
    let serial = column(&columns, "SerialNumber");
    assert_eq!(serial["Type"], "String");
    assert_eq!(serial["Indexed"], true);
    assert_eq!(serial["Unique"], false);
    assert_eq!(serial["Writable"], true);
    let choices = &column(&columns, "Status")["Choices"];
    assert_eq!(choices.as_array().unwrap().last().unwrap(), "Scrapped");
    let calculated = column(&world.operator.get(&by_title).ok(), "Calculated");
    assert_eq!(calculated["Writable"], false);

    let nowhere = world.operator.get(&format!("{path}/Nowhere/Columns"));
    nowhere.refused(404, "ListNotFound");
}

#[test]
fn what_there_is_to_choose_from_is_for_site_operators_of_the_tenant() {
    let world = world();
    let path = format!("ServiceConnections/{}/Lists", world.connection());
    let asked = world.site.requests().len();
    for path in [path.clone(), format!("{path}/Computers/Columns")] {
        let reader = program(&world.server, &["reader", "template-admin"]);
        reader.get(&path).refused(403, "PermissionDenied");
        let north = HostKey::of("north");
        let claims = north.claims(&world.server.base_url(), "ada", &["Sites", "Admin"]);
        let page = world.admin.with_token(&north.sign(&claims));
        page.get(&path).refused(403, "PermissionDenied");
    }
    for id in ["0199f3a0-5b1c-7d2e-8f30-4a5b6c7d8e9f", "no-guid", "%FF"] {
        let elsewhere = world
            .operator
            .get(&format!("ServiceConnections/{id}/Lists"));
        assert_eq!(elsewhere.status, 404, "{id}: {}", elsewhere.text());
    }
    assert_eq!(world.site.requests().len(), asked, "nobody asked the site");
}

#[test]
fn a_column_that_was_just_made_is_there_to_choose() {
    let world = world();
    let path = format!(
        "ServiceConnections/{}/Lists/Computers/Columns",
        world.connection()
    );
    let names = || {
        let columns = world.operator.get(&path).ok();
        let all = columns["Columns"].as_array().unwrap().clone();
        all.into_iter()
            .map(|column| column["InternalName"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert!(!names().contains(&"Location".to_owned()));
    let made = reqwest::blocking::Client::new()
        .post(format!(
            "{}/_api/web/lists/GetByTitle('Computers')/fields",
            world.site.site_url()
        ))
        .header("authorization", "Bearer alice")
        .header("accept", "application/json;odata=nometadata")
        .header("content-type", "application/json;odata=nometadata")
        .body(json!({ "Title": "Location", "FieldTypeKind": 2 }).to_string())
        .send()
        .expect("an answer");
    assert!(made.status().is_success(), "{made:?}");
    assert!(names().contains(&"Location".to_owned()));
}

#[test]
fn a_long_list_is_read_part_by_part_with_the_fields_that_are_wanted() {
    let world = world();
    let connection = world.handle();
    for number in 0..7 {
        world.add(&connection, &format!("PC-{number}"));
    }
    let mut ask = json!({ "Connection": connection, "List": "Computers", "Field": "Title",
        "Value": "PC-", "Operator": "StartsWith", "Select": ["Title"], "Top": 3 });
    let mut titles: Vec<String> = Vec::new();
    loop {
        let part = world.operator.send("GetSiteItems", &ask).ok();
        let items = part["Result"].as_array().expect("items");
        assert!(items.len() <= 3, "{part}");
        for item in items {
            let title = item["Title"]["Value"].as_str().expect("a title");
            titles.push(title.to_owned());
            assert!(item.get("Model").is_none(), "{item}");
            assert!(item["_createdBy_displayName"].is_string(), "{item}");
        }
        assert_eq!(part["Warnings"], json!([]), "{part}");
        let Some(next) = part.get("Next") else { break };
        ask["After"] = next.clone();
    }
    let all: Vec<String> = (0..7).map(|number| format!("PC-{number}")).collect();
    assert_eq!(titles, all);
    // As ever without any of it.
    let everything = json!({ "Connection": connection, "List": "Computers" });
    let all = world.operator.send("GetSiteItems", &everything).ok();
    assert_eq!(all["Result"].as_array().map(Vec::len), Some(7));
    assert!(all.get("Next").is_none(), "{all}");
    for (member, value, pointer) in [
        ("Top", json!(0), "/Top"),
        ("After", json!("x"), "/After"),
        ("Select", json!(["Title", "Nowhere"]), "/Select/1"),
        ("Operator", json!("Less"), "/Value"),
    ] {
        let mut wrong = json!({ "Connection": connection, "List": "Computers",
            "Field": "Title", "Value": "A" });
        wrong[member] = value;
        let answer = world.operator.send("GetSiteItems", &wrong);
        let problem: Value = serde_json::from_str(answer.text()).expect("a problem");
        assert_eq!(answer.status, 422, "{problem}");
        assert_eq!(problem["Errors"][0]["Pointer"], pointer, "{problem}");
    }
}

#[test]
fn an_answer_is_no_longer_than_a_part_however_long_the_list_is() {
    const ALL: i64 = 2_300;
    let world = world();
    world.site.with_site(|site| {
        let mut lists = site.lists.iter_mut();
        let list = lists.find(|list| list.title == "Computers");
        let list = list.expect("the list");
        for number in 0..ALL {
            let row = [("Title".to_owned(), json!(format!("PC-{number}")))];
            list.add(row.into_iter().collect(), 11).expect("a row");
        }
    });
    let mut ask = json!({ "Connection": world.handle(), "List": "Computers" });
    let (mut ids, mut sizes, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let answer = world.operator.send("GetSiteItems", &ask);
        let part = answer.ok();
        let items = part["Result"].as_array().expect("items");
        ids.extend(items.iter().filter_map(|item| item["_id"].as_i64()));
        sizes.push(items.len());
        lengths.push(answer.body.len());
        let Some(next) = part.get("Next") else {
            assert_eq!(part["Warnings"], json!([]), "{}", part["Warnings"]);
            break;
        };
        let warning = part["Warnings"][0].as_str().expect("a sentence");
        assert!(
            warning.contains("1000 items") && warning.contains("After"),
            "{warning}"
        );
        ask["After"] = next.clone();
    }
    assert_eq!(sizes, [1_000, 1_000, 300]);
    assert!(
        ids.is_sorted() && ids.len() == ALL as usize,
        "{}",
        ids.len()
    );
    assert!(lengths[1] < lengths[0] * 2, "{lengths:?}");
    // Whoever says how many they want is told nothing about it.
    ask["Top"] = json!(2_000);
    ask["After"] = Value::Null;
    let asked = world.operator.send("GetSiteItems", &ask).ok();
    assert_eq!(asked["Result"].as_array().map(Vec::len), Some(2_000));
    assert_eq!(asked["Warnings"], json!([]));
}

#[test]
fn a_choice_that_a_column_does_not_have_is_told_with_its_place() {
    let world = world();
    let connection = world.handle();
    let body = json!({ "Connection": connection, "List": "Computers", "Fields": [
        { "Name": "Title", "Value": "PC" }, { "Name": "Status", "Value": "On the moon" }] });
    let problem = world.operator.send("AddSiteItem", &body);
    let problem = problem.refused(422, "InvalidValue");
    assert_eq!(problem["Errors"][0]["Pointer"], "/Fields/1/Value");
    let open = json!({ "Connection": connection, "List": "All Types", "Fields": [
        { "Name": "Choice", "Value": "A fourth" }] });
    world.operator.send("AddSiteItem", &open).ok();
}

#[test]
fn an_error_inside_the_site_is_no_fault_of_the_callers() {
    let world = world();
    let connection = world.handle();
    let id = world.add(&connection, "PC");
    let mut rule = Rule::once(Kind::ServerError).containing("/items");
    rule.times = None;
    world.site.fault(rule);
    let problem = world.get(&connection, id).refused(502, "SiteFailed");
    assert_eq!(problem["Site"]["Status"], 500, "{problem}");
    assert!(problem["Site"]["RequestId"].is_string(), "{problem}");
}

#[test]
fn a_connection_whose_password_was_refused_is_not_ready() {
    let world = world();
    let mut wish = json!({ "Name": "Forms", "Method": "Forms", "Url": world.site.site_url(),
        "Username": "alice", "Password": "wrong" });
    let made = world.admin.send("ServiceConnections", &wish).ok();
    assert_eq!(made["State"], "Ready");
    let path = format!("ServiceConnections/{}", made["Id"].as_str().unwrap());
    let test = format!("{path}/Test");
    let tested = world.admin.send(&test, &json!({})).ok();
    assert_eq!(tested["Steps"][2]["Finding"], "SignInRefused", "{tested}");
    let shown = world.admin.get(&path).ok();
    assert_eq!(shown["State"], "NeedsSecret", "{shown}");
    assert!(shown["Problem"].is_string(), "{shown}");
    wish["Password"] = json!("Passw0rd!");
    wish["Revision"] = shown["Revision"].clone();
    let changed = world.admin.put(&path, &wish).ok();
    assert_eq!(changed["State"], "Ready", "{changed}");
    assert!(
        changed.get("Problem").is_none_or(Value::is_null),
        "{changed}"
    );
    let tested = world.admin.send(&test, &json!({})).ok();
    assert_eq!(tested["Works"], true, "{tested}");
    assert_eq!(world.admin.get(&path).ok()["State"], "Ready");
}

#[test]
fn a_graph_connection_with_the_sites_own_address_is_refused_when_it_is_made() {
    let world = world();
    let wish = json!({ "Name": "Graph", "Method": "Anonymous", "Protocol": "Graph",
        "Url": world.site.site_url() });
    let made = world.admin.send("ServiceConnections", &wish);
    let problem = made.refused(422, "InvalidRequest");
    assert_eq!(problem["Errors"][0]["Pointer"], "/Url");
    let why = problem["Errors"][0]["Detail"].as_str().unwrap_or_default();
    assert!(why.contains("no site of Microsoft Graph"), "{problem}");
}
