import {
  isFixableHeader,
  isHeaderValue,
  isProtectedHeader,
  isSentByItself,
} from '../../target/rules/protected-headers.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { ToolNote } from '../tool-note.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { listOf } from '../../platform/rules/json/members.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import {
  collectionStyle,
  isJson,
  onlyValue,
  type Parameter,
  type ParameterLocation,
  parameterStyle,
  preferredMediaType,
  readEncodings,
} from './encodings.ts';
import { type DeclaredParameter, parametersInPlace, placesOf } from './path-places.ts';
import { isOmissible } from '../frameworks/omissible-ends.ts';
import { WITHOUT_HABITS } from '../frameworks/habit.ts';
import { readerOfRepeated } from '../frameworks/list-readers.ts';
import { asMap, type QueryLanguage } from '../frameworks/query-languages.ts';
import { valueOfTextForm } from '../frameworks/text-forms.ts';
import { exampleWithSlash, isMultiSegment } from './multi-segment.ts';
import { asList } from './lists.ts';
import { inLanguage } from './query-parameters.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { readTypes } from '../json-schema/types.ts';

export interface Parameters {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Required headers with a single possible value that arguments may not set. */
  readonly headers: Readonly<Record<string, string>>;
  /** Swagger 2.0 only: the body parameter, or the fields of a form. */
  readonly body?: JsonObject;
  readonly formData: readonly JsonObject[];
  readonly warnings: readonly Finding[];
  readonly notes: readonly ToolNote[];
  readonly hints: readonly string[];
}

/** Headers that the service sets itself: skipping them calls for no warning. */
const OWN_HEADER = /^(?:accept|authorization|content-type|content-length|host)$/;

/**
 * Parameters of an operation and its path, merged by name and location, without those that the service sets. Undeclared
 * path variables become parameters.
 * Source: docs/tools.md, "Parameters as arguments"; OpenAPI 3.1.1 §4.8.10, §4.8.12.
 */
