import { checkTree } from '../../openapi/intake/check-tree.ts';
import { collectWarnings } from '../../openapi/intake/findings.ts';
import { descriptionText, parse } from '../../openapi/intake/parse.ts';
import { isObject, type Json } from '../../platform/rules/json/json.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Masking } from './mask-secrets.ts';

/**
 * A description without secrets. In one that holds any, each text, name and number is masked by itself, and it
 * becomes JSON: in the text `example: KEY` of YAML a mask would be a list, and for a number of JSON nothing at all.
 * Any other stays as it is, to the byte.
 */
export const maskedDescription = (body: Uint8Array, masking: Masking): Uint8Array => {
  try {
    const text = descriptionText(body);
    if (masking.text(text) === text) return body;
    const warnings = collectWarnings();
    const { tree } = parse(body, body.byteLength, warnings);
    // What follows walks it, aliases written out.
    checkTree(tree, MOST_EXPANSION * body.byteLength, warnings);
    return Buffer.from(JSON.stringify(maskedTree(tree, masking.text)));
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    // No description in any case: whoever reads it refuses it, and may quote it.
    return masking.bytes(body);
  }
};

/** As many times as a description may become larger with its aliases written out. */
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
