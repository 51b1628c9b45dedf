import { Stack, Token } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { checkKind, refusal } from './refusal.ts';

/** A secret of AWS Secrets Manager, or one field of one that is JSON. */
export interface SecretField {
  readonly secret: ISecret;
  readonly field?: string;
}

/** Members of a limited credential, undefined until `onlyFor` names them. */
const NOWHERE = { schemes: undefined, origins: undefined };

/** A missing argument becomes an empty object: `checkCredentials` reports it later, with the construct's path. */
const given = <Members extends object>(members: Members): Members =>
  typeof members === 'object' && members !== null ? members : ({} as Members);

/**
 * How calls to the API authenticate. Secrets are read at deployment by the function of the stack, which may read no
 * other; none is in the template.
 */
export class Credential {
  /** Members that are not secret, as the management API has them. */
  public readonly open: Readonly<Record<string, unknown>>;
  /** Secrets by the names of their members. */
  public readonly secrets: Readonly<Record<string, SecretField>>;

  private constructor(
    open: Readonly<Record<string, unknown>>,
    secrets: Readonly<Record<string, SecretField>>,
  ) {
    this.open = open;
    this.secrets = secrets;
  }

  public static bearer(token: SecretField): Credential {
    return new Credential({ type: 'bearer' }, { token });
  }

  public static apiKey(
    key: { readonly name: string; readonly in?: 'header' | 'query' | 'cookie' } & SecretField,
  ): Credential {
    const { name, in: place = 'header', ...value } = given(key);
    return new Credential({ type: 'api_key', name, in: place }, { value });
  }

  /** A JSON secret with the fields `username` and `password`, as RDS and others write them. */
  public static basic(secret: ISecret): Credential {
    return new Credential(
      { type: 'basic' },
      {
        username: { secret, field: 'username' },
        password: { secret, field: 'password' },
      },
    );
  }

  public static oauthClient(client: {
    readonly issuer?: string;
    readonly tokenUrl?: string;
    readonly clientId: string;
    readonly scopes?: readonly string[];
    readonly secret: ISecret;
    readonly field?: string;
  }): Credential {
    const { issuer, tokenUrl, clientId, scopes, secret, field } = given(client);
    return new Credential(
      {
        type: 'oauth_client',
        client_id: clientId,
        ...(issuer !== undefined && { issuer }),
        ...(tokenUrl !== undefined && { token_url: tokenUrl }),
        ...(scopes && { scopes: [...scopes] }),
      },
      { client_secret: { secret, ...(field !== undefined && { field }) } },
    );
  }

  /** A role that the service assumes; the operator lists which are allowed. */
  public static role(role: {
    readonly roleArn: string;
    readonly region: string;
    readonly service: string;
  }): Credential {
    const { roleArn, region, service } = given(role);
    return new Credential({ type: 'aws', role_arn: roleArn, region, service }, {});
  }

  /** Any other kind, with its members as the management API has them. */
  public static of(
    open: Readonly<Record<string, unknown>>,
    secrets: Readonly<Record<string, SecretField>> = {},
  ): Credential {
    return new Credential(open, secrets);
  }

  /** A credential whose secret somebody sets with the command line: deployments leave it. */
  public static existing(open: Readonly<Record<string, unknown>>): Credential {
    return new Credential({ ...open, keep: true }, {});
  }

  /** Limits the credential to security schemes of the description, or to origins. */
  public onlyFor(places: {
    readonly schemes?: readonly string[];
    readonly origins?: readonly string[];
  }): Credential {
    return new Credential({ ...NOWHERE, ...this.open, ...places }, this.secrets);
  }
}

export const isSecret = (value: unknown): value is ISecret =>
  typeof value === 'object' &&
  value !== null &&
  'secretArn' in value &&
  'grantRead' in value &&
  typeof value.grantRead === 'function';

/**
 * What Secrets Manager finds a secret by: its complete ARN, or its name. Of an ARN without the random ending, it takes
 * the last six letters of a name like `orders-secret` for that ending, and finds nothing. Source: AWS Secrets Manager
 * User Guide, "Find a secret from a partial ARN".
 */
export const secretId = (construct: Construct, secret: ISecret): string => {
  const { secretFullArn, secretArn, env } = secret;
  const { account, region } = Stack.of(construct);
  const [, name] = /:secret:(.+)$/.exec(secretArn) ?? [];
  const isHere = isSame(env.account, account) && isSame(env.region, region);
  return secretFullArn ?? (isHere && name !== undefined ? name : secretArn);
};

const isSame = (one: string, other: string): boolean =>
  Token.isUnresolved(one) || Token.isUnresolved(other) || one === other;

/** Checks an app's credentials: a wrong value would fail mid-synth without a reason. @throws Error */
export const checkCredentials = (
  construct: Construct,
  credentials: Readonly<Record<string, unknown>>,
): void => {
  for (const [name, credential] of Object.entries(credentials)) {
    const at = `credentials.${name}`;
    if (!(credential instanceof Credential)) {
      throw refusal(
        construct,
        `${at} has to be a Credential, which says how calls carry it: Credential.bearer({ secret }), with a secret of AWS Secrets Manager.`,
      );
    }
    const { open } = credential;
    checkKind(construct, at, open, 'object');
    if (
      'schemes' in open &&
      [open['schemes'], open['origins']].flat().every((one) => one === undefined)
    ) {
      throw refusal(
        construct,
        `${at}: onlyFor names neither schemes nor origins, and it would go everywhere: name some, or leave out onlyFor.`,
      );
    }
    for (const [member, value] of Object.entries<Partial<SecretField> | undefined>(
      credential.secrets,
    )) {
      if (isSecret(value?.secret) && typeof (value.field ?? '') === 'string') continue;
      throw refusal(
        construct,
        `${at}: its ${member} has to be { secret }, or { secret, field }, with a secret of AWS Secrets Manager such as Secret.fromSecretNameV2(…).`,
      );
    }
  }
};
