import type { PolicyStatementText, TemplatePolicies } from './policies.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/** Keys name the credential stores of a stage: `envelope`, `envelope-after-secrets-manager`. */
export type PoliciesByStore = Readonly<Record<string, TemplatePolicies>>;

/** @param usedByAws - statements that none of our calls use, and who uses them */
const permissionTables = (
  policies: PoliciesByStore,
  usedByAws: Readonly<Record<string, string>>,
): string => {
  const [any] = Object.values(policies);
  const names = Object.keys(any?.functions ?? {}).toSorted();
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

/** Replaces the tables below the document's mark. @throws Error without a mark */
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

/** Lists each statement once; those that not all stages have, with the stores of the stages that do. */
const statementsOf = (
  policies: PoliciesByStore,
  name: string,
): readonly (readonly [PolicyStatementText, string])[] => {
  const byText = new Map<string, string[]>();
  for (const [stores, { functions }] of Object.entries(policies)) {
    for (const statement of functions[name] ?? []) {
      const text = JSON.stringify(statement);
      byText.set(text, [...(byText.get(text) ?? []), stores]);
    }
  }
  const all = Object.keys(policies).length;
  return [...byText].map(([text, stores]) => [
    parsedJson(text) as PolicyStatementText,
    stores.length === all ? '' : inWords(stores),
  ]);
};

/** Names the current store if it decides alone, otherwise all combinations. */
const inWords = (stores: readonly string[]): string => {
  const now = [...new Set(stores.map((one) => one.split('-after-')[0] ?? one))];
  const isOfOne = stores.length === 2 && now.length === 1;
  return (isOfOne ? now : stores.map((one) => one.replace('-after-', ' after '))).join(', ');
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
    code(listOf(Resource).map(resourceName)),
    conditionOf(Condition),
    usedByAws[sid] === undefined ? 'the tests' : `nothing of ours: ${usedByAws[sid]}`,
  ];
  return `| ${cells.join(' | ')} |`;
};

const conditionOf = (condition: unknown): string =>
  Object.entries((condition ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(
        ([key, values]) => `\`${key}\` ${operator} ${code(listOf(values).map(resourceName))}`,
      ),
    )
    .join('; ');

const listOf = (value: unknown): readonly string[] => [value].flat().map(String);

const code = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');

/** Drops the parts of an ARN that are the same in every account: `${DataUsers.Arn}` becomes `DataUsers`. */
const resourceName = (text: string): string =>
  text
    .replace(/\$\{(\w+)(?:\.Arn)?\}/g, '$1')
    .replaceAll('.${AWS::Region}.${AWS::URLSuffix}', '')
    .replace(/^arn:\$\{AWS::Partition\}:(\w+):\$\{AWS::Region\}:\$\{AWS::AccountId\}:/, '$1:');
