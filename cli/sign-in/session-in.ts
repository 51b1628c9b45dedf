import { EXIT, Failure } from '../failure.ts';
import { jsonOf, numberOf, textOf } from '../json.ts';
import type { Session } from '../settings.ts';

export interface OpenedSession extends Session {
  readonly seconds: number;
  /** Token by which the service recognizes this machine, after a sign-in by password. */
  readonly deviceToken: string | undefined;
}

/** @param email - as typed; if undefined, the service tells it @throws Failure for an invalid answer */
export const sessionIn = (answer: unknown, startedAt: number, email?: string): OpenedSession => {
  const { access_token, expires_in, device_token, email: said } = jsonOf(answer);
  const token = textOf(access_token);
  const whose = email ?? textOf(said);
  if (!token || !whose) {
    throw new Failure(EXIT.refused, 'service_error', 'The service answered without a session.');
  }
  const seconds = numberOf(expires_in) ?? 0;
  const expiresAt = startedAt + seconds;
  return { token, email: whose, expiresAt, seconds, deviceToken: textOf(device_token) };
};
