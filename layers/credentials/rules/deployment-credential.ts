import * as z from 'zod/mini';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { openCredential, openPart, type StoredCredential } from '../../target/rules/credential.ts';

const moment = z.int().check(z.minimum(0));

/** A credential without its value, which stands in a store of its own. */
export const DeploymentCredential = openCredential({
  /**
   * The only ones that it may be sent to; what the service sends obeys the list that is sealed with the value.
   * Absent where it was set before credentials had origins: then it is meant for none.
   */
  origins: z._default(z.array(z.string()), []),
  /** A new one each time that the credential is set. */
  version: z.string(),
  setAt: moment,
  /** When it was seen that the target refuses it, and its owner got a mail. It may take it again since. */
  refusedAt: z.exactOptional(moment),
});
export type DeploymentCredential = ValueOf<typeof DeploymentCredential>;

/** What a deployment says of its credential: everything but what is secret. */
export const describeCredential = (
  credential: StoredCredential,
  version: string,
  setAt: EpochSeconds,
): DeploymentCredential => ({
  ...openPart(credential),
  origins: credential.origins,
  version,
  setAt,
});
