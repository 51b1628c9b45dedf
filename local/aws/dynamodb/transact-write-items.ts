import { createHash } from 'node:crypto';
import { openSerial } from '../serial.ts';
import type { Json } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import { actionOf, isDynaliteError, type Item, itemSize, type Store } from './dynalite.ts';
import { openRequestTokens } from './request-tokens.ts';
import { openStaging, type StagedWrite } from './staged-writes.ts';
import { OPERATIONS, readTransaction, type TransactAction } from './transaction.ts';
import { isConditionFailure, itemOnFailure } from './write-item.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Writes up to 100 items of any tables, all of them or none: every condition is checked first.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems. Kinder than AWS in one thing: a write that meets
 * another one of the same item waits for it, where AWS may cancel with `TransactionConflict`. Tests inject the
 * fault `conflict` for that.
 *
 * @throws DynaliteError, AwsError
 */
export const openTransactWriteItems = (): ((store: Store, input: Json) => Promise<Json>) => {
  const tokens = openRequestTokens();
  // Transactions run one after the other: two could hold an item each and wait for the other's (deadlock).
  const serially = openSerial();

  return async (store, input) => {
    const request = createHash('sha256').update(JSON.stringify(input)).digest('base64');
    const { actions, token } = readTransaction(input, store);
    return serially('transactions', async () => {
      if (token !== undefined && tokens.isCompleted(token, request)) return {};

      const canceled = await write(store, actions);
      if (token !== undefined) tokens.remember(token, request, canceled === undefined);
      if (canceled) throw canceled;
      return {};
    });
  };
};

/** @returns why nothing was written, if a condition or a value of an action is to blame */
const write = async (
  store: Store,
  actions: readonly TransactAction[],
): Promise<AwsError | undefined> => {
  const staging = openStaging(store);
  const tried: Tried[] = [];
  let refused: AwsError | undefined;
  let written: Promise<void>;
  try {
    for (const action of actions) {
      const staged = await staging.stage(actionOf(OPERATIONS[action.kind]), action.data);
      tried.push({ ...action, staged });
    }
    const reasons = tried.map(reasonOf);
    checkSize(tried.map(itemOf));
    if (reasons.some(({ Code }) => Code !== 'None')) refused = canceled(reasons);
    const effective = tried.filter(({ kind }) => !refused && kind !== 'ConditionCheck');
    // Awaited even without writes: the item that made a condition fail may still be on its way to the disk.
    written = store.db.batch(effective.flatMap(({ staged }) => staged.writes));
  } finally {
    staging.release();
  }
  await written;
  return refused;
};

interface Tried extends TransactAction {
  readonly staged: StagedWrite;
}

interface CancellationReason {
  readonly Code:
    | 'None'
    | 'ConditionalCheckFailed'
    | 'ThrottlingError'
    | 'TransactionConflict'
    | 'ValidationError';
  readonly Message?: string;
  readonly Item?: Item;
}

/** @throws errors that end the whole request, such as that of an unknown table */
const reasonOf = ({ data, staged }: Tried): CancellationReason => {
  const { error } = staged;
  if (!error) return { Code: 'None' };
  if (!isDynaliteError(error)) throw error;
  const { __type, message: Message = '' } = error.body;
  if (isConditionFailure(error)) {
    return { Code: 'ConditionalCheckFailed', Message, ...itemOnFailure(staged, data) };
  }
  // An empty key is refused like a malformed request.
  if (!__type.endsWith('#ValidationException') || /contain an empty/.test(Message)) throw error;
  return { Code: 'ValidationError', Message };
};

export const canceled = (reasons: readonly CancellationReason[]) =>
  new AwsError(
    'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
      `[${reasons.map(({ Code }) => Code).join(', ')}]`,
    400,
    { CancellationReasons: reasons },
  );

/** The item that counts towards the size of the transaction: the one written, or the key of one checked. */
const itemOf = ({ data, staged }: Tried): Item => {
  const last = staged.writes.at(-1);
  return last?.type === 'put' ? last.value : ((data['Item'] ?? data['Key']) as Item);
};

const checkSize = (items: readonly Item[]): void => {
  const bytes = items.reduce((sum, item) => sum + itemSize(item), 0);
  if (bytes <= MAX_BYTES) return;
  throw new AwsError(
    'ValidationException',
    `Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`,
  );
};
