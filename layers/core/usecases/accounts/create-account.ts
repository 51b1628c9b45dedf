import { canonicalEmail } from '../../domain/accounts/email.ts';
import { alreadyRegisteredLetter, verificationLetter } from '../../domain/accounts/mails.ts';
import { readName, signUpFindings } from '../../domain/accounts/sign-up.ts';
import type { User } from '../../domain/accounts/user.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { changeUser } from './change-user.ts';
import { countRequest, type CountRequestPorts } from './count-request.ts';
import { resetPage, verificationLink } from './mail-tokens.ts';

export type CreateAccountPorts = CountRequestPorts &
  Pick<Ports, 'mailer' | 'mailTokens' | 'mint' | 'passwords' | 'settings' | 'users'>;

export interface SignUp {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  /** As the gateway saw it. */
  readonly sourceIp: string;
}

/**
 * Makes an account that is of no use until its e-mail is confirmed. Nobody can tell by the answer
 * or its time whether there was one: one hash is made and one mail is sent, always.
 *
 * Until an address is confirmed, anybody may sign up with it, so each mail confirms the password of
 * its own sign-up.
 *
 * @throws ApiRefusal rate_limited, invalid_request
 *
 * Source: management-api.md; D28.
 */
export const createAccount = async (ports: CreateAccountPorts, sent: SignUp): Promise<void> => {
  const { mailer, passwords, settings, users } = ports;
  await countRequest(ports, 'account_requests_per_hour_per_ip', sent.sourceIp);
  const email = canonicalEmail(sent.email);
  const findings = signUpFindings(email, sent.password);
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'The account cannot be made so.', findings);
  }

  const [existing, passwordHash] = await Promise.all([
    users.findByEmail(email),
    passwords.hash(sent.password),
  ]);
  const user = await unverifiedUser(ports, existing, { email, passwordHash, name: sent.name });
  const letter = user
    ? verificationLetter(await verificationLink(ports, user, passwordHash))
    : alreadyRegisteredLetter(resetPage(settings));
  await mailer.send({ to: email, ...letter });
};

interface Wanted {
  readonly email: string;
  readonly passwordHash: string;
  readonly name: string | undefined;
}

/** @returns undefined if the address has a confirmed account, which is left as it is */
const unverifiedUser = async (
  ports: CreateAccountPorts,
  existing: User | undefined,
  { email, passwordHash, name }: Wanted,
): Promise<User | undefined> => {
  const { clock, mint, users } = ports;
  const chosen = { passwordHash, ...readName(name) };
  if (existing?.emailVerified) return undefined;
  if (existing) {
    return changeUser(ports, existing, (user) =>
      user.emailVerified ? user : { ...user, ...chosen },
    );
  }

  const user: User = {
    ...chosen,
    id: mint.id(),
    email,
    emailVerified: false,
    plan: 'free',
    signedOutAt: 0,
    createdAt: clock.now(),
    revision: 1,
  };
  if (await users.create(user)) return user;
  // Somebody signed up with the same address a moment ago.
  return unverifiedUser(ports, await users.findByEmail(email), { email, passwordHash, name });
};
