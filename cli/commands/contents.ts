import { isUtf8 } from 'node:buffer';
import { type Command, command, type Context } from '../command.ts';
import { usageFailure } from '../failure.ts';
import {
  ARGUMENT_OPTIONS,
  argumentsFrom,
  completionValues,
  pairOf,
  VALUE_OPTIONS,
} from '../input/arguments.ts';
import { type Ask, bytesFrom, textFrom } from '../input/ask.ts';
import { type Json, listOf } from '../json.ts';
import { plainLines } from '../text/plain.ts';
import { listCommand, operationCommand, removeCommand } from './operation-command.ts';

const AT = {
  resource: {
    list: '/deployments/{slug}/resources',
    one: '/deployments/{slug}/resources/{name}',
  },
  prompt: { list: '/deployments/{slug}/prompts', one: '/deployments/{slug}/prompts/{name}' },
} as const;

const REPLACE = { help: 'change the one that has this name' } as const;

const keep = async (
  { api, output }: Context,
  kind: keyof typeof AT,
  slug: string,
  thing: Json & { readonly name: string },
  replace: boolean,
): Promise<void> => {
  const { name, ...rest } = thing;
  const { list, one } = AT[kind];
  const path = { slug, name };
  const put = async () => {
    const { headers } = await api.present(`GET ${one}`, { path });
    return api.call(`PUT ${one}`, { path, json: rest, headers });
  };
  const answer = replace ? await put() : await api.call(`POST ${list}`, { path, json: thing });
  output.result(answer, [`${name} is ${replace ? 'changed' : 'added'}.`]);
};

const addResource = command({
  name: 'resource add',
  changesManaged: true,
  summary: 'Adds a document that clients can read',
  places: ['slug', 'name'],
  options: {
    uri: {
      value: 'URI',
      help: 'its address, as in docs://guide; with {variables}: a template',
    },
    file: {
      value: 'FILE',
      help: 'its content, text or not; - reads standard input',
    },
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
    await keep(context, 'resource', slug, resource, replace);
  },
});

const priorityFrom = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text)) return Number(text);
  throw usageFailure(`--priority must be a number from 0 to 1, not "${text}".`);
};

/** Content that is not UTF-8 is sent as base64. */
const contentFrom = async (ask: Ask, file: string): Promise<Json> => {
  const bytes = Buffer.from(await bytesFrom(ask, file));
  return isUtf8(bytes)
    ? { content: bytes.toString() }
    : { content: bytes.toString('base64'), encoding: 'base64' };
};

const removeNamed = (noun: keyof typeof AT): Command =>
  removeCommand({
    name: `${noun} rm`,
    changesManaged: true,
    summary: `Removes a ${noun}`,
    at: `DELETE ${AT[noun].one}`,
    line: (_, named) => `${named} is removed.`,
  });

export const resourceCommands = [
  addResource,
  listCommand({
    name: 'resource ls',
    summary: 'Lists the resources of a server',
    at: 'GET /deployments/{slug}/resources',
    columns: { name: 'name', uri: 'uri', type: 'mime_type', size: 'size', title: 'title' },
    empty: ({ slug }) => `${slug} has no resource.`,
  }),
  removeNamed('resource'),
];

const addPrompt = command({
  name: 'prompt add',
  changesManaged: true,
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
    await keep(context, 'prompt', slug, prompt, replace);
  },
});

const preview = operationCommand({
  name: 'prompt preview',
  summary: 'Shows what a prompt becomes with these arguments',
  at: 'POST /deployments/{slug}/prompts/{name}/render',
  options: ARGUMENT_OPTIONS,
  sends: async (values, _, { ask }) => ({
    json: { arguments: await argumentsFrom(ask, values) },
  }),
  lines: ({ messages }) => messages.map(({ content }) => plainLines(content.text)),
});

const argumentOf = (text: string, required: boolean) => {
  const at = text.indexOf('=');
  return at < 0
    ? { name: text, required }
    : { name: text.slice(0, at), required, description: text.slice(at + 1) };
};

export const promptCommands = [
  addPrompt,
  listCommand({
    name: 'prompt ls',
    summary: 'Lists the prompts of a server',
    at: 'GET /deployments/{slug}/prompts',
    columns: {
      name: 'name',
      arguments: (one) =>
        listOf(one.arguments).map(({ name, required }) => `${name}${required === true ? '' : '?'}`),
      title: 'title',
      description: 'description',
    },
    empty: ({ slug }) => `${slug} has no prompt.`,
  }),
  removeNamed('prompt'),
  preview,
];
