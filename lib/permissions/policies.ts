import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/** A policy statement with placeholders such as `${DataUsers.Arn}` for deployment values. */
export type PolicyStatementText = Readonly<Record<string, unknown>>;

/** Placeholders are logical ids without their hash, and pseudo parameters: `${KeysData.Arn}`, `${AWS::Region}`. */
export interface TemplatePolicies {
  /** Role policies by function name, or by the role's own name. */
  readonly functions: Readonly<Record<string, readonly PolicyStatementText[]>>;
  readonly resources: Readonly<Record<string, readonly PolicyStatementText[]>>;
  /** Placeholder of the key by that of the table, bucket or queue. */
  readonly encryptedWith: Readonly<Record<string, string>>;
}

export interface PolicyTemplate {
  readonly Resources: Readonly<Record<string, Resource>>;
}

export interface PolicyNames {
  /** Name of the data stack, which begins the names of secrets. */
  readonly stackName: string;
  readonly mail: { readonly from: string; readonly identity: string };
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** @param names - become placeholders @throws Error for values it cannot convert, so that none is dropped silently */
export const policiesOf = (
  templates: readonly PolicyTemplate[],
  names: PolicyNames,
): TemplatePolicies => {
  const all = templates.flatMap(({ Resources }) => Object.entries(Resources));
  const ofType = (type: string) =>
    all.flatMap(([id, { Type, Properties = {} }]) =>
      Type === type ? [[id, Properties] as const] : [],
    );
  const text = (value: unknown) => withNames(substitution(value), names) as string;
  const statements = (document: unknown) =>
    ((document as Fields)['Statement'] as readonly unknown[]).map(
      (one) => withNames(substitution(one), names) as PolicyStatementText,
    );

  return {
    functions: merged(
      [...ofType('AWS::IAM::Policy'), ...ofType('AWS::IAM::ManagedPolicy')].flatMap(
        ([, { Roles, PolicyDocument }]) =>
          (Roles as readonly unknown[]).map(
            (role) => [functionOf(role), statements(PolicyDocument)] as const,
          ),
      ),
    ),
    resources: Object.fromEntries([
      ...ofType('AWS::KMS::Key').map(([id, { KeyPolicy }]) => [
        `\${${withoutHash(id)}.Arn}`,
        statements(KeyPolicy),
      ]),
      ...ofType('AWS::S3::BucketPolicy').map(([, { Bucket, PolicyDocument }]) => [
        arnOf(text(Bucket)),
        statements(PolicyDocument),
      ]),
      ...ofType('AWS::SQS::QueuePolicy').flatMap(([, { Queues, PolicyDocument }]) =>
        (Queues as readonly unknown[]).map((queue) => [
          arnOf(text(queue)),
          statements(PolicyDocument),
        ]),
      ),
      ...ofType('AWS::SNS::TopicPolicy').flatMap(([, { Topics, PolicyDocument }]) =>
        (Topics as readonly unknown[]).map((topic) => [text(topic), statements(PolicyDocument)]),
      ),
    ]),
    encryptedWith: Object.fromEntries(
      all.flatMap(([id, { Properties = {} }]) => {
        const key = keyIn(Properties);
        return key === undefined ? [] : [[`\${${withoutHash(id)}.Arn}`, text(key)]];
      }),
    ),
  };
};

const keyIn = (properties: Fields): unknown => {
  const { SSESpecification, BucketEncryption, KmsMasterKeyId } = properties;
  const rules = (BucketEncryption as Fields | undefined)?.['ServerSideEncryptionConfiguration'];
  const [rule] = (rules ?? []) as readonly Fields[];
  return (
    (SSESpecification as Fields | undefined)?.['KMSMasterKeyId'] ??
    (rule?.['ServerSideEncryptionByDefault'] as Fields | undefined)?.['KMSMasterKeyID'] ??
    KmsMasterKeyId
  );
};

const merged = (
  policies: readonly (readonly [string, readonly PolicyStatementText[]])[],
): TemplatePolicies['functions'] => {
  const roles: Record<string, readonly PolicyStatementText[]> = {};
  for (const [name, statements] of policies) {
    roles[name] = [...(roles[name] ?? []), ...statements];
  }
  return roles;
};

/** `RolesRouter0D16358C` becomes `router`; a role of no function keeps its name. */
const functionOf = (role: unknown): string => {
  const id = substitution(role) as string;
  const [, name = id] = /^\$\{Roles(\w+)\}$/.exec(id) ?? [];
  return name.charAt(0).toLowerCase() + name.slice(1);
};

/** `${DataDescriptions}`, a bucket's or queue's name, becomes its ARN. */
const arnOf = (placeholder: string): string => placeholder.replace(/\}$/, '.Arn}');

