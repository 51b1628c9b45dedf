import type { JsonObject } from '../../platform/rules/json/json.ts';
import type { Change } from '../tool-note.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { ChangeAt } from './argument-notes.ts';
import { type Definitions, noDefinitions } from './definitions.ts';
import type { Detail } from './detail.ts';
import { noOmissions } from './omissions.ts';
import type { Shortening } from './own-keywords.ts';
import type { Position } from './position.ts';
import type { SharingPolicy } from './sharing-policy.ts';

export interface EmitOptions {
  readonly schemas: Pick<Schemas, 'component'>;
  readonly detail: Detail;
  readonly sharing: SharingPolicy;
  /** Characters of JSON, roughly. */
  readonly maxCharacters: number;
  /** Told how many it took, also where they were too many. */
  readonly spend: (characters: number) => void;
}

/** What emitting the schemas of one tool has come to. */
export interface Emission extends EmitOptions, Shortening {
  characters: number;
  readonly definitions: Definitions;
  readonly changes: ChangeAt[];
  /** See `Operation.wireNames`. */
  readonly wireNames: Map<string, string>;
}

export const startEmission = (options: EmitOptions): Emission => ({
  ...options,
  characters: 0,
  definitions: noDefinitions(),
  omissions: noOmissions(),
  changes: [],
  wireNames: new Map(),
});

/** What is too large already is thrown away, so no more of it has to be emitted. */
export const isTooLarge = ({ characters, maxCharacters }: Emission): boolean =>
  characters > maxCharacters;

export const isTooDeep = ({ detail }: Emission, { depth, isRequired }: Position): boolean =>
  depth > (isRequired ? detail.required : detail.optional);

/** Whether a reference here stays one. */
export const isShared = (emission: Emission, ref: string, position: Position): boolean =>
  !isTooDeep(emission, position) && emission.sharing.isShared(ref);

/** Whether a reference here would close a circle that no property leads out of. */
export const isEndless = (
  { definitions, sharing }: Emission,
  ref: string,
  { requiredBy }: Position,
): boolean =>
  requiredBy !== undefined &&
  definitions.isMetBefore(ref, requiredBy) &&
  sharing.requires(ref, requiredBy);

/** Counts the keywords of one schema. @returns them */
export const counted = (emission: Emission, keywords: JsonObject): JsonObject => {
  emission.characters += JSON.stringify(keywords).length;
  return keywords;
};

export const addChange = ({ changes }: Emission, { pointer }: Position, change: Change): void => {
  changes.push({ pointer, change });
};
