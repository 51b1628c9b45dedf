import type { SearchIndex } from './search-index.ts';
import { ALWAYS_LOADED, type IndexedTool, type ToolAnnotations } from '../openapi/tool-index.ts';
import { CALL, DESCRIBE, SEARCH } from './tool-names.ts';
import { areasInWords, areasOf } from './areas.ts';

export const DEFAULT_HITS = 10;
export const MAX_HITS = 50;

/** Characters of the areas in the description of the search tool; a help text has room for more. */
const MAX_AREAS = 500;

/** Characters of the API's title in titles of tools, where it is sent twice for each. */
const MAX_TITLE = 60;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * The three tools of search mode in the form of all others, so that they are listed and their arguments are read alike.
 * No request is made of their own `operation`.
 * @param title - of the API
 */
export const searchTools = (
  title: string,
  index: Pick<SearchIndex, 'isReadOnly' | 'operations'>,
): readonly IndexedTool[] => {
  const { operations, isReadOnly } = index;
  const short = title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE).toWellFormed()}…` : title;
  const areas = areasInWords(areasOf(operations), MAX_AREAS);
  const count = operations.length === 1 ? 'the 1 operation' : `the ${operations.length} operations`;
  const name = { type: 'string', description: `As ${SEARCH} shows it.` };
  const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

  return [
    aTool(SEARCH, {
      description:
        `Finds operations of ${title} by what they do. It searches ${count} of this API and answers ` +
        `with the best matches: name, method, path, and a line on each, and with the arguments of the ` +
        `first where they are few. Read any other with ${DESCRIBE}, and use it with ${CALL}.${areas === '' ? '' : `\n\nMain areas (number of operations): ${areas}.`}`,
      properties: {
        query: {
          type: 'string',
          description:
            'What the operation should do, in a few English words: "refund a charge". Leave it out to browse by tag or method.',
        },
        tag: { type: 'string', description: 'Only operations of this area.' },
        method: { type: 'string', enum: METHODS, description: 'Only operations of this method.' },
        limit: {
          type: 'integer',
          description: `How many to show, ${DEFAULT_HITS} if omitted.`,
          minimum: 1,
          maximum: MAX_HITS,
        },
      },
      required: [],
      annotations: { title: `${short}: search operations`, ...reads, openWorldHint: false },
    }),
    aTool(DESCRIBE, {
      description: `Tells all about one operation of ${title}: what it does and the JSON Schema of its arguments. Read it before the first ${CALL}.`,
      properties: { name },
      required: ['name'],
      annotations: { title: `${short}: describe an operation`, ...reads, openWorldHint: false },
    }),
    aTool(CALL, {
      description: `Calls one operation of ${title} and answers what the API answers. The arguments must fit the schema that ${DESCRIBE} shows.`,
      properties: {
        name,
        arguments: { type: 'object', description: "The operation's arguments by name." },
      },
      required: ['name'],
      annotations: {
        title: `${short}: call an operation`,
        readOnlyHint: isReadOnly,
        destructiveHint: !isReadOnly,
        idempotentHint: isReadOnly,
        openWorldHint: true,
      },
    }),
  ];
};

interface Written {
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly annotations: ToolAnnotations & { readonly title: string };
}

const aTool = (
  name: string,
  { description, properties, required, annotations }: Written,
): IndexedTool => ({
  name,
  listed: JSON.stringify({
    name,
    title: annotations.title,
    description,
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    annotations,
    // A client that defers these tools could find no operation at all.
    _meta: ALWAYS_LOADED,
  }),
  operation: {
    method: 'POST',
    path: '',
    serverUrl: '',
    parameters: Object.keys(properties).map((argument) => ({
      argument,
      name: argument,
      in: 'query',
      required: required.includes(argument),
      style: 'form',
      explode: false,
      allowReserved: false,
    })),
    accept: [],
  },
});
