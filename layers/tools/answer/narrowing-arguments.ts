import { isObject, member } from '../../platform/rules/json/json.ts';
import type { Schema } from '../../openapi/json-schema/schema.ts';

/** Names without case and marks, as APIs call what pages, selects fields or filters. */
const NAMES = new Set(
  (
    'limit perpage pagesize size count rows top first take max maxresults maxitems page pagenumber pagetoken ' +
    'offset skip start cursor marker after startingafter fields field select columns only projection attributes ' +
    'filter filters query q search where since until'
  ).split(' '),
);
const SAID =
  /\b(?:max(?:imum|\.)? number of|how many|number of (?:items|results|records|entries|rows)|page (?:size|number)|(?:fields|columns|properties) to (?:return|include|show|select))\b/i;
const MOST_NAMED = 8;
const MOST_READ = 300;

/** The arguments of a tool with which a caller asks for less, by their names or what is said of them. */
export const narrowingArguments = (inputSchema: Schema): readonly string[] => {
  const properties = member(inputSchema, 'properties');
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .filter(([name, schema]) => NAMES.has(plain(name)) || SAID.test(descriptionOf(schema)))
    .map(([name]) => name)
    .slice(0, MOST_NAMED);
};

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const descriptionOf = (schema: unknown): string => {
  const text = isObject(schema) ? member(schema, 'description') : undefined;
  return typeof text === 'string' ? text.slice(0, MOST_READ) : '';
};
