import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { Description } from '../document.ts';
import { recognizeDialect } from './dialect.ts';
import { collectWarnings, type Warnings } from './findings.ts';
import { repair } from './repair/index.ts';
import { findOperations } from './operations.ts';
import { parse } from './parse.ts';
import { judgeUnresolved } from './unresolved-references.ts';
import { walkDocument } from './walk-document.ts';
import { applyOverlays, type Overlaid } from '../overlay/apply-overlays.ts';
import { checkTree } from './check-tree.ts';
import { warnDuplicateKeys } from './duplicate-keys.ts';

export interface DescriptionLimits {
  /** Of the text as it was uploaded. */
  readonly maxBytes: number;
  /** Levels of schemas within one schema. */
  readonly maxDepth: number;
}

/** Bytes of one overlay. */
const MAX_OVERLAY_BYTES = 65_536;

/** With its aliases written out, a description may be this many times as large as one may be without. */
const MAX_EXPANSION = 2;

/**
 * Reads an OpenAPI description, JSON or YAML, from anyone: what comes out is checked, bounded and safe to
 * walk, and says in its warnings what was read with a grain of salt.
 *
 * @param overlays - texts of OpenAPI Overlays, applied in order before anything else is read
 *
 * @throws ApiRefusal and nothing else. Its code is one of `description_too_large`,
 *   `description_not_parseable`, `description_too_deep`, `alias_expansion`, `forbidden_key`,
 *   `description_not_openapi`, `external_reference`, `unresolvable_reference`, `description_invalid`,
 *   `invalid_request` (an overlay), `no_operations`, `too_many_operations` (10,000; what a plan allows is for `selectOperations`)
 *
 * Source: docs/tools.md, "Refusals at publication".
 */
export const readDescription = (
  text: string | Uint8Array,
  { maxBytes, maxDepth }: DescriptionLimits,
  overlays: readonly string[] = [],
): Description => {
  const warnings = collectWarnings();
  const { tree: sent, json } = parse(text, maxBytes, warnings);
  const keysSent = checkTree(sent, MAX_EXPANSION * maxBytes, warnings);
  if (json !== undefined && isObject(sent)) warnDuplicateKeys(json, keysSent(sent), warnings);
  const { root: tree, applications } = overlaid(sent, overlays, maxBytes, warnings);
  const keysIn = tree === sent ? keysSent : checkTree(tree, MAX_EXPANSION * maxBytes, warnings);
  const { root, dialect } = recognizeDialect(tree, warnings);
  repair(root, dialect, warnings);
  const { schemaKeys, unresolved } = walkDocument({ root, dialect, keysIn, maxDepth }, warnings);
  const unknown = judgeUnresolved(root, dialect, unresolved, warnings);
  warnUntitled(root, warnings);
  const operations = findOperations({ root, dialect, unknown }, warnings);
  return {
    dialect,
    root,
    operations,
    warnings: warnings.all(),
    schemaKeys,
    overlays: applications,
  };
};

const overlaid = (
  tree: Json,
  overlays: readonly string[],
  maxAdded: number,
  warnings: Warnings,
): Overlaid =>
  overlays.length === 0
    ? { root: tree, applications: [] }
    : applyOverlays(tree, overlays, { maxBytes: MAX_OVERLAY_BYTES, maxAdded }, warnings);

const warnUntitled = (root: JsonObject, warnings: Warnings): void => {
  const info = member(root, 'info') ?? {};
  for (const field of ['title', 'version']) {
    const value = isObject(info) ? member(info, field) : undefined;
    if (typeof value === 'string' && value.trim() !== '') continue;
    warnings.add(`/info/${field}`, 'missing, or not a text', 'Write a text.');
  }
};
