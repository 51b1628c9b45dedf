import { readFileSync } from 'node:fs';
import { tables } from '../../lambdas/storage-manifest.ts';
import { ACCOUNT_ID, arnOf } from '../aws/account.ts';
import { roleArn } from '../aws/iam/evaluate.ts';
import type { AccountPolicies, Statement } from '../aws/index.ts';

const FOLDER = new URL('../policies/', import.meta.url);

export type CredentialStore = 'secrets-manager' | 'envelope';

/** What the placeholders of the policies stand for on this machine. */
export interface LocalNames {
  readonly region: string;
  /** Before the names of tables in the manifest. */
  readonly tablePrefix: string;
  /** The bucket `descriptions`. */
  readonly bucket: string;
  readonly credentialPrefix: string;
  /** ARNs of the keys that sign, in their order. */
  readonly signingKeys: readonly string[];
  /** ARN. */
  readonly credentialsKey: string;
  readonly mailFrom: string;
  readonly mailConfigurationSet: string;
}

/** What the template makes of the policies; `npm run policies` writes it, a test holds it to the template. */
interface PolicyFile {
  readonly functions: Readonly<Record<string, readonly Statement[]>>;
  readonly resources: Readonly<Record<string, readonly Statement[]>>;
  readonly encryptedWith: Readonly<Record<string, string>>;
}

/**
 * The policies of the stack for the embedded AWS: each function may do here what it may do there.
 *
 * @param administrators - callers besides the functions, which may do everything
 */
export const localPolicies = (
  store: CredentialStore,
  names: LocalNames,
  administrators: readonly string[] = [],
): AccountPolicies => {
  const resolved = (text: string) => withLocalNames(text, valuesOf(names));
  const file = JSON.parse(
    resolved(readFileSync(new URL(`${store}.json`, FOLDER), 'utf8')),
  ) as PolicyFile;
  const { functions: roles, resources, encryptedWith } = file;
  return { administrators, roles, resources, encryptedWith };
};

const valuesOf = (names: LocalNames): Readonly<Record<string, string>> => {
  const { region } = names;
  const [from = '', domain = ''] =
    /([^<>@\s]+@([^<>@\s]+))>?$/.exec(names.mailFrom)?.slice(1) ?? [];
  return {
    'AWS::Region': region,
    'AWS::AccountId': ACCOUNT_ID,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    CredentialPrefix: names.credentialPrefix,
    MailFrom: from,
    MailIdentity: domain,
    MailSet: names.mailConfigurationSet,
    ...Object.fromEntries(
      Object.keys(tables).map((name) => [
        `Data${logicalName(name)}.Arn`,
        arnOf('dynamodb', region, `table/${names.tablePrefix}${name}`),
      ]),
    ),
    'DataDescriptions.Arn': `arn:aws:s3:::${names.bucket}`,
    // Nothing is encrypted with it on this machine: it is there to be asked for.
    'KeysData.Arn': arnOf('kms', region, 'key/data'),
    'KeysCredentials.Arn': names.credentialsKey,
    ...Object.fromEntries(
      names.signingKeys.map((arn, index) => [
        `KeysSigning${index === 0 ? '' : index + 1}.Arn`,
        arn,
      ]),
    ),
  };
};

const withLocalNames = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    const value = values[name] ?? byRule(name, values['AWS::Region'] ?? '');
    // What is not on this machine, no request can name.
    return value ?? `arn:aws:absent:::${name}`;
  });

/** Aliases and roles of functions, and queues. */
const byRule = (name: string, region: string): string | undefined => {
  const [, alias] = /^Functions(\w+)Live$/.exec(name) ?? [];
  if (alias !== undefined) return arnOf('lambda', region, `function:${functionName(alias)}:live`);
  const [, inFunctions, inRoles] = /^(?:Functions(\w+)Role|Roles(\w+))\.Arn$/.exec(name) ?? [];
  const role = inFunctions ?? inRoles;
  if (role !== undefined) return roleArn(functionName(role));
  const [, queue] = /^(Un\w+)\.Arn$/.exec(name) ?? [];
  return queue && arnOf('sqs', region, queueName(queue));
};

const functionName = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1);

/** `UnsentMails` is the queue `unsent-mails`. */
const queueName = (logical: string): string =>
  logical.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();

/** As `lib/data/data.ts` names a table. */
const logicalName = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
