import type { Json } from '../../document.ts';
import { hasLostSpelling } from '../spelling.ts';
import { NotPlain } from './reader.ts';

/** Puts a member into an object that has none of its name. */
export const put = (object: Record<string, Json>, key: string, value: Json): void => {
  const isTaken = object[key] !== undefined && Object.hasOwn(object, key);
  if (isTaken || key === '__proto__' || key === '<<') throw new NotPlain();
  object[key] = value;
};

/** An object that has all its members, and none that was meant otherwise than it was read. */
export const whole = (object: Readonly<Record<string, Json>>): Json => {
  if (hasLostSpelling(object)) throw new NotPlain();
  return object;
};
