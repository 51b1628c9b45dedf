import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import {
  readerOfCookieLists,
  readerOfHeaderLines,
  readerOfListsOfOne,
} from '../frameworks/list-readers.ts';
import { readTypes } from '../json-schema/types.ts';
import { type LinkedSchema, typesOf } from '../schema/linked-schema.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { Operation } from '../tool-index.ts';
import type { Parameter } from './encodings.ts';

interface ReadList {
  readonly parameter: Parameter;
  readonly what?: string;
  readonly hint?: string;
}

/** A list in a header or cookie, as the framework of the description reads it. */
export const asList = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  parameter: Parameter,
  node: JsonObject,
): ReadList => {
  const { name, in: location, mediaType } = parameter;
  const isOther = location !== 'header' && location !== 'cookie';
  if (isOther || mediaType !== undefined || !isOfLists(schemas, parameter.schema)) {
    return { parameter };
  }
  if (location === 'header') {
    const reader = readerOfHeaderLines(root);
    return reader === undefined ? { parameter } : { parameter: { ...parameter, isRepeated: true } };
  }
  const reader = readerOfCookieLists(root);
  const isDeclared = node['style'] !== undefined || node['explode'] !== undefined;
  if (!reader || (reader.isJoined && isDeclared)) return { parameter };
  if (reader.isJoined) {
    return {
      parameter: { ...parameter, explode: false },
      what: `the list ${name} is one cookie, ${name}=a,b, as ${reader.frameworks} reads it`,
      hint: 'Declare `style` and `explode` of the parameter if the API reads it otherwise.',
    };
  }
  return {
    parameter,
    what: `the list ${name} is sent as cookies, of which ${reader.frameworks} reads none as a list`,
    hint: 'Take the list in a header or the query, or a text in the cookie.',
  };
};

const isOfLists = (schemas: Pick<Schemas, 'flat'>, schema: Json | undefined): boolean =>
  readTypes(schemas.flat(objectOf(schema))).includes('array');

interface Drafted {
  readonly pointer: string;
  readonly args: readonly { readonly name: string; readonly schema: LinkedSchema }[];
  readonly operation: Pick<Operation, 'parameters'>;
}

/** Says once that lists of one item cannot be sent, where the framework reads them as texts. */
export const listsOfOne = (root: JsonObject, drafts: readonly Drafted[]): readonly Finding[] => {
  const found = drafts.flatMap(({ args, operation, pointer }) =>
    operation.parameters.flatMap(({ argument, name, in: location, style, explode, mediaType }) => {
      const isRepeated = location === 'query' && style === 'form' && explode;
      if (!isRepeated || mediaType !== undefined || name.endsWith('[]')) return [];
      const schema = args.find((one) => one.name === argument)?.schema;
      return schema && typesOf(schema).includes('array') ? [{ pointer, name }] : [];
    }),
  );
  const [first] = found;
  const reader = first && readerOfListsOfOne(root);
  if (!reader) return [];
  const more = found.length > 1 ? `, as well as ${found.length - 1} others` : '';
  return [
    {
      where: first.pointer,
      what: `a list of one item in a query is a text as ${reader.frameworks} reads it: ${first.name}${more}`,
      hint: reader.mends,
    },
  ];
};