export const readParameters = (
  description: Description,
  schemas: Pick<Schemas, 'flat'>,
  found: FoundOperation,
  isCredential: (name: string, location: string) => boolean,
  language?: QueryLanguage,
): Parameters => {
  const placed = parametersInPlace(
    pathOf(found.path),
    mergedParameters(description, found),
    isCredential,
  );
  const { path, parameters: all } = placed;
  const inPath = placesOf(path);

  const headers = new Map<string, string>();
  const warnings: Finding[] = [];
  const notes: ToolNote[] = [...placed.known];
  const warn = (what: string, hint: string) => warnings.push({ where: found.pointer, what, hint });
  for (const { what, hint } of placed.guesses) warn(what, hint);
  const asRouted = (read: Parameter, node: JsonObject): Parameter => {
    const router = readerOfRepeated(description.root, node);
    if (router === undefined) return read;
    warn(
      `lists in its query are written as a=1&a=2, as ${router} read them`,
      'Write `x-collection-format: csv` beside it if the API takes a=1,2.',
    );
    return { ...read, ...REPEATED };
  };
  const spoken = (queries: QueryLanguage, read: Parameter, node: JsonObject): Parameter => {
    const { parameter, guess } = inLanguage(queries, schemas, read, node);
    if (guess !== undefined) {
      warn(
        `${guess}, as ${queries.frameworks} read them`,
        parameter.digits
          ? WITHOUT_HABITS
          : 'Declare `style` and `explode` of the parameter if the API reads them otherwise.',
      );
    }
    return parameter;
  };
  const listed = (read: Parameter, node: JsonObject): Parameter => {
    const { parameter, what, hint } = asList(description.root, schemas, read, node);
    if (what !== undefined) warn(what, hint ?? '');
    return parameter;
  };
  const nodesInPath = all.flatMap(({ location, node }) => (location === 'path' ? [node] : []));
  const parameters = all.flatMap(({ name, location, node }): readonly Parameter[] => {
    if (location === 'querystring') {
      const parts = queryParameters(description, schemas, node, name, found.pointer);
      if (parts.length === 0) warn(`query string ${name} has no content`, 'Add `content`.');
      return parts;
    }
    if (!isLocation(location)) return [];
    if (isCredential(name, location)) {
      notes.push({ what: `${location} parameter ${name} is no argument`, why: CREDENTIAL });
      return [];
    }
    if (location === 'path' && !inPath.has(name)) {
      warn(
        `the path has no place for parameter ${name}`,
        `Write {${name}} in the path, or correct \`in\`.`,
      );
      return [];
    }
    if (location === 'path') {
      const read = readParameter(description, node, name, location);
      const { dialect } = description;
      const isDeclared =
        node['x-multi-segment'] !== undefined ||
        node['x-ms-skip-url-encoding'] === true ||
        dialect === 'openapi-3.2';
      const example = exampleWithSlash(dialect, node);
      if (read.isMultiSegment && !isDeclared) {
        notes.push({ what: `the slashes of ${name} stay`, why: 'its pattern asks for them' });
      } else if (!read.isMultiSegment && example !== undefined && !isDeclared) {
        warn(
          `the example of ${name} has slashes, which are sent as %2F: a path parameter is one segment`,
          `If the API takes several there, write \`x-multi-segment: true\` beside \`name: ${name}\`.`,
        );
      }
      return [isOmissible(node, nodesInPath) ? { ...read, mayBeLeftOut: true } : read];
    }
    if (location !== 'header') {
      const own = asValue(asMap(readParameter(description, node, name, location)));
      const read = listed(asRouted(own, node), node);
      return [language && location === 'query' ? spoken(language, read, node) : read];
    }

    const header = name.toLowerCase();
    const isRequired = node['required'] === true;
    const value = isRequired ? fixedValue(description, schemas, node) : undefined;
    if (isProtectedHeader(header) || (value !== undefined && isSentByItself(header))) {
      notes.push({ what: `header ${name} is no argument`, why: PROTECTED });
      if (!isRequired || OWN_HEADER.test(header)) return [];
      if (value !== undefined && isFixableHeader(header)) headers.set(header, value);
      else {
        warn(
          `header ${name} is required, but calls may not set it: the API may refuse them`,
          'Leave the operation out, unless the API works without this header.',
        );
      }
      return [];
    }
    return [listed(readParameter(description, node, name, location), node)];
  });

  const declared = new Set(parameters.filter((one) => one.in === 'path').map(({ name }) => name));
  const undeclaredOnes = [...inPath].filter((name) => !declared.has(name)).map(undeclared);
  // The last one: the operation's own has precedence over its path's.
  const body = all.findLast(({ location }) => location === 'body')?.node;
  return {
    path,
    parameters: [...parameters, ...undeclaredOnes],
    headers: Object.fromEntries(headers),
    ...(body ? { body } : {}),
    formData: all.filter(({ location }) => location === 'formData').map(({ node }) => node),
    warnings,
    notes,
    hints:
      language?.filters &&
      parameters.some((one) => one.notes?.includes(language.filters?.argument ?? ''))
        ? [language.filters.tool]
        : [],
  };
};

const REPEATED = { style: 'form', explode: true } as const;

const CREDENTIAL = 'it carries the credential, which the service adds';
const PROTECTED = 'the service sets it as the request needs it, or no caller may';

const mergedParameters = (
  { root }: Description,
  { pathItem, operation }: FoundOperation,
): readonly DeclaredParameter[] => {
  const merged = new Map<string, DeclaredParameter>();
  for (const list of [member(pathItem, 'parameters'), member(operation, 'parameters')]) {
    for (const entry of listOf(list)) {
      const node = resolved(root, entry);
      if (!isObject(node)) continue;
      const name = textMember(node, 'name');
      const location = textMember(node, 'in');
      // Header names are case-insensitive.
      merged.set(`${location} ${location === 'header' ? name.toLowerCase() : name}`, {
        name,
        location,
        node,
      });
    }
  }
  return [...merged.values()];
};

/** Removes the fragment, with which some descriptions distinguish operations. */
const pathOf = (path: string): string => path.split('#', 1).join();

const isLocation = (location: string): location is ParameterLocation =>
  ['path', 'query', 'header', 'cookie'].includes(location);