/** Removes the hash that the CDK appends to logical ids. */
const withoutHash = (logicalId: string): string => logicalId.replace(/[0-9A-F]{8}$/, '');

/** Converts intrinsic functions to `Fn::Sub` notation. */
const substitution = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(substitution);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (name === 'Ref') return `\${${withoutHash(argument as string)}}`;
    if (name === 'Fn::GetAtt') {
      const [id = '', attribute = ''] = argument as readonly string[];
      return `\${${withoutHash(id)}.${attribute}}`;
    }
    if (name === 'Fn::Join') {
      const [separator, parts] = argument as readonly [string, readonly unknown[]];
      return parts.map(substitution).join(separator);
    }
    if (name === 'Fn::GetStackOutput') return outputOf(argument as Fields);
    // Names of log groups contain a part of the stack's id, which no call of a function names.
    if (name === 'Fn::Select' && JSON.stringify(argument).includes('AWS::StackId')) {
      return '${AWS::StackId}';
    }
    if (name.startsWith('Fn::'))
      throw new Error(`${name} is in a policy, which nothing reads here`);
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, substitution(part)]));
};

/** Finds the logical id in the output name that the CDK generates for another stack's value. */
const outputOf = ({ OutputName }: Fields): string => {
  const form = /^PublishOutput(?:Ref|FnGetAtt)([A-Za-z\d]+?[\dA-F]{8})(Arn)?[\dA-F]{8}$/;
  const [, id, attribute] = form.exec(OutputName as string) ?? [];
  if (id === undefined) throw new Error(`${OutputName} is in a policy, which nothing reads here`);
  return `\${${withoutHash(id)}${attribute === undefined ? '' : `.${attribute}`}}`;
};

const withNames = (value: unknown, { stackName, mail }: PolicyNames): unknown =>
  parsedJson(
    JSON.stringify(value)
      .replaceAll(`:secret:${stackName}/credentials`, ':secret:${CredentialPrefix}')
      // CDK generates these ids from the stack's name and a hash.
      .replaceAll(/"AllowEventRule\w+"/g, '"AllowEventRule"')
      .replaceAll(stackName, '${AWS::StackName}')
      .replaceAll(mail.from, '${MailFrom}')
      .replaceAll(mail.identity, '${MailIdentity}'),
  );

export const policyFile = (policies: TemplatePolicies): string => {
  const lists = (all: TemplatePolicies['functions']) =>
    Object.entries(all).map(([name, statements]) => {
      const lines = statements.map((one) => `      ${JSON.stringify(one)}`);
      return `    ${JSON.stringify(name)}: [\n${lines.join(',\n')}\n    ]`;
    });
  const keys = Object.entries(policies.encryptedWith).map(
    ([name, key]) => `    ${JSON.stringify(name)}: ${JSON.stringify(key)}`,
  );
  const section = (name: string, lines: readonly string[]) =>
    `  "${name}": {\n${lines.join(',\n')}\n  }`;
  return `{\n${[
    section('functions', lists(policies.functions)),
    section('resources', lists(policies.resources)),
    section('encryptedWith', keys),
  ].join(',\n')}\n}\n`;
};
