import * as z from 'zod/mini';
import { type AwsAccess, type ClientOptions, sdkClient } from '../aws/access.ts';
import { jsonOrUndefined } from '../rules/json/parsed-json.ts';

/** How an invocation ended that AWS has answered. */
export type Invoked<Answer> =
  | { readonly answer: Answer }
  | { readonly problem: 'failed' | 'gave no readable answer' };

/**
 * A function of ours, invoked by its alias: an ARN, or `name:alias`.
 *
 * @returns what sends it an event and reads its answer by a schema; throws what the SDK throws
 */
export const lambdaFunction = (access: AwsAccess, FunctionName: string, options: ClientOptions) => {
  const open = opening(access, options);

  return async <Schema extends z.ZodMiniType>(
    event: object,
    schema: Schema,
  ): Promise<Invoked<z.output<Schema>>> => {
    const { sdk, client } = await open();
    const Payload = JSON.stringify(event);
    const invoked = await client.send(new sdk.InvokeCommand({ FunctionName, Payload }));
    if (invoked.FunctionError !== undefined) return { problem: 'failed' };
    const read = z.safeParse(schema, payloadJson(invoked.Payload));
    return read.success ? { answer: read.data } : { problem: 'gave no readable answer' };
  };
};

/**
 * The same, for events that nobody waits for.
 *
 * @returns what sends one; resolves when Lambda has taken it, throws what the SDK throws
 */
export const lambdaEvents = (access: AwsAccess, FunctionName: string, options: ClientOptions) => {
  const open = opening(access, options);

  return async (event: object): Promise<void> => {
    const { sdk, client } = await open();
    const Payload = JSON.stringify(event);
    const InvocationType = 'Event';
    await client.send(new sdk.InvokeCommand({ FunctionName, InvocationType, Payload }));
  };
};

const opening = (access: AwsAccess, options: ClientOptions) =>
  sdkClient(
    () => import('./sdk.ts'),
    (sdk, settings) => new sdk.LambdaClient(settings),
    access,
    options,
  );

/** Errors of parsers quote what they read, so they go no further. */
const payloadJson = (payload: Uint8Array = new Uint8Array()): unknown =>
  jsonOrUndefined(Buffer.from(payload).toString('utf8'));
