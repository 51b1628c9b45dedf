import type { Json } from '../../document.ts';
import { NotPlain } from './reader.ts';

/** Puts a member into an object that has none of its name. */
export const put = (object: Record<string, Json>, key: string, value: Json): void => {
  const isTaken = object[key] !== undefined && Object.hasOwn(object, key);
  if (isTaken || key === '__proto__' || key === '<<') throw new NotPlain();
  object[key] = value;
};
