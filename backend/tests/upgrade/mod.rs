//! A database as the first layout left it, with data in it, opened by this version. Told through
//! the services, like the suite; each database brings its own file of rows.

use checklist_server::services::listing::ListQuery;
use checklist_server::services::{audit, checklist, template};
use checklist_shared::Context;
use checklist_shared::item::Status;
use checklist_shared::wire::write::Undo;

use super::conformance::{World, admin, anna, ben, body, incident, texts};

/// Everything that was written before is there, continues where it was, and can be changed.
pub async fn everything_of_the_first_layout_is_there_and_goes_on(world: &World) {
    let list = world.read(&anna(), &incident()).await;
    assert_eq!((list.revision, list.counts.done), (5, 2));
    assert_eq!(
        texts(&list),
        [
            "Call back",
            "Write it down",
            "Tell the team",
            "After",
            "Tidy up",
            "An item of Ben's"
        ]
    );
    let left_out = world.item(&incident(), "Write it down").await;
    assert_eq!(
        (left_out.status, left_out.reason.as_deref()),
        (Status::NotApplicable, Some("nothing to write"))
    );
    let entries = world.journal(&anna(), 0).await;
    assert_eq!(entries[0].text, "2 checked, 2 of 5 done");
    assert_eq!(world.audit(&admin()).await.len(), 6);
    let kept = template::list(&world.app, &admin(), &ListQuery::default())
        .await
        .expect("templates");
    assert_eq!(kept.templates.len(), 1);

    // Written the minute before: remembered, and taken back.
    let undo = Undo {
        language: None,
        context: incident(),
        undoes: "add-1".into(),
        operation_id: None,
        log_in_journal: None,
    };
    checklist::undo(&world.app, &ben(), undo, body())
        .await
        .expect("undone");
    let mut asking = anna();
    asking.journal = true;
    world.tick(&asking, &incident(), "Tidy up").await;
    let list = world.read(&ben(), &incident()).await;
    assert_eq!((list.revision, list.counts.done), (7, 3));

    let mut stranger = anna();
    stranger.tenant = "globex".to_owned();
    let theirs = world.read(&stranger, &Context::new("note", "1", "")).await;
    assert_eq!(texts(&theirs), ["theirs"]);
    let verdicts = audit::verify(&world.app, None).await.expect("verified");
    assert_eq!(verdicts.len(), 2);
    assert!(
        verdicts.iter().all(|verdict| verdict.broken.is_none()),
        "{verdicts:?}"
    );
}
