//! Sends the requests of a control and turns their answers into messages.
//!
//! Each request is typed; tokens come from the host. The model interprets the answers.

use checklist_shared::checklist::TemplateRef;
use checklist_shared::definition::DefinitionFields;
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permissions;
use checklist_shared::template::CompletionRule;
use checklist_shared::wire::history::GetItemHistory;
use checklist_shared::wire::list::GetItems;
use checklist_shared::wire::template::LocalTemplate;
use checklist_shared::wire::write::WriteOutcome;
use checklist_shared::{Context, Timestamp, order};

use super::controller::Controller;
use super::deferred::DeferredCall;
use super::principal;
use crate::api::batch;
use crate::api::client::{self, Connection, Renewal};
use crate::api::requests::{GetTemplate, GetType, Request, Write};
use crate::api::tick;
use crate::browser;
use crate::model::draft;
use crate::model::effect::{Effect, Source};
use crate::model::error::Error;
use crate::model::message::Msg;
use crate::model::operation::{Action, Operation};
use crate::model::served::ServedList;
use crate::port::TokenReason;

impl Controller {
    /// How to reach the server with a token for those contexts, of the person whose list it is.
    pub(crate) fn connection(&self, about: Vec<Context>) -> Connection {
        let (host, controller) = (self.runtime().host(), *self);
        Connection {
            base_url: self.settings().base_url.clone(),
            language: self.mode().tag.to_owned(),
            tokens: std::rc::Rc::new(move |reason, done| {
                let checked = move |token| done(controller.refuse_of_other(token));
                host.token(about.clone(), reason, Box::new(checked));
            }),
        }
    }

    /// Nothing is sent with a token of somebody else than the person whose changes wait.
    fn refuse_of_other(&self, token: Result<String, String>) -> Result<String, String> {
        let token = token?;
        let me = principal::of_token(&token);
        if self.runtime().model.borrow().is_other(&me) {
            self.tell(Msg::OtherPerson);
            return Err(String::new());
        }
        Ok(token)
    }

    pub(super) fn read_list(&self, load: u32, context: Context) {
        let controller = *self;
        let settings = self.settings();
        if settings.shows_named_run() {
            let connection = self.connection(vec![context.clone()]);
            let request = GetItems {
                context: Some(context),
                // The server says of 0 what is wrong with it.
                run: Some(settings.run.trim().parse().unwrap_or_default()),
                ..GetItems::default()
            };
            client::call(&connection, request, Renewal::Here, move |answer| {
                controller.tell(Msg::ListRead(load, answer.result.map(Box::new), None));
            });
            return;
        }
        batch::read_list(
            self.runtime().host(),
            self.connection(vec![context.clone()]),
            context,
            Box::new(move |list, token| {
                let me = principal::of_token(token);
                controller.tell(Msg::ListRead(load, list.map(Box::new), Some(me)));
            }),
        );
    }

    /// Reads the template of a draft.
    pub(super) fn read_draft(&self, load: u32, source: Source) {
        let controller = *self;
        match source {
            Source::List(context) => self.read_list(load, context),
            Source::Template(template) => self.read_template(load, template),
            Source::Type(name, purpose) => {
                let connection = self.connection(Vec::new());
                let done = move |answer: client::Answer<crate::api::requests::TypeTemplates>| {
                    let template = answer
                        .result
                        .map(|named| named.templates.get(&purpose).cloned());
                    match template {
                        Ok(Some(template)) => controller.read_template(load, template),
                        // A purpose without a template is an empty list.
                        Ok(None) => controller.tell_template(load, Ok(None)),
                        Err(error) => controller.tell_template(load, Err(error)),
                    }
                };
                client::call(&connection, GetType(name), Renewal::Here, done);
            }
        }
    }

    fn read_template(&self, load: u32, template: String) {
        let controller = *self;
        let connection = self.connection(Vec::new());
        let done = move |answer: client::Answer<LocalTemplate>| {
            controller.tell_template(load, answer.result.map(Some));
        };
        let request = GetTemplate {
            id: template,
            facts: String::new(),
        };
        client::call(&connection, request, Renewal::Here, done);
    }

