import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type App, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { IHostedMcp, SignIn } from './service.ts';

export interface HostedMcpProps {
  /** Of the stage: the stacks are named by it. */
  readonly name: string;
  /** What `config/<stage>.json` of a checkout says; the same faults are told in the same sentences. */
  readonly stage: Readonly<Record<string, unknown>>;
}

/** What the file of the stacks gives; it is loaded by who makes a service. */
interface Stacks {
  compose(
    app: App,
    name: string,
    stage: object,
    folder: string,
  ): { readonly data: Stack; readonly service: Stack; readonly baseUrl: string };
}

/**
 * The service itself: the stacks that a checkout deploys, under the same names and with the same logical ids, so that
 * a stage moves from a checkout to this package, and back, without a table being replaced.
 */
export class HostedMcp extends Construct {
  /** Ends in `/v1`. */
  public readonly baseUrl: string;
  public readonly dataStack: Stack;
  public readonly serviceStack: Stack;

  public constructor(app: App, id: string, { name, stage }: HostedMcpProps) {
    super(app, id);
    const load = createRequire(join(import.meta.dirname, 'index.js'));
    const { compose } = load('./stacks.js') as Stacks;
    const { data, service, baseUrl } = compose(
      app,
      name,
      stage,
      join(import.meta.dirname, 'functions'),
    );
    this.baseUrl = baseUrl;
    this.dataStack = data;
    this.serviceStack = service;
  }

  /** For the servers of the same app: by what their stacks sign in. */
  public signedInBy(signIn: SignIn): IHostedMcp {
    return { baseUrl: this.baseUrl, signIn };
  }
}
