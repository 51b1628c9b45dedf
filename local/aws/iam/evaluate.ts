import { ACCOUNT_ID } from '../account.ts';
import type { Access, AccountPolicies } from './policy.ts';
import type { CompiledStatement } from './statement.ts';
import { statementsOf, type Statements } from './statements.ts';

interface Decision {
  readonly allowed: boolean;
  readonly by: readonly CompiledStatement[];
  readonly because: string;
}

export type Evaluate = (caller: string, access: Access) => Decision;

export const roleArn = (caller: string): string => `arn:aws:iam::${ACCOUNT_ID}:role/${caller}`;

/** Principals by which a key's policy leaves the decision to the policies of roles. */
const ACCOUNT = [ACCOUNT_ID, `arn:aws:iam::${ACCOUNT_ID}:root`];

/**
 * Evaluates policies of roles and of resources within one account: any Deny wins; otherwise the role's policy or
 * the resource's has to allow. A key's policy has to allow in any case, either to the role itself, which is enough,
 * or to the account, which leaves it to the role's policy.
 * Source: IAM User Guide, "Policy evaluation for requests within a single account"; AWS KMS Developer Guide,
 * "Determining access to AWS KMS keys" and "Default key policy".
 */
export const evaluator = ({ roles, resources }: AccountPolicies): Evaluate => {
  const ofRoles = compiledEach(roles);
  const ofResources = compiledEach(resources);

  return (caller, access) => {
    const own = ofRoles.get(caller)?.(access) ?? [];
    const others = ofResources.get(policyHolder(access.resource))?.(access) ?? [];
    const speakingOf = (names: readonly string[]) =>
      others.filter(({ principals = [] }) => principals.some((one) => names.includes(one)));
    const direct = speakingOf([roleArn(caller), '*']);
    const delegated = speakingOf(ACCOUNT);
    if ([...own, ...direct, ...delegated].some(({ effect }) => effect === 'Deny')) {
      return { allowed: false, by: [], because: 'with an explicit deny' };
    }
    const isKey = access.action.startsWith('kms:');
    const allowed = isKey
      ? direct.length > 0 || (delegated.length > 0 && own.length > 0)
      : direct.length > 0 || own.length > 0;
    return { allowed, by: own, because: allowed ? '' : whyNot(isKey, own, access) };
  };
};

const compiledEach = (policies: AccountPolicies['roles']): ReadonlyMap<string, Statements> =>
  new Map(Object.entries(policies).map(([name, policy]) => [name, statementsOf(policy)]));

const whyNot = (isKey: boolean, own: readonly unknown[], { action }: Access): string =>
  isKey && own.length > 0
    ? `because no resource-based policy allows the ${action} action`
    : `because no identity-based policy allows the ${action} action`;

/** ARN of the resource whose policy applies: of an object, its bucket. */
const policyHolder = (arn: string): string =>
  arn.startsWith('arn:aws:s3:::') ? arn.split('/', 1)[0]! : arn;
