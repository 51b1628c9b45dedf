import type { Change } from '../tool-note.ts';
import {
  checkedKeywords,
  hasDefault,
  type LinkedSchema,
  typesOf,
} from '../schema/linked-schema.ts';
import type { Schemas } from '../schema/translate-schemas.ts';

/** Methods whose requests usually have a body. Source: RFC 9110 §9.3.3, §9.3.4; RFC 5789 §2. */
export const CHANGING: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT']);

export const EMPTY = 'send_empty_body';

export const ASKS_FOR_EMPTY = {
  name: EMPTY,
  required: false,
  schema: { keywords: { type: 'boolean' }, description: 'Send {} though no field is given.' },
};

export const NEEDED: Change = {
  what: 'the required fields of the form have to be given',
  why: 'the description does not say that the body may be left out',
};

export const SENT_EMPTY: Change = {
  what: 'without any field, {} is sent',
  why: 'the description does not say that the body may be left out',
};

export const isEmptyAllowed = (
  schemas: Schemas,
  object: LinkedSchema,
  required: ReadonlySet<string>,
): boolean => {
  const { properties = [], anyOf, allOf } = object;
  const keywords = checkedKeywords(object);
  const types = typesOf(object);
  const isNeeded = (name: string): boolean => {
    const property = properties.find((one) => one.name === name);
    return property === undefined || !hasDefault(schemas, property.schema);
  };
  return (
    types.includes('object') &&
    types.every((type) => type === 'object' || type === 'null') &&
    ![...required].some(isNeeded) &&
    anyOf === undefined &&
    allOf === undefined &&
    keywords['enum'] === undefined &&
    !(Number(keywords['minProperties']) > 0)
  );
};
