import type { Template } from 'aws-cdk-lib/assertions';

/** A resource as a template has it. */
export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly [attribute: string]: unknown;
}

export type Resources = Readonly<Record<string, Resource>>;

/** Logical ids by logical id. */
export type Edges = ReadonlyMap<string, ReadonlySet<string>>;

export interface TemplateGraph {
  /** What CloudFormation waits for before it makes a resource: references and `DependsOn`. */
  readonly waits: Edges;
  /** What has to be there when it is made, and as long as it is: what it names, and what AWS looks for. */
  readonly needs: Edges;
}

export const resourcesIn = (template: Template): Resources =>
  template.toJSON()['Resources'] as Resources;

export const graphOf = (resources: Resources): TemplateGraph => {
  const ids = Object.keys(resources);
  const edges = (of: (id: string, resource: Resource) => readonly string[]): Edges =>
    new Map(
      Object.entries(resources).map(([id, resource]) => [
        id,
        new Set(of(id, resource).filter((other) => other !== id && other in resources)),
      ]),
    );
  return {
    waits: edges((_, { Metadata: _metadata, ...resource }) => [
      ...referencesIn(resource),
      ...[resource.DependsOn ?? []].flat(),
    ]),
    needs: edges((id, resource) => [
      ...referencesIn(resource.Properties),
      ...ids.filter((other) => other !== id && names(resource, resources[other]!)),
      ...(LOOKED_FOR[resource.Type]?.(resource, resources) ?? []),
    ]),
  };
};

/**
 * A value as text, with `${LogicalId}` for what CloudFormation puts in, whatever attribute it is of;
 * undefined if it is a list or an object.
 */
export const textOf = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
  if (others.length > 0 || (name !== 'Ref' && !name.startsWith('Fn::'))) return undefined;
  if (name === 'Ref') return `\${${String(argument)}}`;
  if (name === 'Fn::GetAtt') return `\${${[argument].flat().join('.').split('.', 1).join()}}`;
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as readonly [string, readonly unknown[]];
    return parts.map(textOf).join(separator);
  }
  if (name === 'Fn::GetStackOutput') {
    const { OutputName = '' } = argument as { readonly OutputName?: string };
    const [, id = OutputName] =
      /^PublishOutput(?:Ref|FnGetAtt)(\w+?[\dA-F]{8})/.exec(OutputName) ?? [];
    return `\${${id}}`;
  }
  return [argument].flat(3).map(textOf).join(' ');
};

/** All texts of a value that may name something. */
const textsIn = (value: unknown): readonly string[] => {
  const text = textOf(value);
  if (text !== undefined) return [text];
  return Object.entries(value as object).flatMap(([key, member]) =>
    NAMES_NOTHING.has(key) ? [] : textsIn(member),
  );
};

/** Members in which no resource is named, whatever they say. */
const NAMES_NOTHING = new Set([
  'AlarmDescription',
  'Comment',
  'Description',
  'RouteKey',
  'Tags',
  'ZipFile',
]);

/** Placeholders in a value: logical ids, of other stacks too, and pseudo parameters. */
const referencesIn = (value: unknown): readonly string[] =>
  textsIn(value ?? {}).flatMap((text) =>
    [...text.matchAll(/\$\{([\w:]+)[^}]*\}/g)].map(([, id = '']) => id),
  );

/** What is no name of the resource that has it, in spite of how it is called. */
const NO_NAME = new Set(['MetricName', 'DisplayName', 'DeploymentConfigName', 'DomainName']);

/** Whether a policy is of the alias of the very function: that is made later, and needs it once it runs. */
const isOfItself = (
  policy: Resource,
  properties: Resource['Properties'],
  among: Resources,
): boolean =>
  referencesIn(policy.Properties?.['PolicyDocument']).some(
    (id) =>
      among[id]?.Type === 'AWS::Lambda::Alias' &&
      referencesIn(among[id].Properties?.['FunctionName']).some(
        (of) => among[of]?.Properties === properties,
      ),
  );

/** Names that are unique below something else alone, by the property that says below what. */
const BELOW: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Stage': 'ApiId',
  'AWS::IAM::Policy': 'Roles',
  'AWS::Lambda::Alias': 'FunctionName',
  'AWS::Logs::SubscriptionFilter': 'LogGroupName',
};

export interface FixedName {
  readonly name: string;
  /** What it is a name below; none if it is one of the account. */
  readonly below: readonly string[];
}

