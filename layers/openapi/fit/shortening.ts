import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import type { LinkedSchema } from '../schema/linked-schema.ts';
import { sentences, shortened, valueList } from '../schema/texts.ts';
import type { TypeName } from '../json-schema/types.ts';
import type { Change, ToolNote } from '../tool-note.ts';

export interface Detail {
  /** Longest description: of the tool, of an argument, of anything nested. */
  readonly tool: number;
  readonly argument: number;
  readonly nested: number;
  readonly examples: boolean;
  /** Deepest level shown: on a path with an optional step, and on one without. */
  readonly optional: number;
  readonly required: number;
  /** Longest `enum`; a longer one is described in words. */
  readonly values: number;
}

const FULL: Detail = {
  tool: 1024,
  argument: 400,
  nested: 300,
  examples: true,
  optional: 24,
  required: 24,
  values: 400,
};
const BRIEF: Detail = { ...FULL, tool: 300, argument: 100, nested: 0, examples: false };

/**
 * From full detail to the least. Descriptions are shortened first, then examples, then deep schemas and long enums,
 * optional ones before required ones.
 * Source: docs/tools.md, "Budgets".
 */
const DETAIL_LEVELS: readonly Detail[] = [
  FULL,
  { ...FULL, tool: 600, argument: 200, nested: 120 },
  { ...BRIEF, optional: 5, required: 16, values: 100 },
  { ...BRIEF, optional: 3, required: 12, values: 60 },
  { ...BRIEF, optional: 1, required: 4, values: 20, tool: 200, argument: 80 },
  { ...BRIEF, optional: 0, required: 3, values: 20, tool: 200, argument: 80 },
  { ...BRIEF, optional: -1, required: 1, values: 12, tool: 160, argument: 0 },
];
export const LAST_LEVEL = DETAIL_LEVELS.length - 1;

/** @param level - from 0 (full) to `LAST_LEVEL` */
export const detailAt = (level: number): Detail => {
  const detail = DETAIL_LEVELS[level];
  if (!detail) throw new Error(`there is no level ${level} of detail`);
  return detail;
};

export interface Shortening {
  readonly detail: Detail;
  readonly omissions: Omissions;
}

const MOST_NAMED_VALUES = 8;

export const ownKeywords = (
  shortening: Shortening,
  schema: LinkedSchema,
  position: Position,
): JsonObject => {
  const { detail, omissions } = shortening;
  const { type, enum: values, ...others } = schema.keywords;
  const isLong = Array.isArray(values) && values.length > detail.values;
  const valueNote = isLong
    ? `One of ${values.length} values: ${valueList(values, MOST_NAMED_VALUES)}.`
    : undefined;
  const description = describe(shortening, schema, position, valueNote);
  if (isLong) omissions.values.push(position.pointer);
  if (schema.example !== undefined && !detail.examples) omissions.examples += 1;
  const own: Record<string, Json> = {};
  if (type !== undefined) own['type'] = type;
  if (description !== undefined) own['description'] = description;
  if (values !== undefined && !isLong) own['enum'] = values;
  Object.assign(own, others);
  if (schema.example !== undefined && detail.examples) own['examples'] = [schema.example];
  return own;
};

/** A schema without its subschemas: type, and the reason in its description. */
export const withoutInside = (
  shortening: Shortening,
  schema: LinkedSchema,
  position: Position,
  reason: string,
): JsonObject => {
  const type: Json | undefined = schema.keywords['type'];
  const description = describe(shortening, schema, position, reason);
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...([type].flat().includes('array') ? { items: {} } : {}),
  };
};

const describe = (
  { detail, omissions }: Shortening,
  { description = '', notes = [] }: LinkedSchema,
  { depth }: Position,
  more: string | undefined,
): string | undefined => {
  const text = shortened(description, depth < 1 ? detail.argument : detail.nested);
  if (text !== description) omissions.texts += 1;
  return sentences(text, ...notes, more);
};

