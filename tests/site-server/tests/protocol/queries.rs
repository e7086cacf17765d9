//! Queries: filters, order, pages, what lies behind a link, and the limits.
//!
//! What real clients rely on, asked over a real connection.

use checklist_site_server::Options;
use serde_json::{Value, json};

use crate::caller::Caller;

const ALL: &str = "/_api/web/lists/getByTitle('All Types')/items";
const COMPUTERS: &str = "/_api/web/lists/getByTitle('Computers')/items";

fn titles(site: &Caller, query: &str) -> Vec<String> {
    let answer = site.get(&format!("{ALL}?{query}")).expect(200).json();
    let rows = answer["value"].as_array().cloned().unwrap_or_default();
    let title = |row: &Value| row["Title"].as_str().unwrap_or_default().to_owned();
    rows.iter().map(title).collect()
}

#[test]
fn filters_are_answered_in_every_spelling() {
    let site = Caller::new();
    for query in [
        "$filter=Title eq 'Everything'",
        "%24filter=Title+eq+%27everything%27",
        "$filter=Id eq 1 and Number gt 1",
        "$filter=startswith(Title,'Every') or substringof('nosuch',Title)",
        "$filter=Bool eq 1",
        "$filter=UserId eq 11",
        "$filter=User/Title eq 'Alice Archer'&$expand=User&$select=Title,User/Title",
        "$filter=Text eq 'It''s a / text'",
        "$filter=DateTime eq datetime'2026-01-02T03:04:05Z'",
        "$filter=DateTime ge '2026-01-01T00:00:00Z' and year(DateTime) eq 2026",
        "$filter=MultiChoice eq 'Third'",
        "$filter=OData__SpecialField eq 'special'",
    ] {
        assert_eq!(titles(&site, query), ["Everything"], "{query}");
    }
    assert_eq!(titles(&site, "$filter=Number eq null"), ["Nothing"]);
    assert_eq!(
        titles(&site, "$orderby=Title desc"),
        ["Zero", "Nothing", "Everything"]
    );
}

#[test]
fn a_filter_that_makes_no_sense_is_refused_with_400() {
    let site = Caller::new();
    for query in [
        "$filter=Title eq 'a'b'",
        "$filter=Nonsense eq 1",
        "$filter=endswith(Title,'x')",
        "$filter=tolower(Title) eq 'x'",
        "$filter=User/Title eq 'x'",
        "$filter=LookupMulti/Title eq 'x'&$expand=LookupMulti&$select=LookupMulti/Title",
        "$filter=Term eq 'x'",
        "$filter=Note eq 'x'",
        "$select=Nonsense",
        "$select=User",
        "$expand=User&$select=User",
        "$top=many",
        "$skiptoken=nonsense",
        "$orderby=Nonsense",
    ] {
        let answer = site.get(&format!("{ALL}?{query}"));
        assert_eq!(answer.status, 400, "{query} {}", answer.text);
    }
    let unknown = site.get(&format!("{ALL}?$select=X"));
    assert_eq!(
        unknown.error_message(),
        "The field or property 'X' does not exist."
    );
    assert_eq!(
        unknown.json()["odata.error"]["code"],
        "-1, Microsoft.SharePoint.Client.InvalidClientQueryException"
    );
}

#[test]
fn the_twelve_standard_values_come_with_one_request() {
    let site = Caller::new();
    let query = "$select=*,EncodedAbsUrl,FileLeafRef,LinkFilename,Author/Title,Author/EMail,Editor/Title,Editor/EMail&$expand=Author,Editor";
    let item = site.get(&format!("{ALL}(1)?{query}")).expect(200).json();
    assert_eq!(item["FileLeafRef"], "1_.000");
    assert_eq!(
        item["Author"],
        json!({"Title": "Alice Archer", "EMail": "alice@demo.test"})
    );
    assert_eq!(item["AuthorId"], 11);
    let url = item["EncodedAbsUrl"].as_str().unwrap_or_default();
    assert!(
        url.ends_with("/sites/demo/Lists/All%20Types/1_.000"),
        "{url}"
    );
    let group = site.get(&format!(
        "{ALL}(1)?$select=UserMulti/Title,UserMulti/ContentTypeDisp&$expand=UserMulti"
    ));
    assert_eq!(
        group.expect(200).json()["UserMulti"][1]["ContentTypeDisp"],
        "SharePointGroup"
    );
}

