import { type JsonObject, member } from '../document.ts';
import { annotationsOf } from './annotations.ts';
import type { LinkedSchema } from './linked-schema.ts';
import { isSilentFormat } from './scalar-keywords.ts';
import { readTypes } from './types.ts';

const KEYWORDS: ReadonlySet<string> = new Set(
  'type format title description example examples deprecated'.split(' '),
);
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

/**
 * The schema, if it is no more than a plain type and texts, as most are: what it takes to find out about
 * all other keywords is saved.
 */
export const leafSchema = (schema: JsonObject): LinkedSchema | undefined => {
  const type = member(schema, 'type');
  if (type === undefined || !TYPES.has(type)) return undefined;
  for (const key of Object.keys(schema)) if (!KEYWORDS.has(key)) return undefined;
  const format = member(schema, 'format');
  if (format !== undefined && !isSilentFormat(format)) return undefined;
  return { ...annotationsOf(schema, readTypes(schema)), keywords: { type }, one: {}, many: {} };
};
