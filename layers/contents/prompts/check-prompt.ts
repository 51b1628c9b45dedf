import type { Prompt } from '../rules/contents.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { parseTemplate, type Template, unknownArguments } from './template.ts';
import { TemplateError } from './template-error.ts';
import { asSentence } from '../../platform/rules/text.ts';

/** Argument names that a tag of a template can hold. */
const NAME = /^[^\s{}|'"\\#/][^\s{}|'"\\]*$/;
/** Words that mean something else in a tag. */
const RESERVED = ['else'];

/**
 * @throws ApiRefusal invalid_request, with line and column for a template that does not parse
 * Source: docs/protocol.md, "Prompts".
 */
export const checkPrompt = (
  { arguments: declared, template }: Pick<Prompt, 'arguments' | 'template'>,
  maxBytes: number,
): void => {
  if (Buffer.byteLength(template) > maxBytes) throw tooLarge(maxBytes);
  const names = declared.map(({ name }) => name);
  const findings = names.flatMap((name, index) => nameFindings(name, index, names));
  if (findings.length > 0) throw invalid('The arguments cannot be used as they are.', findings);

  const unknown = unknownArguments(parsed(template), names);
  if (unknown.length > 0) {
    throw invalid(
      'The template uses what is not an argument of the prompt.',
      unknown.map((name) => ({
        where: '/template',
        what: `{{${name.slice(0, 100)}}} is not among the arguments`,
        hint: 'Declare it, or write \\{{ for braces that are text.',
      })),
    );
  }
};

const nameFindings = (
  name: string,
  index: number,
  names: readonly string[],
): readonly Finding[] => {
  const where = `/arguments/${index}/name`;
  if (!NAME.test(name) || RESERVED.includes(name)) {
    const hint = 'Use characters other than space { } | \' " \\, not # or / first, and not else.';
    return [{ where, what: 'not a name that a template can use', hint }];
  }
  if (names.indexOf(name) === index) return [];
  return [{ where, what: 'declared before', hint: 'Give each argument a name of its own.' }];
};

const parsed = (template: string): Template => {
  try {
    return parseTemplate(template);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { line, column, what, hint } = error;
    const where = `line ${line}, column ${column}`;
    const findings = [{ where, what, hint: asSentence(hint) }];
    throw invalid(`The template cannot be read: ${where}: ${what}.`, findings);
  }
};

const tooLarge = (maxBytes: number) => {
  const limit = 'prompt_template_max_bytes';
  return new ApiRefusal(
    'limit_reached',
    `The template is larger than ${maxBytes} bytes (limit ${limit}).`,
    [{ where: '/template', what: 'too large', hint: 'Shorten it.' }],
    limit,
    { limit },
  );
};

const invalid = (description: string, findings: readonly Finding[]) =>
  new ApiRefusal('invalid_request', description, findings, 'the prompt cannot be used');
