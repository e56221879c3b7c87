//! Access tokens: who is in, signed, for some minutes (JSON Web Tokens, HS256).
//!
//! A token names a session and nothing else that counts: what the session may do is looked up when it is
//! used, so that signing out and changes hold at once.

use std::sync::Once;

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use quorate_contract::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// Who says it and to whom: tokens of other programs with the same secret are not ours.
const ISSUER: &str = "quorate";

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    /// The session.
    sid: String,
    /// When it ends, in seconds since 1970.
    exp: i64,
}

/// Signs and reads access tokens.
pub(crate) struct Signer {
    sign: EncodingKey,
    read: DecodingKey,
    validation: Validation,
}

impl Signer {
    pub(crate) fn new(secret: &[u8; 32]) -> Self {
        install();
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[ISSUER]);
        // Held against our own clock, to the second and without leeway.
        validation.validate_exp = false;
        Self { sign: EncodingKey::from_secret(secret), read: DecodingKey::from_secret(secret), validation }
    }

    /// A token for a session, good until `end`.
    pub(crate) fn sign(&self, session: &str, end: Timestamp) -> Option<String> {
        let (iss, aud) = (ISSUER.to_owned(), ISSUER.to_owned());
        let claims = Claims { iss, aud, sid: session.to_owned(), exp: end.0.div_euclid(1000) };
        encode(&Header::new(Algorithm::HS256), &claims, &self.sign).ok()
    }

    /// The session that a token names, when we signed it and it is not over.
    pub(crate) fn session(&self, token: &str, now: Timestamp) -> Option<String> {
        let claims = decode::<Claims>(token, &self.read, &self.validation).ok()?.claims;
        (claims.exp > now.0.div_euclid(1000)).then_some(claims.sid)
    }
}

/// The one algorithm that we use; the crate's own sets bring a dozen others along.
static HS256_ALONE: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| match algorithm {
        Algorithm::HS256 => Ok(Box::new(Hs256(mac(key.as_bytes())?))),
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    },
    verifier_factory: |algorithm, key| match algorithm {
        Algorithm::HS256 => Ok(Box::new(Hs256(mac(key.try_get_as_bytes()?)?))),
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    },
    key_utils: KeyUtils::new_unimplemented(),
};

fn install() {
    static ONCE: Once = Once::new();
    // Where another part of the program has installed one already, that knows HS256, too.
    ONCE.call_once(|| _ = HS256_ALONE.install_default());
}

struct Hs256(Hmac<Sha256>);

fn mac(key: &[u8]) -> jsonwebtoken::errors::Result<Hmac<Sha256>> {
    Hmac::new_from_slice(key).map_err(|_| ErrorKind::InvalidKeyFormat.into())
}

impl signature::Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Ok(self.0.clone().chain_update(message).finalize().into_bytes().to_vec())
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl signature::Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        self.0.clone().chain_update(message).verify_slice(signature).map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);

    #[test]
    fn a_token_is_good_until_its_end_and_for_its_server() {
        let signer = Signer::new(&[7; 32]);
        let token = signer.sign("s1", NOW.plus_ms(60_000)).expect("signed");
        assert_eq!(signer.session(&token, NOW).as_deref(), Some("s1"));
        assert_eq!(signer.session(&token, NOW.plus_ms(60_000)), None, "it is over");
        assert_eq!(Signer::new(&[8; 32]).session(&token, NOW), None, "another server");
    }

    #[test]
    fn no_changed_token_is_taken() {
        let signer = Signer::new(&[7; 32]);
        let token = signer.sign("s1", NOW.plus_ms(60_000)).expect("signed");
        for place in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[place] = if bytes[place] == b'A' { b'Q' } else { b'A' };
            let changed = String::from_utf8(bytes).expect("letters");
            assert_eq!(signer.session(&changed, NOW), None, "{place}");
        }
    }

    #[test]
    fn another_algorithm_is_not_taken() {
        let signer = Signer::new(&[7; 32]);
        let token = signer.sign("s1", NOW.plus_ms(60_000)).expect("signed");
        let (_, rest) = token.split_once('.').expect("three parts");
        let (body, signature) = rest.split_once('.').expect("three parts");
        // {"alg":"none"}, {"alg":"HS512"}, {"alg":"RS256"}
        for head in ["eyJhbGciOiJub25lIn0", "eyJhbGciOiJIUzUxMiJ9", "eyJhbGciOiJSUzI1NiJ9"] {
            assert_eq!(signer.session(&format!("{head}.{body}.{signature}"), NOW), None, "{head}");
            assert_eq!(signer.session(&format!("{head}.{body}."), NOW), None, "{head}");
        }
    }
}
