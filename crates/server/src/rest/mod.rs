//! REST routes: one module for each kind of resource.

mod advance;
mod agenda;
mod agents;
mod artifacts;
mod ballots;
mod call;
mod claims;
mod context;
mod diagnostics;
mod estimate;
mod etag;
mod export;
mod file_body;
mod files;
mod formats;
mod health;
mod idempotency;
mod import;
mod lifecycle;
mod log;
mod maintenance;
mod meeting_access;
mod meeting_view;
mod meetings;
mod mentions;
mod messages;
mod minutes;
mod nodes;
mod own_settings;
mod pagination;
mod participants;
mod people;
mod processes;
mod providers;
mod results;
mod rules;
mod search;
pub(crate) mod settings;
mod templates;
mod turns;
#[cfg(test)]
mod view_fixtures;
mod webhooks;

use crate::api_router::ApiRouter;

pub(crate) use call::RestCall;
pub(crate) use context::{ContextQuery, MeetingContext, meeting_context};
pub(crate) use idempotency::{KEY, describe as describe_keys};
pub(crate) use meeting_access::{look, look_to_compute};
pub(crate) use meeting_view::meeting_view;
pub(crate) use pagination::{ItemPage, limit};
pub(crate) use turns::{refused as turn_refused, turn_answer};

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new()
        .merge(meetings::routes())
        .merge(estimate::routes())
        .merge(formats::routes())
        .merge(rules::routes())
        .merge(lifecycle::routes())
        .merge(advance::routes())
        .merge(messages::routes())
        .merge(participants::routes())
        .merge(people::routes())
        .merge(mentions::routes())
        .merge(agenda::routes())
        .merge(ballots::routes())
        .merge(minutes::routes())
        .merge(artifacts::routes())
        .merge(results::routes())
        .merge(health::routes())
        .merge(diagnostics::routes())
        .merge(log::routes())
        .merge(claims::routes())
        .merge(export::routes())
        .merge(import::routes())
        .merge(files::routes())
        .merge(search::routes())
        .merge(agents::routes())
        .merge(providers::routes())
        .merge(templates::routes())
        .merge(settings::routes())
        .merge(own_settings::routes())
        .merge(context::routes())
        .merge(turns::routes())
        .merge(processes::routes())
        .merge(webhooks::routes())
        .merge(maintenance::routes())
        .merge(nodes::routes())
}
