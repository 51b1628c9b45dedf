import { trimmed } from '../../../platform/rules/trimmed.ts';

const ENCODED = /^=\?base64\?(?<base64>.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BLANK = /[ \t]/;

/**
 * What a request header says that repeats a part of the body: text that a header cannot hold stands there in
 * base64.
 *
 * @returns undefined for base64 that is none, or of no UTF-8
 *
 * Source: MCP 2026-07-28, "Streamable HTTP", "Value Encoding".
 */
export const headerText = (value: string): string | undefined => {
  const text = trimmed(value, BLANK);
  const base64 = ENCODED.exec(text)?.groups?.['base64'];
  if (base64 === undefined) return text;
  if (!BASE64.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  // Other spellings of the same bytes would be another header for the same body.
  if (bytes.toString('base64') !== base64) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
