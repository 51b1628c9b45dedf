/**
 * The update by which one caller of any number claims an item. It names the caller, so that a
 * repetition after a lost answer is no second caller.
 *
 * @param claimant - unique to this call
 */
export const claimUpdate = (claimant: string) => ({
  UpdateExpression: 'SET claimedBy = :claimant',
  ConditionExpression:
    'attribute_exists(pk) AND (attribute_not_exists(claimedBy) OR claimedBy = :claimant)',
  ExpressionAttributeValues: { ':claimant': claimant },
});
