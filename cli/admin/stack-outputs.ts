import { EXIT, Failure } from '../failure.ts';
import type { World } from '../world.ts';
import { type AwsIdentity, awsQuery, textIn } from './aws-query.ts';

type Sdk = typeof import('./aws-sdk.ts');

/** The outputs of a stack. @throws Failure. Source: AWS CloudFormation API, "DescribeStacks". */
export const stackOutputs = async (
  world: Pick<World, 'fetch' | 'environment'>,
  sdk: Pick<Sdk, 'SignatureV4'>,
  identity: AwsIdentity,
  stackName: string,
): Promise<ReadonlyMap<string, string>> => {
  const parameters = { Action: 'DescribeStacks', Version: '2010-05-15', StackName: stackName };
  const answer = await awsQuery(world, sdk, identity, {
    service: 'cloudformation',
    parameters,
    timeoutSeconds: 20,
  });
  if (answer.status !== 200) {
    throw stackFailure(answer.text, answer.status, stackName, identity.region);
  }
  return outputsIn(answer.text);
};

/** Names and values of outputs hold nothing that XML escapes but what is undone here. */
const outputsIn = (xml: string): ReadonlyMap<string, string> =>
  new Map(
    xml
      .split('<member>')
      .map((member) => member.split('</member>', 1).join())
      .filter((member) => member.includes('<OutputKey>'))
      .map((member) => [textIn(member, 'OutputKey'), textIn(member, 'OutputValue')]),
  );

const stackFailure = (xml: string, status: number, stackName: string, region: string): Failure => {
  const [code, message] = [textIn(xml, 'Code'), textIn(xml, 'Message')];
  if (message.includes('does not exist')) {
    return new Failure(
      EXIT.notFound,
      'no_such_stack',
      `There is no stack ${stackName} in ${region} of this account.`,
      { hint: 'Check --stage, AWS_REGION and AWS_PROFILE; cdk deploy makes the stack.' },
    );
  }
  return new Failure(EXIT.refused, code || 'aws_error', `CloudFormation: ${message || status}`, {
    status,
    hint: 'You need cloudformation:DescribeStacks, or name the function itself with --function.',
  });
};
