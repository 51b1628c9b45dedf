import { isUtf8 } from 'node:buffer';
import { pathOf } from '../api/api.ts';
import type { Ask } from '../ask.ts';
import { type Command, command, type Context } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { type Json, listOf, textOf } from '../json.ts';
import type { Columns } from '../text/table.ts';
import { argumentsFrom, ARGUMENT_OPTIONS, pairOf } from './arguments.ts';
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
    audience: { value: 'WHO', multiple: true, help: 'whom it is for: user, assistant' },
    priority: { value: 'NUMBER', help: 'how much it matters, from 0 to 1' },
    replace: REPLACE,
  },
  run: async (context, { slug, name }, { uri, file, title, description, replace, ...values }) => {
    if (!uri) throw usageFailure('--uri is missing.');
    if (!file) throw usageFailure('--file is missing: the file with the content, or - .');
    const content = await contentFrom(context.ask, file);
    const mime_type = values['mime-type'];
    const resource = {
      name,
      uri,
      title,
      description,
      mime_type,
      ...(values.audience.length > 0 && { audience: values.audience }),
      priority: priorityFrom(values.priority),
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
    'argument-title': { value: 'NAME=TEXT', multiple: true, help: 'what people see of one' },
    replace: REPLACE,
  },
  details: [
    "A template is text with {{name}}, {{#if name}}...{{else}}...{{/if}}, {{#if name eq 'text'}} and",
    '{{name | uppercase}}. The arguments are described as in --required "city=Which city".',
  ],
  run: async (context, { slug, name }, { file, title, description, replace, ...values }) => {
    if (!file) throw usageFailure('--file is missing: the file with the template, or - .');
    const template = await textFrom(context.ask, file);
    const declared = [
      ...values.required.map((text) => argumentOf(text, true)),
      ...values.argument.map((text) => argumentOf(text, false)),
    ];
    const titles = valuesByName('--argument-title', values['argument-title'], declared);
    const prompt = {
      name,
      title,
      description,
      arguments: declared.map((one) => ({ ...one, title: titles.get(one.name) })),
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

/** @throws Failure usage for a name that is not declared */
const valuesByName = (
  option: string,
  texts: readonly string[],
  declared: readonly { readonly name: string }[],
): ReadonlyMap<string, string> => {
  const pairs = texts.map((text) => pairOf(option, text));
  const stray = pairs.find(([name]) => !declared.some((one) => one.name === name));
  if (stray) throw usageFailure(`${option}: "${stray[0]}" is no argument of the prompt.`);
  return new Map(pairs);
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
