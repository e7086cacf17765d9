//! The web, its site collection, its regional settings and its recycle bin, as entities, and what
//! its zone makes of a time.

use serde_json::{Value, json};
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use super::lists::members;
use super::node::Node;
use super::read;
use super::shape::Shape;
use crate::clock::written;
use crate::odata::path::Segment;
use crate::request::Answer;

/// The web.
#[must_use]
pub fn web(call: &Call<'_>) -> Shape {
    let site = &*call.site;
    let own = json!({
        "AllowRssFeeds": true, "AlternateCssUrl": "", "AppInstanceId": Uuid::nil(),
        "Configuration": 0, "Created": written(site.created), "Description": "",
        "EnableMinimalDownload": false, "Id": site.id, "IsMultilingual": true,
        "Language": 1033, "LastItemModifiedDate": written(site.created),
        "LastItemUserModifiedDate": written(site.created), "MasterUrl": "",
        "NoCrawl": false, "OverwriteTranslationsOnChange": false,
        "ResourcePath": {"DecodedUrl": call.web}, "QuickLaunchEnabled": true,
        "RecycleBinEnabled": true, "ServerRelativeUrl": site.path, "SiteLogoUrl": "",
        "SyndicationEnabled": true, "Title": site.title, "TreeViewEnabled": false,
        "UIVersion": 15, "UIVersionConfigurationEnabled": false, "Url": call.web,
        "WebTemplate": "STS",
    });
    let extra = json!({"EffectiveBasePermissions": {"High": "2147483647", "Low": "4294967295"},
        "WebTemplateConfiguration": "STS#3"});
    Shape {
        kind: "SP.Web".to_owned(),
        uri: call.uri("Web"),
        etag: None,
        own: members(own),
        extra: members(extra),
        navigations: vec![
            ("Lists", Node::Lists),
            ("CurrentUser", Node::User(call.user)),
            ("SiteUsers", Node::Users),
            ("SiteGroups", Node::Groups),
            ("RecycleBin", Node::RecycleBin),
            ("RegionalSettings", Node::RegionalSettings),
            ("Webs", Node::Webs),
        ],
    }
}

/// The site collection.
#[must_use]
pub fn collection_of_sites(call: &Call<'_>) -> Shape {
    let own = json!({"AllowDesigner": true, "CompatibilityLevel": 15,
        "GroupId": Uuid::nil(), "Id": call.site.collection_id, "IsHubSite": false,
        "PrimaryUri": call.web, "ReadOnly": false, "ServerRelativeUrl": call.site.path,
        "ShareByEmailEnabled": false, "Url": call.web});
    Shape {
        kind: "SP.Site".to_owned(),
        uri: call.uri("Site"),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: vec![("RootWeb", Node::Web)],
    }
}

/// How the site writes dates and numbers.
#[must_use]
pub fn regional_settings(call: &Call<'_>) -> Shape {
    let own = json!({"AdjustHijriDays": 0, "AlternateCalendarType": 0, "AM": "AM",
        "CalendarType": 1, "Collation": 25, "CollationLCID": 2070, "DateFormat": 0,
        "DateSeparator": "/", "DecimalSeparator": ".", "DigitGrouping": "3;0",
        "FirstDayOfWeek": 0, "FirstWeekOfYear": 0, "IsEastAsia": false, "IsRightToLeft": false,
        "IsUIRightToLeft": false, "ListSeparator": ",", "LocaleId": 1033, "NegativeSign": "-",
        "NegNumberMode": 1, "PM": "PM", "PositiveSign": "", "ShowWeeks": false,
        "ThousandSeparator": ",", "Time24": false, "TimeMarkerPosition": 0,
        "TimeSeparator": ":", "WorkDayEndHour": 1020, "WorkDays": 62, "WorkDayStartHour": 480});
    Shape {
        kind: "SP.RegionalSettings".to_owned(),
        uri: call.uri("Web/RegionalSettings"),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: vec![("TimeZone", Node::TimeZone)],
    }
}

