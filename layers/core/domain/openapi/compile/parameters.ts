import type { Finding } from '../../refusal.ts';
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
import { collectionStyle, parameterStyle, type Place, type Style } from './parameter-style.ts';

/** A parameter that becomes an argument. */
export interface Parameter extends Style {
  readonly name: string;
  readonly in: Place;
  readonly required: boolean;
  readonly schema: Json | undefined;
  /** Its own description, example and so on, which win over the schema's. */
  readonly annotations: JsonObject;
  /** Set for `content` parameters. */
  readonly mediaType?: string;
}

export interface Parameters {
  readonly parameters: readonly Parameter[];
  /** Swagger 2.0 only: the parameter that is the body, or those that make up its form. */
  readonly body?: JsonObject;
  readonly formData: readonly JsonObject[];
  readonly warnings: readonly Finding[];
}

/** What belongs to the service: the connection, the credential, and the format of the body. */
const PROTECTED_HEADER =
  /^(?:accept|authorization|connection|content-length|content-type|cookie|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|x-real-ip|(?:proxy|sec|x-forwarded)(?:-.*)?|x-amz.*)$/;
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
  found: FoundOperation,
  isCredential: (name: string, place: string) => boolean,
): Parameters => {
  const all = mergedParameters(description, found);
  const inPath = new Set(
    [...pathOf(found.path).matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? ''),
  );

  const warnings: Finding[] = [];
  const warn = (what: string, mend: string) => warnings.push({ where: found.pointer, what, mend });
  const parameters = all.flatMap(({ name, place, node }): readonly Parameter[] => {
    if (place === 'querystring') {
      const parts = querystringParts(description, node);
      if (parts.length > 0) return parts;
      warn(
        `query string ${name} cannot be sent`,
        'Describe it as a form, an object with properties.',
      );
    }
    if (!isPlace(place) || isCredential(name, place)) return [];
    if (place === 'path' && !inPath.has(name)) {
      warn(
        `the path has no place for parameter ${name}`,
        `Write {${name}} in the path, or correct \`in\`.`,
      );
      return [];
    }
    if (place === 'header' && PROTECTED_HEADER.test(name.toLowerCase())) {
      if (node['required'] === true && !OWN_HEADER.test(name.toLowerCase())) {
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
    ...(body ? { body } : {}),
    formData: all.filter(({ place }) => place === 'formData').map(({ node }) => node),
    warnings,
  };
};

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

/** OpenAPI 3.2: one parameter stands for the whole query; its properties are sent one by one. */
const querystringParts = (
  description: Description,
  parameter: JsonObject,
): readonly Parameter[] => {
  const content = member(parameter, 'content');
  const media = isObject(content) ? content['application/x-www-form-urlencoded'] : undefined;
  const given = isObject(media)
    ? resolved(description.root, member(media, 'schema') ?? null)
    : undefined;
  const properties = isObject(given) ? member(given, 'properties') : undefined;
  const required = isObject(given) ? member(given, 'required') : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    schema,
    annotations: {},
    style: 'form',
    explode: true,
    allowReserved: false,
  }));
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
