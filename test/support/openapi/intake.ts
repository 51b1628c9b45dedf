import type { Json } from '../../../layers/platform/rules/json/json.ts';
import type { Description } from '../../../layers/openapi/document.ts';
import { readDescription } from '../../../layers/openapi/intake/read-description.ts';
import { ApiRefusal } from '../../../layers/platform/rules/refusal/api-refusal.ts';

export const LIMITS = { maxBytes: 5_242_880, maxDepth: 20 };

/** A description that is right in everything, with these members in place of its own. */
export const aDescription = (members: Readonly<Record<string, Json>> = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: anOperation() } },
  ...members,
});

export const anOperation = (members: Readonly<Record<string, Json>> = {}) => ({
  responses: { 200: { description: 'fine' } },
  ...members,
});

/** A description with one operation, `GET /pets`. */
export const withOperation = (members: Readonly<Record<string, Json>>) =>
  aDescription({ paths: { '/pets': { get: anOperation(members) } } });

export const withSchemas = (schemas: Json, members: Readonly<Record<string, Json>> = {}) =>
  aDescription({ components: { schemas }, ...members });

export const read = (description: Json): Description =>
  readDescription(JSON.stringify(description), LIMITS);

export const readText = (text: string | Uint8Array): Description => readDescription(text, LIMITS);

/** What a refusal says; fails where nothing is refused. */
export const refusalOf = (act: () => unknown): ApiRefusal => {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiRefusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

/** The code, the place and the matter of a refusal with one finding. */
export const refusedAs = (act: () => unknown) => {
  const { code, findings } = refusalOf(act);
  return { code, findings: findings.map(({ where, what }) => `${where} | ${what}`) };
};

export const warningsOf = ({ warnings }: Description): readonly string[] =>
  warnings.map(({ where, what }) => `${where} | ${what}`);
