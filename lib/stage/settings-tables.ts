import { type Setting, textOf } from './setting.ts';
import { SETTINGS } from './settings.ts';
import { FUNCTION_SETTINGS, variableOf } from './variables.ts';

const cell = (texts: readonly (string | undefined)[]): string => `| ${texts.join(' | ')} |`;
const code = (value: unknown): string => `\`${JSON.stringify(value).replaceAll(',', ', ')}\``;

const defaultOf = ({ needed, defaultInWords, default: usual, retained }: Setting): string => {
  if (defaultInWords !== undefined) return defaultInWords;
  if (needed) return 'required';
  if (retained !== undefined) {
    return `${code(retained)} with \`retain_data\`, otherwise ${code(usual)}`;
  }
  return usual === undefined ? 'none' : code(usual);
};

const stageTable = (): string =>
  Object.entries<Setting>(SETTINGS)
    .map(([key, row]) => {
      const lasting = row.lasting === undefined ? '' : `; *lasting* ${row.lasting}`;
      return cell([`\`${key}\``, defaultOf(row), `${row.description}${lasting}`]);
    })
    .join('\n');

const localTable = (): string =>
  FUNCTION_SETTINGS.flatMap(([key, row]) => {
    if (row.localDescription === undefined || row.localOption) return [];
    const value = row.localDefault ?? (row.defaultInWords ? '' : textOf(row, row.default));
    // The sentence explains the defaults that are lists or objects.
    const isWord = value !== '' && !value.startsWith('[') && !value.startsWith('{');
    const shown = isWord ? `\`${value}\`` : (row.defaultInWords ?? '');
    return [cell([`\`HOSTED_MCP_${variableOf(key)}\``, shown, row.localDescription])];
  }).join('\n');

const TABLES = [
  ['docs/aws.md', '| Key | Default | |\n|---|---|---|\n', stageTable],
  ['docs/local-run.md', '| Setting | Default | Meaning |\n|---|---|---|\n', localTable],
] as const;

export const SETTINGS_DOCUMENTS = TABLES.map(([path]) => path);

/** Replaces the document's table of settings. @throws Error if it has none */
export const withSettingsTable = (path: string, document: string): string => {
  const [, head = '', table] = TABLES.find(([one]) => one === path) ?? [];
  const [before, after, ...more] = document.split(head);
  if (!table || after === undefined || more.length > 0) {
    throw new Error(`${path} has no single table below ${head}`);
  }
  return `${before}${head}${table()}\n${after.slice(after.indexOf('\n\n') + 1)}`;
};
