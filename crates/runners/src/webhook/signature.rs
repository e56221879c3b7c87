//! Signatures as in Standard Webhooks: HMAC-SHA256 over the id, the time and the body, under a secret of both sides.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quorate_engine::Secret;
use ring::hmac;

/// Begins each secret.
const SECRET: &str = "whsec_";
/// Begins each signature of this version.
const VERSION: &str = "v1,";
/// The length of a secret, in bytes.
const SECRET_BYTES: usize = 32;
/// The most signatures of one message that are looked at.
const SIGNATURES_MAX: usize = 10;

/// A new secret: `whsec_` and 32 random bytes in base64. `None` when the machine has no random numbers.
pub fn new_webhook_secret() -> Option<Secret> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes).ok()?;
    Some(Secret::new(format!("{SECRET}{}", STANDARD.encode(bytes))))
}

/// The value of the header `webhook-signature`: a signature with each of the secrets. `timestamp` is in seconds.
pub fn sign_webhook(secrets: &[Secret], id: &str, timestamp: i64, body: &[u8]) -> String {
    let sign = |key| format!("{VERSION}{}", STANDARD.encode(hmac::sign(&key, &signed(id, timestamp, body))));
    secrets.iter().filter_map(key_of).map(sign).collect::<Vec<_>>().join(" ")
}

/// Whether one of the signatures was made with one of the secrets. The comparison takes the same time for each.
pub fn verify_webhook(secrets: &[Secret], id: &str, timestamp: i64, body: &[u8], signatures: &str) -> bool {
    let signed = signed(id, timestamp, body);
    let keys: Vec<hmac::Key> = secrets.iter().filter_map(key_of).collect();
    let given = signatures.split(' ').filter_map(|signature| signature.strip_prefix(VERSION));
    let tags = given.take(SIGNATURES_MAX).filter_map(|text| STANDARD.decode(text).ok());
    let fits = |tag: Vec<u8>| keys.iter().any(|key| hmac::verify(key, &signed, &tag).is_ok());
    tags.into_iter().any(fits)
}

fn signed(id: &str, timestamp: i64, body: &[u8]) -> Vec<u8> {
    [id.as_bytes(), b".", timestamp.to_string().as_bytes(), b".", body].concat()
}

fn key_of(secret: &Secret) -> Option<hmac::Key> {
    let bytes = STANDARD.decode(secret.expose().strip_prefix(SECRET)?).ok()?;
    Some(hmac::Key::new(hmac::HMAC_SHA256, &bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the reference libraries of Standard Webhooks.
    #[test]
    fn the_published_example_is_signed_alike() {
        let secrets = [Secret::new("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")];
        let (id, body) =
            ("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", br#"{"email":"test@example.com","username":"test_user"}"#);
        let signature = sign_webhook(&secrets, id, 1_649_367_553, body);
        assert_eq!(signature, "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=");
        assert!(verify_webhook(&secrets, id, 1_649_367_553, body, &signature));
        for shorter in ["v1,", "v1,tZ1I", "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3"] {
            assert!(!verify_webhook(&secrets, id, 1_649_367_553, body, shorter), "{shorter}");
        }
    }

    #[test]
    fn nothing_but_the_same_message_with_a_known_secret_fits() {
        let (new, old) = (new_webhook_secret().expect("random"), new_webhook_secret().expect("random"));
        assert_ne!(new, old);
        let both = sign_webhook(&[new.clone(), old.clone()], "m1", 7, b"body");
        assert_eq!(both.split(' ').count(), 2);
        for known in [&new, &old] {
            assert!(verify_webhook(std::slice::from_ref(known), "m1", 7, b"body", &both));
        }
        let by_old = sign_webhook(&[old], "m1", 7, b"body");
        let known = [new];
        assert!(!verify_webhook(&known, "m1", 7, b"body", &by_old));
        assert!(!verify_webhook(&known, "m2", 7, b"body", &both));
        assert!(!verify_webhook(&known, "m1", 8, b"body", &both));
        assert!(!verify_webhook(&known, "m1", 7, b"Body", &both));
        for wrong in ["", "v1,", "v1", "v2,AAAA", "v1,not base64", "v1a,AAAA"] {
            assert!(!verify_webhook(&known, "m1", 7, b"body", wrong), "{wrong}");
        }
        assert_eq!(sign_webhook(&[Secret::new("whsec_?"), Secret::new("plain")], "m", 1, b""), "");
    }
}
