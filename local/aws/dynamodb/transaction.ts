import type { Json } from '../wire/json.ts';
import { type Store, validated, type Validation } from './dynalite.ts';
import { type WriteOperation, writeValidation } from './write-item.ts';

export const TRANSACTION_MEMBERS = ['TransactItems', 'ClientRequestToken'];

export interface TransactAction {
  readonly kind: Kind;
  readonly data: Json;
}

export type Kind = 'ConditionCheck' | 'Put' | 'Update' | 'Delete';

/** A condition check is a delete whose effect is left out. */
export const OPERATIONS: Readonly<Record<Kind, WriteOperation>> = {
  ConditionCheck: 'DeleteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
};

/** @throws DynaliteError, AwsError for what DynamoDB refuses before it looks at any item */
export const readTransaction = (input: Json, store: Store) => {
  const data = validated(input, VALIDATION, store);
  return {
    actions: (data['TransactItems'] as readonly Json[]).map((item): TransactAction => {
      const [kind, action] = Object.entries(item)[0] as [Kind, Json];
      return { kind, data: action };
    }),
    token: data['ClientRequestToken'] as string | undefined,
  };
};

const MEMBERS = [
  'TableName',
  'Item',
  'Key',
  'UpdateExpression',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
];

const typesOf = (kind: Kind, required?: string) => {
  const { types } = writeValidation(OPERATIONS[kind]);
  const members = Object.fromEntries(
    Object.entries(types).filter(([name]) => MEMBERS.includes(name)),
  );
  return {
    type: `FieldStruct<${kind}>`,
    children: { ...members, ...(required && { [required]: { type: 'String', notNull: true } }) },
  };
};

const firstProblem: Validation['custom'] = ({ TransactItems }, store) => {
  for (const item of TransactItems as readonly (Json | null)[]) {
    const [first, ...others] = Object.entries(item ?? {}) as [Kind, Json][];
    if (!first) {
      return 'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request';
    }
    if (others.length > 0) {
      return 'TransactItems can only contain one of Check, Put, Update or Delete';
    }
    const [kind, data] = first;
    const problem = writeValidation(OPERATIONS[kind]).custom?.(data, store);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const VALIDATION: Validation = {
  types: {
    TransactItems: {
      type: 'List',
      notNull: true,
      lengthGreaterThanOrEqual: 1,
      lengthLessThanOrEqual: 100,
      children: {
        type: 'ValueStruct<TransactWriteItem>',
        children: {
          ConditionCheck: typesOf('ConditionCheck', 'ConditionExpression'),
          Put: typesOf('Put'),
          Delete: typesOf('Delete'),
          Update: typesOf('Update', 'UpdateExpression'),
        },
      },
    },
    ClientRequestToken: {
      type: 'String',
      lengthGreaterThanOrEqual: 1,
      lengthLessThanOrEqual: 36,
    },
  },
  custom: firstProblem,
};
