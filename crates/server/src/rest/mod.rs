//! One room per thing that can be asked for.

mod meetings;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(meetings::routes())
}
