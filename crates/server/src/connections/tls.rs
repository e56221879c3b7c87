//! Encrypted connections, with a certificate that may be renewed while the server runs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use quorate_app::InBoth;
use quorate_contract::Wording;
use quorate_messages::message;
use rustls::ServerConfig;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// The interval of checking whether the certificate files have changed.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Certificate and key, as they are now. Cheap to clone.
#[derive(Clone)]
pub struct Tls(Arc<Files>);

struct Files {
    certificate: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
    /// The modification time of the files in use.
    written: RwLock<Option<SystemTime>>,
}

/// The reason why TLS cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or holds something else.
    #[error("{}", of_file(path, problem))]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Wording,
    },
    /// The two do not belong together.
    #[error("{}", self.in_both().0)]
    Unusable(#[from] rustls::Error),
}

fn of_file(path: &Path, problem: &Wording) -> Wording {
    problem.map(|problem| format!("{}: {problem}", path.display()))
}

impl InBoth for TlsError {
    fn in_both(&self) -> (Wording, Wording) {
        match self {
            Self::File { path, problem } => {
                (of_file(path, problem), message!("server-start-tls-hint").into())
            }
            Self::Unusable(error) => (
                message!("server-start-tls-unusable", %error).into(),
                message!("server-start-tls-unusable-hint").into(),
            ),
        }
    }
}

impl Tls {
    /// With the certificate and the key in these files.
    ///
    /// # Errors
    /// When they cannot be read, or do not belong together.
    pub fn open(certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Result<Self, TlsError> {
        let (certificate, key) = (certificate.into(), key.into());
        let written = written(&certificate, &key);
        let config = RwLock::new(Arc::new(config(&certificate, &key)?));
        Ok(Self(Arc::new(Files { certificate, key, config, written: RwLock::new(written) })))
    }

    /// Reads the files again. Connections that are open stay as they are; when the files are not right, so
    /// does everything.
    ///
    /// # Errors
    /// When they cannot be read, or do not belong together.
    pub fn reload(&self) -> Result<(), TlsError> {
        let Files { certificate, key, .. } = &*self.0;
        let seen = written(certificate, key);
        let fresh = Arc::new(config(certificate, key)?);
        *self.0.config.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        *self.0.written.write().unwrap_or_else(PoisonError::into_inner) = seen;
        Ok(())
    }

    /// Reloads the files whenever they change, and on SIGHUP. Never ends.
    pub async fn keep_fresh(self) {
        let mut hangup = ReloadSignal::new();
        loop {
            let told = tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => false,
                () = hangup.wait() => true,
            };
            let used = *self.0.written.read().unwrap_or_else(PoisonError::into_inner);
            if !told && written(&self.0.certificate, &self.0.key) == used {
                continue;
            }
            match self.reload() {
                Ok(()) => tracing::info!("the certificate was read again"),
                // Half of the files may just be written; the next look will tell.
                Err(error) => tracing::warn!(%error, "the certificate stays as it was"),
            }
        }
    }

    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let config = Arc::clone(&self.0.config.read().unwrap_or_else(PoisonError::into_inner));
        TlsAcceptor::from(config).accept(stream).await
    }
}

fn config(certificate: &Path, key: &Path) -> Result<ServerConfig, TlsError> {
    let unusable = |path: &Path, problem: Wording| TlsError::File { path: path.to_owned(), problem };
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| unusable(certificate, error.to_string().into()))?;
    if chain.is_empty() {
        return Err(unusable(certificate, message!("server-start-no-certificate").into()));
    }
    // What a key file holds is never part of an error.
    let key = PrivateKeyDer::from_pem_file(key)
        .map_err(|_| unusable(key, message!("server-start-no-key").into()))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The later of the two modification times.
fn written(certificate: &Path, key: &Path) -> Option<SystemTime> {
    let of = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    of(certificate).max(of(key))
}

/// The signal that asks a server to read its files again, where there is such a thing.
struct ReloadSignal {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl ReloadSignal {
    fn new() -> Self {
        Self {
            #[cfg(unix)]
            signal: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).ok(),
        }
    }

    async fn wait(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}
