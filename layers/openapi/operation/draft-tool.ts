import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Operation, ToolAnnotations } from '../tool-index.ts';
import { GIVES_SECRETS, type ToolNote } from '../tool-note.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listMember, objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { tellingText } from '../frameworks/descriptions.ts';
import { withoutPlaceholders } from '../frameworks/placeholders.ts';
import { annotationsOf } from '../schema/keywords.ts';
import { type Argument, argumentNames, bodyArguments } from './body-arguments.ts';
import { isWithoutHabits } from '../frameworks/habit.ts';
import { type BodyContext, readBody } from './body.ts';
import { describedAnswers } from './described-answers.ts';
import { leftOutEnds, mayEndEmpty, withOptionalEnds } from './empty-end.ts';
import { hintsOf } from './hints.ts';
import { type Parameter, withinLimit } from './encodings.ts';
import { annotated, constantIn, defaultIn, hasDefault, typesOf } from '../schema/linked-schema.ts';
import { readParameters } from './parameters.ts';
import { shownPath, writtenPath } from './path-places.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { readTypes } from '../json-schema/types.ts';
import { tidyText } from '../schema/texts.ts';

/** A complete tool, before its texts are shortened to a budget. */
export interface DraftTool {
  readonly name: string;
  readonly pointer: string;
  readonly title?: string;
  readonly description: string;
  readonly difference: string;
  /** Texts after the description, kept however short that becomes. */
  readonly notes: readonly string[];
  readonly args: readonly Argument[];
  readonly hints: ToolAnnotations;
  /** The request of the tool; its `defaults` are those of top-level arguments only. */
  readonly operation: Omit<Operation, 'unlisted' | 'wireNames'>;
  readonly warnings: readonly Finding[];
  readonly changes: readonly ToolNote[];
}

interface DraftContext extends BodyContext {
  readonly schemas: Schemas;
  readonly isCredential: (name: string, location: string) => boolean;
}

export const draftTool = (
  context: DraftContext,
  found: FoundOperation,
  { name, title }: { readonly name: string; readonly title: string | undefined },
  serverUrl: string,
): DraftTool => {
  const { description, schemas, isCredential } = context;
  const isLiteral = isWithoutHabits(description.root, found.operation);
  const language = isLiteral ? undefined : context.language;
  const read = readParameters(description, schemas, found, isCredential, language);
  const parameters = withOptionalEnds(description, found, read.parameters);
  const names = argumentNames(parameters);
  const body = readBody(context, found, read);
  const inBody = body && bodyArguments(schemas, found.method, body, new Set(names.values()));
  const named = parameters.map((parameter) => ({
    parameter: withoutNeed(schemas, parameter),
    argument: names.get(parameter) ?? parameter.name,
    ...known(schemas, parameter),
  }));
  const constants = valuesOf(named, ({ constant }) => constant);
  const defaults = valuesOf(named, ({ value }) => value);
  const hints = hintsOf(description, found, read.parameters);
  const security = securityOf(description, found);
  const secret = secretInAnswer(description, found);

  return {
    name,
    pointer: found.pointer,
    ...(title === undefined ? {} : { title }),
    description: describe(found),
    difference: differenceOf(found),
    notes: [...read.hints, ...(inBody?.notes ?? [])],
    args: [
      ...named
        .filter(({ constant }) => constant === undefined)
        .map(({ parameter, argument }) => parameterArgument(schemas, parameter, argument)),
      ...(inBody?.args ?? []),
    ],
    hints: hints.annotations,
    operation: {
      method: found.method,
      path: read.path,
      serverUrl,
      ...(found.operationId === undefined ? {} : { operationId: found.operationId }),
      parameters: named.map(({ parameter, argument }) => {
        const { schema: _, annotations: __, notes: ___, ...rest } = parameter;
        const end = mayEndEmpty(description, found, parameter) && ({ mayBeEmpty: true } as const);
        return { argument, ...rest, ...end };
      }),
      ...(Object.keys(read.headers).length > 0 ? { headers: read.headers } : {}),
      ...(body && inBody
        ? {
            body: {
              ...inBody.sending,
              mediaType: body.mediaType,
              form: body.form,
              ...(body.bytesType === undefined ? {} : { bytesType: body.bytesType }),
              ...(body.filename === undefined ? {} : { filename: body.filename }),
              ...(body.jsonType === undefined ? {} : { jsonType: body.jsonType }),
              ...(Object.keys(body.encoding).length > 0 ? { encoding: body.encoding } : {}),
              ...(body.isByPosition && { isByPosition: true }),
              ...(body.isPosted && { isPosted: true }),
            },
          }
        : {}),
      ...(inBody && inBody.rules.length > 0 ? { rules: inBody.rules } : {}),
      ...(security && { security }),
      ...valuesIn('constants', { ...constants, ...inBody?.constants }),
      ...valuesIn('defaults', atRoot({ ...defaults, ...inBody?.defaults })),
      accept: withinLimit(promisedTypes(description, found)),
      ...describedAnswers(description, found),
    },
    warnings: [
      ...read.warnings,
      ...leftOutEnds(description, found, read.parameters, parameters),
      ...(body?.warnings ?? []),
    ],
    changes: [
      ...(secret === undefined
        ? []
        : [{ what: GIVES_SECRETS, why: `its answers have ${JSON.stringify(secret)}` }]),
      ...hints.reasons,
      ...read.notes,
      ...(inBody?.changes ?? []),
    ],
  };
};

