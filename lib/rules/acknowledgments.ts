import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import { credentialPrefix } from '../data/credentials.ts';
import type { DataStack } from '../data-stack.ts';
import { reasons, type RuleArns } from './reasons.ts';
import type { Stacks } from '../stacks.ts';

/** Acknowledges the rules' known findings. @returns path and rule of each of them */
export const acknowledgeRules = (stacks: Stacks): readonly (readonly [string, string])[] => {
  const { data } = stacks;
  return Object.values<Stack>({ ...stacks })
    .flatMap(resourcesOf)
    .flatMap((resource) =>
      reasons(arnsOf(data), data.stage)
        .filter(
          ({ type, path, when }) =>
            resource.cfnResourceType === type &&
            path?.test(resource.node.path) !== false &&
            when?.(resource) !== false,
        )
        .flatMap(({ rules, reason }) =>
          rules.map((id) => {
            Validations.of(resource).acknowledge({ id, reason });
            return [resource.node.path, id] as const;
          }),
        ),
    );
};

const resourcesOf = (stack: Stack): readonly CfnResource[] =>
  stack.node.findAll().filter((node) => CfnResource.isCfnResource(node));

/** ARNs in the rules' own notation of unresolved values. */
const arnsOf = (data: DataStack): RuleArns => {
  const [partition, region, account] = [data.partition, data.region, data.account].map((value) => {
    const resolved = data.resolve(value) as string | { readonly Ref: string };
    return typeof resolved === 'string' ? resolved : `<${resolved.Ref}>`;
  });
  const own = (service: string, resource: string) =>
    `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const published = (OutputName: string): string =>
    JSON.stringify({
      'Fn::GetStackOutput': {
        StackName: data.stackName,
        Region: data.resolve(data.region),
        OutputName,
      },
    });
  return {
    secrets: own('secretsmanager', `secret:${credentialPrefix(data)}`),
    tables: own('dynamodb', `table/${data.stackName}-*`),
    kmsKeys: own('kms', 'key/*'),
    networkInterfaces: own('ec2', 'network-interface/*'),
    ec2: own('ec2', '*/*'),
    // Output names derive from the bucket's logical id, which never changes.
    descriptions: published('PublishOutputFnGetAttDataDescriptionsBF9DD5F1ArnF0F26126'),
    answers: published('PublishOutputFnGetAttDataAnswers03C97AB5Arn6F0EF323'),
  };
};
