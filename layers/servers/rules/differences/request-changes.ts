import { isDeepStrictEqual } from 'node:util';
import type {
  ArgumentRule,
  Operation,
  OperationBody,
  OperationParameter,
} from '../../../openapi/tool-index.ts';
import { member } from '../../../platform/rules/json/json.ts';
import { keysOf } from '../../../platform/rules/json/pointer.ts';
import { shown, type ToolChanges } from './argument-changes.ts';

const LONGEST_REQUEST = 500;

/** Names that a difference lists per kind of change. */
const MOST_NAMED = 20;

/** Changes of the request that a tool sends, other than of values that are sent unasked. */
export const requestChanges = (before: Operation, after: Operation): ToolChanges => {
  const changed = membersOf(COMPARED, before, after);
  const words = changed.flatMap((one) => COMPARED[one]?.(before, after) ?? []);
  const rules = changed.includes('rules') ? ruleChanges(before.rules, after.rules) : NOTHING;
  return { breaking: rules.breaking, others: [...new Set([...words, ...rules.others])] };
};

const NOTHING: ToolChanges = { breaking: [], others: [] };

const membersOf = <Of extends object>(
  table: { readonly [Member in keyof Of]-?: unknown },
  before: Of,
  after: Of,
): readonly (keyof Of)[] =>
  (Object.keys(table) as (keyof Of)[]).filter(
    (one) => table[one] !== undefined && !isDeepStrictEqual(before[one], after[one]),
  );

/** Undefined for members that do not affect the request, or whose changes are described elsewhere. */
type Words<Of> = {
  readonly [Member in keyof Of]-?: ((before: Of, after: Of) => readonly string[]) | undefined;
};

const COMPARED: Words<Operation> = {
  method: (before, after) => addressChange(before, after),
  path: (before, after) => addressChange(before, after),
  serverUrl: (before, after) => addressChange(before, after),
  parameters: (before, after) => parameterChanges(before.parameters, after.parameters),
  headers: ({ headers: before = {} }, { headers: after = {} }) => [
    ...Object.entries(after)
      .filter(([name, value]) => member(before, name) !== value)
      .map(([name, value]) => `header \`${name}\` is sent as ${shown(value)}`),
    ...Object.keys(before)
      .filter((name) => !Object.hasOwn(after, name))
      .map((name) => `header \`${name}\` is no longer sent`),
  ],
  body: ({ body: before }, { body: after }) => bodyChanges(before, after),
  // `ruleChanges` reports them, since they may be breaking.
  rules: () => [],
  security: ({ security: before }, { security: after }) => [
    `calls need ${schemesText(after)}, and needed ${schemesText(before)}`,
  ],
  accept: ({ accept: before }, { accept: after }) => [
    `answers are wanted as ${listed(after)}, and were as ${listed(before)}`,
  ],
  wireNames: ({ wireNames: before = {} }, { wireNames: after = {} }) =>
    Object.entries(after)
      .filter(([pointer, name]) => (member(before, pointer) ?? name) !== name)
      .slice(0, MOST_NAMED)
      .map(([pointer, name]) => `\`${keysOf(pointer).at(-1) ?? ''}\` is sent as \`${name}\``),
  // Members that are not part of the request.
  operationId: undefined,
  answers: undefined,
  // `sentChanges` reports values that are sent unasked.
  constants: undefined,
  defaults: undefined,
  // `argumentChanges` reports arguments that lists leave out.
  unlisted: undefined,
};

const addressChange = (before: Operation, after: Operation): readonly string[] => {
  const [was, is] = [before, after].map(({ method, serverUrl, path }) =>
    `${method} ${serverUrl}${path}`.slice(0, LONGEST_REQUEST).toWellFormed(),
  );
  return [`the request was ${was} and is ${is}`];
};

/** Parameters of one side only are reported as arguments. */
const parameterChanges = (
  before: readonly OperationParameter[],
  after: readonly OperationParameter[],
): readonly string[] => {
  const old = new Map(before.map((one) => [one.argument, one]));
  const texts = after.flatMap((now) => {
    const was = old.get(now.argument);
    if (!was) return [];
    return membersOf(OF_PARAMETER, was, now).flatMap((one) => OF_PARAMETER[one]?.(was, now) ?? []);
  });
  return [...new Set(texts)].slice(0, MOST_NAMED);
};

const writtenOtherwise = (_: unknown, { argument, in: part }: OperationParameter) => [
  `argument \`${argument}\` is written otherwise into the ${PARTS[part]}`,
];

const PARTS = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

