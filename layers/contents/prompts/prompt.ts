import { escapeToken } from '../../platform/rules/json/pointer.ts';
import type { Prompt } from '../rules/contents.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { parseTemplate, renderTemplate } from './template.ts';

export interface RenderedPrompt {
  readonly description?: string;
  readonly messages: readonly {
    readonly role: 'user';
    readonly content: { readonly type: 'text'; readonly text: string };
  }[];
}

/** Source: `PromptArgument` in the schema of MCP 2025-06-18 (`title`). */
export const listPrompts = (prompts: readonly Prompt[], version: ProtocolVersion) =>
  prompts.map((prompt) => ({
    name: prompt.name,
    ...(prompt.title !== undefined && { title: prompt.title }),
    ...(prompt.description !== undefined && { description: prompt.description }),
    arguments: prompt.arguments.map(({ name, title, required, description }) => ({
      name,
      required,
      ...(title !== undefined && version >= '2025-06-18' && { title }),
      ...(description !== undefined && { description }),
    })),
  }));

/**
 * Answers `prompts/get`. Undeclared arguments are ignored, but must be strings too.
 *
 * @param args - `params.arguments` as it was sent; absent or null means none
 * @throws RpcRefusal `invalid_params`, `data.errors` naming each argument that is wrong, 20 at most
 * @throws TemplateError only if the prompt was stored without its template having been parsed
 * Source: docs/protocol.md, "Prompts".
 */
export const renderPrompt = (prompt: Prompt, args: unknown): RenderedPrompt => {
  const given = readArguments(prompt, args);
  const text = renderTemplate(parseTemplate(prompt.template), given);
  return {
    ...(prompt.description !== undefined && { description: prompt.description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
};

const MAX_ERRORS = 20;

const readArguments = (prompt: Prompt, sent: unknown): Record<string, string> => {
  const args = sent ?? {};
  if (typeof args !== 'object' || Array.isArray(args)) {
    throw refusal([{ path: '/arguments', message: 'must be an object of strings' }]);
  }
  const errors = [
    ...prompt.arguments
      .filter(({ name, required }) => required && !Object.hasOwn(args, name))
      .map(({ name }) => ({ path: pointer(name), message: 'is required' })),
    ...Object.entries(args)
      .filter(([, value]) => typeof value !== 'string')
      .map(([name]) => ({ path: pointer(name), message: 'must be a string' })),
  ];
  if (errors.length > 0) throw refusal(errors.slice(0, MAX_ERRORS));

  const declared = new Set(prompt.arguments.map(({ name }) => name));
  const entries = Object.entries(args as Record<string, string>);
  return Object.fromEntries(entries.filter(([name]) => declared.has(name)));
};

const pointer = (name: string): string => `/arguments/${escapeToken(name.slice(0, 100))}`;

const refusal = (errors: readonly { readonly path: string; readonly message: string }[]) =>
  new RpcRefusal(
    'invalid_params',
    `Invalid arguments: ${errors.map(({ path, message }) => `${path} ${message}`).join(', ')}.`,
    { errors },
    'prompt arguments are missing or not strings',
  );