/**
 * A parameter with a default is optional: the default is sent. So is an object in a query that may be empty, as Spring
 * writes `pageable`: nothing is sent of an empty one.
 */
const withoutNeed = (schemas: Schemas, parameter: Parameter): Parameter =>
  parameter.required &&
  (hasDefault(schemas, schemas.translate(parameter.schema)) || isNothingIfEmpty(schemas, parameter))
    ? { ...parameter, required: false }
    : parameter;

const isNothingIfEmpty = (
  schemas: Schemas,
  { in: location, mediaType, schema }: Parameter,
): boolean => {
  if (location !== 'query' || mediaType !== undefined || !isObject(schema)) return false;
  const flat = schemas.flat(schema);
  const types = readTypes(flat);
  const isOnlyObject = types.length === 1 && types[0] === 'object' && flat['anyOf'] === undefined;
  const needed = listMember(flat, 'required').length > 0 || flat['minProperties'] !== undefined;
  const members = Object.values(objectMember(flat, 'properties'));
  // In older descriptions properties themselves may be required.
  return isOnlyObject && !needed && !members.some((one) => objectOf(one)['required'] === true);
};

/** Constant or default of a required parameter, which the service sends itself. */
const known = (
  schemas: Schemas,
  { required, schema }: Parameter,
): { readonly constant?: Json | undefined; readonly value?: Json | undefined } => {
  if (!required) return {};
  const linked = schemas.translate(schema);
  return { constant: constantIn(schemas, linked), value: defaultIn(schemas, linked) };
};

const valuesOf = <Item extends { readonly argument: string }>(
  items: readonly Item[],
  valueOf: (item: Item) => Json | undefined,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    items.flatMap((item) => {
      const value = valueOf(item);
      return value === undefined ? [] : [[item.argument, value] as const];
    }),
  );

const valuesIn = <Name extends 'constants' | 'defaults'>(
  name: Name,
  values: Readonly<Record<string, Json>>,
): { readonly [Key in Name]?: Readonly<Record<string, Json>> } =>
  Object.keys(values).length > 0 ? ({ [name]: values } as Record<Name, typeof values>) : {};

const atRoot = (values: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [pointerTo('properties', name), value]),
  );

const parameterArgument = (schemas: Schemas, parameter: Parameter, argument: string): Argument => {
  const { name, in: location, required } = parameter;
  const linked = schemas.translate(withoutPlaceholders(schemas.flat, parameter.schema));
  // Cached by component, to which many parameters may refer.
  const meant = linked.ref === undefined ? linked : schemas.component(linked.ref);
  const texts = annotationsOf(parameter.annotations, typesOf(meant));
  const renamed = `Sent as ${location} parameter ${JSON.stringify(name)}.`;
  const notes = [
    ...(texts.notes ?? []),
    ...(parameter.notes ?? []),
    ...(argument === name ? [] : [renamed]),
  ];
  const schema = annotated(linked, { ...texts, notes });
  return { name: argument, required, schema };
};

const MAX_PATH = 150;

const differenceOf = ({ method, path }: FoundOperation): string => {
  const shown = shownPath(path);
  const written = writtenPath(path);
  const end = shown.length > MAX_PATH ? `…${shown.slice(-MAX_PATH)}` : shown;
  return `(${method} ${end}${written === undefined ? '' : `, written ${written.slice(-MAX_PATH)}`})`;
};

/** Summary, then description; method and path without either. Source: docs/tools.md, "Descriptions and annotations". */
const describe = ({ method, path, operation, deprecated }: FoundOperation): string => {
  const summary = tidyText(operation, 'summary');
  const description = tellingText(tidyText(operation, 'description'));
  const opening = summary?.replace(/\.$/, '') ?? '';
  const isRepeated =
    description?.startsWith(opening) && !/^\w/.test(description.slice(opening.length));
  const texts = isRepeated ? [description] : [summary, description];
  const said = texts.filter((text) => text !== undefined).join('\n\n');
  if (said === '') return `${deprecated ? 'Deprecated. ' : ''}${method} ${shownPath(path)}`;
  // HEAD often has the same description as GET.
  const what = method === 'HEAD' ? '\n\nIts result is the headers of the answer alone.' : '';
  return `${deprecated ? 'Deprecated. ' : ''}${said}${what}`;
};

const promisedTypes = (
  { dialect, root }: Description,
  { operation }: FoundOperation,
): readonly string[] => {
  if (dialect === 'swagger-2.0') {
    const produces = [member(operation, 'produces'), member(root, 'produces')].find(Array.isArray);
    return (produces ?? []).filter((type) => typeof type === 'string');
  }
  const types = Object.entries(objectMember(operation, 'responses')).map(([status, node]) => {
    const response = resolved(root, node);
    const content = isObject(response) ? member(response, 'content') : undefined;
    return { status, types: isObject(content) ? withinLimit(Object.keys(content)) : [] };
  });
  const successes = types.filter(
    ({ status, types: named }) => status.startsWith('2') && named.length > 0,
  );
  const chosen = successes.length > 0 ? successes : types;
  return [...new Set(chosen.flatMap(({ types: named }) => named))];
};

