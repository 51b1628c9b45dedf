import { describe, expect, test } from '@jest/globals';
import type { Prompt } from '../../../layers/contents/rules/contents.ts';
import { listPrompts, renderPrompt } from '../../../layers/contents/prompts/prompt.ts';

const greeting: Prompt = {
  name: 'greeting',
  description: 'Greets somebody.',
  arguments: [
    { name: 'name', required: true },
    { name: 'tone', required: false, description: 'warm or cool' },
  ],
  template: 'Greet {{name}}{{#if tone}} in a {{tone}} tone{{/if}}{{extra}}.',
};

describe('getting a prompt', () => {
  test('returns its description and one user message', () => {
    expect(renderPrompt(greeting, { name: 'Ada', tone: 'warm' })).toEqual({
      description: 'Greets somebody.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada in a warm tone.' } }],
    });
  });

  test('works without optional arguments', () => {
    expect(renderPrompt(greeting, { name: 'Ada' })).toMatchObject({
      messages: [{ content: { text: 'Greet Ada.' } }],
    });
  });

  test('works without arguments if none are required', () => {
    const prompt = { name: 'plain', arguments: [], template: 'Hello.' };

    expect(renderPrompt(prompt, undefined)).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello.' } }],
    });
  });

  test('accepts an empty string for a required argument', () => {
    expect(renderPrompt(greeting, { name: '' })).toMatchObject({
      messages: [{ content: { text: 'Greet .' } }],
    });
  });

  test('takes null for no arguments', () => {
    const prompt = { name: 'plain', arguments: [], template: 'Hello.' };

    expect(renderPrompt(prompt, null)).toEqual(renderPrompt(prompt, undefined));
  });

  test('ignores arguments that the prompt does not declare', () => {
    expect(renderPrompt(greeting, { name: 'Ada', extra: '!' })).toMatchObject({
      messages: [{ content: { text: 'Greet Ada.' } }],
    });
  });

  test('reports every invalid argument', () => {
    expect(() => renderPrompt(greeting, { tone: 7, 'a/b': null })).toThrow(
      expect.objectContaining({
        code: 'invalid_params',
        why: 'prompt arguments are missing or not strings',
        data: {
          errors: [
            { path: '/arguments/name', message: 'is required' },
            { path: '/arguments/tone', message: 'must be a string' },
            { path: '/arguments/a~1b', message: 'must be a string' },
          ],
        },
      }),
    );
  });

  test('reports at most 20 invalid arguments with shortened names', () => {
    const args = Object.fromEntries(Array.from({ length: 50 }, (_, i) => ['n'.repeat(500) + i, i]));

    expect(() => renderPrompt({ ...greeting, arguments: [] }, args)).toThrow(
      expect.objectContaining({
        data: {
          errors: Array(20).fill({
            path: `/arguments/${'n'.repeat(100)}`,
            message: 'must be a string',
          }),
        },
      }),
    );
  });

  test.each([
    ['an empty list', []],
    ['a list', ['Ada']],
    ['a string', 'Ada'],
  ])('refuses %s in place of the arguments object', (_, args) => {
    expect(() => renderPrompt(greeting, args)).toThrow(
      expect.objectContaining({
        code: 'invalid_params',
        data: { errors: [{ path: '/arguments', message: 'must be an object of strings' }] },
      }),
    );
  });

  test.each(['constructor', '__proto__'])('does not inherit an argument named %s', (name) => {
    const prompt = { ...greeting, arguments: [{ name, required: true }] };

    expect(() => renderPrompt(prompt, {})).toThrow(
      expect.objectContaining({
        description: `Invalid arguments: /arguments/${name} is required.`,
      }),
    );
  });
});

describe('listing prompts', () => {
  test('shows everything but the template', () => {
    expect(listPrompts([{ ...greeting, title: 'Greeting' }], '2025-03-26')).toEqual([
      {
        name: 'greeting',
        title: 'Greeting',
        description: 'Greets somebody.',
        arguments: greeting.arguments,
      },
    ]);
  });

  test('omits fields that the owner did not set', () => {
    const [listed = {}] = listPrompts(
      [{ name: 'plain', arguments: [], template: 'x' }],
      '2025-03-26',
    );

    expect(Object.keys(listed)).toEqual(['name', 'arguments']);
  });

  test.each([
    ['2025-03-26', undefined],
    ['2025-06-18', 'City'],
    ['2026-07-28', 'City'],
  ] as const)('shows in %s as the title of an argument %s', (version, title) => {
    const prompt = {
      name: 'ask',
      arguments: [{ name: 'city', title: 'City', required: true }],
      template: 'x',
    };

    expect(listPrompts([prompt], version)[0]?.arguments[0]?.title).toBe(title);
  });
});
