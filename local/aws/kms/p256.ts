/** A point of the curve; `undefined` is the one at infinity. */
export type Point = readonly [x: bigint, y: bigint];

// Source: SP 800-186 §3.2.1.3.
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const A = P - 3n;
export const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
export const G: Point = [
  0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
];

export const modulo = (value: bigint, modulus: bigint): bigint => {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
};

/** By Euclid's extended algorithm. */
export const inverse = (value: bigint, modulus: bigint): bigint => {
  let [rest, next] = [modulo(value, modulus), modulus];
  let [factor, nextFactor] = [1n, 0n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return modulo(factor, modulus);
};

export const add = (one: Point | undefined, other: Point | undefined): Point | undefined => {
  if (!one) return other;
  if (!other) return one;
  const [x1, y1] = one;
  const [x2, y2] = other;
  if (x1 === x2 && modulo(y1 + y2, P) === 0n) return undefined;
  const slope =
    x1 === x2
      ? (3n * x1 * x1 + A) * inverse(2n * y1, P)
      : (y2 - y1) * inverse(modulo(x2 - x1, P), P);
  const x = modulo(slope * slope - x1 - x2, P);
  return [x, modulo(slope * (x1 - x) - y1, P)];
};

export const multiply = (factor: bigint, point: Point): Point | undefined => {
  let product: Point | undefined;
  let doubled: Point | undefined = point;
  for (let left = factor; left > 0n; left >>= 1n) {
    if (left & 1n) product = add(product, doubled);
    doubled = add(doubled, doubled);
  }
  return product;
};
