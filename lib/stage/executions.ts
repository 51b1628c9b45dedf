import * as z from 'zod';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';

const HOW_MANY = 'write how many executions may run at once, 1 or more';

export const Executions = z.int(HOW_MANY).min(1, HOW_MANY);

/** For the function of a private network in an account that can reserve no executions. */
export const UNRESERVED = 'unreserved';

const HOW_MANY_OR_NONE = `${HOW_MANY}, or "${UNRESERVED}"`;

export const NetworkExecutions = z.union(
  [z.int(HOW_MANY_OR_NONE).min(1, HOW_MANY_OR_NONE), z.literal(UNRESERVED)],
  HOW_MANY_OR_NONE,
);

/** Executions of an account that AWS keeps unreserved. Source: AWS Lambda, "Configuring reserved concurrency". */
const LEFT_UNRESERVED = 100;

type OfFunctions = Readonly<Partial<Record<FunctionName, number | undefined>>>;

interface Reserving {
  readonly accountConcurrency: number;
  readonly networks: readonly { readonly executions?: number | undefined }[];
  readonly provisionedConcurrency: OfFunctions;
  readonly reservedConcurrency: OfFunctions;
}

/** Checks that reservations fit the account. @returns a sentence with the largest ones; undefined where they fit */
export const executionsFault = (stage: Reserving): string | undefined => {
  const reserved = [
    ...(Object.keys(functions) as FunctionName[]).flatMap((name) => {
      const own = stage.reservedConcurrency[name];
      const executions = own ?? stage.provisionedConcurrency[name] ?? 0;
      const setting = own === undefined ? 'provisioned_concurrency' : 'reserved_concurrency';
      return [{ key: `${setting}.${name}`, executions }];
    }),
    ...stage.networks.map(({ executions = 0 }, index) => ({
      key: `networks.${index}.executions`,
      executions,
    })),
  ];
  const sum = reserved.reduce((all, { executions }) => all + executions, 0);
  const most = Math.max(0, stage.accountConcurrency - LEFT_UNRESERVED);
  if (sum <= most) return undefined;
  const largest = reserved
    .toSorted((one, other) => other.executions - one.executions)
    .slice(0, 3)
    .filter(({ executions }) => executions > 0)
    .map(({ key, executions }) => `\`${key}\` (${executions})`);
  const fault = `the stage reserves ${sum} executions, and an account of ${stage.accountConcurrency} has ${most} to reserve`;
  const more = 'ask AWS for more and write how many as `account_concurrency`';
  if (most > 0) {
    return `${fault}: lower ${largest.join(', ')} or others by ${sum - most}, or ${more}`;
  }
  const keys = reserved.flatMap(({ key, executions }) => (executions > 0 ? [key] : []));
  const ofNetworks = keys.filter((key) => key.startsWith('networks.'));
  const others = keys.filter((key) => !ofNetworks.includes(key));
  const ways = [
    ...(others.length > 0 ? [`leave ${quoted(others)} out`] : []),
    ...(ofNetworks.length > 0 ? [`write "${UNRESERVED}" as ${quoted(ofNetworks)}`] : []),
    more,
  ];
  return `${fault}: ${ways.slice(0, -1).join(', and ')}, or ${ways.at(-1)}`;
};

const quoted = (keys: readonly string[]): string => keys.map((key) => `\`${key}\``).join(', ');