#[test]
fn pages_are_followed_by_their_links_to_the_end() {
    let site = Caller::new();
    for number in 0..7 {
        site.new_computer(&format!("PC {}", number % 3));
    }
    let all = |query: &str| {
        let mut ids = Vec::new();
        let mut pages = 0;
        let mut next = Some(format!("{COMPUTERS}?{query}"));
        while let Some(path) = next {
            let page = site.get(&path).expect(200).json();
            ids.extend(
                page["value"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|row| row["Id"].as_u64()),
            );
            next = page["odata.nextLink"].as_str().map(str::to_owned);
            pages += 1;
        }
        (ids, pages)
    };
    assert_eq!(all("$top=3&$select=Id"), ((1..=7).collect(), 3));
    assert_eq!(all("$top=7"), ((1..=7).collect(), 1));
    assert_eq!(
        all("$top=2&$orderby=Title desc"),
        (vec![3, 6, 2, 5, 1, 4, 7], 4)
    );
    let first = site.get(&format!("{COMPUTERS}?$top=2&$select=Id")).json();
    let link = first["odata.nextLink"].as_str().unwrap_or_default();
    assert!(
        link.contains("items?%24skiptoken=Paged%3dTRUE%26p_ID%3d2&%24top=2&%24select=Id"),
        "{link}"
    );
}

#[test]
fn beyond_the_threshold_only_an_index_helps() {
    let site = Caller::of(Options {
        threshold: 5,
        ..Options::default()
    });
    for number in 0..8 {
        site.new_computer(&format!("PC {number}"));
    }
    let status = |query: &str| site.get(&format!("{COMPUTERS}?{query}")).status;
    let refused = site
        .get(&format!("{COMPUTERS}?$filter=Model eq 'x'"))
        .expect(500);
    assert_eq!(
        refused.json()["odata.error"]["code"],
        "-2147024860, Microsoft.SharePoint.SPQueryThrottledException"
    );
    assert_eq!(status("$orderby=Model"), 500);
    assert_eq!(status("$top=100"), 200, "by id nothing is looked for");
    assert_eq!(
        status("$filter=SerialNumber eq 'x'"),
        200,
        "it has an index"
    );
    assert_eq!(
        status("$filter=SerialNumber eq null"),
        500,
        "the index leaves too many"
    );
    assert_eq!(status("$filter=Id gt 5 and Id le 10 and Model eq 'x'"), 200);
    assert_eq!(status("$filter=Id gt 1 and Model eq 'x'"), 500);
    assert_eq!(status("$filter=Id gt 1"), 200);
}

#[test]
fn more_than_twelve_links_are_not_joined() {
    let site = Caller::new();
    let fields = "/_api/web/lists/getByTitle('Computers')/fields";
    let mut names = vec!["AssignedTo".to_owned(), "Author".to_owned()];
    for number in 0..11 {
        let name = format!("Owner{number}");
        site.post(fields, &json!({"Title": name, "FieldTypeKind": 20}))
            .expect(201);
        names.push(name);
    }
    let query = |names: &[String]| {
        let select: Vec<_> = names.iter().map(|name| format!("{name}/Title")).collect();
        site.get(&format!(
            "{COMPUTERS}?$select=Id,{}&$expand={}",
            select.join(","),
            names.join(",")
        ))
    };
    query(&names[..12]).expect(200);
    let refused = query(&names).expect(500);
    assert_eq!(refused.error_number(), "-2147024749");
}

