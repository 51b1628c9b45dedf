import * as z from 'zod';
import { nearestName } from '../../layers/platform/rules/nearest-name.ts';
import type { CamelCase, ValueOf } from '../../layers/platform/rules/shape.ts';
import { EDGE_REGION } from '../edge/setting.ts';
import { executionsFault } from './executions.ts';
import { CERTIFICATE, FUNCTIONS } from './fields.ts';
import { camelCase, type Setting, textOf } from './setting.ts';
import { SETTINGS } from './settings.ts';

type Table = typeof SETTINGS;
type Key = keyof Table;

/** Settings that have a value once defaults are filled in. */
type KeyWithValue = {
  [One in Key]: Table[One] extends { needed: true } | { default: unknown } ? One : never;
}[Key];
type NeededKey = { [One in Key]: Table[One] extends { needed: true } ? One : never }[Key];

/** `config/<stage>.json`, as a person writes it. */
export type File = { [One in NeededKey]: z.input<Table[One]['schema']> } & {
  [One in Exclude<Key, NeededKey>]?: z.input<Table[One]['schema']> | undefined;
};

/** The settings of a file with defaults; keys in camel case. */
export type StageSettings = {
  readonly [One in KeyWithValue as CamelCase<One>]: ValueOf<Table[One]['schema']>;
} & {
  readonly [One in Exclude<Key, KeyWithValue> as CamelCase<One>]?:
    | ValueOf<Table[One]['schema']>
    | undefined;
} & { readonly logRetentionDays: number };

const ROWS: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS);

/** A setting that its functions' reader would refuse is refused in the file already. */
const heldToReader = (row: Setting): z.core.$ZodType =>
  row.functions === undefined
    ? row.schema
    : z.pipe(
        row.schema,
        z.transform((value, context) => {
          try {
            row.read(textOf(row, value));
          } catch (error) {
            const { message } = error as Error;
            context.issues.push({ code: 'custom', message, input: value });
          }
          return value;
        }),
      );

const SHAPE = Object.fromEntries(
  ROWS.map(([key, row]) => {
    const schema = heldToReader(row);
    const hasValue = row.needed === true || row.default !== undefined;
    return [key, hasValue ? schema : z.optional(schema)];
  }),
) as unknown as {
  [One in Key]: One extends KeyWithValue
    ? Table[One]['schema']
    : z.ZodOptional<Table[One]['schema']>;
};

/** Fills in defaults, which differ with `retain_data`. */
export const withDefaults = (file: unknown): unknown => {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) return file;
  const isRetained = 'retain_data' in file && file.retain_data === true;
  const defaults = ROWS.map(([key, row]) => [
    key,
    isRetained ? (row.retained ?? row.default) : row.default,
  ]);
  return { ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)), ...file };
};

