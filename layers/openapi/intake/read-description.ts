import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { Description, Dialect } from '../document.ts';
import { collectWarnings, finding, type Warnings } from './findings.ts';
import { bindTemplates } from './bind-templates.ts';
import { repair } from './repair.ts';
import { findOperations } from './operations.ts';
import { parse } from './parse.ts';
import { judgeUnresolved } from './references.ts';
import { walkDocument } from './walk-document.ts';
import { applyOverlays, type Overlaid } from '../overlay/apply-overlays.ts';
import { checkTree } from './check-tree.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { parseYaml } from './yaml.ts';

const MAX_OVERLAY_BYTES = 65_536;

/** With YAML aliases expanded, a description may be this many times as large as `maxBytes`. */
const MAX_EXPANSION = 2;

/**
 * Reads an untrusted OpenAPI description in JSON or YAML. The result is checked, bounded and safe to walk; warnings
 * tell what was corrected.
 * @param limits - `maxBytes`: of the text as uploaded; `maxDepth`: levels of schemas nested in one schema
 * @param overlays - texts of OpenAPI Overlays, applied in order before anything else is read
 * @throws ApiRefusal and nothing else, with one of the codes `description_too_large`, `description_not_parseable`,
 *   `description_too_deep`, `alias_expansion`, `forbidden_key`, `description_not_openapi`, `external_reference`,
 *   `unresolvable_reference`, `description_invalid`, `invalid_request` (an overlay), `no_operations`,
 *   `too_many_operations` (10,000; limits of plans are for `selectOperations`)
 * Source: docs/tools.md, "Refusals at publication".
 */
export const readDescription = (
  received: string | Uint8Array,
  { maxBytes, maxDepth }: { readonly maxBytes: number; readonly maxDepth: number },
  overlays: readonly string[] = [],
): Description => {
  const warnings = collectWarnings();
  const { text, tree: sent, isJson } = parse(received, maxBytes, warnings);
  const keysSent = checkTree(sent, MAX_EXPANSION * maxBytes, warnings);
  if (isJson && isObject(sent)) warnDuplicateKeys(text, keysSent(sent), warnings);
  const { root: tree, applications } = overlaid(sent, overlays, maxBytes, warnings);
  const keysIn = tree === sent ? keysSent : checkTree(tree, MAX_EXPANSION * maxBytes, warnings);
  const { root, dialect } = recognizeDialect(tree, warnings);
  repair(root, dialect, warnings);
  // Few descriptions have a `$dynamicRef`, and searching the tree takes as long as all other repairs.
  if ([text, ...overlays].some((one) => one.includes('$dynamicRef'))) bindTemplates(root);
  const { schemaKeys, unresolved } = walkDocument({ root, dialect, keysIn, maxDepth }, warnings);
  const unknown = judgeUnresolved(root, dialect, unresolved, warnings);
  warnUntitled(root, warnings);
  const operations = findOperations({ root, dialect, unknown }, warnings);
  return {
    text,
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
    if (typeof value === 'number') {
      warnings.add(`/info/${field}`, 'is a number', 'Write it in quotes.');
    } else warnings.add(`/info/${field}`, 'missing, or not a text', 'Write a text.');
  }
};

const DIALECTS: Readonly<Record<string, Dialect>> = {
  '3.0': 'openapi-3.0',
  '3.1': 'openapi-3.1',
  '3.2': 'openapi-3.2',
};

/**
 * Detects the version of OpenAPI. Versions without quotes, which YAML parses as numbers, or without patch number are
 * accepted with a warning.
 * @throws ApiRefusal `description_not_openapi`, naming what was found instead
 */
const recognizeDialect = (
  tree: Json,
  warnings: Warnings,
): { readonly root: JsonObject; readonly dialect: Dialect } => {
  if (typeof tree === 'string' && /^\s*<(?:!doctype|html|\?xml)/i.test(tree)) {
    throw notOpenApi(
      'found a page or XML instead of an object',
      'Give the description itself: a page that shows an API names or links the JSON or YAML that it is made of.',
    );
  }
  if (!isObject(tree)) throw notOpenApi(`found ${kindOf(tree)} instead of an object`);
  const openapi = member(tree, 'openapi');
  const swagger = member(tree, 'swagger');
  if (isVersion(openapi)) {
    // YAML parses an unquoted `3.0` as the number 3.
    const version = openapi === 3 ? '3.0' : String(openapi);
    const dialect = /^3\.[012](\.|$)/.test(version)
      ? member(DIALECTS, version.slice(0, 3))
      : undefined;
    if (dialect === undefined) throw notOpenApi(`found \`openapi: ${JSON.stringify(openapi)}\``);
    if (typeof openapi !== 'string' || version.length === 3) {
      warnings.add('/openapi', `read as ${version}`, `Write "${version}.0", in quotes.`);
    }
    return { root: tree, dialect };
  }
  if (isVersion(swagger)) {
    if (!['2.0', '2'].includes(String(swagger))) {
      throw notOpenApi(`found \`swagger: ${JSON.stringify(swagger)}\``);
    }
    if (swagger !== '2.0') warnings.add('/swagger', 'read as 2.0', 'Write "2.0", in quotes.');
    return { root: tree, dialect: 'swagger-2.0' };
  }
  const keys = Object.keys(tree)
    .slice(0, 5)
    .map((key) => JSON.stringify(key));
  throw notOpenApi(
    keys.length === 0
      ? 'found an empty object'
      : `found no version under \`openapi\` or \`swagger\`; the document begins with ${keys.join(', ')}`,
  );
};

const isVersion = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const kindOf = (tree: Json): string => {
  if (tree === null) return 'nothing';
  return Array.isArray(tree) ? 'a list' : `a ${typeof tree === 'string' ? 'text' : typeof tree}`;
};

const notOpenApi = (
  what: string,
  hint = 'Send a description with `openapi: 3.0`, `3.1` or `3.2`, or `swagger: "2.0"`.',
): ApiRefusal =>
  new ApiRefusal('description_not_openapi', 'The document is not an OpenAPI description.', [
    finding('', what, hint),
  ]);

/**
 * Warns of duplicate keys in an object. `JSON.parse` drops all but the last silently, so the keys written are compared
 * with the keys parsed.
 * @param json - valid JSON
 * @param kept - keys of all parsed objects
 */
const warnDuplicateKeys = (json: string, kept: number, warnings: Warnings): void => {
  if (closedBeforeColon(json) === kept || keysWritten(json) === kept) return;
  try {
    // The YAML parser reports duplicate keys with their position.
    parseYaml(json, warnings);
  } catch {
    warnings.add('', 'a key occurs twice in one object, and the last one counts', 'Rename one.');
  }
};

/** Counts quotes before colons, at least one for each key; undefined where a blank precedes a colon. */
const closedBeforeColon = (json: string): number | undefined => {
  if (/"[ \t\r\n]+:/.test(json)) return undefined;
  let count = 0;
  for (let at = json.indexOf('":'); at !== -1; at = json.indexOf('":', at + 2)) {
    let before = at - 1;
    while (json.charCodeAt(before) === 92) before -= 1;
    // After an odd number of backslashes the quote belongs to the string.
    if ((at - before) % 2 === 1) count += 1;
  }
  return count;
};

/** Counts colons outside of strings: exactly one for each key. */
const keysWritten = (json: string): number => {
  let count = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === 34) inText = !inText;
    else if (inText && character === 92) index += 1;
    else if (!inText && character === 58) count += 1;
  }
  return count;
};