export interface Position {
  readonly pointer: string;
  readonly depth: number;
  /** Whether every step from the root to this position is required; the body itself need not be. */
  readonly isRequired: boolean;
  /** The enclosing component, if every step from it to this position is required. */
  readonly requiredBy?: string | undefined;
  /** Types of the schema of which this is a branch; absent: any. */
  readonly outerTypes?: readonly TypeName[] | undefined;
  readonly isAlternative?: boolean;
}

/** @param isRequired - whether the parent requires it */
export const below = (position: Position, step: string, isRequired = true): Position => ({
  pointer: position.pointer + step,
  depth: position.depth + 1,
  isRequired: isRequired && position.isRequired,
  requiredBy: isRequired ? position.requiredBy : undefined,
});

/** What was left out of a tool's arguments, as counts and as JSON pointers into its `inputSchema`. */
export interface Omissions {
  texts: number;
  examples: number;
  readonly values: string[];
  readonly insides: string[];
}

export const noOmissions = (): Omissions => ({ texts: 0, examples: 0, values: [], insides: [] });

/** Whether possible values are hidden from the model, not just texts and examples. */
export const isCut = ({ values, insides }: Omissions): boolean =>
  values.length + insides.length > 0;

/** Omissions in words: `3 texts, 2 examples, what is inside filter, sort[]`. */
export const describeOmissions = ({ texts, examples, values, insides }: Omissions): string =>
  [
    ...(texts > 0 ? [counted(texts, 'text')] : []),
    ...(examples > 0 ? [counted(examples, 'example')] : []),
    ...(values.length > 0 ? [`the values of ${argumentList(values)}`] : []),
    ...(insides.length > 0 ? [`what is inside ${argumentList(insides)}`] : []),
  ].join(', ');

export const omissionNotes = (omissions: Omissions, why: string): readonly ToolNote[] => {
  const { texts, examples, values, insides } = omissions;
  const noteOn = (what: string) => (pointer: string) => ({ pointer, change: { what, why } });
  return [
    ...(texts > 0 ? [{ what: `${counted(texts, 'text')} shortened`, why }] : []),
    ...(examples > 0 ? [{ what: `${counted(examples, 'example')} left out`, why }] : []),
    ...groupedNotes(values.map(noteOn('the values are described in words'))),
    ...groupedNotes(insides.map(noteOn('what is inside is left out'))),
  ];
};

const argumentList = (pointers: readonly string[]): string =>
  bounded([...new Set(pointers.map(argumentPath))], 4).join(', ');

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

export interface ChangeAt {
  readonly pointer: string;
  readonly change: Change;
}

const MOST_NAMED = 12;

/** One note for each kind of change, with the affected arguments. */
export const groupedNotes = (changes: readonly ChangeAt[]): readonly ToolNote[] =>
  [...Map.groupBy(changes, ({ change: { what, why } }) => `${what}\0${why}`).values()].flatMap(
    (group) => {
      const [first] = group;
      if (!first) return [];
      const paths = [...new Set(group.map(({ pointer }) => argumentPath(pointer)))];
      return [{ ...first.change, arguments: bounded(paths) }];
    },
  );

const bounded = (names: readonly string[], most = MOST_NAMED): readonly string[] =>
  names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names;

/** Path of an argument as people write it: `/properties/a/items/properties/b` is `a[].b`. */
const argumentPath = (pointer: string): string => {
  const keys = pointer.split('/').slice(1);
  let path = '';
  for (let at = 0; at < keys.length; at += 1) {
    const keyword = keys[at];
    if (keyword === 'properties' || keyword === '$defs') {
      at += 1;
      path += `${path === '' ? '' : '.'}${keys[at] ?? ''}`;
    } else if (keyword === 'items') path += '[]';
    else if (keyword === 'additionalProperties') path += '.*';
    else {
      at += 1;
      if (keyword === 'prefixItems') path += `[${keys[at] ?? ''}]`;
      if (keyword === 'patternProperties') path += '.*';
    }
  }
  return path;
};
