import { isUtf8 } from 'node:buffer';
import { pathOf } from '../api/api.ts';
import type { Ask } from '../input/ask.ts';
import { type Command, command, type Context } from '../command.ts';
import { usageFailure } from '../failure.ts';
import type { Json } from '../json.ts';
import type { Columns } from '../text/table.ts';
import { completionValues, VALUE_OPTIONS } from '../input/completion-values.ts';
import { bytesOf } from '../input/files.ts';

export const REPLACE = { help: 'change the one that has this name' } as const;

/** Adds something under its name, or replaces it. */
export const keep = async (
  { api, output }: Context,
  collection: string,
  slug: string,
  thing: Json & { readonly name: string },
  replace: boolean,
): Promise<void> => {
  const path = pathOf('deployments', slug, collection);
  const { name, ...rest } = thing;
  const one = `${path}${pathOf(name)}`;
  const answer = replace
    ? await api.call('PUT', one, { json: rest, headers: await api.asItIs(one) })
    : await api.call('POST', path, { json: thing });
  output.result(answer, [`${name} is ${replace ? 'changed' : 'added'}.`]);
};

const addResource = command({
  name: 'resource add',
  summary: 'Adds a document that clients can read',
  places: ['slug', 'name'],
  options: {
    uri: { value: 'URI', help: 'its address, as in docs://guide; with {variables}: a template' },
    file: { value: 'FILE', help: 'its content, text or not; - reads standard input' },
    title: { value: 'TEXT', help: 'what people see' },
    description: { value: 'TEXT', help: 'what it is about' },
    'mime-type': { value: 'TYPE', help: 'as in text/markdown' },
    audience: { value: 'WHO', multiple: true, help: 'who it is for: user, assistant' },
    ...VALUE_OPTIONS,
    priority: { value: 'NUMBER', help: 'how much it matters, from 0 to 1' },
    replace: REPLACE,
  },
  run: async (context, { slug, name }, { uri, file, title, description, replace, ...values }) => {
    if (!uri) throw usageFailure('--uri is missing.');
    if (!file) throw usageFailure('--file is missing: the file with the content, or - .');
    const content = await contentFrom(context.ask, file);
    const mime_type = values['mime-type'];
    const given = [...(await completionValues(context.ask, values))];
    const resource = {
      name,
      uri,
      title,
      description,
      mime_type,
      ...(values.audience.length > 0 && { audience: values.audience }),
      priority: priorityFrom(values.priority),
      ...(given.length > 0 && {
        variables: given.map(([variable, list]) => ({ name: variable, values: list })),
      }),
      ...content,
    };
    await keep(context, 'resources', slug, resource, replace);
  },
});

const priorityFrom = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text)) return Number(text);
  throw usageFailure(`--priority must be a number from 0 to 1, not "${text}".`);
};

/** Bytes that are no text go as base64. */
const contentFrom = async (ask: Ask, file: string): Promise<Json> => {
  if (file === '-') return { content: await ask.input() };
  const bytes = Buffer.from(await bytesOf(file));
  return isUtf8(bytes)
    ? { content: bytes.toString() }
    : { content: bytes.toString('base64'), encoding: 'base64' };
};

/** `ls` and `rm` of a collection. */
export const listAndRemove = (noun: string, columns: Columns<Json>): readonly Command[] => [
  command({
    name: `${noun} ls`,
    summary: `Lists the ${noun}s of a server`,
    places: ['slug'],
    options: {},
    run: async ({ api, output }, { slug }) => {
      const items = await api.list(pathOf('deployments', slug, `${noun}s`));
      output.rows({ items }, items, columns, `${slug} has no ${noun}.`);
    },
  }),
  command({
    name: `${noun} rm`,
    summary: `Removes a ${noun}`,
    places: ['slug', 'name'],
    options: {},
    run: async ({ api, output }, { slug, name }) => {
      await api.call('DELETE', pathOf('deployments', slug, `${noun}s`, name));
      output.result({ removed: name }, [`${name} is removed.`]);
    },
  }),
];

export const resourceCommands: readonly Command[] = [
  addResource,
  ...listAndRemove('resource', {
    name: (one) => one['name'],
    uri: (one) => one['uri'],
    type: (one) => one['mime_type'],
    size: (one) => one['size'],
    title: (one) => one['title'],
  }),
];
