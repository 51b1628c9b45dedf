import * as z from 'zod/mini';
import { type AwsAccess, type ClientOptions, sdkClient } from '../aws/access.ts';
import { jsonOrUndefined } from '../rules/json/parsed-json.ts';

export type Invoked<Answer> =
  | { readonly answer: Answer }
  | { readonly problem: 'failed' | 'gave no readable answer' };

/** Invokes a function by ARN or `name:alias` and validates the answer; throws the errors of the SDK. */
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

/** Invokes a function asynchronously; resolves when Lambda has accepted the event, throws the errors of the SDK. */
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

/** Undefined instead of a parser's error, which would quote the payload. */
const payloadJson = (payload: Uint8Array = new Uint8Array()): unknown =>
  jsonOrUndefined(Buffer.from(payload).toString('utf8'));
