import { type KnownNames, passwordFault, TOO_EASY } from '../rules/password-rules.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../ports.ts';
import type { PlatformSettings } from '../../platform/ports.ts';

type CheckPasswordPorts = Pick<AccountsPorts, 'commonPasswords'> & {
  readonly settings: PlatformSettings;
};

/**
 * Faults of a chosen password. The list of common passwords is read last, since it is large.
 * Source: docs/decisions/accounts.md, "Passwords".
 */
export const passwordFindings = async (
  { commonPasswords, settings }: CheckPasswordPorts,
  password: string,
  email: KnownNames['email'],
): Promise<readonly Finding[]> => {
  const { host } = new URL(settings.baseUrl);
  const fault =
    passwordFault(password, { email, host }) ??
    ((await commonPasswords.has(password)) ? TOO_EASY : undefined);
  return fault ? [{ where: '/password', ...fault }] : [];
};

/** @throws ApiRefusal invalid_request */
export const checkPassword = async (
  ports: CheckPasswordPorts,
  password: string,
  email: string,
): Promise<void> => {
  const findings = await passwordFindings(ports, password, email);
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'The password cannot be used.', findings);
  }
};
