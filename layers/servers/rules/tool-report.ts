import { isObject, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectMember } from '../../platform/rules/json/members.ts';
import { unescapeToken } from '../../platform/rules/json/pointer.ts';
import {
  type CredentialNeed,
  type CredentialWay,
  isAuthorization,
} from '../../openapi/credential-needs.ts';
import type { CompiledTool, IndexedTool, ToolIndex } from '../../openapi/tool-index.ts';
import { GIVES_SECRETS, type ToolNote, type ToolReport } from '../../openapi/tool-note.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';

/**
 * Report on how tools were compiled: notes of the compiler, and renamings. It is public, so it omits arguments that the
 * owner hid and values that are sent unasked.
 *
 * @param names - compiled names of tools, by their published names
 * @param compiled - the compiler's notes, by compiled name
 */
export const toolReport = (
  tools: readonly CompiledTool[],
  names: ReadonlyMap<string, string>,
  compiled: ReadonlyMap<string, readonly ToolNote[]>,
): ToolReport => ({
  format: 1,
  tools: tools.flatMap((tool) => {
    const { name } = tool;
    const origin = names.get(name) ?? name;
    const notes = [...renamings(tool, origin), ...(compiled.get(origin) ?? [])];
    const shown = withoutWithheld(tool, notes);
    return shown.length > 0 ? [{ name, notes: shown }] : [];
  }),
});

/** More names would not make the warning clearer, and the report has them all. */
const MAX_NAMED = 20;

const LOGIN = /\/(?:log[-_]?in|sign[-_]?in|authenticate|sessions?)\/?$/i;
/** Also logins, if they take a password. */
const PERHAPS_LOGIN = /\/(?:auth|tokens?)\/?$/i;
const PASSWORD = /^pass(?:word|wd|phrase)?$/i;

/** Warns of tools whose answers hold tokens, keys or passwords, and names the one that looks like the API's login. */
export const secretTools = (
  report: ToolReport,
  compiled: readonly Pick<CompiledTool, 'name' | 'operation'>[],
): readonly Finding[] => {
  const names = secretNames(report);
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : '';
  const login = loginIn(report, compiled);
  return [
    {
      where: '',
      what: `${names.length === 1 ? 'a tool gives' : `${names.length} tools give`} out secrets (tokens, keys, passwords) to whoever may call: ${names.slice(0, MAX_NAMED).join(', ')}${more}`,
      hint: `Hide them with \`hosted-mcp tool hide-secrets SLUG\`, or some by overrides (\`hidden\`).${login !== undefined ? ` If ${operationText(login)} is the login of this API, let the service sign in by it: a credential of the type session does, and no model sees it then.` : ''}`,
    },
  ];
};

const secretNames = ({ tools }: ToolReport): readonly string[] =>
  tools
    .filter(({ notes }) => notes.some(({ what }) => what === GIVES_SECRETS))
    .map(({ name }) => name);

const loginIn = <Tool extends Pick<CompiledTool, 'name' | 'operation'>>(
  report: ToolReport,
  compiled: readonly Tool[],
): Tool | undefined => {
  const given = new Set(secretNames(report));
  return compiled.find(
    ({ name, operation: { method, path } }) =>
      given.has(name) && method === 'POST' && LOGIN.test(path),
  );
};

/** `POST /sessions`: the form in which credentials name an operation. */
const operationText = ({ operation: { method, path } }: Pick<CompiledTool, 'operation'>): string =>
  `${method} ${path}`;

/**
 * Adds the likely login to needs that its token would satisfy. If any operation takes a token in `Authorization`, the
 * login's token goes there, and keys in other places are something else, such as an application's key.
 */
export const needsWithLogin = (
  needs: readonly CredentialNeed[],
  report: ToolReport,
  compiled: readonly CompiledTool[],
): readonly CredentialNeed[] => {
  const login = loginIn(report, compiled) ?? compiled.find(isLoginByPassword);
  if (login === undefined) return needs;
  const loginFields = requiredArguments(login);
  const isGiven = needs.some(({ ways }) => ways.some(isAuthorization))
    ? isAuthorization
    : ({ type }: CredentialWay): boolean => type === 'api_key';
  const given = { login: operationText(login), ...(loginFields.length > 0 && { loginFields }) };
  return needs.map((one) => (one.ways.some(isGiven) ? { ...one, ...given } : one));
};

/** Limit on fields, which no login exceeds. */
const MOST_FIELDS = 10;

/** Required arguments; where the body is one argument, its required members stand for it. */
const requiredArguments = ({ listed, operation }: CompiledTool): readonly string[] => {
  const { properties, required = [] } = listed.inputSchema as SchemaOfLogin;
  const { source } = operation.body ?? {};
  if (source?.kind !== 'whole') return required.slice(0, MOST_FIELDS);
  const inside = member(properties ?? {}, source.argument) as SchemaOfLogin | undefined;
  const others = required.filter((name) => name !== source.argument);
  return [...others, ...(inside?.required ?? [])].slice(0, MOST_FIELDS);
};

