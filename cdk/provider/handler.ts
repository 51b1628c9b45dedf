import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { answered } from './answer.ts';
import type { Reached } from './apply.ts';
import { signedQuestion } from './sign-in.ts';
import type { ServerRequest } from './event.ts';

const s3 = new S3Client({});

/** Secrets Manager finds a secret in the region that is asked, whatever region its ARN names. */
const secretsOf = (secretId: string): SecretsManagerClient => {
  const [prefix, , , region = ''] = secretId.split(':');
  return new SecretsManagerClient(prefix === 'arn' ? { region } : {});
};

const reached: Reached = {
  object: async (place) => {
    const { Body } = await s3.send(new GetObjectCommand(place));
    return (await Body?.transformToString()) ?? '';
  },
  secret: async (SecretId) => {
    const { SecretString = '' } = await secretsOf(SecretId).send(
      new GetSecretValueCommand({ SecretId }),
    );
    return SecretString;
  },
  question: (baseUrl) => {
    const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    const identity = {
      region: AWS_REGION ?? '',
      accessKeyId: AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: AWS_SESSION_TOKEN,
    };
    return signedQuestion(identity, baseUrl, new Date());
  },
  fetch,
};

export const handler = (
  request: ServerRequest,
  invocation: Parameters<typeof answered>[1],
): Promise<void> => answered(request, invocation, reached);
