import { accountEvent } from '../../events/rules/service-event.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import type { AccountsPorts } from '../ports.ts';
import type { AccountTerms, Opened } from '../rules/password-terms.ts';
import type { User } from '../rules/user.ts';

type PasswordUsedPorts = Pick<
  AccountsPorts,
  'events' | 'log' | 'mailRequests' | 'random' | 'users'
>;

/**
 * Records and reports password sign-ins where company sign-in is the rule. Of a break-glass sign-in, the addresses of
 * all break-glass accounts are informed.
 * Source: docs/access.md, "Passwords".
 */
export const passwordUsed = async (
  ports: PasswordUsedPorts,
  opened: Exclude<Opened, 'nothing'>,
  user: User,
  { terms, sourceIp }: { readonly terms: AccountTerms; readonly sourceIp: string },
): Promise<void> => {
  if (opened === 'account') return;
  const isException = opened === 'exception';
  ports.events.record(
    accountEvent(
      isException ? 'password_exception_used' : 'break_glass_used',
      user,
      isException ? `an exception of ${terms.exceptionOf ?? ''}` : 'for emergencies',
      addressSubject(sourceIp),
    ),
  );
  if (isException) return;
  await afterwards(ports, 'mails of an emergency', () => mailAll(ports, terms.breakGlass, user));
};

const mailAll = async (
  { mailRequests, random, users }: PasswordUsedPorts,
  breakGlass: readonly string[],
  { email: by }: User,
): Promise<void> => {
  const found = await Promise.all(breakGlass.map((id) => users.find(id)));
  await Promise.all(
    found.flatMap((one) =>
      one
        ? [
            mailRequests.send({
              id: random.id(),
              purpose: 'break_glass_used',
              email: one.email,
              by,
            }),
          ]
        : [],
    ),
  );
};
