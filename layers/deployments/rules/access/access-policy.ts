import * as z from 'zod/mini';
import { asciiLowerCase } from '../../../platform/rules/text.ts';
import type { ValueOf } from '../../../platform/rules/shape.ts';
import type { McpAuthMethod } from '../auth-methods.ts';
import type { ServingSettings } from '../settings.ts';

/** A user whose e-mail address has been verified. */
export interface Person {
  readonly userId: string;
  readonly email: string;
}

const entries = z.array(z.string());

/** Who may use a deployment besides its owner. Source: docs/decisions/accounts.md, "Who may use a deployment". */
export const AccessPolicy = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('owner') }),
  z.object({ mode: z.literal('allow_list'), emails: entries, domains: entries }),
  z.object({ mode: z.literal('any_user') }),
]);
export type AccessPolicy = ValueOf<typeof AccessPolicy>;

export const ACCESS_MODES = AccessPolicy.def.options.map(
  ({ shape: { mode } }) => mode.def.values[0],
) as [AccessPolicy['mode'], ...AccessPolicy['mode'][]];

/**
 * Whether a person may use a deployment. The owner always may. Allow lists compare whole addresses, or whole domains: a
 * subdomain is another domain. Source: docs/decisions/accounts.md, "Who may use a deployment".
 */
export const mayUse = (
  { ownerId, access }: { readonly ownerId: string; readonly access: AccessPolicy },
  { userId, email }: Person,
): boolean => {
  if (userId === ownerId) return true;
  if (access.mode === 'owner') return false;
  if (access.mode === 'any_user') return true;

  const address = addressOf(email);
  if (address === undefined) return false;
  return (
    access.domains.some((domain) => canonicalDomain(domain) === address.domain) ||
    access.emails.some((listed) => {
      const wanted = addressOf(listed);
      return wanted?.mailbox === address.mailbox && wanted.domain === address.domain;
    })
  );
};

/** Splits at the last `@`: a quoted local part may contain one. */
const addressOf = (email: string): { mailbox: string; domain: string } | undefined => {
  const at = email.lastIndexOf('@');
  const domain = canonicalDomain(email.slice(at + 1));
  if (at < 1 || domain === undefined) return undefined;
  return { mailbox: asciiLowerCase(email.slice(0, at)), domain };
};

const ASCII_DOMAIN = /^[a-z0-9._-]+$/;
/** No character that a URL parser would end the host at, or refuse. */
const HOST_ONLY = /^[^\p{Cc}\s/\\?#@:%[\]<>^|]+$/u;

/** Domain as in the DNS: a name equals its `xn--` form, but no look-alike. @returns undefined if invalid */
const canonicalDomain = (domain: string): string | undefined => {
  const plain = asciiLowerCase(domain);
  if (ASCII_DOMAIN.test(plain)) return plain;
  const url = HOST_ONLY.test(plain) ? URL.parse(`https://${plain}`) : null;
  return url?.hostname || undefined;
};

/** Whether `/docs` is public: always if calls are. Source: docs/decisions/mcp.md, "Health and docs". */
export const hasPublicDocs = ({
  authMethod,
  docs,
}: Pick<ServingSettings, 'docs'> & { readonly authMethod: McpAuthMethod }): boolean =>
  authMethod === 'none' || docs === 'public';