const OF_PARAMETER: Words<OperationParameter> = {
  // Parameters are paired by their argument.
  argument: undefined,
  name: (before, { argument, name }) => [
    `argument \`${argument}\` is sent as \`${name}\`, and was as \`${before.name}\``,
  ],
  in: (before, { argument, in: part }) => [
    `argument \`${argument}\` is sent in the ${PARTS[part]}, and was in the ${PARTS[before.in]}`,
  ],
  // Required arguments are part of the schema.
  required: undefined,
  style: writtenOtherwise,
  explode: writtenOtherwise,
  allowReserved: writtenOtherwise,
  mediaType: writtenOtherwise,
  brackets: writtenOtherwise,
  dots: writtenOtherwise,
  digits: writtenOtherwise,
  isQuery: writtenOtherwise,
  isMultiSegment: writtenOtherwise,
  mayBeEmpty: writtenOtherwise,
  mayBeLeftOut: writtenOtherwise,
  isRepeated: writtenOtherwise,
};

const bodyChanges = (
  before: OperationBody | undefined,
  after: OperationBody | undefined,
): readonly string[] => {
  if (!after) return ['no body is sent any more'];
  if (!before) return [`a body is sent, as ${after.mediaType}`];
  return [
    ...new Set(
      membersOf(OF_BODY, before, after).flatMap((one) => OF_BODY[one]?.(before, after) ?? []),
    ),
  ];
};

const bodyOtherwise = () => ['the body is written otherwise from the arguments'];

const OF_BODY: Words<OperationBody> = {
  required: (_, { required }) => [
    required ? 'a body is always sent' : 'a body is sent only where one is given',
  ],
  mediaType: (before, { mediaType }) => [
    `the body is sent as ${mediaType}, and was as ${before.mediaType}`,
  ],
  form: bodyOtherwise,
  isByPosition: bodyOtherwise,
  isPosted: bodyOtherwise,
  // Added and removed properties are reported as arguments.
  source: ({ source: before }, { source: after }) => {
    if (before.kind !== 'properties' || after.kind !== 'properties') return bodyOtherwise();
    const old = new Map(before.properties.map(({ argument, name }) => [argument, name]));
    return [
      ...after.properties
        .filter(({ argument, name }) => old.has(argument) && old.get(argument) !== name)
        .slice(0, MOST_NAMED)
        .map(({ argument, name }) => `argument \`${argument}\` is sent as \`${name}\``),
      ...(before.additional === after.additional
        ? []
        : [
            after.additional
              ? 'arguments that are not described are sent as well'
              : 'arguments that are not described are sent no longer',
          ]),
    ];
  },
  bytesType: bodyOtherwise,
  filename: bodyOtherwise,
  jsonType: bodyOtherwise,
  emptyObject: (_, { emptyObject }) => [
    emptyObject
      ? '`{}` is sent where no body is given'
      : '`{}` is no longer sent for want of a body',
  ],
  emptyArgument: bodyOtherwise,
  encoding: ({ encoding: before = {} }, { encoding: after = {} }) =>
    Object.keys(after)
      .filter((name) => Object.hasOwn(before, name))
      .filter((name) => !isDeepStrictEqual(member(before, name), member(after, name)))
      .slice(0, MOST_NAMED)
      .map((name) => `\`${name}\` is written otherwise into the body`),
};

/** A new rule, or one that replaces another, may refuse calls that worked before. */
const ruleChanges = (
  before: readonly ArgumentRule[] = [],
  after: readonly ArgumentRule[] = [],
): ToolChanges => {
  const isIn = (rules: readonly ArgumentRule[], rule: ArgumentRule) =>
    rules.some((one) => isDeepStrictEqual(one, rule));
  return {
    breaking: after.filter((rule) => !isIn(before, rule)).map((rule) => `${ruleText(rule)} now`),
    others: before
      .filter((rule) => !isIn(after, rule))
      .map((rule) => `it is no longer so that ${ruleText(rule)}`),
  };
};

const ruleText = (rule: ArgumentRule): string => {
  const where = rule.when ? `, where ${listed(rule.when, 'or')} is given,` : '';
  if (rule.kind === 'needs') {
    const sets = rule.sets.slice(0, MOST_NAMED).map((names) => listed(names, 'with'));
    return `${sets.join(', or ')}${where} has to be given`;
  }
  const bounds = [
    ...(rule.least === undefined ? [] : [`at least ${rule.least}`]),
    ...(rule.most === undefined ? [] : [`at most ${rule.most}`]),
  ];
  return `${bounds.join(' and ')} of ${listed(rule.of)}${where} may be given`;
};

const listed = (names: readonly string[], word = 'and'): string => {
  const shownNames = names.slice(0, MOST_NAMED).map((name) => `\`${name}\``);
  const last = shownNames.pop() ?? 'nothing in particular';
  return shownNames.length === 0 ? last : `${shownNames.join(', ')} ${word} ${last}`;
};

/** Names alternatives of schemes, such as `bearer`, or `key` with `signature`. */
const schemesText = (security: Operation['security']): string => {
  if (!security) return 'no credential that is described';
  const alternatives = security.map((names) =>
    names.length === 0 ? 'no credential' : listed(names, 'with'),
  );
  return alternatives.length === 0 ? 'no credential' : alternatives.join(', or ');
};
