import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Fn, type Stack, Stage, Token } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { checkJson, checkProps, refusal } from './refusal.ts';
import { checkSignIn, type IHostedMcp, type SignIn } from './service.ts';

export interface HostedMcpProps {
  /** Name of the stage, part of the stacks' names. */
  readonly name: string;
  /** Content of `config/<stage>.json` in a checkout; error messages are the same. */
  readonly stage: Readonly<Record<string, unknown>>;
}

/** The file `stacks.js`, which is loaded only to make a service. */
interface Stacks {
  compose(
    scope: Construct,
    name: string,
    stage: object,
    folder: string,
  ): { readonly data: Stack; readonly service: Stack; readonly baseUrl: string };
}

/**
 * The service itself: the stacks that a checkout deploys, under the same names and logical ids, so that a stage moves
 * between a checkout and this package without replacing a table. It stands in an app or in a stage of one; the stacks
 * stand in it.
 */
export class HostedMcp extends Construct {
  /** Base URL of the service, which ends in `/v1`. */
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
    checkAlone(this, service);
    this.dataStack = data;
    this.serviceStack = service;
    // The URL is read from the output that a checkout has, too. A reference would add an export, which a move to a
    // checkout would have to delete, and CloudFormation deletes no export in use.
    this.baseUrl = Token.isUnresolved(baseUrl)
      ? Fn.getStackOutput(service.stackName, 'BaseUrl', knownRegion(service))
      : baseUrl;
  }

  /** The service for servers of the same app. @param signIn - how their stacks sign in */
  public signedInBy(signIn: SignIn): IHostedMcp {
    checkSignIn(this, signIn);
    return { baseUrl: this.baseUrl, signIn, stack: this.serviceStack };
  }
}

/** Stacks of one name in one place would be the same stack, and each deployment would undo the other. */
const checkAlone = (hosted: HostedMcp, service: Stack): void => {
  const other = hosted.node.root.node
    .findAll()
    .find(
      (one) => one instanceof HostedMcp && one !== hosted && isOneStack(one.serviceStack, service),
    );
  if (other) {
    throw refusal(
      hosted,
      `${other.node.path} has the name of this service, and both would be the stack ${service.stackName}: give one of them another name.`,
    );
  }
};

/** Where the place is known at deployment only, stages of an app may be of several accounts. */
const isOneStack = (one: Stack, other: Stack): boolean => {
  const isOneStage = Stage.of(one) === Stage.of(other);
  const isSame = (value: string, its: string): boolean =>
    value === its && (isOneStage || !Token.isUnresolved(value));
  return (
    one.stackName === other.stackName &&
    isSame(one.account, other.account) &&
    isSame(one.region, other.region)
  );
};

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
