type Signature = readonly [mimeType: string, signature: string, at: number];

const PICTURES: readonly Signature[] = [
  ['image/png', '\x89PNG\r\n\x1a\n', 0],
  ['image/jpeg', '\xff\xd8\xff', 0],
  ['image/gif', 'GIF87a', 0],
  ['image/gif', 'GIF89a', 0],
  ['image/webp', 'WEBPVP', 8],
];

const OTHERS: readonly Signature[] = [
  ['audio/wav', 'WAVE', 8],
  ['audio/mpeg', 'ID3', 0],
  ['application/pdf', '%PDF-', 0],
  ['application/zip', 'PK\x03\x04', 0],
  ['application/gzip', '\x1f\x8b\x08', 0],
];

/** Whether bytes begin as a picture does. Source: WHATWG MIME Sniffing §6.1. */
export const isPicture = (bytes: Uint8Array): boolean => typeIn(PICTURES, bytes) !== undefined;

/** The type of bytes that are no text, by the first of them. Source: WHATWG MIME Sniffing §6, §7.1. */
export const typeByBytes = (bytes: Uint8Array): string | undefined =>
  typeIn([...PICTURES, ...OTHERS], bytes);

const typeIn = (signatures: readonly Signature[], bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return signatures.find(([, signature, at]) => start.startsWith(signature, at))?.[0];
};
