import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ServerProperties, ServerRequest } from '../../../cdk/provider/event.ts';
import { listening } from '../target/listening.ts';

/** What a custom resource tells. */
export interface Answer {
  readonly Status: 'SUCCESS' | 'FAILED';
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, string>>;
}

export interface StackOptions {
  /** Milliseconds that the function has. */
  readonly functionMs?: number;
  /** Every event comes twice, at once. */
  readonly delivers?: 'once' | 'twice';
}

interface Deployed {
  readonly id: string;
  readonly properties: ServerProperties;
}

/**
 * CloudFormation as a custom resource sees it: the events of one resource in their order, what is answered to them, and
 * what the stack makes of that. A resource that was replaced, or whose creation failed, is deleted by the id that it
 * told; a failed update is taken back by another to what was before.
 *
 * @param invoke - runs the function
 *
 * Source: AWS CloudFormation User Guide, "Custom resource request types" and "Stack failure options".
 */
export const startCloudFormation = async (
  invoke: (request: ServerRequest, functionMs: number) => Promise<unknown>,
) => {
  const answers = new Map<string, Answer>();
  const server = createServer(async (request, response) => {
    const answer = JSON.parse(await text(request)) as Answer & { readonly RequestId: string };
    answers.set(answer.RequestId, answer);
    response.end();
  });
  const { url, stop } = await listening(server);

  const stack = (name: string, { functionMs = 240_000, delivers = 'once' }: StackOptions = {}) => {
    let deployed: Deployed | undefined;
    const events: Answer[] = [];
    const send = async (
      RequestType: ServerRequest['RequestType'],
      ResourceProperties: ServerProperties,
      more: Partial<ServerRequest> = {},
      ms = functionMs,
    ): Promise<Answer> => {
      const RequestId = randomUUID();
      const request: ServerRequest = {
        RequestType,
        ResponseURL: `${url}/`,
        StackId: `arn:aws:cloudformation:eu-central-1:111122223333:stack/${name}/${RequestId}`,
        RequestId,
        LogicalResourceId: 'Server7A',
        ResourceProperties,
        ...more,
      };
      const times = delivers === 'twice' ? [1, 2] : [1];
      await Promise.all(times.map(() => invoke(request, ms)));
      const answer = answers.get(RequestId) ?? {
        Status: 'FAILED',
        Reason: 'Custom resource timed out',
        PhysicalResourceId: more.PhysicalResourceId ?? `${name}-Server7A-0F1E2D`,
      };
      events.push(answer);
      return answer;
    };
    const isDone = async (answer: Promise<Answer>): Promise<boolean> =>
      (await answer).Status === 'SUCCESS';
    const gone = (properties: ServerProperties, PhysicalResourceId: string) =>
      isDone(send('Delete', properties, { PhysicalResourceId }));

    /** To what was before, from what has failed or come to be. */
    const takeBack = async (before: Deployed, failed: Deployed): Promise<string> => {
      const back = await send('Update', before.properties, {
        PhysicalResourceId: failed.id,
        OldResourceProperties: failed.properties,
      });
      if (back.Status === 'FAILED') return 'UPDATE_ROLLBACK_FAILED';
      if (back.PhysicalResourceId !== failed.id) await gone(failed.properties, failed.id);
      return 'UPDATE_ROLLBACK_COMPLETE';
    };

    return {
      /** What was answered, in its order. */
      events,
      send,
      create: async (properties: ServerProperties): Promise<string> => {
        const made = await send('Create', properties);
        if (made.Status === 'SUCCESS') {
          deployed = { id: made.PhysicalResourceId, properties };
          return 'CREATE_COMPLETE';
        }
        const isGone = await gone(properties, made.PhysicalResourceId);
        return isGone ? 'ROLLBACK_COMPLETE' : 'ROLLBACK_FAILED';
      },
      /** @param fails - whether another resource of the stack fails afterwards */
      update: async (properties: ServerProperties, fails = false): Promise<string> => {
        if (!deployed) throw new Error('there is no resource');
        const before = deployed;
        const made = await send('Update', properties, {
          PhysicalResourceId: before.id,
          OldResourceProperties: before.properties,
        });
        if (made.Status === 'FAILED') return takeBack(before, { id: before.id, properties });
        const after = { id: made.PhysicalResourceId, properties };
        if (fails) return takeBack(before, after);
        deployed = after;
        if (after.id !== before.id) await gone(before.properties, before.id);
        return 'UPDATE_COMPLETE';
      },
      remove: async (): Promise<string> => {
        if (!deployed) throw new Error('there is no resource');
        const isGone = await gone(deployed.properties, deployed.id);
        return isGone ? 'DELETE_COMPLETE' : 'DELETE_FAILED';
      },
    };
  };

  return { stack, close: stop };
};
