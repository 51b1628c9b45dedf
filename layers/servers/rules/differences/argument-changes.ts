import { isDeepStrictEqual } from 'node:util';
import { jsonText, member } from '../../../platform/rules/json/json.ts';
import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';
import type { Schema } from '../../../openapi/json-schema/schema.ts';
import { type Narrowing, narrowings, type SchemaPair, type Work } from './schema-changes.ts';
import { shortened } from '../../../platform/rules/text.ts';

/** Budget of comparing two lists of tools. */
export interface ArgumentWork {
  /** Budget for finding narrowings. Beyond it, arguments count as narrower. */
  readonly narrower: Work;
  /** Budget for widenings and texts. Beyond it, they are reported as one change. */
  readonly wider: Work;
}

export interface ToolChanges {
  /** Changes that may make calls fail which worked before. */
  readonly breaking: readonly string[];
  readonly others: readonly string[];
}

/** @param constants - arguments that have one possible value now: callers may still give them */
export const argumentChanges = (
  before: Schema,
  after: Schema,
  constants: readonly string[],
  work: ArgumentWork,
): ToolChanges => {
  if (isDeepStrictEqual(before, after)) return { breaking: [], others: [] };
  const texts = describedOtherwise(work.wider);
  const taken = constants.length === 0 ? after : withProperties(after, constants);
  const narrower = narrowings(before, taken, work.narrower, texts.met);
  const told = new Set(narrower.map(placeIn));
  // Values can be narrower and wider at once.
  const wider = narrowings(after, before, work.wider).filter(
    (one) => one.kind === 'values' || !told.has(placeIn(one)),
  );
  const breaking = narrower.map((one) => NARROWER[one.kind](one as never, named(one.path)));
  const more = wider.map((one) => WIDER[one.kind](one as never, named(one.path)));
  const others = [...more.filter((text) => text !== ''), ...texts.found()];
  return breaking.length + others.length > 0 || isDeepStrictEqual(withSets(before), withSets(after))
    ? { breaking, others }
    : { breaking, others: ['the arguments are described differently'] };
};

const withProperties = (schema: Schema, names: readonly string[]): Schema => ({
  ...schema,
  properties: {
    ...(schema['properties'] as object),
    ...Object.fromEntries(names.map((name) => [name, {}])),
  },
});

/** Key by which a widening is dropped that a narrowing reports already. */
const placeIn = (one: Narrowing): string => {
  const { kind, path } = one;
  const what = 'keyword' in one ? one.keyword : kind === 'required' ? 'gone' : kind;
  return JSON.stringify([what, path]);
};

const named = (path: string): string => (path === '' ? 'the arguments' : `argument \`${path}\``);

type Words = {
  readonly [Kind in Narrowing['kind']]: (
    one: Extract<Narrowing, { kind: Kind }>,
    named: string,
  ) => string;
};

const NARROWER: Words = {
  gone: (_, name) => `${name} is gone`,
  unread: () => 'the arguments are too large to be compared further',
  required: ({ wasThere }, name) =>
    wasThere ? `${name} is required now` : `${name} is new, and required`,
  types: ({ was, is }, name) =>
    `${name} ${takes(is)} now, and took ${was ? either(was) : 'anything'}`,
  values: ({ was, is = [] }, name) =>
    was
      ? `${name} no longer takes ${either(missing(was, is), 'or')}`
      : `${name} takes only ${either(is)} now`,
  bound: ({ keyword, was, is }, name) =>
    `${name} has \`${keyword}\` ${shown(is)}${was === undefined ? ' now' : ` in place of ${shown(was)}`}`,
  rules: ({ keyword }, name) => `${name} has other rules (\`${keyword}\`)`,
};

/** Narrowings from the new schema to the old one: `was` is the value that holds now. */
const WIDER: Words = {
  gone: (_, name) => `${name} is new, and may be left out`,
  unread: () => 'the arguments allow more, or are described differently',
  required: ({ wasThere }, name) => (wasThere ? `${name} may be left out now` : ''),
  types: ({ was, is }, name) =>
    `${name} ${takes(was)} now, and took ${is ? either(is) : 'anything'}`,
  values: ({ was, is = [] }, name) =>
    was
      ? `${name} takes ${either(missing(was, is), 'and')} as well`
      : `${name} takes any value now`,
  bound: ({ keyword, was, is }, name) =>
    was === undefined
      ? `${name} has no \`${keyword}\` any more`
      : `${name} has \`${keyword}\` ${shown(was)} in place of ${shown(is)}`,
  rules: ({ keyword }, name) => `${name} has other rules (\`${keyword}\`)`,
};

const takes = (types: readonly string[] | undefined): string =>
  types ? `takes ${either(types)}` : 'takes anything';

const missing = (of: readonly string[], values: readonly string[]): readonly string[] => {
  const known = new Set(values);
  return of.filter((value) => !known.has(value));
};

const MOST_VALUES = 5;
const LONGEST_VALUE = 100;

const either = (values: readonly string[], word = 'or'): string => {
  const left = values.length - MOST_VALUES;
  const all = values.slice(0, MOST_VALUES).map(short);
  const last = left > 0 ? `${left} more` : all.pop();
  return all.length === 0 ? (last ?? '') : `${all.join(', ')} ${left > 0 ? 'and' : word} ${last}`;
};

export const shown = (value: unknown): string => short(jsonText(value) ?? 'nothing');

const short = (text: string): string => shortened(text, LONGEST_VALUE);

/** Beyond this, changed texts are only counted. */
const MOST_DESCRIBED = 3;

/** Collects, during a comparison, arguments whose texts or defaults changed. */
const describedOtherwise = (work: Work) => {
  const paths: string[] = [];
  const defaults: string[] = [];
  return {
    met: ({ before, after, path }: SchemaPair): void => {
      if (work.left < 0) return;
      const isSame = (keyword: string): boolean => {
        const [was, is] = [member(before, keyword), member(after, keyword)];
        if (was === is) return true;
        const texts = [was, is].map((one) =>
          typeof one === 'string' ? one : (jsonText(one) ?? ''),
        );
        work.left -= texts.join('').length;
        return isDeepStrictEqual(was, is);
      };
      if (!isSame('default')) {
        const [was, is] = [before, after].map((one) => shown(one['default']));
        defaults.push(`the default of ${named(path)} is ${is}, and was ${was}`);
      }
      if (!DESCRIBING.every(isSame)) paths.push(path);
    },
    found: (): readonly string[] => [
      ...defaults.slice(0, MOST_DESCRIBED),
      ...(paths.length > MOST_DESCRIBED
        ? [`${paths.length} arguments are described differently`]
        : paths.map(
            (path) => `${named(path)} ${path === '' ? 'are' : 'is'} described differently`,
          )),
    ],
  };
};

const DESCRIBING = ['description', 'title', 'examples', 'example', 'deprecated'];

/** Keywords whose lists are sets. Source: JSON Schema 2020-12 Validation §6.1.1, §6.1.2, §6.5.3. */
const SETS: ReadonlySet<string> = new Set(['enum', 'required', 'type']);

const withSets = (schema: unknown): unknown =>
  parsedJson(
    JSON.stringify(schema, (keyword, inside: unknown) =>
      SETS.has(keyword) && Array.isArray(inside)
        ? inside.map((one) => JSON.stringify(one)).toSorted()
        : inside,
    ),
  );
