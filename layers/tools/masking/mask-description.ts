import { checkTree } from '../../openapi/intake/check-tree.ts';
import { collectWarnings } from '../../openapi/intake/findings.ts';
import { descriptionText, parse } from '../../openapi/intake/parse.ts';
import { isObject, type Json } from '../../platform/rules/json/json.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Masking } from './mask-secrets.ts';

/**
 * Masks secrets in a description. Where there are any, each string, key and number is masked by itself and the result
 * is JSON: in YAML, `example: [masked]` would be a list, and a masked number is invalid JSON. A description without
 * secrets stays byte for byte.
 */
export const maskedDescription = (body: Uint8Array, masking: Masking): Uint8Array => {
  try {
    const text = descriptionText(body);
    if (masking.text(text) === text) return body;
    const warnings = collectWarnings();
    const { tree } = parse(body, body.byteLength, warnings);
    // Limits the walk below, which expands aliases.
    checkTree(tree, MOST_EXPANSION * body.byteLength, warnings);
    return Buffer.from(JSON.stringify(maskedTree(tree, masking.text)));
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    // Invalid in any case: whoever parses it refuses it, and may quote it.
    return masking.bytes(body);
  }
};

/** Limit for the growth of a description when its YAML aliases are expanded. */
const MOST_EXPANSION = 2;

const maskedTree = (node: Json, mask: (text: string) => string): Json => {
  if (typeof node === 'string') return mask(node);
  if (typeof node === 'number') {
    const digits = String(node);
    const shown = mask(digits);
    return shown === digits ? node : shown;
  }
  if (Array.isArray(node)) return node.map((inside: Json) => maskedTree(inside, mask));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [mask(name), maskedTree(value, mask)]),
  );
};