/// The site's zone, in the service's numbers where it has one for it.
#[must_use]
pub fn time_zone(call: &Call<'_>) -> Shape {
    let name = call.site.zone.as_str();
    let (id, title) = match name {
        "America/Los_Angeles" => (13, "Pacific Time (US and Canada)"),
        "America/New_York" => (10, "Eastern Time (US and Canada)"),
        "Europe/London" => (2, "Dublin, Edinburgh, Lisbon, London"),
        "Europe/Berlin" => (4, "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"),
        "UTC" | "Etc/UTC" => (93, "Coordinated Universal Time"),
        other => (93, other),
    };
    let zone = call.site.time_zone();
    let offset = |month: i8| {
        let noon = jiff::civil::date(2026, month, 1).at(12, 0, 0, 0);
        let zoned = noon.to_zoned(zone.clone());
        zoned.map_or(0, |zoned| zoned.offset().seconds() / 60)
    };
    let (winter, summer) = (offset(1), offset(7));
    let standard = winter.min(summer);
    let own = json!({
        "Description": format!("(UTC{}{:02}:{:02}) {title}", if standard < 0 { '-' } else { '+' },
            standard.abs() / 60, standard.abs() % 60),
        "Id": id,
        "Information": {"Bias": -standard, "DaylightBias": -(winter - summer).abs(),
            "StandardBias": 0},
    });
    Shape {
        kind: "SP.TimeZone".to_owned(),
        uri: call.uri("Web/RegionalSettings/TimeZone"),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: Vec::new(),
    }
}

/// A local time as UTC, or the other way round, by the rules of the site's zone.
///
/// # Errors
/// There is no such function, or its argument is no time.
pub fn converted(call: &Call<'_>, function: &Segment) -> Rest<Answer> {
    let to_utc = function.is("LocalTimeToUTC");
    if !to_utc && !function.is("UTCToLocalTime") {
        return Err(RestError::no_resource(&function.name));
    }
    let text = call.argument(function).unwrap_or_default();
    let time: jiff::civil::DateTime = text
        .trim_end_matches('Z')
        .parse()
        .map_err(|_| RestError::expression(&text))?;
    let zone = call.site.time_zone();
    let (from, to) = if to_utc {
        (zone, jiff::tz::TimeZone::UTC)
    } else {
        (jiff::tz::TimeZone::UTC, zone)
    };
    let zoned = from.to_ambiguous_zoned(time).compatible();
    let zoned = zoned.map_err(|_| RestError::expression(&text))?;
    let there = zoned.timestamp().to_zoned(to).datetime();
    let end = if to_utc { "Z" } else { "" };
    let told = json!(format!("{}{end}", there.strftime("%Y-%m-%dT%H:%M:%S")));
    let name = if to_utc {
        "LocalTimeToUTC"
    } else {
        "UTCToLocalTime"
    };
    Ok(read::bare(call, name, "Edm.DateTime", &told))
}

/// An item in the recycle bin.
///
/// # Errors
/// It is not there.
pub fn recycled(call: &Call<'_>, id: Uuid) -> Rest<Shape> {
    let kept = call.site.recycled.iter().find(|kept| kept.id == id);
    let kept = kept.ok_or_else(|| RestError::no_resource("RecycleBin"))?;
    let name = |id: u32| {
        let person = call.site.person(id);
        person.map_or(("", ""), |person| (&person.title, &person.email))
    };
    let folder = call
        .site
        .list(kept.list)
        .map(|list| call.site.path_of(list));
    let folder = folder.unwrap_or_default();
    let folder = folder.trim_start_matches('/');
    let title = kept
        .item
        .values
        .get("Title")
        .cloned()
        .unwrap_or(Value::Null);
    let (author, deleter) = (name(kept.item.author), name(kept.by));
    let local = kept.at.to_zoned(call.site.time_zone());
    let own = json!({"AuthorEmail": author.1, "AuthorName": author.0,
        "DeletedByEmail": deleter.1, "DeletedByName": deleter.0,
        "DeletedDate": written(kept.at),
        "DeletedDateLocalFormatted": local.strftime("%-m/%-d/%Y %-I:%M %p").to_string(),
        "DirName": folder, "DirNamePath": {"DecodedUrl": folder}, "Id": kept.id, "ItemState": 1,
        "ItemType": 3, "LeafName": kept.item.leaf_name(),
        "LeafNamePath": {"DecodedUrl": kept.item.leaf_name()}, "Size": "192", "Title": title});
    Ok(Shape {
        kind: "SP.RecycleBinItem".to_owned(),
        uri: call.uri(&format!("Web/RecycleBin('{id}')")),
        etag: None,
        own: members(own),
        extra: Vec::new(),
        navigations: Vec::new(),
    })
}
