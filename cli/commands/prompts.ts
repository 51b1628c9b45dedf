import { pathOf } from '../api/api.ts';
import { type Command, command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { type Json, listOf, textOf } from '../json.ts';
import { plainLines } from '../text/plain.ts';
import { argumentsFrom, ARGUMENT_OPTIONS, pairOf } from '../input/arguments.ts';
import { completionValues, VALUE_OPTIONS } from '../input/completion-values.ts';
import { keep, listAndRemove, REPLACE } from './resources.ts';
import { textFrom } from '../input/files.ts';

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
    checkDeclared([...titles.keys(), ...lists.keys()], declared);
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

/** @throws Failure usage */
const checkDeclared = (
  names: readonly string[],
  declared: readonly { readonly name: string }[],
): void => {
  const stray = names.find((name) => !declared.some((one) => one.name === name));
  if (stray !== undefined) throw usageFailure(`"${stray}" is no argument of the prompt.`);
};

export const promptCommands: readonly Command[] = [
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
