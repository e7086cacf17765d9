//! Lists: found by every name that they have, made, changed, taken away.
//!
//! What real clients rely on, asked over a real connection.

use serde_json::json;

use crate::caller::{Caller, send};

#[test]
fn a_list_is_found_by_title_id_and_address_in_whatever_case() {
    let site = Caller::new();
    let by_title = site
        .get("/_api/web/lists/getByTitle('All%20Types')")
        .expect(200)
        .json();
    let id = by_title["Id"].as_str().expect("an id").to_owned();
    for path in [
        "/_api/Web/Lists/GetByTitle('all types')".to_owned(),
        format!("/_api/web/lists('{id}')"),
        format!("/_API/web/lists(guid'{id}')"),
        "/_api/web/GetList('/sites/demo/Lists/All Types')".to_owned(),
        "/_api/web/GetList(@u)?@u='/sites/demo/Lists/All%20Types'".to_owned(),
        "/_vti_bin/client.svc/web/lists/getbytitle('All Types')".to_owned(),
    ] {
        let found = site.get(&path).expect(200).json();
        assert_eq!(found["Id"], by_title["Id"], "{path}");
    }
    assert_eq!(by_title["EntityTypeName"], "All_x0020_TypesList");
    assert_eq!(
        by_title["ListItemEntityTypeFullName"],
        "SP.Data.All_x0020_TypesListItem"
    );
    assert_eq!(by_title["ItemCount"], 3);
}

#[test]
fn a_list_that_is_missing_says_so_with_the_numbers_of_the_service() {
    let site = Caller::new();
    let answer = site.get("/_api/web/lists/getByTitle('X')").expect(404);
    assert_eq!(
        answer.json()["odata.error"]["code"],
        "-1, System.ArgumentException"
    );
    let expected = format!(
        "List 'X' does not exist at site with URL '{}'.",
        site.server.site_url()
    );
    assert_eq!(answer.error_message(), expected);
    site.get("/_api/web/lists(guid'8246e3c1-19ea-4b22-8ae3-df9cbc150a74')")
        .expect(404);
}

#[test]
fn a_title_with_quotes_and_slashes_is_one_title_in_either_spelling() {
    let site = Caller::new();
    let title = "It's a / list & 100%";
    site.post(
        "/_api/web/lists",
        &json!({"Title": title, "BaseTemplate": 100}),
    )
    .expect(201);
    for path in [
        "/_api/web/lists/GetByTitle('It''s%20a%20/%20list%20&%20100%25')",
        "/_api/web/lists/getByTitle('It%27%27s%20a%20%2F%20list%20%26%20100%25')",
    ] {
        assert_eq!(site.get(path).expect(200).json()["Title"], title);
    }
}

#[test]
fn a_list_is_made_renamed_and_taken_away() {
    let site = Caller::new();
    let made = site
        .post(
            "/_api/web/lists",
            &json!({"Title": "New_list", "BaseTemplate": 100, "Description": "d"}),
        )
        .expect(201);
    assert_eq!(made.json()["EntityTypeName"], "New_x005f_listList");
    let again = site.post(
        "/_api/web/lists",
        &json!({"Title": "new_LIST", "BaseTemplate": 100}),
    );
    assert_eq!(again.expect(500).error_number(), "-2130575342");
    let path = "/_api/web/lists/getByTitle('New_list')";
    site.patch(path, &json!({"Title": "Renamed"})).expect(204);
    let renamed = site
        .get("/_api/web/lists/getByTitle('Renamed')")
        .expect(200)
        .json();
    // The name in addresses, and what is made of it, stay.
    assert_eq!(renamed["EntityTypeName"], "New_x005f_listList");
    site.patch(
        "/_api/web/lists/getByTitle('Renamed')",
        &json!({"Nonsense": 1}),
    )
    .expect(400);
    site.delete("/_api/web/lists/getByTitle('Renamed')")
        .expect(200);
    site.get("/_api/web/lists/getByTitle('Renamed')")
        .expect(404);
}

