import { isUtf8 } from 'node:buffer';
import { pathOf } from '../api/api.ts';
import type { Ask } from '../ask.ts';
import { type Command, command, type Context } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { type Json, listOf, textOf } from '../json.ts';
import type { Columns } from '../text/table.ts';
import { argumentsFrom, ARGUMENT_OPTIONS } from './arguments.ts';
import { plainLines } from '../text/plain.ts';
import { bytesOf, textFrom } from './files.ts';

const REPLACE = { help: 'change the one that has this name' } as const;

/** Adds something under its name, or replaces it. */
const keep = async (
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
    replace: REPLACE,
  },
  run: async (context, { slug, name }, { uri, file, title, description, replace, ...values }) => {
    if (!uri) throw usageFailure('--uri is missing.');
    if (!file) throw usageFailure('--file is missing: the file with the content, or - .');
    const content = await contentFrom(context.ask, file);
    const mime_type = values['mime-type'];
    const resource = { name, uri, title, description, mime_type, ...content };
    await keep(context, 'resources', slug, resource, replace);
  },
});

/** Bytes that are no text go as base64. */
const contentFrom = async (ask: Ask, file: string): Promise<Json> => {
  if (file === '-') return { content: await ask.input() };
  const bytes = Buffer.from(await bytesOf(file));
  return isUtf8(bytes)
    ? { content: bytes.toString() }
    : { content: bytes.toString('base64'), encoding: 'base64' };
};

const addPrompt = command({
  name: 'prompt add',
  summary: 'Adds a prompt that clients can fill in',
  places: ['slug', 'name'],
  options: {
    file: { value: 'FILE', help: 'the template; - reads standard input' },
    title: { value: 'TEXT', help: 'what people see' },
    description: { value: 'TEXT', help: 'what it is for' },
    required: { value: 'NAME[=TEXT]', multiple: true, help: 'an argument that must be given' },
    argument: { value: 'NAME[=TEXT]', multiple: true, help: 'an argument that may be given' },
    replace: REPLACE,
  },
  details: [
    "A template is text with {{name}}, {{#if name}}...{{else}}...{{/if}}, {{#if name eq 'text'}} and",
    '{{name | uppercase}}. The arguments are described as in --required "city=Which city".',
  ],
  run: async (context, { slug, name }, { file, title, description, replace, ...values }) => {
    if (!file) throw usageFailure('--file is missing: the file with the template, or - .');
    const template = await textFrom(context.ask, file);
    const prompt = {
      name,
      title,
      description,
      arguments: [
        ...values.required.map((text) => argumentOf(text, true)),
        ...values.argument.map((text) => argumentOf(text, false)),
      ],
      template,
    };
    await keep(context, 'prompts', slug, prompt, replace);
  },
});

const preview = command({
  name: 'prompt preview',
  summary: 'Shows what a prompt becomes with these arguments',
  places: ['slug', 'name'],
  options: ARGUMENT_OPTIONS,
  run: async ({ api, ask, output }, { slug, name }, values) => {
    const path = pathOf('deployments', slug, 'prompts', name, 'render');
    const json = { arguments: await argumentsFrom(ask, values) };
    const answer = await api.call('POST', path, { json });
    const texts = listOf(answer['messages']).map((message) => textIn(message['content']));
    output.result(answer, texts.map(plainLines));
  },
});

const textIn = (content: unknown): string => textOf((content as Json | undefined)?.['text']) ?? '';

const argumentOf = (text: string, required: boolean) => {
  const at = text.indexOf('=');
  return at < 0
    ? { name: text, required }
    : { name: text.slice(0, at), required, description: text.slice(at + 1) };
};

/** `ls` and `rm` of a collection. */
const listAndRemove = (noun: string, columns: Columns<Json>): readonly Command[] => [
  command({
    name: `${noun} ls`,
    summary: `Lists the ${noun}s of a deployment`,
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

export const contentCommands: readonly Command[] = [
  addResource,
  ...listAndRemove('resource', {
    name: (one) => one['name'],
    uri: (one) => one['uri'],
    type: (one) => one['mime_type'],
    size: (one) => one['size'],
    title: (one) => one['title'],
  }),
  addPrompt,
  ...listAndRemove('prompt', {
    name: (one) => one['name'],
    arguments: (one) =>
      listOf(one['arguments']).map(
        (argument) =>
          `${textOf(argument['name']) ?? ''}${argument['required'] === true ? '' : '?'}`,
      ),
    title: (one) => one['title'],
    description: (one) => one['description'],
  }),
  preview,
];
