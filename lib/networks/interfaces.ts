import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { allow } from '../permissions/statements.ts';
import type { Placement } from '../stage/placement.ts';

export const vpcConfigOf = ({
  subnets,
  securityGroups,
}: Placement): CfnFunction.VpcConfigProperty => ({
  subnetIds: [...subnets],
  securityGroupIds: [...securityGroups],
});

/**
 * Lambda needs these rights to make and delete network interfaces; requests by the function's own code carry its ARN
 * and are denied. Source: AWS Lambda, "Giving Lambda functions access to resources in an Amazon VPC"; Service
 * Authorization Reference, "Amazon EC2".
 */
export const interfaceGrants = (
  stack: Stack,
  { subnets, securityGroups }: Placement,
): readonly PolicyStatement[] => {
  const arn = (resource: string, resourceName: string) =>
    stack.formatArn({
      service: 'ec2',
      resource,
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  const interfaces = arn('network-interface', '*');
  const make = 'ec2:CreateNetworkInterface';
  const addresses = ['ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses'];
  const look = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];
  const remove = 'ec2:DeleteNetworkInterface';
  return [
    allow(
      'MakeInterfaces',
      [
        interfaces,
        ...subnets.map((one) => arn('subnet', one)),
        ...securityGroups.map((one) => arn('security-group', one)),
      ],
      [make],
    ),
    allow('GiveInterfacesAddresses', [interfaces], addresses),
    // EC2 has no resource types for Describe actions.
    allow('LookForInterfaces', ['*'], look),
    // Lambda checks that all resources of the account are allowed.
    allow('RemoveInterfaces', [arn('*', '*')], [remove]),
    new PolicyStatement({
      sid: 'NotByOwnCode',
      effect: Effect.DENY,
      actions: [make, ...addresses, ...look, remove],
      resources: ['*'],
      conditions: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    }),
  ];
};
