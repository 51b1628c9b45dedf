import type { PolicyStatementText, TemplatePolicies } from './policies.ts';

export type PoliciesByStore = Readonly<Record<'secrets-manager' | 'envelope', TemplatePolicies>>;

/**
 * What each function may do, for a reviewer to read: a table for each of them, in Markdown.
 *
 * @param usedByAws - statements that no call of ours uses, and who does
 */
const permissionTables = (
  policies: PoliciesByStore,
  usedByAws: Readonly<Record<string, string>>,
): string => {
  const names = Object.keys(policies['secrets-manager'].functions).toSorted();
  return names
    .map((name) => {
      const rows = statementsOf(policies, name).map(([statement, store]) =>
        rowOf(statement, store, usedByAws),
      );
      return `### ${name}\n\n${HEAD}\n${rows.join('\n')}\n`;
    })
    .join('\n');
};

const MARK = '<!-- npm run policies writes what follows. -->\n';

/** A document with the tables below its mark. @throws Error if it has none */
export const withPermissionTables = (
  document: string,
  policies: PoliciesByStore,
  usedByAws: Readonly<Record<string, string>>,
): string => {
  const [prose, ...rest] = document.split(MARK);
  if (rest.length !== 1) throw new Error(`the document has no line ${MARK}`);
  return `${prose}${MARK}\n${permissionTables(policies, usedByAws)}`;
};

const HEAD = '| Statement | Actions | Resource | Condition | Proven by |\n|---|---|---|---|---|';

/** Those that both stores have, and those of one with its name. */
const statementsOf = (
  policies: PoliciesByStore,
  name: string,
): readonly (readonly [PolicyStatementText, string])[] => {
  const [one, other] = [policies['secrets-manager'], policies.envelope].map(
    ({ functions }) => functions[name] ?? [],
  );
  const same = (all: typeof one, statement: PolicyStatementText) =>
    all?.some((each) => JSON.stringify(each) === JSON.stringify(statement)) ?? false;
  return [
    ...(one ?? []).map((each) => [each, same(other, each) ? '' : 'secrets-manager'] as const),
    ...(other ?? []).filter((each) => !same(one, each)).map((each) => [each, 'envelope'] as const),
  ];
};

const rowOf = (
  { Sid, Action, Resource, Condition }: PolicyStatementText,
  store: string,
  usedByAws: Readonly<Record<string, string>>,
): string => {
  const sid = String(Sid);
  const cells = [
    `\`${sid}\`${store && ` (${store})`}`,
    code(listOf(Action)),
    code(listOf(Resource).map(nameOf)),
    conditionOf(Condition),
    usedByAws[sid] === undefined ? 'the tests' : `nothing of ours: ${usedByAws[sid]}`,
  ];
  return `| ${cells.join(' | ')} |`;
};

const conditionOf = (condition: unknown): string =>
  Object.entries((condition ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(
        ([key, values]) => `\`${key}\` ${operator} ${code(listOf(values).map(nameOf))}`,
      ),
    )
    .join('; ');

const listOf = (value: unknown): readonly string[] => [value].flat().map(String);

const code = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');

/** Without what is the same in every account: `${DataUsers.Arn}` is `DataUsers`. */
const nameOf = (text: string): string =>
  text
    .replace(/\$\{(\w+)(?:\.Arn)?\}/g, '$1')
    .replaceAll('.${AWS::Region}.${AWS::URLSuffix}', '')
    .replace(/^arn:\$\{AWS::Partition\}:(\w+):\$\{AWS::Region\}:\$\{AWS::AccountId\}:/, '$1:');