    fn tell_template(&self, load: u32, template: Result<Option<LocalTemplate>, Error>) {
        let list = template.map(|template| Box::new(as_draft(template)));
        self.tell(Msg::ListRead(load, list, None));
    }

    pub(super) fn read_changes(&self, load: u32, context: Context, since: u64) {
        let controller = *self;
        let connection = self.connection(vec![context.clone()]);
        let request = GetItems {
            context: Some(context),
            since_revision: Some(since),
            ..GetItems::default()
        };
        client::call(&connection, request, Renewal::Here, move |answer| {
            controller.tell(Msg::ChangesRead(load, answer.result.map(Box::new)));
        });
    }

    pub(super) fn identify(&self, load: u32, context: Context) {
        let controller = *self;
        let done = move |token: Result<String, String>| {
            // Without a token the first change will say what is wrong.
            if let Ok(token) = token {
                controller.tell(Msg::Identified(load, principal::of_token(&token)));
            }
        };
        let host = self.runtime().host();
        host.token(vec![context], TokenReason::Call, Box::new(done));
    }

    /// Sends an operation. Ticks are sent by code that is there from the beginning.
    pub(super) fn send(&self, context: Context, operation: Operation, reason: TokenReason) {
        let Operation { id, action } = operation;
        match action {
            Action::Update(item) => {
                let journal = self.settings().log_in_journal;
                let request = tick::update(&id, *item, context.clone(), journal);
                self.write(context, id, request, reason);
            }
            action => {
                let operation = Box::new(Operation { id, action });
                self.do_late(DeferredCall::Effect(Effect::Send(
                    context, operation, reason,
                )));
            }
        }
    }

    /// Sends what is no update.
    pub(super) fn send_change(&self, context: Context, operation: Operation, reason: TokenReason) {
        let id = operation.id.clone();
        let request = Write::of(operation, context.clone(), self.settings().log_in_journal);
        self.write(context, id, request, reason);
    }

    fn write<R: Request<Answer = WriteOutcome>>(
        &self,
        context: Context,
        id: String,
        request: R,
        reason: TokenReason,
    ) {
        let controller = *self;
        let connection = self.connection(vec![context]);
        client::call(
            &connection,
            request,
            Renewal::ByCaller(reason),
            move |answer| controller.tell(Msg::Answered(id, answer.result)),
        );
    }

    pub(super) fn read_history(&self, request: GetItemHistory) {
        let controller = *self;
        let connection = self.connection(vec![request.context.clone()]);
        let (id, after) = (request.id, request.after);
        client::call(&connection, request, Renewal::Here, move |answer| {
            controller.tell(Msg::HistoryRead(id, after, answer.result));
        });
    }

    pub(super) fn dry_run(&self, context: Context, version: Option<u32>, revision: u64) {
        let controller = *self;
        let connection = self.connection(vec![context.clone()]);
        let request = Write::dry_run(context, version);
        client::call(&connection, request, Renewal::Here, move |answer| {
            let changes = answer.result.map(|outcome| outcome.changes);
            controller.tell(Msg::Reviewed(revision, changes));
        });
    }
}

/// A template as a list that nobody has written; without one it is empty.
fn as_draft(template: Option<LocalTemplate>) -> ServedList {
    let (template, title, rows) = match template {
        Some(template) => (
            TemplateRef {
                id: template.id,
                version: template.version,
                completion_rule: template.completion_rule,
                changeable: template.changeable,
            },
            Some(template.name),
            template.items,
        ),
        None => (
            TemplateRef {
                id: String::new(),
                version: 0,
                completion_rule: CompletionRule::All,
                changeable: DefinitionFields::default(),
            },
            None,
            Vec::new(),
        ),
    };
    let keys = order::fresh_keys(rows.len());
    let now = Timestamp::from_millis(browser::now());
    let items = draft::project(rows, keys, now, browser::new_id);
    ServedList {
        revision: 0,
        items,
        is_draft: true,
        delta: false,
        removed: Vec::new(),
        title,
        template,
        update: None,
        locked: None,
        waived: None,
        run: None,
        // The server decides when the draft is sent; until then nothing is forbidden.
        permissions: Permissions::all(),
        limits: Limits::default(),
    }
}
