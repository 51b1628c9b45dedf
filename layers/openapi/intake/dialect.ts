import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { Dialect } from '../document.ts';
import { finding, type Warnings } from './findings.ts';

const DIALECTS: Readonly<Record<string, Dialect>> = {
  '3.0': 'openapi-3.0',
  '3.1': 'openapi-3.1',
  '3.2': 'openapi-3.2',
};

/**
 * Which specification a document follows. Versions without quotes, which YAML reads as numbers, and
 * versions without a patch number are accepted with a warning.
 *
 * @throws ApiRefusal `description_not_openapi`, saying what was found instead
 */
export const recognizeDialect = (
  tree: Json,
  warnings: Warnings,
): { readonly root: JsonObject; readonly dialect: Dialect } => {
  if (!isObject(tree)) throw notOpenApi(`found ${kindOf(tree)} instead of an object`);
  const openapi = member(tree, 'openapi');
  const swagger = member(tree, 'swagger');
  if (isVersion(openapi)) {
    // YAML reads `3.0` without quotes as the number 3.
    const version = openapi === 3 ? '3.0' : String(openapi);
    const dialect = /^3\.[012](\.|$)/.test(version) ? DIALECTS[version.slice(0, 3)] : undefined;
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

const notOpenApi = (what: string): ApiRefusal =>
  new ApiRefusal('description_not_openapi', 'The document is not an OpenAPI description.', [
    finding(
      '',
      what,
      'Send a description with `openapi: 3.0`, `3.1` or `3.2`, or `swagger: "2.0"`.',
    ),
  ]);
