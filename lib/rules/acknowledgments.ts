import { CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import { credentialPrefix } from '../data/credentials.ts';
import type { DataStack } from '../data-stack.ts';
import { reasons } from './reasons.ts';
import type { Stacks } from '../stacks.ts';

/**
 * Tells the rules which of their findings are known.
 *
 * @returns path and rule of each of them
 */
export const acknowledgeRules = ({
  data,
  service,
  firewall,
}: Stacks): readonly (readonly [string, string])[] =>
  [data, service, ...(firewall ? [firewall] : [])].flatMap(resourcesOf).flatMap((resource) =>
    reasons(bucketArn(data), secretsArn(data), data.stage)
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

const resourcesOf = (stack: Stack): readonly CfnResource[] =>
  stack.node.findAll().filter((node) => CfnResource.isCfnResource(node));

/** The rules write unresolved values in a form of their own. */
const secretsArn = (data: DataStack): string =>
  `arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${credentialPrefix(data)}`;

/** The name of the output is made from the bucket's logical id, which never changes. */
const bucketArn = (data: DataStack): string =>
  JSON.stringify({
    'Fn::GetStackOutput': {
      StackName: data.stackName,
      Region: { Ref: 'AWS::Region' },
      OutputName: 'PublishOutputFnGetAttDataDescriptionsBF9DD5F1ArnF0F26126',
    },
  });
