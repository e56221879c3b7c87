//! One room per thing that can be asked for.

mod agents;
mod meetings;
mod providers;
mod search;
pub(crate) mod settings;
mod tag;
mod templates;
mod uploads;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(meetings::routes())
        .merge(uploads::routes())
        .merge(search::routes())
        .merge(agents::routes())
        .merge(providers::routes())
        .merge(templates::routes())
        .merge(settings::routes())
}
