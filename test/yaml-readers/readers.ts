// It has no types of its own.
import * as jsYaml from 'js-yaml-4';
import { parseDocument } from 'yaml';
import { collectWarnings } from '../../layers/openapi/intake/findings.ts';
import { parse } from '../../layers/openapi/intake/parse.ts';
import { ApiRefusal } from '../../layers/platform/rules/refusal/api-refusal.ts';

/**
 * What a reader makes of a document: its objects and lists as JSON, with 0 for each plain value, since what type
 * that has is another question; undefined where it is refused.
 */
export type Reader = (text: string) => string | undefined;

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0;
  const entries = Object.entries(value).map(([name, member]) => [name, shapeOf(member)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

const reader =
  (read: (text: string) => unknown): Reader =>
  (text) => {
    try {
      return JSON.stringify(shapeOf(read(text)));
    } catch {
      return undefined;
    }
  };

const MOST_BYTES = 5_242_880;

export const jsYaml4 = reader((text) => jsYaml.load(text, { json: true }));

export const yaml2 = reader((text) => {
  const document = parseDocument(text, { uniqueKeys: false, merge: true, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS();
});

/** The service's own. @throws what is no refusal */
export const ours: Reader = (text) => {
  try {
    const { tree } = parse(Buffer.from(text), MOST_BYTES, collectWarnings());
    return JSON.stringify(shapeOf(tree));
  } catch (error) {
    if (error instanceof ApiRefusal) return undefined;
    throw error;
  }
};
