//! What assistants are told by the protocol: which server this is, which tools it has, what a call
//! has answered.
//!
//! Invariant: a call that the web services refuse is a result with `isError` and the same problem,
//! which the assistant reads; protocol errors are for messages that name no tool.

use std::sync::Arc;

use axum::http::request::Parts;
use checklist_auth::Principal;
use checklist_auth::acting_party::as_agent;
use checklist_shared::item::Software;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::reading::{ExplainOpen, FindLists, ReadList};
use super::tool::AnyTool;
use super::writing::{Add, Comment, MarkNotApplicable, Propose, Tick};
use crate::http::Web;

const TOOLS: [AnyTool; 8] = [
    AnyTool::of::<FindLists>(),
    AnyTool::of::<ReadList>(),
    AnyTool::of::<ExplainOpen>(),
    AnyTool::of::<Tick>(),
    AnyTool::of::<MarkNotApplicable>(),
    AnyTool::of::<Propose>(),
    AnyTool::of::<Add>(),
    AnyTool::of::<Comment>(),
];

const INSTRUCTIONS: &str = "Checklists of tickets and other objects. A checklist is named by its \
    Context: ObjectType, ObjectId and, where an object has several, Purpose. Read a list before you \
    change it, tick only what was really done, and say in a note how you know. An \
    item with NeedsPerson is for a person: propose its status. An item with SecondPerson stays open \
    after your tick (AwaitingConfirmation) until another person confirms it. \
    An item with RequiresEvidence is ticked with Evidence, one with AnswerFormat with Answer; one with Signal is set by another \
    system. Every change is \
    recorded as yours, with the person for whom you act.";

/// The tools of this server, for one message.
#[derive(Clone)]
pub(super) struct Tools {
    web: Arc<Web>,
}

impl Tools {
    pub(super) const fn of(web: Arc<Web>) -> Self {
        Self { web }
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let own = Implementation::new("checklist-control", env!("CARGO_PKG_VERSION"))
            .with_title("Checklist Control");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(own)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = TOOLS.iter().map(|tool| tool.to_model()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        let tool = TOOLS.iter().find(|tool| tool.name == name)?;
        Some(tool.to_model())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let message = format!("There is no tool {}.", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let agent = agent(&context)?;
        let input = request.arguments.unwrap_or_default();
        let result = match (tool.call)(&self.web, &agent, input).await {
            Ok(answer) => CallToolResult::structured(answer),
            Err(refusal) => CallToolResult::structured_error(refusal.to_json()),
        };
        Ok(result.into())
    }
}

/// The caller, as the agent that its client says it is.
fn agent(context: &RequestContext<RoleServer>) -> Result<Principal, ErrorData> {
    let parts = context.extensions.get::<Parts>();
    let caller = parts.and_then(|parts| parts.extensions.get::<Principal>());
    let Some(caller) = caller else {
        return Err(ErrorData::internal_error(
            "The request lost its caller.",
            None,
        ));
    };
    // Of this very message: without sessions the library knows no other, and would name itself.
    let client = context.meta.client_info();
    let software = Software {
        version: client.as_ref().map(|client| client.version.clone()),
        client: client.map(|client| client.title.unwrap_or(client.name)),
        model: None,
    };
    Ok(as_agent(caller.clone(), software))
}
