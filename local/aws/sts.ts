import { randomBytes } from 'node:crypto';
import { ACCOUNT_ID } from './account.ts';
import type { Callers } from './callers.ts';
import { AwsError } from './wire/aws-error.ts';
import { JSON_ERRORS } from './wire/json.ts';
import { roleArn } from './iam/evaluate.ts';
import type { Access, Statement } from './iam/policy.ts';
import { statementsOf } from './iam/statements.ts';
import type { AwsReply, AwsService } from './wire/service.ts';
import { signatureOf } from './wire/signature.ts';
import { isSignedBy } from './wire/verified-signature.ts';
import { xml } from './wire/xml.ts';

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';

export interface AssumableRole {
  readonly arn: string;
  readonly trust: readonly Statement[];
  readonly maxSessionSeconds: number;
}

/** Keys that were issued for a role, with their session. */
export interface AssumedRole {
  readonly roleArn: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly sessionName: string;
  readonly sourceIdentity: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

export interface EmbeddedSts {
  readonly service: AwsService;
  readonly addRole: (role: AssumableRole) => void;
  readonly assumed: () => readonly AssumedRole[];
}

/** A role that assumes another one gets an hour at most. Source: AWS STS API, "AssumeRole". */
const LONGEST_OF_A_CHAIN = 3600;

/**
 * STS, of the AWS Query protocol. GetCallerIdentity needs no permission; AssumeRole needs that of the caller's own
 * policy and of the role's trust policy, each for every action of the request.
 * Source: AWS STS API Reference, "GetCallerIdentity", "AssumeRole", "Common errors".
 */
export const openSts = (callers: Callers): EmbeddedSts => {
  const roles = new Map<string, AssumableRole>();
  const assumed: AssumedRole[] = [];
  const assume = (caller: string, sent: URLSearchParams): AwsReply => {
    const wanted = readAssumeRole(sent);
    const role = roles.get(wanted.roleArn);
    const statements = statementsOf((role?.trust ?? []).map((one) => ({ ...one, Resource: '*' })));
    const isTrusted = accessesOf(wanted).every((access) => {
      const speaking = statements(access).filter(({ principals = [] }) =>
        principals.includes(roleArn(caller)),
      );
      return speaking.length > 0 && speaking.every(({ effect }) => effect === 'Allow');
    });
    if (!role || !isTrusted) {
      throw new AwsError(
        'AccessDenied',
        `${roleArn(caller)} is not authorized to perform: sts:AssumeRole on resource: ${wanted.roleArn}`,
        403,
      );
    }
    const { durationSeconds } = wanted;
    if (
      durationSeconds < 900 ||
      durationSeconds > Math.min(role.maxSessionSeconds, LONGEST_OF_A_CHAIN)
    ) {
      throw new AwsError(
        'ValidationError',
        'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining',
        400,
      );
    }
    const keys: AssumedRole = {
      roleArn: role.arn,
      accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString('base64'),
      sessionToken: randomBytes(180).toString('base64'),
      sessionName: wanted.sessionName,
      sourceIdentity: wanted.sourceIdentity,
      tags: wanted.tags,
      expiresAt: Math.floor(Date.now() / 1000) + durationSeconds,
    };
    assumed.push(keys);
    return answered('AssumeRole', [
      [
        'Credentials',
        [
          ['AccessKeyId', keys.accessKeyId],
          ['SecretAccessKey', keys.secretAccessKey],
          ['SessionToken', keys.sessionToken],
          ['Expiration', new Date(keys.expiresAt * 1000).toISOString()],
        ],
      ],
      [
        'AssumedRoleUser',
        [
          ['AssumedRoleId', `AROA:${keys.sessionName}`],
          ['Arn', role.arn],
        ],
      ],
    ]);
  };
  const service: AwsService = {
    signingName: 'sts',
    maxBodyBytes: 64 * 1024,
    endpointErrors: {
      ...JSON_ERRORS,
      unsigned: ['MissingAuthenticationToken', 403],
      'unknown-caller': ['InvalidClientTokenId', 403],
      denied: ['AccessDenied', 403],
      throttled: ['Throttling', 400],
      failed: ['InternalFailure', 500],
    },
    operationOf: ({ method, path, query, headers }) => {
      const caller = callers.callerOf(signatureOf(headers.authorization)?.accessKeyId ?? '') ?? '';
      return {
        // Only the body names the operation.
        name: 'GetCallerIdentity',
        accesses: ({ body }) => {
          const sent = new URLSearchParams(body.toString());
          return sent.get('Action') === 'AssumeRole' ? accessesOf(readAssumeRole(sent)) : [];
        },
        run: async ({ body }) => {
          const { secretAccessKey } = callers.keyOf(caller);
          if (!isSignedBy(secretAccessKey, { method, path, query, headers, body })) {
            throw new AwsError(
              'SignatureDoesNotMatch',
              'The signature is not that of the key.',
              403,
            );
          }
          const sent = new URLSearchParams(body.toString());
          if (method === 'POST' && sent.get('Version') === '2011-06-15') {
            if (sent.get('Action') === 'AssumeRole') return assume(caller, sent);
            if (sent.get('Action') === 'GetCallerIdentity' && sent.size === 2)
              return identity(caller);
          }
          throw new AwsError('InvalidAction', 'The action is not implemented here.');
        },
      };
    },
    errorReply: ({ code, message, status }) => ({
      status,
      headers: { 'content-type': 'text/xml' },
      body: xml(
        'ErrorResponse',
        [
          [
            'Error',
            [
              ['Type', status < 500 ? 'Sender' : 'Receiver'],
              ['Code', code],
              ['Message', message],
            ],
          ],
        ],
        NAMESPACE,
      ),
    }),
  };
  return {
    service,
    addRole: (role) => void roles.set(role.arn, role),
    assumed: () => assumed,
  };
};

const identity = (caller: string): AwsReply =>
  answered('GetCallerIdentity', [
    ['Arn', `arn:aws:sts::${ACCOUNT_ID}:assumed-role/${caller}/${caller}`],
    ['UserId', `AROA${caller}:${caller}`],
    ['Account', ACCOUNT_ID],
  ]);

const answered = (action: string, result: Parameters<typeof xml>[1]): AwsReply => ({
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body: xml(`${action}Response`, [[`${action}Result`, result]], NAMESPACE),
});

interface Assumption {
  readonly roleArn: string;
  readonly sessionName: string;
  readonly externalId: string | undefined;
  readonly sourceIdentity: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly durationSeconds: number;
}

const readAssumeRole = (sent: URLSearchParams): Assumption => {
  const tags: Record<string, string> = {};
  for (let index = 1; sent.has(`Tags.member.${index}.Key`); index += 1) {
    tags[sent.get(`Tags.member.${index}.Key`) ?? ''] = sent.get(`Tags.member.${index}.Value`) ?? '';
  }
  if (Object.values(tags).some((value) => !/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u.test(value))) {
    throw new AwsError('ValidationError', 'a value of a tag does not have its form', 400);
  }
  const named = (name: string) => sent.get(name) ?? undefined;
  const sessionName = named('RoleSessionName') ?? '';
  const sourceIdentity = named('SourceIdentity');
  for (const name of [sessionName, sourceIdentity]) {
    if (name !== undefined && !/^[\w+=,.@-]{2,64}$/.test(name)) {
      throw new AwsError('ValidationError', 'a name does not have its form', 400);
    }
  }
  return {
    roleArn: named('RoleArn') ?? '',
    sessionName,
    externalId: named('ExternalId'),
    sourceIdentity,
    tags,
    durationSeconds: Number(named('DurationSeconds') ?? LONGEST_OF_A_CHAIN),
  };
};

/** Actions that a request wants, each with all that the request says of itself. */
const accessesOf = ({ roleArn: resource, ...wanted }: Assumption): readonly Access[] => {
  const { externalId, sourceIdentity, sessionName, tags } = wanted;
  const context = {
    'sts:RoleSessionName': sessionName,
    ...(externalId !== undefined && { 'sts:ExternalId': externalId }),
    ...(sourceIdentity !== undefined && { 'sts:SourceIdentity': sourceIdentity }),
    ...Object.fromEntries(
      Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value]),
    ),
  };
  return [
    { action: 'sts:AssumeRole', resource, context },
    ...(sourceIdentity === undefined
      ? []
      : [{ action: 'sts:SetSourceIdentity', resource, context }]),
    ...(Object.keys(tags).length === 0 ? [] : [{ action: 'sts:TagSession', resource, context }]),
  ];
};