interface SchemaOfLogin {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** A login whose answer is not described: its path and a password tell. */
const isLoginByPassword = ({ listed, operation: { method, path } }: CompiledTool): boolean =>
  method === 'POST' &&
  (LOGIN.test(path) || PERHAPS_LOGIN.test(path)) &&
  Object.keys(objectMember(fieldsOf(listed), 'properties')).some((name) => PASSWORD.test(name));

/** What a tool wants: its arguments, or what is in the only one. See `withLoginRequest`. */
const fieldsOf = ({ inputSchema }: CompiledTool['listed']): JsonObject => {
  const schema = inputSchema as JsonObject;
  const [only, ...others] = Object.values(objectMember(schema, 'properties'));
  const isOnly = others.length === 0 && isObject(only) && isObject(member(only, 'properties'));
  return isOnly ? only : schema;
};

export interface OwnedTool {
  readonly tool: IndexedTool;
  readonly notes: readonly ToolNote[];
}

export const withNotes = (
  { tools }: ToolIndex,
  report: ToolReport | undefined,
): readonly OwnedTool[] => {
  const noted = new Map(report?.tools.map(({ name, notes }) => [name, notes]));
  return tools.map((tool) => ({
    tool,
    notes: [...(noted.get(tool.name) ?? []), ...chosenNotes(tool)],
  }));
};

export const chosenNotes = ({ withheld = [], fixed = {} }: IndexedTool): readonly ToolNote[] => {
  const isFixed = (argument: string) => Object.hasOwn(fixed, argument);
  const said = [
    { what: 'always sent with one value', names: withheld.filter(isFixed) },
    { what: 'never sent', names: withheld.filter((argument) => !isFixed(argument)) },
  ];
  return said
    .filter(({ names }) => names.length > 0)
    .map(({ what, names }) => ({ what, why: 'its owner chose so', arguments: names }));
};

const renamings = (
  { name, operation }: CompiledTool,
  compiledName: string,
): readonly ToolNote[] => {
  const { operationId, parameters, body, wireNames = {}, headers = {} } = operation;
  const properties = body?.source.kind === 'properties' ? body.source.properties : [];
  return [
    ...(name !== compiledName
      ? [{ what: `named ${name} instead of ${compiledName}`, why: 'its owner chose so' }]
      : operationId !== undefined && operationId !== name
        ? [{ what: `named ${name} for ${JSON.stringify(operationId)}`, why: TOOL_NAMES }]
        : []),
    ...parameters.flatMap(({ argument, name: wire, in: place }) =>
      renaming(argument, wire, `${place} parameter`),
    ),
    ...properties.flatMap(({ argument, name: wire }) => renaming(argument, wire, 'field')),
    ...Object.entries(wireNames).flatMap(([pointer, wire]) =>
      renaming(unescapeToken(pointer.split('/').at(-1) ?? ''), wire, 'field'),
    ),
    ...Object.keys(headers).map((header) => ({
      what: `header ${header} is always sent with one value`,
      why: 'the API takes no other value',
    })),
  ];
};

const TOOL_NAMES = 'names are unique, of at most 48 letters, digits, _ and -';
const ARGUMENT_NAMES = 'names are of at most 64 letters, digits, _, . and -';
const SAME_NAMES = 'no two arguments have one name';

const renaming = (argument: string, wire: string, place: string): readonly ToolNote[] => {
  if (argument === wire) return [];
  const isUsable = /^[a-zA-Z0-9_.-]{1,64}$/.test(wire);
  const what = `sent as ${place} ${JSON.stringify(wire)}`;
  return [{ what, why: isUsable ? SAME_NAMES : ARGUMENT_NAMES, arguments: [argument] }];
};

/** Drops notes about arguments and definitions that the tool no longer has. */
const withoutWithheld = (
  { listed, withheld = [] }: CompiledTool,
  notes: readonly ToolNote[],
): readonly ToolNote[] => {
  if (withheld.length === 0) return notes;
  const { properties, $defs } = listed.inputSchema as Readonly<Record<string, object | undefined>>;
  const kept = new Set(Object.keys({ ...properties, ...$defs }));
  return notes.flatMap((note) => {
    if (!note.arguments) return [note];
    const left = note.arguments.filter((place) => beginnings(place).some((name) => kept.has(name)));
    return left.length > 0 ? [{ ...note, arguments: left }] : [];
  });
};

/** All prefixes of a place that may be an argument's name, since names may contain dots. */
const beginnings = (place: string): readonly string[] => [
  ...[...place.matchAll(/[.[]/g)].map(({ index }) => place.slice(0, index)),
  place,
];
