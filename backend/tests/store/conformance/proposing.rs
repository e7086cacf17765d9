//! Items that need a person, and proposals: what is stored, and what the audit trail tells.
//!
//! Part of the conformance suite.

use checklist_auth::Principal;
use checklist_services::checklist;
use checklist_shared::event::What;
use checklist_shared::item::{Actor, ActorKind, ActorMode, Status};
use checklist_shared::permission::Role;
use checklist_shared::problem::{ItemProblemCode, ProblemCode};
use checklist_shared::proposal::{Decision, Evidence};
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::write::{ProposeItem, ProposeItems, Undo, UpdateItem, WriteAnswer};
use serde_json::json;

use super::{World, admin, anna, ben, body, incident, person, status, template_of};

/// An agent that acts by itself, for somebody who checks.
pub fn finch() -> Principal {
    let mut agent = Actor::of(ActorKind::Agent, "finch", "Finch");
    agent.mode = Some(ActorMode::Autonomous);
    Principal {
        actor: agent,
        ..person("finch", Role::Checker)
    }
}

/// A proposal that the item is done, with evidence.
pub fn done(item: &ItemView, reason: &str) -> ProposeItem {
    ProposeItem {
        id: item.id,
        status: Status::Done,
        reason: Some(reason.to_owned()),
        seen_text_hash: Some(item.text_hash.clone()),
        evidence: Some(Evidence {
            name: format!("Evidence: {reason}"),
            url: "https://ci.example/7".to_owned(),
            sha256: None,
            size: Some(7),
        }),
        answer: None,
    }
}

pub async fn propose(world: &World, principal: &Principal, items: Vec<ProposeItem>) -> WriteAnswer {
    let request = ProposeItems::new(incident(), items);
    let proposed = checklist::propose_items(&world.app, principal, request, body()).await;
    proposed.expect("proposed")
}

async fn begun(world: &World) -> ItemView {
    world.with_incidents().await;
    let items = json!([
        {"Key": "p", "Text": {"en": "Release it"}, "NeedsPerson": true},
        {"Key": "q", "Text": {"en": "Tell the team"}},
    ]);
    world.publish(template_of("five", items)).await;
    world.item(&incident(), "Release it").await
}

fn decision(item: &ItemView, decision: Decision) -> UpdateItem {
    UpdateItem {
        base_version: Some(item.version),
        proposal: Some(decision),
        ..UpdateItem::of(item.id)
    }
}

pub async fn an_agent_proposes_and_the_person_who_accepts_has_done_it(world: &World) {
    let item = begun(world).await;
    assert!(item.needs_person, "also before the list was written");
    let answer = propose(world, &finch(), vec![done(&item, "The run is green")]).await;
    assert_eq!((answer.revision, answer.counts.done), (1, 0));
    let item = world.item(&incident(), "Release it").await;
    let proposal = item.proposal.clone().expect("a proposal");
    assert_eq!(proposal.by, finch().actor);
    assert_eq!(proposal.evidence.and_then(|one| one.size), Some(7));
    assert_eq!((item.status, item.needs_person), (Status::Open, true));

    let accept = vec![decision(&item, Decision::Accept)];
    world
        .update(&anna(), &incident(), None, accept)
        .await
        .expect("accepted");
    let item = world.item(&incident(), "Release it").await;
    assert_eq!(item.status_by, Some(anna().actor.into()));
    let proposal = item.proposal.expect("it stays with the status");
    assert_eq!((proposal.accepted, proposal.by), (true, finch().actor));

    let rows = world.audit(&admin()).await;
    let row = |what: What| {
        let mut rows = rows.iter();
        rows.find(|row| row.event.as_ref().is_some_and(|event| event.what == what))
            .unwrap_or_else(|| panic!("{what:?} in {rows:?}"))
    };
    let (proposed, checked) = (row(What::Proposed), row(What::Checked));
    assert_eq!(proposed.actor, finch().actor);
    assert_eq!(checked.actor, anna().actor);
    let attested = checked.event.as_ref().and_then(|event| event.proposed_in);
    assert_eq!(attested, proposed.revision, "both are attested");
}

pub async fn of_a_batch_with_one_item_that_needs_a_person_the_others_are_done_or_none(
    world: &World,
) {
    let item = begun(world).await;
    let other = world.item(&incident(), "Tell the team").await;
    let batch = vec![
        status(item.id, Status::Done),
        status(other.id, Status::Done),
    ];
    let request = checklist_shared::wire::write::UpdateItems::new(incident(), true, batch.clone());
    let atomic = checklist::update_items(&world.app, &finch(), request, body()).await;
    assert_eq!(atomic.expect_err("refused").code(), ProblemCode::NotApplied);
    assert_eq!(world.read(&anna(), &incident()).await.revision, 0);
    let each = world.update(&finch(), &incident(), None, batch).await;
    let each = each.expect("one of them");
    let code = each.results[0].problem.as_ref().map(|problem| problem.code);
    assert_eq!(code, Some(ItemProblemCode::NeedsPerson));
    assert_eq!((each.counts.done, each.completed), (1, false));
}

pub async fn a_declined_proposal_is_gone_and_an_undo_brings_it_back(world: &World) {
    let item = begun(world).await;
    propose(world, &finch(), vec![done(&item, "The run is green")]).await;
    let item = world.item(&incident(), "Release it").await;
    let decline = vec![decision(&item, Decision::Decline)];
    world
        .update(&ben(), &incident(), Some("declined"), decline)
        .await
        .expect("declined");
    assert_eq!(world.item(&incident(), "Release it").await.proposal, None);
    let request = Undo {
        operation_id: Some("undone".to_owned()),
        ..Undo::new(incident(), "declined".to_owned())
    };
    checklist::undo(&world.app, &ben(), request, body())
        .await
        .expect("undone");
    let item = world.item(&incident(), "Release it").await;
    assert_eq!(item.proposal.map(|one| one.by), Some(finch().actor));
    assert_eq!(item.status, Status::Open);
}
