/**
 * The update by which one caller of any number takes an item. It names the caller, so that a
 * repetition after a lost answer is no second caller.
 *
 * @param taker - unique to this call
 */
export const taking = (taker: string) => ({
  UpdateExpression: 'SET taken_by = :taker',
  ConditionExpression:
    'attribute_exists(pk) AND (attribute_not_exists(taken_by) OR taken_by = :taker)',
  ExpressionAttributeValues: { ':taker': taker },
});
