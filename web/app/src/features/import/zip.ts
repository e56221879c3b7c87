// Reads ZIP files: the central directory, and contents that are stored or deflated. Encrypted, divided and ZIP64 archives are
// refused; none of them is what an export makes.

/** A file in an archive. */
interface ZipEntry {
  path: string;
  /** Its size when it is unpacked, as the archive says. */
  size: number;
  read: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** The archive cannot be read. */
export class BadZip extends Error {}

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const END_BYTES = 22;
const COMMENT_MAX = 0xffff;
const ZIP64 = 0xffffffff;
const ENCRYPTED = 1;

/** The files of an archive, without its folders. */
export function zipEntries(archive: Uint8Array<ArrayBuffer>): ZipEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  try {
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== DIRECTORY) {
        throw new BadZip();
      }
      const [names, extras, comments] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
      const [crc = 0, packed = 0, size = 0, local = 0] = [16, 20, 24, 42].map((place) =>
        view.getUint32(at + place, true),
      );
      const flags = view.getUint16(at + 8, true);
      const method = view.getUint16(at + 10, true);
      const path = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + (names ?? 0)));
      if (flags & ENCRYPTED || packed === ZIP64 || size === ZIP64 || local === ZIP64) {
        throw new BadZip();
      }
      if (!path.endsWith("/")) {
        entries.push({
          path,
          size,
          read: () => unpacked(archive, view, { local, packed, size, method, crc }),
        });
      }
      at += 46 + (names ?? 0) + (extras ?? 0) + (comments ?? 0);
    }
  } catch {
    // A place outside of the file is no place of an archive.
    throw new BadZip();
  }
  return entries;
}

/** Where the record at the end begins; a comment may follow it. */
function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - COMMENT_MAX);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) {
    if (view.getUint32(at, true) === END) {
      return at;
    }
  }
  throw new BadZip();
}

/** Where a content lies, and what it must be when it is unpacked. */
interface Packed {
  local: number;
  packed: number;
  size: number;
  method: number;
  crc: number;
}

async function unpacked(
  archive: Uint8Array<ArrayBuffer>,
  view: DataView,
  { local, packed, size, method, crc }: Packed,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    // The lengths before a content may differ from those of the directory.
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const content = archive.subarray(begin, begin + packed);
    const whole = method === 0 ? content : method === 8 ? await inflated(content, size) : undefined;
    // Whoever reads has counted on the size, so a stored content must have it, too.
    if (whole?.length !== size || crc32(whole) !== crc) {
      throw new BadZip();
    }
    return whole;
  } catch {
    throw new BadZip();
  }
}

async function inflated(content: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(size);
  let length = 0;
  const reader = new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (length + part.value.length > size) {
      // A content that is larger than it says would have no limit.
      await reader.cancel();
      throw new BadZip();
    }
    whole.set(part.value, length);
    length += part.value.length;
  }
  return whole.subarray(0, length);
}

/** What each value of a byte adds to a CRC-32. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) {
    sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return sum;
});

function crc32(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum = (CRC_TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  }
  return ~sum >>> 0;
}