#[test]
fn a_caml_query_is_answered_like_any_other() {
    let site = Caller::new();
    let query = |xml: &str| {
        let body = json!({"query": {"ViewXml": xml}});
        site.post("/_api/web/lists/getByTitle('All Types')/GetItems", &body)
    };
    let found = query(
        "<View><Query><Where><And><Eq><FieldRef Name='Title'/><Value Type='Text'>everything</Value></Eq><Eq><FieldRef Name='User' LookupId='TRUE'/><Value Type='Lookup'>11</Value></Eq></And></Where></Query><RowLimit>5</RowLimit></View>",
    );
    assert_eq!(found.expect(200).json()["value"][0]["Id"], 1);
    let sorted = query(
        "<View><Query><OrderBy><FieldRef Name='Title' Ascending='FALSE'/></OrderBy></Query></View>",
    );
    assert_eq!(sorted.expect(200).json()["value"][0]["Title"], "Zero");
    query("<View><Query><Where><Eq>").expect(500);
}

#[test]
fn a_local_time_is_told_as_utc_by_the_rules_of_the_zone() {
    let site = Caller::new();
    let zone = "/_api/web/RegionalSettings/TimeZone";
    for (local, utc) in [
        ("2026-02-01T00:00:00", "2026-02-01T08:00:00Z"),
        ("2026-07-01T00:00:00", "2026-07-01T07:00:00Z"),
    ] {
        let asked = format!("{zone}/LocalTimeToUTC(@d)?@d='{local}'");
        assert_eq!(site.get(&asked).expect(200).json()["value"], utc);
        let asked = format!("{zone}/localtimetoutc('{local}')");
        assert_eq!(site.get(&asked).expect(200).json()["value"], utc);
        assert_eq!(
            site.post(&asked, &json!({})).expect(200).json()["value"],
            utc
        );
        let back = format!("{zone}/UTCToLocalTime(@d)?@d='{utc}'");
        assert_eq!(site.get(&back).expect(200).json()["value"], local);
    }
    let refused = site.get(&format!("{zone}/LocalTimeToUTC('tomorrow')"));
    refused.expect(400);
    site.get(&format!("{zone}/Nothing('2026-02-01')"))
        .expect(404);
}

#[test]
fn a_caml_query_knows_who_asks_and_which_day_it_is() {
    let site = Caller::new();
    let ids = |condition: &str| -> Vec<i64> {
        let xml = format!("<View><Query><Where>{condition}</Where></Query></View>");
        let body = json!({"query": {"ViewXml": xml}});
        let path = "/_api/web/lists/getByTitle('All Types')/GetItems";
        let found = site.post(path, &body).expect(200).json();
        let found = found["value"].as_array().expect("rows").iter();
        found.filter_map(|row| row["Id"].as_i64()).collect()
    };
    // Alice asks, whom the first row holds.
    for type_of in ["Integer", "User"] {
        let me = format!("<Value Type='{type_of}'><UserID/></Value>");
        assert_eq!(ids(&format!("<Eq><FieldRef Name='User'/>{me}</Eq>")), [1]);
        let by_id = format!("<Eq><FieldRef Name='User' LookupId='TRUE'/>{me}</Eq>");
        assert_eq!(ids(&by_id), [1]);
    }
    let made = |sign: &str, offset: i32| {
        let today = format!("<Value Type='DateTime'><Today OffsetDays='{offset}'/></Value>");
        ids(&format!(
            "<{sign}><FieldRef Name='Created'/>{today}</{sign}>"
        ))
    };
    assert_eq!(made("Geq", -1), [1, 2, 3]);
    assert!(made("Gt", 1).is_empty());
    assert!(made("Lt", -1).is_empty());
    assert_eq!(made("Leq", 1), [1, 2, 3]);
    assert!(made("Eq", -7).is_empty());
    let today = "<Geq><FieldRef Name='Created'/><Value Type='DateTime'><Today/></Value></Geq>";
    assert!(ids(today).len() <= 3);
}

#[test]
fn a_view_that_is_not_there_is_not_the_one_that_is() {
    let site = Caller::new();
    let views = "/_api/web/lists/getByTitle('All Types')/views";
    let view = site.get(&format!("{views}/getByTitle('all items')"));
    let id = view.expect(200).json()["Id"].clone();
    let id = id.as_str().expect("an id");
    site.get(&format!("{views}/getById('{id}')")).expect(200);
    site.get(&format!("{views}('{id}')")).expect(200);
    for wrong in ["/getByTitle('Nothing')", "/getById('x')", "('x')"] {
        site.get(&format!("{views}{wrong}")).expect(404);
    }
}