/** Names of secrets in any operation, in lower case without separators. */
const SECRETS = new Set(
  (
    'accesstoken apikey apisecret apitoken authtoken bearertoken clientsecret consumersecret idtoken jwt oauthtoken ' +
    'passphrase password privatekey refreshtoken secret secretaccesskey secretkey sessiontoken sharedsecret signingkey ' +
    'signingsecret webhooksecret'
  ).split(' '),
);
/** Names of secrets in operations about secrets; elsewhere they page or identify things. */
const PERHAPS = new Set(['key', 'sha1', 'token']);
const ABOUT = new Set(
  'apikey apikeys auth authenticate login session sessions signin token tokens tsigkey tsigkeys webhook webhooks'.split(
    ' ',
  ),
);
/** `/api/keys` is about secrets, `/ssh/keys` about public keys. */
const KEYS = new Set(['key', 'keys']);
const BEFORE_KEYS = new Set(['access', 'api', 'auth', 'license', 'secret']);

const MAX_DEPTH = 5;
const MAX_SCHEMAS = 2_000;

/**
 * Finds a token, key or password in successful responses, and returns its name.
 * Source: docs/tools.md, "Tools that give out secrets".
 */
export const secretInAnswer = (
  { dialect, root }: Description,
  { path, operation }: Pick<FoundOperation, 'path' | 'operation'>,
): string | undefined => {
  const responses = member(operation, 'responses');
  if (!isObject(responses)) return undefined;
  const schemas = Object.entries(responses).flatMap(([status, node]) => {
    if (!status.startsWith('2')) return [];
    const response = resolved(root, node);
    if (!isObject(response)) return [];
    if (dialect === 'swagger-2.0') return [member(response, 'schema')];
    return Object.values(objectMember(response, 'content')).map((media) => {
      const found = resolved(root, media);
      return isObject(found) ? member(found, 'schema') : undefined;
    });
  });
  return secretIn(root, schemas, isAboutSecrets(path));
};

/** Breadth first, to name the nearest; each schema once, since they may be recursive. */
const secretIn = (
  root: JsonObject,
  schemas: readonly (Json | undefined)[],
  isAbout: boolean,
): string | undefined => {
  const seen = new Set<JsonObject>();
  let level: readonly (Json | undefined)[] = schemas;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: (Json | undefined)[] = [];
    for (const node of level) {
      const schema = resolved(root, node ?? null);
      if (!isObject(schema) || seen.has(schema)) continue;
      if (seen.size >= MAX_SCHEMAS) return undefined;
      seen.add(schema);
      for (const [name, property] of Object.entries(objectMember(schema, 'properties'))) {
        const value = resolved(root, property);
        if (isSecret(name, isAbout) && isGivenText(value)) return name;
        next.push(value);
      }
      next.push(member(schema, 'items'));
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
        const parts = member(schema, keyword);
        if (Array.isArray(parts)) next.push(...parts);
      }
    }
    level = next;
  }
  return undefined;
};

const isSecret = (name: string, isAbout: boolean): boolean => {
  const plain = name.replace(/[^a-zA-Z\d]/g, '').toLowerCase();
  return SECRETS.has(plain) || (isAbout && PERHAPS.has(plain));
};

/** Whether responses contain it as text: `writeOnly` passwords and flags such as `secret: true` do not count. */
const isGivenText = (schema: Json | undefined): boolean => {
  if (!isObject(schema) || member(schema, 'writeOnly') === true) return false;
  const type = member(schema, 'type');
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
};

const isAboutSecrets = (path: string): boolean => {
  const words = path
    .replace(/\{[^{}]*\}/g, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some(
    (word, index) => ABOUT.has(word) || (KEYS.has(word) && BEFORE_KEYS.has(words[index - 1] ?? '')),
  );
};

/** Limits: alternatives of an operation, schemes of each, characters of a name. */
const MOST_ALTERNATIVES = 8;
const MOST_SCHEMES = 5;
const MOST_NAME = 100;

/**
 * Alternatives of security schemes that calls have to satisfy, each a list of schemes.
 * @returns undefined where the description declares none
 * Source: OpenAPI 3.1.1, "Operation Object" (`security`), "Security Requirement Object".
 */
export const securityOf = (
  { root }: Description,
  { operation }: FoundOperation,
): readonly (readonly string[])[] | undefined => {
  const security = member(operation, 'security') ?? member(root, 'security');
  if (!Array.isArray(security)) return undefined;
  return security
    .filter(isObject)
    .map((alternative) => Object.keys(alternative))
    .filter((names) => names.length <= MOST_SCHEMES && names.every(isShort))
    .slice(0, MOST_ALTERNATIVES);
};

const isShort = ({ length }: string): boolean => length <= MOST_NAME;