const readParameter = (
  { dialect, root }: Description,
  parameter: JsonObject,
  name: string,
  location: ParameterLocation,
): Parameter => {
  const required = location === 'path' || parameter['required'] === true;
  const { description, deprecated, example, examples } = parameter;
  const annotations: JsonObject = {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...exampleOf(root, example, examples),
  };
  const isMulti = location === 'path' && isMultiSegment(dialect, parameter);
  const segments = isMulti ? ({ isMultiSegment: true } as const) : {};
  const common = { name, in: location, required, annotations, ...segments };
  if (dialect === 'swagger-2.0') {
    return { ...common, schema: inlineSchema(parameter), ...collectionStyle(parameter, location) };
  }
  const content = member(parameter, 'content');
  const mediaType = isObject(content) ? preferredMediaType(Object.keys(content)) : undefined;
  const style = parameterStyle(parameter, location);
  if (!isObject(content) || mediaType === undefined) {
    return { ...common, schema: member(parameter, 'schema'), ...style };
  }
  const media = resolved(root, member(content, mediaType) ?? null);
  const schema = isObject(media) ? member(media, 'schema') : undefined;
  const isText = !isJson(mediaType);
  return { ...common, schema: isText ? { type: 'string' } : schema, ...style, mediaType };
};

/** A parameter that may be a text as well, as its value. */
const asValue = (parameter: Parameter): Parameter => {
  const read = parameter.mediaType === undefined ? valueOfTextForm(parameter.schema) : undefined;
  if (!read) return parameter;
  return {
    ...parameter,
    schema: read.value,
    ...(read.isJson && { mediaType: 'application/json' }),
  };
};

/** In Swagger 2.0, keywords of the schema are in the parameter itself. */
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

const FORM = 'application/x-www-form-urlencoded';

/**
 * OpenAPI 3.2: a parameter that is the whole query. Properties of a form become parameters of their own, anything else
 * is one argument.
 * @returns an empty list if it has no content
 * Source: OpenAPI 3.2.0, "Parameter Object", `in: querystring`; "Encoding Object".
 */
const queryParameters = (
  { root }: Description,
  schemas: Pick<Schemas, 'flat'>,
  parameter: JsonObject,
  name: string,
  pointer: string,
): readonly Parameter[] => {
  const content = member(parameter, 'content');
  if (!isObject(content)) return [];
  const mediaType = Object.hasOwn(content, FORM) ? FORM : preferredMediaType(Object.keys(content));
  if (mediaType === undefined) return [];
  const media = resolved(root, member(content, mediaType) ?? null);
  const given = isObject(media) ? member(media, 'schema') : undefined;
  const flat = isObject(given) ? schemas.flat(given) : {};
  const properties = member(flat, 'properties');
  const isSpread = mediaType === FORM && isObject(properties) && !isOpen(flat);
  if (!isSpread) {
    const description = member(parameter, 'description');
    const isText = mediaType !== FORM && !isJson(mediaType);
    return [
      {
        ...AS_FORM,
        name,
        required: parameter['required'] === true,
        schema: isText
          ? { type: 'string' }
          : (given ?? (mediaType === FORM ? { type: 'object' } : true)),
        annotations: description === undefined ? {} : { description },
        mediaType,
        isQuery: true,
      },
    ];
  }

  const { encoding } = readEncodings(
    root,
    schemas,
    isObject(media) ? media['encoding'] : {},
    pointer,
  );
  const required = member(flat, 'required');
  return Object.entries(properties).map(([property, schema]) => {
    const { contentType, style, explode, allowReserved } = member(encoding, property) ?? {};
    const isStyled = [style, explode, allowReserved].some((one) => one !== undefined);
    const isDocument =
      !isStyled &&
      (contentType === undefined ? isObjectSchema(schemas, schema) : isJson(contentType));
    return {
      ...AS_FORM,
      ...(style === undefined ? {} : { style, explode: style === 'form' }),
      ...(explode === undefined ? {} : { explode }),
      ...(allowReserved === undefined ? {} : { allowReserved }),
      ...(isDocument ? { mediaType: 'application/json' } : {}),
      name: property,
      required: Array.isArray(required) && required.includes(property),
      schema,
      annotations: {},
    };
  });
};

const AS_FORM = { in: 'query', style: 'form', explode: true, allowReserved: false } as const;

const isOpen = (schema: JsonObject): boolean => {
  const further = member(schema, 'additionalProperties');
  return further === true || isObject(further) || Object.hasOwn(schema, 'anyOf');
};

const isObjectSchema = (schemas: Pick<Schemas, 'flat'>, schema: Json): boolean =>
  isObject(schema) && readTypes(schemas.flat(schema)).includes('object');
