import { isUtf8 } from 'node:buffer';
import { pathOf } from '../api/api.ts';
import { type Command, command, type Context } from '../command.ts';
import { usageFailure } from '../failure.ts';
import {
  ARGUMENT_OPTIONS,
  argumentsFrom,
  completionValues,
  pairOf,
  VALUE_OPTIONS,
} from '../input/arguments.ts';
import { type Ask, bytesOf, textFrom } from '../input/ask.ts';
import { type Json, jsonOf, listOf, stringOf } from '../json.ts';
import { plainLines } from '../text/plain.ts';
import type { Columns } from '../text/table.ts';
import { listCommand } from './collections.ts';

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
const listAndRemove = (noun: string, columns: Columns<Json>): readonly Command[] => [
  listCommand({
    name: `${noun} ls`,
    summary: `Lists the ${noun}s of a server`,
    collection: `${noun}s`,
    columns: () => columns,
    empty: (slug) => `${slug} has no ${noun}.`,
  }),
  command({
    name: `${noun} rm`,
    summary: `Removes a ${noun}`,
    places: ['slug', 'name'],
    run: async ({ api, output }, { slug, name }) => {
      await api.call('DELETE', pathOf('deployments', slug, `${noun}s`, name));
      output.result({ removed: name }, [`${name} is removed.`]);
    },
  }),
];

export const resourceCommands: readonly Command[] = [
  addResource,
  ...listAndRemove('resource', {
    name: 'name',
    uri: 'uri',
    type: 'mime_type',
    size: 'size',
    title: 'title',
  }),
];

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
    ...VALUE_OPTIONS,
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
    const titles = new Map(
      values['argument-title'].map((text) => pairOf('--argument-title', text)),
    );
    const lists = await completionValues(context.ask, values);
    const named = [...titles.keys(), ...lists.keys()];
    const stray = named.find((one) => !declared.some((argument) => argument.name === one));
    if (stray !== undefined) throw usageFailure(`"${stray}" is no argument of the prompt.`);
    const prompt = {
      name,
      title,
      description,
      arguments: declared.map((one) => ({
        ...one,
        title: titles.get(one.name),
        values: lists.get(one.name),
      })),
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
    const texts = listOf(answer['messages']).map(({ content }) =>
      stringOf(jsonOf(content)['text']),
    );
    output.result(answer, texts.map(plainLines));
  },
});

const argumentOf = (text: string, required: boolean) => {
  const at = text.indexOf('=');
  return at < 0
    ? { name: text, required }
    : { name: text.slice(0, at), required, description: text.slice(at + 1) };
};

export const promptCommands: readonly Command[] = [
  addPrompt,
  ...listAndRemove('prompt', {
    name: 'name',
    arguments: (one) =>
      listOf(one['arguments']).map(
        ({ name, required }) => `${stringOf(name)}${required === true ? '' : '?'}`,
      ),
    title: 'title',
    description: 'description',
  }),
  preview,
];
