import * as z from 'zod';
import { readLimits } from '../../layers/limits/rules/limits.ts';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { Executions } from './executions.ts';

/** An ACM certificate, with its region captured. */
export const CERTIFICATE = /^arn:aws[\w-]*:acm:([a-z0-9-]+):\d{12}:certificate\/[\w-]+$/;

export const Account = z.string().regex(/^\d{12}$/, 'write the twelve digits of an AWS account');

export const Region = z
  .string()
  .regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/, 'write the name of a region, such as eu-central-1');

export const Topic = z
  .string()
  .regex(
    /^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/,
    'write the ARN of an SNS topic (arn:aws:sns:REGION:ACCOUNT:NAME), not a FIFO one',
  );

const TAG = 'write letters, digits, spaces and _ . : / = + - @';

/** What AWS allows as tags of any resource. Source: AWS Tag Editor, "Tag naming limits". */
export const ResourceTags = z.record(
  z.string().regex(/^(?!aws:)[\p{L}\p{N} _.:/=+@-]{1,128}$/iu, `${TAG}, and not aws: at the start`),
  z.string().regex(/^[\p{L}\p{N} _.:/=+@-]{0,256}$/u, TAG),
);

const DOLLARS = 'write how many dollars a month, 1 or more';
export const Budget = z.strictObject(
  { monthly_dollars: z.number(DOLLARS).min(1, DOLLARS).max(10_000_000, DOLLARS) },
  'write {"monthly_dollars": 50}, with your number',
);

export const BackupVault = z
  .string()
  .regex(
    /^arn:aws[\w-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
    'write the ARN of a vault of AWS Backup (arn:aws:backup:REGION:ACCOUNT:backup-vault:NAME)',
  );

/** @throws Error that names the limit and what helps */
export const Limits = z.record(z.string(), z.unknown()).transform((limits, context) => {
  for (const limit of Object.entries(limits)) {
    try {
      readLimits(JSON.stringify(Object.fromEntries([limit])));
    } catch (error) {
      const message = (error as Error).message;
      context.issues.push({ code: 'custom', message, input: limits, path: [limit[0]] });
    }
  }
  return limits as Record<string, number>;
});

export const Mail = z
  .strictObject({ from: z.email('write an e-mail address'), identity: z.string().min(3) })
  .refine(({ from, identity }) => from === identity || from.endsWith(`@${identity}`), {
    path: ['from'],
    message: 'write the address that `mail.identity` is, or one of the domain that it is',
  });

export const FUNCTIONS = Object.keys(functions) as FunctionName[];

const Reserved = Executions.optional();

export const Concurrency = z.strictObject(
  Object.fromEntries(FUNCTIONS.map((name) => [name, Reserved])) as Record<
    FunctionName,
    typeof Reserved
  >,
);

export const Domain = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
        'write a host name in lower case, without https:// and without a path',
      ),
    certificate_arn: z
      .string()
      .regex(CERTIFICATE, 'write the ARN of a certificate of ACM (arn:aws:acm:REGION:ACCOUNT:…)'),
  })
  .transform(({ name, certificate_arn: certificateArn }) => ({ name, certificateArn }));

export const Canary = z.strictObject({
  slug: z.string().regex(/^[a-z][a-z0-9-]{2,62}$/, 'write the slug of a deployment of mode none'),
  tool: z.string().min(1).max(128),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
