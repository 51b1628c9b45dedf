import { member } from '../../layers/platform/rules/json/json.ts';
import type { Tool } from '../api/api.ts';
import { type Json, jsonOf, listOf, textsOf, stringOf } from '../json.ts';
import type { Finding } from '../failure.ts';
import { findingLine, type Output } from '../output.ts';
import { plain, plainOf } from './plain.ts';
import { type Columns, table } from './table.ts';
import { count } from './words.ts';

const MODEL_APIS: Readonly<Record<string, string>> = {
  claude: 'Claude',
  openai: 'OpenAI',
  gemini: 'Gemini',
  bedrock: 'Bedrock',
};

/**
 * A report lists the largest tools first.
 *
 * @param findings - violations of the OpenAPI specification
 * @param limits - what single clients do with the tools
 */
export const reportLines = (
  given: readonly Tool[],
  paint: Output['paint'],
  findings: readonly Finding[] = [],
  limits: readonly Json[] = [],
): readonly string[] => {
  const tools = given.toSorted((one, other) => tokensOf([other]) - tokensOf([one]));
  const [titles = '', ...rows] = table(tools, columns);
  return [
    paint('bold', titles),
    ...rows,
    '',
    ...totals(tools),
    ...titled(paint, 'May be refused', tools.flatMap(refusals)),
    ...titled(
      paint,
      'What some clients do with them',
      limits.map(({ what }) => plainOf(what)),
    ),
    ...titled(paint, 'What was changed, and why', tools.flatMap(changes)),
    ...titled(paint, 'Violations of the OpenAPI specification', findings.map(findingLine)),
  ];
};

export const reportTotals = (tools: readonly Tool[]): Json => ({
  tools: tools.length,
  tokens: tokensOf(tools),
  accepted_by: Object.fromEntries(
    Object.keys(MODEL_APIS).map((api) => [api, tools.filter(isAcceptedBy(api)).length]),
  ),
});

const columns: Columns<Tool> = {
  tool: (one) => one.name,
  tokens: (one) => one.tokens,
  effect: (one) => effectOf(one),
  ...Object.fromEntries(
    Object.entries(MODEL_APIS).map(([api, title]) => [
      title,
      (one: Tool) => (isAcceptedBy(api)(one) ? 'yes' : 'NO'),
    ]),
  ),
  changes: (one) => listOf(one.notes).length || undefined,
};

const EFFECTS = ['reads', 'adds', 'may destroy'] as const;

/** Effect of a tool by its annotations and their defaults. Source: MCP 2025-03-26, "ToolAnnotations". */
const effectOf = ({ annotations }: Tool): (typeof EFFECTS)[number] => {
  const { readOnlyHint, destructiveHint } = jsonOf(annotations);
  if (readOnlyHint === true) return 'reads';
  return destructiveHint === false ? 'adds' : 'may destroy';
};

const isAcceptedBy =
  (api: string) =>
  ({ accepted_by: apis }: Tool): boolean =>
    textsOf(apis).includes(api);

const tokensOf = (tools: readonly Tool[]): number =>
  tools.reduce((sum, { tokens }) => sum + (typeof tokens === 'number' ? tokens : 0), 0);

const totals = (tools: readonly Tool[]): readonly string[] => [
  `Hints for clients: ${EFFECTS.map(
    (effect) => `${tools.filter((one) => effectOf(one) === effect).length} ${effect}`,
  ).join(', ')}. --overrides changes them.`,
  `${count(tools.length, 'tool')}, about ${tokensOf(tools)} tokens of a model's context in all.`,
  Object.entries(MODEL_APIS)
    .map(([api, title]) => `${title} accepts ${tools.filter(isAcceptedBy(api)).length}`)
    .join(', ') + ` of ${tools.length}.`,
];

const titled = (
  paint: Output['paint'],
  title: string,
  lines: readonly string[],
): readonly string[] => (lines.length === 0 ? [] : ['', paint('bold', title), ...lines]);

const refusals = (tool: Tool): readonly string[] => {
  const complaints = listOf(tool.refused_by).flatMap((one) => {
    const api = stringOf(one.api);
    return textsOf(one.complaints).map((text) => `  ${member(MODEL_APIS, api) ?? api}: ${text}`);
  });
  return underName(tool, complaints);
};

const changes = (tool: Tool): readonly string[] =>
  underName(
    tool,
    listOf(tool.notes).map((note) => {
      const named = textsOf(jsonOf(note).arguments).join(', ');
      const what = `${named === '' ? '' : `${named}: `}${stringOf(note.what)}`;
      return `  ${what} (${stringOf(note.why)})`;
    }),
  );

const underName = (tool: Tool, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [plainOf(tool.name), ...lines.map(plain)];
