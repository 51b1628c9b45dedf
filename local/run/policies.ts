import { member } from '../../layers/platform/rules/json/json.ts';
import { readFileSync } from 'node:fs';
import { buckets, tables } from '../../lambdas/storage-manifest.ts';
import { pascalCase } from '../../lib/pascal-case.ts';
import type { CredentialStore } from '../../layers/credentials/rules/credential-stores.ts';
import { ACCOUNT_ID, arnOf } from '../aws/account.ts';
import { roleArn } from '../aws/iam/evaluate.ts';
import type { AccountPolicies, Statement } from '../aws/index.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/** Roles that may be assumed on this machine, which only tests create. */
export const ASSUMABLE_ROLES = `arn:aws:iam::${ACCOUNT_ID}:role/assumable/*`;

const FOLDER = new URL('../policies/', import.meta.url);

/** Credential store of a stage, and the former one if it names one. Each combination has a file of policies. */
export type StoresInUse = CredentialStore | `${CredentialStore}-after-${CredentialStore}`;

export const storesInUse = (store: CredentialStore, former: CredentialStore | undefined) =>
  former === undefined ? store : (`${store}-after-${former}` satisfies StoresInUse);

/** Values of the placeholders in policies on this machine. */
export interface LocalNames {
  readonly region: string;
  /** Prefix of the manifest's names of tables and buckets. */
  readonly prefix: string;
  readonly credentialPrefix: string;
  /** ARNs of the signing keys, in their order. */
  readonly signingKeys: readonly string[];
  /** ARNs of the keys that sign minted tokens. */
  readonly mintingKeys: readonly string[];
  /** ARN. */
  readonly credentialsKey: string;
  readonly mailFrom: string;
  readonly mailConfigurationSet: string;
  readonly networkFunctions?: readonly string[];
}

type PolicyFile = Pick<AccountPolicies, 'encryptedWith' | 'resources'> & {
  readonly functions: AccountPolicies['roles'];
};

/** Functions may do here what they may do in the stack. @param administrators - other callers, who may do all */
export const localPolicies = (
  stores: StoresInUse,
  names: LocalNames,
  administrators: readonly string[] = [],
): AccountPolicies => {
  // `npm run policies` writes the file from the template, and a test compares them.
  const file = readFileSync(new URL(`${stores}.json`, FOLDER), 'utf8');
  const { functions, ...others } = parsedJson(withLocalNames(file, valuesOf(names))) as PolicyFile;
  const router = [...(functions['router'] ?? []), ...callsInNetworks(names)];
  return { administrators, roles: { ...functions, router }, ...others };
};

/** Additional statement for the router of a stage with private networks. */
const callsInNetworks = ({ region, networkFunctions = [] }: LocalNames): readonly Statement[] =>
  networkFunctions.length === 0
    ? []
    : [
        {
          Sid: 'CallInNetworks',
          Effect: 'Allow',
          Action: 'lambda:InvokeFunction',
          Resource: networkFunctions.map((name) =>
            arnOf('lambda', region, `function:${name}:live`),
          ),
        },
      ];

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
        `Data${pascalCase(name)}.Arn`,
        arnOf('dynamodb', region, `table/${names.prefix}${name}`),
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(buckets).map((name) => [
        `Data${pascalCase(name)}.Arn`,
        `arn:aws:s3:::${names.prefix}${name}`,
      ]),
    ),
    // Nothing is encrypted with it on this machine, but policies name it.
    'KeysData.Arn': arnOf('kms', region, 'key/data'),
    'KeysCredentials.Arn': names.credentialsKey,
    ...numbered('KeysSigning', names.signingKeys),
    ...numbered('KeysMinting', names.mintingKeys),
  };
};

/** `KeysSigning.Arn`, `KeysSigning2.Arn`. */
const numbered = (name: string, arns: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(arns.map((arn, index) => [`${name}${index === 0 ? '' : index + 1}.Arn`, arn]));

const withLocalNames = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    const value = member(values, name) ?? byRule(name, values['AWS::Region'] ?? '');
    // No request can name a resource that this machine does not have.
    return value ?? `arn:aws:absent:::${name}`;
  });

/** ARNs of function aliases, roles of functions, and queues. */
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
