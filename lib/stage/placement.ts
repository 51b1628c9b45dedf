import * as z from 'zod';

export interface Placement {
  readonly vpc: string;
  readonly subnets: readonly string[];
  readonly securityGroups: readonly string[];
}

const id = (pattern: RegExp, example: string) =>
  z.string().regex(pattern, `write the id of a ${example}`);

export const some = <Of extends z.ZodType>(schema: Of, most: number) =>
  z
    .array(schema)
    .min(1, 'write at least one')
    .max(most, `write at most ${most}`)
    .refine((all) => new Set(all).size === all.length, 'one is there twice');

/** Members in a stage's file, with Lambda's maximums. Source: AWS Lambda API, "VpcConfig". */
export const placement = {
  vpc: id(/^vpc-(?:[0-9a-f]{8}|[0-9a-f]{17})$/, 'VPC, such as vpc-0123456789abcdef0'),
  subnets: some(
    id(/^subnet-(?:[0-9a-f]{8}|[0-9a-f]{17})$/, 'subnet, such as subnet-0123456789abcdef0'),
    16,
  ),
  security_groups: some(
    id(/^sg-(?:[0-9a-f]{8}|[0-9a-f]{17})$/, 'security group, such as sg-0123456789abcdef0'),
    5,
  ),
};
