import type { EpochSeconds } from './time.ts';

/** What a deployment's resources, or its prompts, have taken: their names, uris and bytes, by name. */
export type ContentNames = Readonly<Record<string, TakenName>>;

export interface TakenName {
  /** SHA-256 of a resource's uri. */
  readonly uri?: string;
  /** Of the content, in UTF-8. */
  readonly bytes: number;
  /** When it was taken; what bears the name is stored right after. */
  readonly since: EpochSeconds;
}

/** How many there may be, and how much. */
export interface Room {
  readonly maxCount: number;
  readonly maxBytes: number;
}

/** Whether something new or changed has its place, and if not, what it lacks. */
export type Placement = 'placed' | 'name_taken' | 'uri_taken' | 'too_many' | 'too_much';

/** @param isNew - otherwise it takes the place of the one of its name */
export const placementOf = (
  names: ContentNames,
  name: string,
  { uri, bytes }: Omit<TakenName, 'since'>,
  { maxCount, maxBytes }: Room,
  isNew: boolean,
): Placement => {
  if (isNew && Object.hasOwn(names, name)) return 'name_taken';
  const others = Object.entries(names)
    .filter(([other]) => other !== name)
    .map(([, taken]) => taken);
  if (uri !== undefined && others.some((other) => other.uri === uri)) return 'uri_taken';
  if (others.length >= maxCount) return 'too_many';
  return others.reduce((sum, other) => sum + other.bytes, bytes) > maxBytes ? 'too_much' : 'placed';
};
