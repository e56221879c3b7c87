// The signature of the log. WebCrypto verifies it in browsers that have Ed25519; the others say that they cannot.

/** The signed text; docs/export.md describes it. */
const signedText = (one) =>
  `quorate log signature 1\nmeeting_id ${one.meeting_id}\nseq ${one.seq}\nhash ${one.hash}\n` +
  `checksums ${one.checksums}\nsigned_at ${one.signed_at}\nkey_id ${one.key_id}\n`;

const digits = (text, count) => typeof text === "string" && text.length === count && /^[0-9a-f]+$/u.test(text);

/** Whether the signature is about the events of this page, by their checksums, and its key has the id that it names. */
function isOfThese(one, record, hashes) {
  return one.algorithm === "Ed25519" && digits(one.public_key, 64) && digits(one.signature, 128) &&
    one.meeting_id === record.meeting && one.seq === hashes.length && one.hash === hashes.at(-1) &&
    one.checksums === hex(sha256(unhex(hashes.join("")))) &&
    one.key_id === hex(sha256(unhex(one.public_key))).slice(0, 32);
}

/** `valid`, `invalid`, or `unsupported` by this browser. */
async function checkSignature(one, record, hashes) {
  if (!isOfThese(one, record, hashes)) return "invalid";
  try {
    const key = await crypto.subtle.importKey("raw", unhex(one.public_key), "Ed25519", false, ["verify"]);
    const text = new TextEncoder().encode(signedText(one));
    return (await crypto.subtle.verify("Ed25519", key, unhex(one.signature), text)) ? "valid" : "invalid";
  } catch (error) {
    return error.name === "DataError" ? "invalid" : "unsupported";
  }
}

/** The lines that say what the signature amounts to; they are complete once it is verified. */
function signatureLines(record, words, { broken, hashes }) {
  const one = record.signature;
  if (!one) {
    const why = record.unsigned && words[camel(`unsigned-${record.unsigned}`)];
    return why ? [make("p", { class: "signature", "data-signature": "absent" }, why)] : [];
  }
  const state = make("p", { class: "badge signature", "data-signature": "checking", role: "status" }, words.signatureChecking);
  const facts = make("dl", {}, [[words.signedAt, one.signed_at], [words.keyId, one.key_id]].flatMap(([term, what]) =>
    [make("dt", {}, term), make("dd", {}, make("code", {}, String(what)))]));
  const checked = broken ? Promise.resolve("invalid") : checkSignature(one, record, hashes);
  checked.then((found) => {
    state.dataset.signature = found;
    state.classList.add({ valid: "verified", invalid: "broken", unsupported: "unknown" }[found]);
    state.textContent = words[camel(`signature-${found}`)];
  });
  return [state, facts, make("p", {}, words.aboutSignature)];
}
