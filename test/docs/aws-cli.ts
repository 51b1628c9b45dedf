import {
  elementOf,
  faultsOf,
  inputOf,
  isBoolean,
  isScalar,
  membersOf,
  type Shape,
  waitedFor,
} from './aws-model.ts';

export interface AwsCall {
  /** Package of the SDK. */
  readonly client: string;
  /** `RestoreTableFromBackup`; of a waiter what it asks. */
  readonly operation: string;
  /** As the SDK takes it, variables of the shell and files as they stand there. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the CLI or the service would refuse. */
  readonly faults: readonly string[];
}

/** Services that the CLI names otherwise than the SDK its packages. */
const PACKAGES: Readonly<Record<string, string>> = {
  events: 'eventbridge',
  logs: 'cloudwatch-logs',
  s3api: 's3',
  secretsmanager: 'secrets-manager',
};

/** Options of every command, and how many values follow. */
const GLOBAL: Readonly<Record<string, number>> = {
  'cli-binary-format': 1,
  'max-items': 1,
  'no-cli-pager': 0,
  output: 1,
  profile: 1,
  query: 1,
  region: 1,
};

/** Commands whose last word is the file that an answer is written to. */
const WITH_FILE = ['lambda invoke', 's3api get-object'];

/**
 * Reads a line as the AWS CLI reads it, against the model of the operation that the AWS SDK carries.
 *
 * @param line - as it is typed, `aws` first
 * @param complete - whether it is meant to be run as it stands, so that nothing required may be missing
 * @throws Error for a service whose client is not installed
 *
 * Source: AWS CLI User Guide, "Specify parameter values" and "Using shorthand syntax".
 */
export const readAwsCall = (line: string, complete = true): AwsCall => {
  const [, service = '', named = '', ...words] = wordsOf(line);
  const client = `@aws-sdk/client-${PACKAGES[service] ?? service}`;
  const command = named === 'wait' ? waitedFor(client, words.shift() ?? '') : named;
  const found = inputOf(client, command);
  if (!found) {
    return { client, operation: '', input: {}, faults: [`${service} has no command ${command}`] };
  }
  const { operation, shape } = found;
  if (complete && WITH_FILE.includes(`${service} ${command}`)) words.pop();
  const { input, faults } = readOptions(shape, words);
  const missing = membersOf(shape)
    .filter(({ name, required }) => complete && required && !Object.hasOwn(input, name))
    .map(({ option }) => `--${option} is missing`);
  return { client, operation, input, faults: [...faults, ...missing] };
};

const readOptions = (shape: Shape, words: readonly string[]) => {
  const input: Record<string, unknown> = {};
  const faults: string[] = [];
  const members = membersOf(shape);
  for (const [name, ...values] of optionsIn(words)) {
    const off = members.find(({ shape: one, option }) => isBoolean(one) && `no-${option}` === name);
    const member = off ?? members.find(({ option }) => option === name);
    if (Object.hasOwn(GLOBAL, name)) {
      if (GLOBAL[name] !== values.length) faults.push(`--${name} takes ${GLOBAL[name]} values`);
    } else if (!member) {
      faults.push(name === '' ? `${values.join(' ')} is no option` : `no option --${name}`);
    } else if (isBoolean(member.shape)) {
      input[member.name] = off === undefined;
      if (values.length > 0) faults.push(`--${name} takes no value`);
    } else {
      const value = valueOf(member.shape, values);
      input[member.name] = value;
      if (!values[0]?.startsWith('file://')) {
        faults.push(...faultsOf(member.shape, value, `--${name}`));
      }
    }
  }
  return { input, faults };
};

/** Each option with its values; what stands before the first has no name. */
const optionsIn = (words: readonly string[]): readonly (readonly [string, ...string[]])[] => {
  const options: [string, ...string[]][] = [];
  for (const word of words) {
    if (word.startsWith('--')) options.push([word.slice(2)]);
    else if (options.length === 0) options.push(['', word]);
    else options.at(-1)?.push(word);
  }
  return options;
};

/** JSON, a shorthand, or the text of a scalar: `Key=a,Value=b`, for lists one word each. Null is nothing of it. */
const valueOf = (shape: Shape, words: readonly string[]): unknown => {
  const [word = ''] = words;
  if (words.length === 0 || (isScalar(shape) && words.length > 1)) return null;
  if (word.startsWith('file://') || isScalar(shape)) return word;
  if (/^[[{]/.test(word)) return jsonOf(word);
  const element = elementOf(shape);
  if (element !== undefined) return words.map((one) => valueOf(element, [one]));
  return Object.fromEntries(
    words.flatMap((one) => one.split(',')).map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
  );
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** As a shell splits a line, without what it does with the answer. */
const wordsOf = (line: string): readonly string[] => {
  const words = [...line.matchAll(/(?:"(?:\\.|[^"])*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word);
  const end = words.findIndex((word) => /^(?:>|\||&&|;)/.test(word));
  return words
    .slice(0, end === -1 ? undefined : end)
    .map((word) => word.replaceAll(/"((?:\\.|[^"])*)"|'([^']*)'/g, '$1$2'));
};
