import { asciiLowerCase } from '../../platform/rules/text.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';

/**
 * Whom usage of a plan is kept for: a hash of the e-mail, not the account, so that an account that is
 * removed and made again has used what it has used.
 *
 * Source: docs/decisions/limits.md, "Quotas".
 */
export const usageSubject = (email: string): string => fingerprint(asciiLowerCase(email));

/** What a deployment says of its owner. */
interface Owned {
  readonly ownerId: string;
  readonly ownerUsage?: string;
}

/** For the owner of a deployment. */
export const ownerUsageSubject = ({ ownerId, ownerUsage = ownerId }: Owned): string => ownerUsage;

/** For all external subjects of an owner's deployments together: who chooses subjects could make any number. */
export const externalUsageSubject = (owned: Owned): string =>
  `${ownerUsageSubject(owned)}#external`;
