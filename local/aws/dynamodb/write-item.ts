import type { Json } from '../wire/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import {
  actionOf,
  isDynaliteError,
  type Store,
  validated,
  type Validation,
  validationOf,
} from './dynalite.ts';
import { openStaging, type StagedWrite } from './staged-writes.ts';

export type WriteOperation = 'PutItem' | 'UpdateItem' | 'DeleteItem';

export const writeItem =
  (operation: WriteOperation) =>
  async (store: Store, input: Json): Promise<Json> => {
    const data = validated(input, writeValidation(operation), store);
    const staging = openStaging(store);
    let staged: StagedWrite;
    let written: Promise<void>;
    try {
      staged = await staging.stage(actionOf(operation), data);
      // Awaited even without writes: the item that made the condition fail may still be on its way to the disk.
      written = store.db.batch(staged.error ? [] : staged.writes);
    } finally {
      staging.release();
    }
    await written;
    if (staged.error) throw failureOf(staged, data);
    return staged.output;
  };

/** dynalite's validation, with the one member that it does not know. */
export const writeValidation = (operation: WriteOperation): Validation => {
  const { types, custom } = validationOf(operation);
  const asked = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  return { types: { ...types, ReturnValuesOnConditionCheckFailure: asked }, custom };
};

export const isConditionFailure = (error: unknown): boolean =>
  isDynaliteError(error) && error.body.__type.endsWith('#ConditionalCheckFailedException');

export const itemOnFailure = ({ found }: StagedWrite, data: Json): Json =>
  found && data['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD' ? { Item: found } : {};

const failureOf = (staged: StagedWrite, data: Json): unknown => {
  const { error } = staged;
  if (!isDynaliteError(error) || !isConditionFailure(error)) return error;
  const { __type, message = '' } = error.body;
  return new AwsError(__type, message, error.statusCode, itemOnFailure(staged, data));
};
