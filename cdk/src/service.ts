import { type Stack, Token } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { isSecret } from './credential.ts';
import { checkProps, refusal } from './refusal.ts';

/** How a stack signs in at the service. */
export type SignIn =
  | {
      /** A secret with a personal access token of scope `declare`. */
      readonly token: ISecret;
      readonly trust?: never;
      readonly roleName?: never;
    }
  | {
      /** Id of a trust in the role of the stack's function: no secret is needed. */
      readonly trust: string;
      /** Name for that role, which the trust names: `npx --no-install hosted-mcp trust add … --role-arn`. */
      readonly roleName: string;
      readonly token?: never;
    };

/** The service where servers are declared. */
export interface IHostedMcp {
  /** Base URL of the service, which ends in `/v1`. */
  readonly baseUrl: string;
  readonly signIn: SignIn;
  /** Stack to deploy before the servers, if it is of the same app. */
  readonly stack?: Stack;
}

export type HostedMcpServiceProps = SignIn & {
  /** Base URL, which ends in `/v1`: an output of the service's stack. */
  readonly baseUrl: string;
};

/** A service that runs already, in this account or another. */
export class HostedMcpService extends Construct implements IHostedMcp {
  public readonly baseUrl: string;
  public readonly signIn: SignIn;

  public constructor(scope: Construct, id: string, props: HostedMcpServiceProps) {
    super(scope, id);
    const kinds = { baseUrl: 'text', token: 'anything', trust: 'text', roleName: 'text' } as const;
    checkProps(this, props, kinds, ['baseUrl']);
    const { baseUrl, ...signIn } = props;
    checkService(this, { baseUrl, signIn });
    this.baseUrl = baseUrl;
    this.signIn = signIn;
  }
}

/** Services that an app made by itself are checked, too. @throws Error */
export const checkService = (construct: Construct, service: IHostedMcp): void => {
  if ('signedInBy' in service) {
    throw refusal(
      construct,
      'service says where, and not by what it signs in: write service: hosted.signedInBy({ token }), or with trust and roleName.',
    );
  }
  const { baseUrl, signIn } = service;
  checkSignIn(construct, signIn);
  if (Token.isUnresolved(baseUrl) && !/^http:/i.test(baseUrl)) return;
  if (!URL.canParse(baseUrl)) {
    throw refusal(construct, `baseUrl is no URL: write https://mcp.example.com/v1.`);
  }
  const { protocol, username, password, pathname, search, hash } = new URL(baseUrl);
  if (protocol !== 'https:') {
    throw refusal(
      construct,
      'baseUrl has to begin with https://: what the stack signs in by would be sent for everyone to read.',
    );
  }
  if (!pathname.endsWith('/v1') || username || password || search || hash) {
    throw refusal(
      construct,
      'baseUrl has to end in /v1, as the output BaseUrl of the stack of the service has it: https://mcp.example.com/v1.',
    );
  }
};

/** @throws Error */
export const checkSignIn = (construct: Construct, signIn: SignIn | undefined): void => {
  const { token, trust, roleName } = signIn ?? {};
  if (token !== undefined) {
    if (trust !== undefined || roleName !== undefined) {
      throw refusal(
        construct,
        'it signs in by token or by trust and roleName, not both: leave out one of the two.',
      );
    }
    if (isSecret(token)) return;
    throw refusal(
      construct,
      "token has to be a secret of AWS Secrets Manager that holds it: Secret.fromSecretNameV2(stack, 'Token', NAME).",
    );
  }
  if (trust === undefined || roleName === undefined) {
    throw refusal(
      construct,
      'how it signs in is missing: give token, or trust and roleName (npx --no-install hosted-mcp trust add … --role-arn).',
    );
  }
  if (Token.isUnresolved(roleName) || /^[\w+=,.@-]{1,64}$/.test(roleName)) return;
  throw refusal(
    construct,
    'roleName has to be the name of a role, without its path: up to 64 letters, digits and +=,.@-_.',
  );
};
