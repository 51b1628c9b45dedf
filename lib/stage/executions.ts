import * as z from 'zod';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';

const HOW_MANY = 'write how many executions may run at once, 1 or more';

export const Executions = z.int(HOW_MANY).min(1, HOW_MANY);

/** Of an account's, AWS reserves none of the last hundred. Source: AWS Lambda, "Configuring reserved concurrency". */
const UNRESERVED = 100;

type OfFunctions = Readonly<Partial<Record<FunctionName, number | undefined>>>;

/** What of a stage reserves executions. */
interface Reserving {
  readonly accountConcurrency: number;
  readonly networks: readonly { readonly executions: number }[];
  readonly provisionedConcurrency: OfFunctions;
  readonly reservedConcurrency: OfFunctions;
}

/**
 * What reserves more executions than an account has would fail in the middle of a deployment.
 *
 * @returns a sentence with the settings that reserve the most; undefined where it fits
 */
export const executionsFault = (stage: Reserving): string | undefined => {
  const reserved = [
    ...(Object.keys(functions) as FunctionName[]).flatMap((name) => {
      const own = stage.reservedConcurrency[name];
      const executions = own ?? stage.provisionedConcurrency[name] ?? 0;
      const setting = own === undefined ? 'provisioned_concurrency' : 'reserved_concurrency';
      return [{ key: `${setting}.${name}`, executions }];
    }),
    ...stage.networks.map(({ executions }, index) => ({
      key: `networks.${index}.executions`,
      executions,
    })),
  ];
  const sum = reserved.reduce((all, { executions }) => all + executions, 0);
  const most = Math.max(0, stage.accountConcurrency - UNRESERVED);
  if (sum <= most) return undefined;
  const largest = reserved
    .toSorted((one, other) => other.executions - one.executions)
    .slice(0, 3)
    .filter(({ executions }) => executions > 0)
    .map(({ key, executions }) => `\`${key}\` (${executions})`);
  return `the stage reserves ${sum} executions, and an account of ${stage.accountConcurrency} has ${most} to reserve: lower ${largest.join(', ')} or others by ${sum - most}, or ask AWS for more and write how many as \`account_concurrency\``;
};
