import { definitionOf, escapeToken, unescapeToken } from '../../platform/rules/json/pointer.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { ArgumentOverride, ToolOverride } from './publication.ts';
import type {
  CompiledTool,
  Operation,
  OperationBody,
  WirePlace,
} from '../../openapi/tool-index.ts';
import { listOf, objectOf } from '../../platform/rules/json/members.ts';

/** Reports a fault; `where` is relative to the override. */
export type Complain = (make: () => Finding) => void;

type Schema = Readonly<Record<string, unknown>>;

/** Removes hidden and fixed arguments from what clients see, and hidden ones from the request as well. */
export const overrideArguments = (
  tool: CompiledTool,
  inputSchema: Schema,
  { arguments: overrides = {} }: ToolOverride,
  complain: Complain,
): { readonly tool: CompiledTool; readonly inputSchema: Schema } => {
  const properties = objectOf(inputSchema['properties']);
  const required = new Set(listOf(inputSchema['required']));
  const hidden = new Set<string>();
  const fixed = new Map<string, unknown>();
  let names: string | undefined;
  const namesOfAll = () => (names ??= nameList(properties));

  for (const [name, override] of Object.entries(overrides)) {
    const where = `/arguments/${escapeToken(name)}`;
    const isConstant = Object.hasOwn(tool.operation.constants ?? {}, name);
    if (!Object.hasOwn(properties, name) && !isConstant) {
      const what = 'the tool has no such argument';
      complain(() => ({ where, what, hint: `It has ${namesOfAll()}.` }));
    } else if (isFixed(override)) {
      fixed.set(name, override.value);
    } else if (required.has(name) || isConstant) {
      const hint = 'Give it a fixed value instead.';
      complain(() => ({ where, what: 'the argument is required', hint }));
    } else {
      hidden.add(name);
    }
  }

  const withheld = [...hidden, ...fixed.keys()];
  if (withheld.length === 0) return { tool, inputSchema };
  const withheldPlaces = placesOf(tool.operation, new Set(withheld));
  return {
    inputSchema: withoutProperties(inputSchema, new Set(withheld)),
    tool: {
      ...tool,
      operation: withoutArguments(tool.operation, hidden, new Set(withheld)),
      withheld,
      ...(withheldPlaces.length > 0 && { withheldPlaces }),
      ...(fixed.size > 0 && { fixed: Object.fromEntries(fixed) }),
    },
  };
};

const placesOf = (
  { parameters, body }: Operation,
  names: ReadonlySet<string>,
): readonly WirePlace[] => [
  ...parameters
    .filter(({ argument }) => names.has(argument))
    .map(({ in: place, name }) => ({ in: place, name })),
  ...(body?.source.kind === 'properties' ? body.source.properties : [])
    .filter(({ argument }) => names.has(argument))
    .map(({ name }) => ({ in: 'body' as const, name })),
];

const isFixed = (override: ArgumentOverride): override is { readonly value: unknown } =>
  'value' in override;

const withoutProperties = (schema: Schema, names: ReadonlySet<string>): Schema => {
  const properties = Object.entries(objectOf(schema['properties']));
  const required = listOf(schema['required']).filter((name) => !names.has(String(name)));
  const { required: _, $defs, ...rest } = schema;
  const kept = {
    ...rest,
    properties: Object.fromEntries(properties.filter(([name]) => !names.has(name))),
    ...(required.length > 0 && { required }),
  };
  const used = usedDefinitions(kept, objectOf($defs));
  return used.length === 0 ? kept : { ...kept, $defs: Object.fromEntries(used) };
};

/** Definitions reachable by `$ref`; every schema is walked once. */
const usedDefinitions = (schema: Schema, definitions: Schema): readonly [string, unknown][] => {
  const used = new Set<string>();
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    const name = definitionOf(objectOf(node)['$ref']);
    if (name !== undefined && !used.has(name)) {
      used.add(name);
      if (Object.hasOwn(definitions, name)) open.push(definitions[name]);
    }
    for (const child of Object.values(node)) open.push(child);
  }
  return Object.entries(definitions).filter(([name]) => used.has(name));
};

const withoutArguments = (
  operation: Operation,
  hidden: ReadonlySet<string>,
  withheld: ReadonlySet<string>,
): Operation => {
  const { body, constants, defaults, unlisted, wireNames, ...rest } = operation;
  const remainingBody = body && bodyWithout(body, hidden);
  const remains = ([pointer]: readonly [string, unknown]): boolean => {
    const [, place = '', name = ''] = pointer.split('/');
    return place !== 'properties' || !withheld.has(unescapeToken(name));
  };
  const remainingNames = Object.entries(wireNames ?? {}).filter(remains);
  const remainingDefaults = Object.entries(defaults ?? {}).filter(remains);
  const remainingConstants = Object.entries(constants ?? {}).filter(
    ([name]) => !withheld.has(name),
  );
  const remainingChecks = Object.entries(unlisted ?? {}).filter(remains);
  return {
    ...rest,
    parameters: operation.parameters.filter(({ argument }) => !hidden.has(argument)),
    ...(remainingBody && { body: remainingBody }),
    ...(remainingNames.length > 0 && { wireNames: Object.fromEntries(remainingNames) }),
    ...(remainingDefaults.length > 0 && { defaults: Object.fromEntries(remainingDefaults) }),
    ...(remainingConstants.length > 0 && { constants: Object.fromEntries(remainingConstants) }),
    ...(remainingChecks.length > 0 && { unlisted: Object.fromEntries(remainingChecks) }),
  };
};

const bodyWithout = (
  body: OperationBody,
  hidden: ReadonlySet<string>,
): OperationBody | undefined => {
  const { source } = body;
  if (source.kind === 'whole') {
    if (!hidden.has(source.argument)) return body;
    const { emptyObject, ...rest } = body;
    return emptyObject && { ...rest, source: NOTHING_GIVEN };
  }
  const properties = source.properties.filter(({ argument }) => !hidden.has(argument));
  return { ...body, source: { ...source, properties } };
};

const NOTHING_GIVEN = { kind: 'properties', properties: [], additional: false } as const;

const nameList = (properties: Schema): string =>
  Object.keys(properties).slice(0, 40).join(', ') || 'none';
