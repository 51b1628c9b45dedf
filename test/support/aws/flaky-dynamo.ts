import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Loses answers after the work is done, as a network does: the SDK then sends the request again. */
export const losingAnswers = (
  dynamo: DynamoDBDocumentClient,
  { to, times = 1 }: { readonly to: string; readonly times?: number },
): DynamoDBDocumentClient => {
  let left = times;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const answer = await next(request);
        if (commandName !== `${to}Command` || left === 0) return answer;
        left -= 1;
        throw Object.assign(new Error('the answer was lost'), { name: 'TimeoutError' });
      },
    { step: 'deserialize', priority: 'high' },
  );
  return dynamo;
};

/** Dies before its `nth` call, counted from 1, as a function does that is killed there. */
export const dyingBefore = (
  dynamo: DynamoDBDocumentClient,
  nth: number,
): DynamoDBDocumentClient => {
  let calls = 0;
  dynamo.middlewareStack.add(
    (next) => async (input) => {
      calls += 1;
      if (calls >= nth) throw Object.assign(new Error('killed here'), { name: 'Killed' });
      return next(input);
    },
    { step: 'initialize', priority: 'high' },
  );
  return dynamo;
};

/** Lets something happen right before its first call whose input says `part`: a race that is always lost. */
export const overtakenBefore = (
  dynamo: DynamoDBDocumentClient,
  part: string,
  event: () => Promise<unknown>,
): DynamoDBDocumentClient => {
  let over = false;
  dynamo.middlewareStack.add(
    (next) => async (request) => {
      if (!over && JSON.stringify(request.input).includes(part)) {
        over = true;
        await event();
      }
      return next(request);
    },
    { step: 'initialize', priority: 'high' },
  );
  return dynamo;
};
