import {
  applicableCredentials,
  type NamedCredential,
  namedCredentials,
  namedRef,
} from '../../../credentials/rules/deployment-credential.ts';
import { isPerCaller, tokenFingerprint } from '../../../connections/rules/token-source.ts';
import { type ConnectedKind, isConnectedKind } from '../../../target/rules/credential.ts';
import { trustOf } from '../../../target/rules/target.ts';
import type { Fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { ConnectionsPorts } from '../../../connections/ports.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { CallCredentials, Caller, HeldCredential, Sender } from '../rpc-call.ts';

export const credentialsOf = (
  { connectedTokens, credentials }: Pick<ConnectionsPorts, 'connectedTokens' | 'credentials'>,
  deployment: Deployment,
  caller: Caller,
  sender: Sender,
): CallCredentials => {
  const all = namedCredentials(deployment);
  const held = new Map<string, Promise<HeldCredential>>();
  const use = { user: caller.subject, ...sender };
  const bearer = caller.kind === 'holder' ? caller.bearer : undefined;

  const token = async (
    one: NamedCredential,
    kind: ConnectedKind,
    not?: Fingerprint,
  ): Promise<HeldCredential> => {
    const [name, described] = one;
    const ref = namedRef(deployment, one);
    const perCaller = isPerCaller(described);
    const credential = await connectedTokens.find({
      ref,
      kind,
      use,
      perCaller,
      bearer,
      not,
      trust: trustOf(deployment),
    });
    const renewed = () => token(one, kind, tokenFingerprint(credential));
    return { name, described, credential, renewed };
  };
  const find = async (one: NamedCredential): Promise<HeldCredential> => {
    const [name, described] = one;
    const ref = namedRef(deployment, one);
    if (ref.from === 'connections' && isConnectedKind(described.type)) {
      return token(one, described.type);
    }
    return { name, described, credential: await credentials.find(ref, use) };
  };
  const once = (one: NamedCredential): Promise<HeldCredential> => {
    const found = held.get(one[0]) ?? find(one);
    held.set(one[0], found);
    return found;
  };
  return {
    of: async (operation) => {
      const wanted = operation
        ? applicableCredentials(all, operation, ([, described]) => described)
        : all;
      return Promise.all(wanted.map(once));
    },
    // Both stores are asked: a credential that changed its kind may be cached in each.
    held: () =>
      all.flatMap(([name, described]) => {
        const ref = { deploymentId: deployment.id, name };
        return [
          ...credentials.held(ref),
          ...connectedTokens.held({ ref, use, perCaller: isPerCaller(described), bearer }),
        ];
      }),
  };
};
