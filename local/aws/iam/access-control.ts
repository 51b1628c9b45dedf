import { ACCOUNT_ID } from '../account.ts';
import { type Evaluate, evaluator, roleArn } from './evaluate.ts';
import type { KeyUse } from './key-use.ts';
import type { Access, AccountPolicies } from './policy.ts';

export type Wanted = Access | KeyUse;

export interface Use {
  readonly caller: string;
  readonly sid: string;
  readonly action: string;
}

export interface Denial {
  readonly caller: string;
  readonly action: string;
  readonly resource: string;
}

export interface AccessControl {
  /** Before the first call of this, everybody may do everything. */
  enforce(policies: AccountPolicies): void;
  isUnrestricted(caller: string): boolean;
  /** Whether all of it is allowed. Denials are not recorded. */
  permits(caller: string, wanted: readonly Wanted[]): boolean;
  /** @returns the message of the denial; undefined if all of it is allowed */
  denial(caller: string, wanted: readonly Wanted[]): string | undefined;
  uses(): readonly Use[];
  /** Denials so far. Taking them forgets them, as denials that were meant. */
  takeDenials(): readonly Denial[];
}

/** Context of every request. Loopback counts as the TLS of AWS. */
const EVERYWHERE = { 'aws:SecureTransport': 'true', 'aws:PrincipalAccount': ACCOUNT_ID };

/** Holds callers to policies. It is asked for every call, so it compiles the policies once. */
export const openAccessControl = (): AccessControl => {
  let policies: AccountPolicies | undefined;
  let evaluate: Evaluate | undefined;
  const uses = new Map<string, Set<string>>();
  let denials: Denial[] = [];

  const isUnrestricted = (caller: string) =>
    policies === undefined || policies.administrators.includes(caller);

  const accessOf = (wanted: Wanted): Access | undefined => {
    if (!('keyOf' in wanted)) return wanted;
    const resource = policies?.encryptedWith[wanted.keyOf];
    // Keys that AWS owns may be used by everybody.
    return resource === undefined ? undefined : { ...wanted, resource };
  };

  const firstDenied = (caller: string, wanted: readonly Wanted[]) => {
    if (isUnrestricted(caller)) return undefined;
    for (const one of wanted) {
      const access = accessOf(one);
      if (!access) continue;
      const decision = evaluate?.(caller, {
        ...access,
        context: { ...EVERYWHERE, 'aws:PrincipalArn': roleArn(caller), ...access.context },
      });
      if (!decision?.allowed) return { access, because: decision?.because };
      for (const { sid } of decision.by) used(uses, caller, `${sid} ${access.action}`);
    }
    return undefined;
  };

  return {
    enforce: (given) => {
      evaluate = evaluator(given);
      policies = given;
    },
    isUnrestricted,
    permits: (caller, wanted) => firstDenied(caller, wanted) === undefined,
    denial: (caller, wanted) => {
      const denied = firstDenied(caller, wanted);
      if (!denied) return undefined;
      const { action, resource } = denied.access;
      denials.push({ caller, action, resource });
      const user = `arn:aws:sts::${ACCOUNT_ID}:assumed-role/${caller}/${caller}`;
      return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${denied.because}`;
    },
    uses: () =>
      [...uses].flatMap(([caller, statements]) =>
        [...statements].map((statement) => {
          const [sid = '', action = ''] = statement.split(' ');
          return { caller, sid, action };
        }),
      ),
    takeDenials: () => {
      const taken = denials;
      denials = [];
      return taken;
    },
  };
};

const used = (uses: Map<string, Set<string>>, caller: string, statement: string): void => {
  const known = uses.get(caller);
  if (known) known.add(statement);
  else uses.set(caller, new Set([statement]));
};
