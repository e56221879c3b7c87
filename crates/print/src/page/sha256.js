// SHA-256 (FIPS 180-4), so that the page can check itself wherever it is opened: a browser has
// `crypto.subtle` only in what it takes for a secure context.

const primes = (count) => {
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p)) found.push(n);
  return found;
};
const fraction = (value) => ((value - Math.floor(value)) * 2 ** 32) | 0;
const ROUNDS = primes(64).map((p) => fraction(Math.cbrt(p)));
const START = primes(8).map((p) => fraction(Math.sqrt(p)));

/** The digits of a checksum that is only begun (`BEGUN_DIGITS` in crates/contract/src/chain.rs). */
const BEGUN_DIGITS = 4;

/** The digest of some bytes, as 32 bytes. */
function sha256(bytes) {
  const size = ((bytes.length + 8) >> 6) + 1;
  const padded = new Uint8Array(size * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Int32Array.from(START);
  const w = new Int32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0;
      d = c; c = b; b = a; a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/**
 * Follows the chain of checksums: each covers the one before it and its event's line. An event that
 * is withheld stands for itself by its checksum, and the next one still has to fit. In a long page most checksums are
 * only begun; they are worked out, up to the next whole one.
 * Gives how many fit, how many are withheld, the first that does not fit (0: none), and all checksums.
 */
function verify(record) {
  const utf8 = new TextEncoder();
  const { events } = record;
  const hashes = [];
  let hash = sha256(utf8.encode(record.meeting));
  let fit = 0, withheld = 0;
  for (const [place, entry] of events.entries()) {
    const seq = place + 1;
    const isWhole = entry.hash.length === 64;
    const mustBeWhole = entry.line === undefined || place + 1 === events.length || events[place + 1].line === undefined;
    const broken = { fit, withheld, broken: seq, hashes };
    if (!isWhole && (mustBeWhole || entry.hash.length !== BEGUN_DIGITS)) return broken;
    if (entry.line === undefined) {
      hash = unhex(entry.hash);
      withheld++;
    } else {
      const line = utf8.encode(entry.line);
      const both = new Uint8Array(32 + line.length);
      both.set(hash);
      both.set(line, 32);
      let numbered;
      try { numbered = JSON.parse(entry.line).seq === seq; } catch { numbered = false; }
      hash = sha256(both);
      if (!numbered || !hex(hash).startsWith(entry.hash)) return broken;
      fit++;
    }
    hashes.push(hex(hash));
  }
  return { fit, withheld, broken: 0, hashes };
}
