//! The service at an address.

use std::future::Future;

use axum::Router;
use tokio::net::TcpListener;

/// Answers at an address until `stop` is there; requests under way are answered first.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let service = router.into_make_service_with_connect_info::<std::net::SocketAddr>();
    axum::serve(listener, service).with_graceful_shutdown(stop).await
}
