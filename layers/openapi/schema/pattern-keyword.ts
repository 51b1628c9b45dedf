import { type JsonObject, member } from '../../platform/rules/json/json.ts';
import { portablePattern } from '../json-schema/portable-pattern.ts';
import type { PatternReader } from '../json-schema/safe-pattern.ts';
import type { Change } from '../tool-note.ts';

interface PatternKeyword {
  readonly listed?: string;
  readonly checked?: string;
  readonly notes: readonly string[];
  readonly changes: readonly Change[];
}

const MAX_SHOWN = 200;

/** @returns undefined where the schema has none */
export const patternKeyword = (
  schema: JsonObject,
  safe: PatternReader,
): PatternKeyword | undefined => {
  const given = member(schema, 'pattern');
  if (typeof given !== 'string' || given === '') return undefined;
  const checked = safe(given);
  const listed = checked === undefined ? undefined : portablePattern(checked);
  if (listed !== undefined) return { listed, notes: [], changes: [] };
  return {
    ...(checked !== undefined && { checked }),
    notes: [`Pattern: ${given.slice(0, MAX_SHOWN)}`],
    changes: [checked === undefined ? PATTERN_IN_WORDS : PATTERN_UNREAD],
  };
};

const PATTERN_IN_WORDS: Change = {
  what: 'the pattern is described in words',
  why: 'it is none of JSON Schema, or cannot be checked in a bounded time',
};

const PATTERN_UNREAD: Change = {
  what: 'the pattern is described in words',
  why: 'model APIs read patterns as Python or RE2 do, which refuse this one; calls are held against it all the same',
};