/** Domains that nobody can own. Source: RFC 2606; RFC 6761, section 6. */
const RESERVED_DOMAIN = /(?:^|[.@])(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i;

/** A file with its defaults filled in. */
export const StageFile = z
  .strictObject(SHAPE)
  .refine(({ retain_data, mail }) => !retain_data || !RESERVED_DOMAIN.test(mail.identity), {
    path: ['mail', 'identity'],
    message:
      'it is a name that nobody owns, so that no mail would ever be sent; write an address or a domain that SES has verified for this account',
  })
  .refine(({ backup, retain_data }) => !backup || retain_data, {
    path: ['backup'],
    message: 'write `"retain_data": true` too: backups would outlive what the stage gives up',
  })
  .refine(({ retain_data, region }) => !retain_data || region !== undefined, {
    path: ['region'],
    message:
      'write the region of the stage, such as eu-central-1: deployed from a shell of another region it would be a second one, without the data',
  })
  .refine(({ edge, retain_data, region }) => !edge || retain_data || region !== undefined, {
    path: ['region'],
    message: `write the region of the service: the stack in ${EDGE_REGION} has it in its name`,
  })
  .refine(({ edge, region }) => !edge || !/^(?:cn|us-gov)-/.test(region ?? ''), {
    path: ['edge'],
    message: `leave it out: the partition of this region has no ${EDGE_REGION}`,
  })
  .refine(({ credential_store: store, credential_store_former: former }) => former !== store, {
    path: ['credential_store_former'],
    message: 'write the other store, which credentials were in before, or leave it out',
  })
  .refine(({ backup_copy_to: to, backup }) => !to || backup, {
    path: ['backup_copy_to'],
    message: 'write `"backup": true` too: there is nothing to copy',
  })
  .refine(({ backup_copy_to: to, account, region }) => !to?.includes(`:${region}:${account}:`), {
    path: ['backup_copy_to'],
    message:
      'write a vault of another region or account: a copy beside the backup would go with it',
  })
  .refine(({ backup_vault_lock: lock, backup }) => !lock || backup, {
    path: ['backup_vault_lock'],
    message: 'write `"backup": true` too: there is no vault to lock',
  })
  .refine(({ edge, domain }) => edge === undefined || domain !== undefined, {
    path: ['edge'],
    message: 'write a `domain` too: clients find the service at an address of your own there',
  })
  .refine(
    ({ edge, domain }) =>
      edge === undefined ||
      domain === undefined ||
      CERTIFICATE.exec(domain.certificateArn)?.[1] === EDGE_REGION,
    {
      path: ['domain', 'certificate_arn'],
      message: `CloudFront takes certificates of ${EDGE_REGION} alone; request one there`,
    },
  )
  .superRefine(({ reserved_concurrency: reserved, provisioned_concurrency: kept }, context) => {
    for (const name of FUNCTIONS) {
      const [most, ready] = [reserved[name], kept[name]];
      // Lambda would refuse such concurrency in the middle of a deployment.
      if (most === undefined || ready === undefined || ready <= most) continue;
      const message = `write at most ${most}, which \`reserved_concurrency\` has for it`;
      context.addIssue({ code: 'custom', path: ['provisioned_concurrency', name], message });
    }
  })
  .superRefine((file, context) => {
    const message = executionsFault({
      accountConcurrency: file.account_concurrency,
      networks: file.networks,
      provisionedConcurrency: file.provisioned_concurrency,
      reservedConcurrency: file.reserved_concurrency,
    });
    if (message === undefined) return;
    context.addIssue({ code: 'custom', path: ['account_concurrency'], message });
  })
  .transform(
    (file) =>
      ({
        ...Object.fromEntries(Object.entries(file).map(([key, value]) => [camelCase(key), value])),
        logRetentionDays: retention(file.limits['log_retention_days']),
      }) as unknown as StageSettings,
  );

/** Rounds days up to the next period that CloudWatch Logs supports. */
const retention = (days = 90): number =>
  [30, 60, 90, 120, 150, 180, 365, 400, 545, 731].find((known) => known >= days) ?? 731;

/** Drops faults of length where the type is already wrong. */
export const faultsIn = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const mistaken = new Set(
    issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('.')] : [])),
  );
  return issues.filter(
    ({ code, path }) => code?.startsWith('too_') !== true || !mistaken.has(path.join('.')),
  );
};

/** Sentences for people: the key, what is wrong and what helps. */
export const sentencesOf = (issue: z.core.$ZodIssue): readonly string[] => {
  const meant = meantBy(issue);
  if (meant) return meant.flatMap(sentencesOf);
  const at = issue.path.join('.');
  if (issue.code === 'invalid_key') {
    return issue.issues.map(({ message }) => `\`${at}\` is no key: ${message}`);
  }
  if (issue.code !== 'unrecognized_keys') return [`\`${at || 'the file'}\`: ${issue.message}`];
  return issue.keys.map((key) => {
    const known = at === '' ? Object.keys(StageFile.in.shape) : KEYS[at.replace(/\.\d+$/, '')];
    const nearest = nearestName(key, known ?? []);
    const name = [at, key].filter((part) => part !== '').join('.');
    const owners = Object.keys(KEYS).filter((owner) => owner !== at && KEYS[owner]?.includes(key));
    if (owners.length === 1) return `\`${name}\` is no setting; write it into \`${owners[0]}\``;
    return nearest
      ? `\`${name}\` is no setting; did you mean \`${nearest}\`?`
      : `\`${name}\` is no setting; there are ${(known ?? []).join(', ')}`;
  });
};

/** Of a setting with several forms, the faults of the one that was begun; the others have another type. */
const meantBy = (issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined =>
  issue.code !== 'invalid_union'
    ? undefined
    : issue.errors
        .find((issues) => issues.every(({ path }) => path.length > 0))
        ?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));

/** Keys of an object, also in a list or among several forms. */
const keysIn = ({ _zod: { def } }: z.core.$ZodType): readonly string[] => {
  const { shape, options, ...others } = def as {
    readonly shape?: object;
    readonly options?: readonly z.core.$ZodType[];
  } & Readonly<Partial<Record<'element' | 'in' | 'innerType', z.core.$ZodType>>>;
  const inner = others.element ?? others.in ?? others.innerType;
  return [...Object.keys(shape ?? {}), ...(options ?? (inner ? [inner] : [])).flatMap(keysIn)];
};

/** Keys of the settings that are objects. */
const KEYS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ROWS.map(([key, { schema }]) => [key, keysIn(schema)] as const).filter(
    ([, keys]) => keys.length > 0,
  ),
);