/** The names of a resource that a template chooses, in place of CloudFormation. */
export const fixedNamesOf = ({ Type, Properties = {} }: Resource): readonly FixedName[] => {
  const parent = BELOW[Type];
  return Object.entries(Properties).flatMap(([key, value]) => {
    // Policies of CloudFront have their names one level below.
    if (key.endsWith('Config') && typeof value === 'object' && value !== null && 'Name' in value) {
      return fixedNamesOf({ Type, Properties: { Name: value.Name } });
    }
    if (key === 'Budget')
      return fixedNamesOf({ Type, Properties: value as Record<string, unknown> });
    const name =
      /(?:^|[a-z])Name$/.test(key) && key !== parent && !NO_NAME.has(key) && textOf(value);
    if (!name || /^\$\{[^}]+\}$/.test(name)) return [];
    return [{ name, below: parent === undefined ? [] : referencesIn(Properties[parent]) }];
  });
};

/** Resources in whose properties AWS looks nothing up: ARNs and names there are patterns and labels. */
const LOOKS_NOTHING_UP = new Set([
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
]);

/** Whether a resource says the fixed name of another one, in a text of its own or within an ARN. */
const names = ({ Type, Properties }: Resource, other: Resource): boolean => {
  if (LOOKS_NOTHING_UP.has(Type)) return false;
  return fixedNamesOf(other).some(({ name, below }) => {
    const references = referencesIn(Properties);
    if (below.length > 0 && !below.some((id) => references.includes(id))) return false;
    return textsIn(Properties ?? {}).some(
      (text) => text === name || text.endsWith(`:${name}`) || isArnWith(text, name, other.Type),
    );
  });
};

/** `AWS::Backup::BackupVault` has ARNs of the service `backup`. */
const isArnWith = (text: string, name: string, type: string): boolean =>
  text.startsWith('arn:') &&
  text.split(':')[2] === type.split('::')[1]?.toLowerCase() &&
  `${text}:`.replaceAll('/', ':').includes(`:${name.replaceAll('/', ':')}:`);

/** What AWS looks for when it makes a resource, though the resource does not name it. */
const LOOKED_FOR: Readonly<
  Record<string, (resource: Resource, among: Resources) => readonly string[]>
> = {
  // Lambda refuses a queue or a destination that the role may not use yet, and CloudFormation invokes at once
  // what makes a custom resource. Source: AWS Lambda API, "CreateEventSourceMapping".
  'AWS::Lambda::Function': ({ Properties }, among) =>
    idsOf(
      among,
      (other) =>
        ['AWS::IAM::ManagedPolicy', 'AWS::IAM::Policy'].includes(other.Type) &&
        referencesIn(other.Properties?.['Roles']).some((role) =>
          referencesIn(Properties?.['Role']).includes(role),
        ) &&
        !isOfItself(other, Properties, among),
    ),
  // The gateway refuses settings of a route that there is not. Source: API Gateway V2 API, "CreateStage".
  'AWS::ApiGatewayV2::Stage': ({ Properties }, among) =>
    idsOf(
      among,
      (other) =>
        other.Type === 'AWS::ApiGatewayV2::Route' &&
        Object.hasOwn(
          Object(Properties?.['RouteSettings']),
          String(other.Properties?.['RouteKey']),
        ),
    ),
  // CloudWatch Logs tries whether it may invoke the function. Source: CloudWatch Logs API, "PutSubscriptionFilter".
  'AWS::Logs::SubscriptionFilter': ({ Properties }, among) =>
    idsOf(
      among,
      (other) =>
        other.Type === 'AWS::Lambda::Permission' &&
        textOf(other.Properties?.['Principal'])?.startsWith('logs.') === true &&
        textOf(other.Properties?.['FunctionName']) === textOf(Properties?.['DestinationArn']),
    ),
};

const idsOf = (resources: Resources, fits: (resource: Resource) => boolean): readonly string[] =>
  Object.entries(resources).flatMap(([id, resource]) => (fits(resource) ? [id] : []));

interface StackOutput {
  readonly StackName: string;
  readonly OutputName: string;
}

/** What a template reads of other stacks. */
export const stackOutputsIn = (template: Template): readonly StackOutput[] => {
  const outputs: StackOutput[] = [];
  JSON.stringify(template.toJSON(), (key, value: unknown) => {
    if (key === 'Fn::GetStackOutput') outputs.push(value as StackOutput);
    return value;
  });
  return outputs;
};
