import { isFixableHeader, isHeaderValue, isProtectedHeader } from '../../protected-headers.ts';
import type { Finding } from '../../refusal.ts';
import type { ToolNote } from '../../tool-note.ts';
import {
  type Description,
  type FoundOperation,
  isObject,
  type Json,
  type JsonObject,
  member,
  resolved,
} from '../document.ts';
import { isJson, preferred } from './media-types.ts';
import { onlyValue } from './only-value.ts';
import { collectionStyle, parameterStyle, type Place } from './parameter-style.ts';
import type { Parameter } from './parameter.ts';
import { queryParameters } from './query-parameters.ts';
import type { Schemas } from './schemas.ts';

export interface Parameters {
  readonly parameters: readonly Parameter[];
  /** Required headers with one possible value, which no argument may set: sent as they are. */
  readonly headers: Readonly<Record<string, string>>;
  /** Swagger 2.0 only: the parameter that is the body, or those that make up its form. */
  readonly body?: JsonObject;
  readonly formData: readonly JsonObject[];
  readonly warnings: readonly Finding[];
  /** Which parameters are no arguments, and why. */
  readonly notes: readonly ToolNote[];
}

/** Left out without a word: the service sets them as the operation needs them. */
const OWN_HEADER = /^(?:accept|authorization|content-type|content-length|host)$/;

/**
 * The parameters of an operation: its path's and its own, merged by name and place, without those that
 * are the service's business. Places in the path that nothing declares become parameters.
 *
 * Source: tools.md, "inputSchema"; OpenAPI 3.1.1 §4.8.10, §4.8.12.
 */
export const readParameters = (
  description: Description,
  schemas: Pick<Schemas, 'flat'>,
  found: FoundOperation,
  isCredential: (name: string, place: string) => boolean,
): Parameters => {
  const all = mergedParameters(description, found);
  const inPath = new Set(
    [...pathOf(found.path).matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? ''),
  );

  const headers: Record<string, string> = {};
  const warnings: Finding[] = [];
  const notes: ToolNote[] = [];
  const warn = (what: string, mend: string) => warnings.push({ where: found.pointer, what, mend });
  const parameters = all.flatMap(({ name, place, node }): readonly Parameter[] => {
    if (place === 'querystring') {
      const parts = queryParameters(description, schemas, node, name, found.pointer);
      if (parts.length === 0) warn(`query string ${name} has no content`, 'Add `content`.');
      return parts;
    }
    if (!isPlace(place)) return [];
    if (isCredential(name, place)) {
      notes.push({ what: `${place} parameter ${name} is no argument`, why: CREDENTIAL });
      return [];
    }
    if (place === 'path' && !inPath.has(name)) {
      warn(
        `the path has no place for parameter ${name}`,
        `Write {${name}} in the path, or correct \`in\`.`,
      );
      return [];
    }
    const header = name.toLowerCase();
    if (place === 'header' && isProtectedHeader(header)) {
      notes.push({ what: `header ${name} is no argument`, why: PROTECTED });
      if (node['required'] !== true || OWN_HEADER.test(header)) return [];
      const value = fixedValue(description, schemas, node);
      if (value !== undefined && isFixableHeader(header)) headers[header] = value;
      else {
        warn(
          `header ${name} is required, but calls may not set it: the API may refuse them`,
          'Leave the operation out, unless the API works without this header.',
        );
      }
      return [];
    }
    return [readParameter(description, node, name, place)];
  });

  const declared = new Set(parameters.filter((one) => one.in === 'path').map(({ name }) => name));
  const undeclaredOnes = [...inPath].filter((name) => !declared.has(name)).map(undeclared);
  const body = all.find(({ place }) => place === 'body')?.node;
  return {
    parameters: [...parameters, ...undeclaredOnes],
    headers,
    ...(body ? { body } : {}),
    formData: all.filter(({ place }) => place === 'formData').map(({ node }) => node),
    warnings,
    notes,
  };
};

const CREDENTIAL = 'it carries the credential, which the service adds';
const PROTECTED = 'the service sets it as the request needs it, or no caller may';

const mergedParameters = ({ root }: Description, { pathItem, operation }: FoundOperation) => {
  const merged = new Map<string, { name: string; place: string; node: JsonObject }>();
  for (const list of [member(pathItem, 'parameters'), member(operation, 'parameters')]) {
    for (const entry of Array.isArray(list) ? list : []) {
      const node = resolved(root, entry);
      if (!isObject(node)) continue;
      const name = String(member(node, 'name'));
      const place = String(member(node, 'in'));
      // Header names have no case.
      merged.set(`${place} ${place === 'header' ? name.toLowerCase() : name}`, {
        name,
        place,
        node,
      });
    }
  }
  return [...merged.values()];
};

/** A path without its fragment, which some descriptions use to tell operations apart. */
export const pathOf = (path: string): string => path.split('#', 1).join();

const isPlace = (place: string): place is Place =>
  ['path', 'query', 'header', 'cookie'].includes(place);

const readParameter = (
  { dialect, root }: Description,
  parameter: JsonObject,
  name: string,
  place: Place,
): Parameter => {
  const required = place === 'path' || parameter['required'] === true;
  const { description, deprecated, example, examples } = parameter;
  const annotations: JsonObject = {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...exampleOf(root, example, examples),
  };
  const common = { name, in: place, required, annotations };
  if (dialect === 'swagger-2.0') {
    return { ...common, schema: inlineSchema(parameter), ...collectionStyle(parameter, place) };
  }
  const content = member(parameter, 'content');
  const mediaType = isObject(content) ? preferred(Object.keys(content)) : undefined;
  const style = parameterStyle(parameter, place);
  if (!isObject(content) || mediaType === undefined) {
    return { ...common, schema: member(parameter, 'schema'), ...style };
  }
  const media = resolved(root, content[mediaType] ?? null);
  const schema = isObject(media) ? member(media, 'schema') : undefined;
  const isText = !isJson(mediaType);
  return { ...common, schema: isText ? { type: 'string' } : schema, ...style, mediaType };
};

/** In Swagger 2.0 a parameter is its own schema. */
export const inlineSchema = (parameter: JsonObject): JsonObject => {
  const { name: _, in: __, required: ___, collectionFormat: ____, ...schema } = parameter;
  return schema;
};

const exampleOf = (root: JsonObject, example?: Json, examples?: Json): JsonObject => {
  if (example !== undefined) return { example };
  const first = isObject(examples) ? resolved(root, Object.values(examples)[0] ?? null) : undefined;
  const value = isObject(first) ? member(first, 'value') : undefined;
  return value === undefined ? {} : { example: value };
};

/** What a header always holds, if its description leaves no choice. */
const fixedValue = (
  { dialect }: Description,
  schemas: Pick<Schemas, 'flat'>,
  header: JsonObject,
): string | undefined => {
  const schema = dialect === 'swagger-2.0' ? inlineSchema(header) : member(header, 'schema');
  const value = onlyValue(schemas, schema);
  return value !== undefined && isHeaderValue(value) ? value : undefined;
};

const undeclared = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  annotations: {},
  style: 'simple',
  explode: false,
  allowReserved: false,
});
