//! TLS of requests that this process makes.
//!
//! A certificate is checked against those of the machine, which are read when the first one is to be checked, once for
//! the process: reading them takes some 20 ms and a hundred files, and most servers only ask models on their own machine.

use std::sync::{Arc, OnceLock};

use reqwest::ClientBuilder;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::Verifier;

/// Makes ring the cryptography of this process's TLS. May be called any number of times; when
/// the process has already chosen another provider, that one stays.
pub fn install_tls() {
    // The only error is that a provider was installed before, which is just as good.
    let _ = ring::default_provider().install_default();
}

/// What builds a client for HTTP, which checks certificates against those of the machine.
pub fn http_client() -> ClientBuilder {
    static CONFIG: OnceLock<Option<ClientConfig>> = OnceLock::new();
    install_tls();
    let config = CONFIG.get_or_init(|| client_config().inspect_err(|error| tracing::error!(%error)).ok());
    match config {
        Some(config) => reqwest::Client::builder().tls_backend_preconfigured(config.clone()),
        None => reqwest::Client::builder(),
    }
}

fn client_config() -> Result<ClientConfig, Error> {
    let installed = CryptoProvider::get_default();
    let provider = installed.cloned().unwrap_or_else(|| Arc::new(ring::default_provider()));
    let verifier = MachineVerifier { provider: provider.clone(), certificates: OnceLock::new() };
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// Checks certificates as the platform does.
#[derive(Debug)]
struct MachineVerifier {
    provider: Arc<CryptoProvider>,
    /// Those of the machine, once one is to be checked against them.
    certificates: OnceLock<Verifier>,
}

impl MachineVerifier {
    /// The check itself. A machine whose certificates cannot be read is asked again the next time.
    fn loaded(&self) -> Result<&Verifier, Error> {
        if let Some(verifier) = self.certificates.get() {
            return Ok(verifier);
        }
        let verifier = Verifier::new(self.provider.clone())?;
        Ok(self.certificates.get_or_init(|| verifier))
    }
}

impl ServerCertVerifier for MachineVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.loaded()?.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.loaded()?.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.loaded()?.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_certificate_of_the_machine_is_read_before_one_is_to_be_checked() {
        let provider = Arc::new(ring::default_provider());
        let verifier = MachineVerifier { provider, certificates: OnceLock::new() };
        assert!(!verifier.supported_verify_schemes().is_empty());
        assert!(verifier.certificates.get().is_none());
        let name = ServerName::try_from("example.com").expect("a name");
        let nobody = CertificateDer::from(vec![0; 8]);
        let checked = verifier.verify_server_cert(&nobody, &[], &name, &[], UnixTime::now());
        checked.expect_err("it is no certificate");
    }
}
