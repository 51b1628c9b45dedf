import type { PlannedServer } from '../declared/service.ts';
import { jsonOf, textsOf } from '../json.ts';
import { plain } from './plain.ts';
import { changeLines } from './difference.ts';
import { count } from './words.ts';

export interface ServerChange {
  readonly slug: string;
  /** `managed`: another declaration manages it, so that `apply` would be refused. */
  readonly action: 'add' | 'adopt' | 'change' | 'managed' | 'remove' | 'same';
  readonly plan?: PlannedServer['plan'];
  readonly given?: readonly string[];
  readonly stays?: string;
}

const MARKS = {
  add: '+',
  adopt: '~',
  change: '~',
  managed: '!',
  remove: '-',
  same: ' ',
} as const;

/** Lines of a plan: what happens to each server, then differences, then tools. */
export const planLines = (changes: readonly ServerChange[]): readonly string[] =>
  changes.flatMap((one) => [headLine(one), ...detailLines(one)]).map(plain);

const headLine = ({ slug, action, plan, stays }: ServerChange): string => {
  const tools = plan?.tool_count === undefined ? '' : `, ${count(plan.tool_count, 'tool')}`;
  const what = {
    add: `is new${tools}`,
    adopt: 'exists, and no file manages it: --adopt has this file manage it',
    change: `changes${tools}`,
    managed: `is managed by ${plan?.managed_by}: apply is refused`,
    remove: stays ?? 'is removed, with all it holds',
    same: 'stays as it is',
  }[action];
  return `  ${MARKS[action]} ${slug.padEnd(16)} ${what}`;
};

const detailLines = ({ action, plan, given = [] }: ServerChange): readonly string[] => {
  if (!plan || action === 'same') return [];
  const { differences, needs, exposures } = plan;
  const members =
    action === 'add'
      ? []
      : differences.map(
          ({ member, before, after }) => `      ${differenceText(member, before, after)}`,
        );
  const tools = plan.tools ? changeLines(plan.tools).map((line) => `      ${line}`) : [];
  const unset = needs
    .filter((need) => need.startsWith('credentials.'))
    .map((need) =>
      given.includes(need.replace('credentials.', ''))
        ? `      + ${need} is sent`
        : `      ! ${need} has to be set`,
    );
  const opened = exposures.map(({ what }) => `      ! ${what}`);
  return [...members, ...(action === 'add' ? shortened(tools) : tools), ...unset, ...opened];
};

const MOST_TOOLS = 30;

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_TOOLS
    ? lines
    : [...lines.slice(0, MOST_TOOLS), `      and ${lines.length - MOST_TOOLS} more`];

const differenceText = (member: string, before: unknown, after: unknown): string => {
  if (before === undefined) return `+ ${member} ${valueText(after)}`;
  if (after === undefined) return `- ${member} ${valueText(before)}`;
  return `~ ${member} ${valueText(before)} → ${valueText(after)}`;
};

const LONGEST = 60;

const valueText = (value: unknown): string => {
  const { url, sha256, mode } = jsonOf(value);
  if (typeof url === 'string') return url;
  if (typeof sha256 === 'string') return `sha256 ${sha256.slice(0, 8)}`;
  if (typeof mode === 'string') {
    const { emails, domains } = jsonOf(value);
    return [mode, ...textsOf(emails), ...textsOf(domains)].join(' ').slice(0, LONGEST);
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** A plan as a pull request comment. Source: GitHub Flavored Markdown, "Fenced code blocks". */
export const planMarkdown = (file: string, changes: readonly ServerChange[]): string => {
  const lines = planLines(changes).map((line) => line.slice(2));
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)),
  );
  const fence = '`'.repeat(longest + 1);
  const differing = changes.filter(({ action }) => action !== 'same').length;
  return [
    `**MCP servers of \`${plain(file)}\`**: ${differing === 0 ? 'nothing changes' : `${count(differing, 'server')} of ${changes.length} change`}`,
    '',
    `${fence}diff`,
    ...lines,
    fence,
  ].join('\n');
};
