import { Fault } from '../../platform/rules/fault.ts';

/** Length of `r` and of `s` for P-256. */
const NUMBER_BYTES = 32;

/**
 * Converts a signature from KMS's ASN.1 sequence of two integers to the concatenation that JWS requires.
 * @param der - `30 length, 02 length r, 02 length s`
 * @throws Fault for anything else. Source: RFC 3279 §2.2.3; RFC 7518 §3.4.
 */
export const joseSignature = (der: Uint8Array): Buffer => {
  const bytes = Buffer.from(der);
  const rEnd = 4 + (bytes[3] ?? 0);
  const sStart = rEnd + 2;
  const sEnd = sStart + (bytes[rEnd + 1] ?? 0);
  const framed =
    bytes[0] === 0x30 &&
    bytes[1] === bytes.length - 2 &&
    bytes[2] === 0x02 &&
    bytes[rEnd] === 0x02 &&
    sEnd === bytes.length;
  if (!framed) throw unreadable();
  return Buffer.concat([number(bytes.subarray(4, rEnd)), number(bytes.subarray(sStart))]);
};

/** ASN.1 integers are as short as possible, with a zero byte before a leading 1 bit; JOSE has fixed length. */
const number = (integer: Buffer): Buffer => {
  const digits = integer[0] === 0 ? integer.subarray(1) : integer;
  if (integer.length === 0 || digits.length > NUMBER_BYTES) throw unreadable();
  return Buffer.concat([Buffer.alloc(NUMBER_BYTES - digits.length), digits]);
};

const unreadable = () => new Fault('kms', 'the signature is not readable');
