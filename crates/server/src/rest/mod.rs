//! One room per thing that can be asked for.

mod advance;
mod agenda;
mod agents;
mod artifacts;
mod ballots;
mod claims;
mod course;
mod export;
pub(crate) mod fleeting;
mod health;
mod import;
mod insight;
mod log;
mod meetings;
mod messages;
mod minutes;
mod once;
mod people;
mod providers;
mod reach;
mod rules;
mod search;
pub(crate) mod settings;
mod tag;
mod templates;
mod uploads;
mod view;
#[cfg(test)]
mod views;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(crate) use once::once;
pub(crate) use reach::look_to_compute;
pub(crate) use view::MeetingView;

pub(crate) fn routes() -> OpenApiRouter<App> {
    let mut routes = OpenApiRouter::new()
        .merge(meetings::routes())
        .merge(rules::routes())
        .merge(course::routes())
        .merge(advance::routes())
        .merge(messages::routes())
        .merge(people::routes())
        .merge(agenda::routes())
        .merge(ballots::routes())
        .merge(minutes::routes())
        .merge(artifacts::routes())
        .merge(insight::routes())
        .merge(health::routes())
        .merge(log::routes())
        .merge(claims::routes())
        .merge(export::routes())
        .merge(import::routes())
        .merge(uploads::routes())
        .merge(search::routes())
        .merge(agents::routes())
        .merge(providers::routes())
        .merge(templates::routes())
        .merge(settings::routes());
    once::describe(routes.get_openapi_mut());
    routes
}