#[test]
fn selected_members_and_expanded_columns_are_all_that_is_answered() {
    let site = Caller::new();
    let path = "/_api/web/lists/getByTitle('Computers')?$select=Id,Fields/InternalName,Fields/TypeAsString&$expand=Fields";
    let list = site.get(path).expect(200).json();
    let names: Vec<_> = list
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    assert_eq!(names, ["Fields", "Id"]);
    let first = list["Fields"][0].as_object().expect("a column");
    assert_eq!(first.len(), 2);
    let filtered = site.get("/_api/web/lists?$filter=Hidden eq false&$select=Title&$orderby=Title");
    let titles = filtered.expect(200).json();
    assert_eq!(titles["value"][0], json!({"Title": "All Types"}));
    assert_eq!(titles["value"].as_array().map(Vec::len), Some(3));
    site.get("/_api/web/lists?$select=Nonsense").expect(400);
}

#[test]
fn the_accept_header_chooses_how_much_an_answer_says_of_itself() {
    let site = Caller::new();
    let path = "/_api/web/lists/getByTitle('All Types')/items(1)";
    let of = |accept: &str| {
        let client = reqwest::blocking::Client::new();
        send(
            client
                .get(format!("{}{path}", site.server.site_url()))
                .header("accept", accept),
        )
    };
    let verbose = of("application/json;odata=verbose").expect(200).json();
    assert_eq!(
        verbose["d"]["__metadata"]["type"],
        "SP.Data.All_x0020_TypesListItem"
    );
    assert_eq!(
        verbose["d"]["MultiChoice"]["results"],
        json!(["First", "Third"])
    );
    assert_eq!(
        verbose["d"]["Url"]["__metadata"]["type"],
        "SP.FieldUrlValue"
    );
    assert!(verbose["d"]["ContentType"]["__deferred"]["uri"].is_string());
    let minimal = of("application/json").expect(200).json();
    assert_eq!(minimal["odata.type"], "SP.Data.All_x0020_TypesListItem");
    assert_eq!(minimal["odata.etag"], "\"1\"");
    let none = of("application/json;odata=nometadata").expect(200).json();
    assert!(none.get("odata.type").is_none() && none.get("__metadata").is_none());
    assert_eq!(none["MultiChoice"], json!(["First", "Third"]));
    let atom = of("application/atom+xml");
    assert_eq!(atom.status, 406);
    for name in [
        "sprequestguid",
        "x-sharepointhealthscore",
        "microsoftsharepointteamservices",
    ] {
        assert!(!atom.header(name).is_empty(), "{name}");
    }
}

#[test]
fn the_web_says_where_it_is_and_in_which_zone() {
    let site = Caller::new();
    let query = "$select=Id,Url,RegionalSettings/*,RegionalSettings/TimeZone/*&$expand=RegionalSettings,RegionalSettings/TimeZone";
    let web = site.get(&format!("/_api/web?{query}")).expect(200).json();
    assert_eq!(web["Url"], site.server.site_url());
    let zone = &web["RegionalSettings"]["TimeZone"];
    assert_eq!(
        zone["Description"],
        "(UTC-08:00) Pacific Time (US and Canada)"
    );
    assert_eq!(
        zone["Information"],
        json!({"Bias": 480, "DaylightBias": -60, "StandardBias": 0})
    );
    assert_eq!(web["RegionalSettings"]["LocaleId"], 1033);
    let id = site.get("/_api/site/Id").expect(200).json();
    assert_eq!(id["value"].as_str().map(str::len), Some(36));
    for path in [
        "/_api/web/nowhere",
        "/_api/web/lists/nowhere(1)",
        "/_api/nowhere",
    ] {
        let answer = site.get(path).expect(404);
        assert_eq!(
            answer.json()["odata.error"]["code"],
            "-1, Microsoft.SharePoint.Client.ResourceNotFoundException",
            "{path}"
        );
    }
    site.get("/_api/web/lists/getByTitle('open").expect(400);
    site.get("/sites/elsewhere/_api/web").expect(404);
}
