"""Verifies Ed25519 signatures (RFC 8032, section 5.1.7), slowly."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def x_of(y: int, sign: int) -> int | None:
    """The other coordinate of a point."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point(data: bytes):
    """Decodes a point."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    x = x_of(y, sign) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def add(a, b):
    """Adds two points in extended coordinates."""
    one = (a[1] - a[0]) * (b[1] - b[0]) % P
    two = (a[1] + a[0]) * (b[1] + b[0]) % P
    three, four = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = two - one, four - three, four + three, two + one
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(count: int, one):
    """Multiplies a point."""
    total = (0, 1, 1, 0)
    while count:
        if count & 1:
            total = add(total, one)
        one, count = add(one, one), count >> 1
    return total


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (x_of(BASE_Y, 0), BASE_Y, 1, x_of(BASE_Y, 0) * BASE_Y % P)


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is that of the message with this key."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    a, r = point(public_key), point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    left, right = times(s, BASE), add(r, times(int.from_bytes(digest, "little") % ORDER, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0
