import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Fn, type Stack, Token } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { checkJson, checkProps, refusal } from './refusal.ts';
import { checkSignIn, type IHostedMcp, type SignIn } from './service.ts';

export interface HostedMcpProps {
  /** Of the stage: the stacks are named by it. */
  readonly name: string;
  /** What `config/<stage>.json` of a checkout says; the same faults are told in the same sentences. */
  readonly stage: Readonly<Record<string, unknown>>;
}

/** What the file of the stacks gives; it is loaded by who makes a service. */
interface Stacks {
  compose(
    scope: Construct,
    name: string,
    stage: object,
    folder: string,
  ): { readonly data: Stack; readonly service: Stack; readonly baseUrl: string };
}

/**
 * The service itself: the stacks that a checkout deploys, under the same names and with the same logical ids, so that
 * a stage moves from a checkout to this package, and back, without a table being replaced. It stands in an app or in a
 * stage of one; the stacks stand in it.
 */
export class HostedMcp extends Construct {
  /** Ends in `/v1`. */
  public readonly baseUrl: string;
  public readonly dataStack: Stack;
  public readonly serviceStack: Stack;

  public constructor(scope: Construct, id: string, props: HostedMcpProps) {
    super(scope, id);
    checkProps(this, props, { name: 'text', stage: 'object' }, ['name', 'stage']);
    const hint =
      'A stage is read at synth: write what it will be, such as the ARN of a topic by its name.';
    for (const [member, value] of Object.entries(props)) checkJson(this, value, member, hint);
    const { data, service, baseUrl } = stacksOf(this, props);
    this.dataStack = data;
    this.serviceStack = service;
    // Read from the output that a checkout has, too. A reference would add an export, which would have to go when the
    // stage moves there, and could not, being in use.
    this.baseUrl = Token.isUnresolved(baseUrl)
      ? Fn.getStackOutput(service.stackName, 'BaseUrl', knownRegion(service))
      : baseUrl;
  }

  /** For the servers of the same app: by what their stacks sign in. */
  public signedInBy(signIn: SignIn): IHostedMcp {
    checkSignIn(this, signIn);
    return { baseUrl: this.baseUrl, signIn, stack: this.serviceStack };
  }
}

const stacksOf = (hosted: HostedMcp, { name, stage }: HostedMcpProps) => {
  const load = createRequire(join(import.meta.dirname, 'index.js'));
  const { compose } = load('./stacks.js') as Stacks;
  try {
    return compose(hosted, name, stage, join(import.meta.dirname, 'functions'));
  } catch (error) {
    throw refusal(hosted, error instanceof Error ? error.message : String(error), error);
  }
};

const knownRegion = ({ region }: Stack): string | undefined =>
  Token.isUnresolved(region) ? undefined : region;
