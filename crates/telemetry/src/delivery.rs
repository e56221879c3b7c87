//! The delivery of spans: logs once when it fails, and once when it works again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

/// An exporter whose failures are logged, in a line for each change and not for each batch.
#[derive(Debug)]
pub(crate) struct ReportedExporter<E> {
    inner: E,
    /// The number of undelivered spans since the last delivered one.
    lost: AtomicUsize,
}

impl<E> ReportedExporter<E> {
    pub(crate) fn new(inner: E) -> Self {
        Self { inner, lost: AtomicUsize::new(0) }
    }

    fn tell(&self, spans: usize, result: &OTelSdkResult) {
        match result {
            Ok(()) => {
                let lost = self.lost.swap(0, Ordering::Relaxed);
                if lost > 0 {
                    tracing::warn!(lost, "the collector takes spans again");
                }
            }
            Err(error) => {
                if self.lost.fetch_add(spans, Ordering::Relaxed) == 0 {
                    tracing::warn!(%error, "the collector takes no spans; meetings go on without being traced");
                }
            }
        }
    }
}

impl<E: SpanExporter> SpanExporter for ReportedExporter<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let result = self.inner.export(batch).await;
        self.tell(spans, &result);
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}
