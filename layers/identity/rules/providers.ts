import * as z from 'zod/mini';
import { canonicalEmail, isEmail } from '../../accounts/rules/email.ts';
import { MAIL_PROVIDERS } from '../../accounts/rules/mail-providers.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import { isSlug } from '../../platform/rules/addresses.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { lookAlikeFault } from '../../platform/rules/look-alike.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { storedOf, type ValueOf } from '../../platform/rules/shape.ts';
import { address, list, text } from './members.ts';
import { Endpoints, passwordFaults, SIGN_IN_MEMBERS, SignIn, signInFaults } from './sign-in.ts';

/** Limits, since the list is stored as one DynamoDB item. */
const MAX_PROVIDERS = 20;
const MAX_BYTES = 64 * 1024;
const MAX_EXCEPTIONS = 20;

const yesOrNo = z._default(z.boolean('write true or false'), false);

/** Multi-tenant issuers of Microsoft Entra, in whose name every tenant's tokens are signed. */
const EVERY_COMPANY =
  /^https:\/\/login\.microsoftonline\.[a-z.]+\/(?:common|organizations|consumers)(?:\/|$)/;
const issuer = address.check(
  z.refine((value) => !value.includes('?'), 'write an https address without a query'),
  z.refine(
    (value) => !EVERY_COMPANY.test(value),
    'this issuer signs for every company: write the one of your tenant, with its id in place of the word',
  ),
);

const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const domain = z.string('write a domain').check(
  z.refine(
    (value) => DOMAIN.test(value) && lookAlikeFault(value, value) === undefined,
    'write a domain in lower case, such as acme.example, that looks like no other',
  ),
  z.refine(
    (value) => !MAIL_PROVIDERS.includes(value),
    'everybody can have an address there: write domains of the company alone',
  ),
);

const ID = /^[a-z][a-z0-9-]{1,31}$/;
/** `issuer`: name of a server's own group source; `command-line`: path of another sign-in page. */
const TAKEN: ReadonlySet<string> = new Set(['command-line', 'issuer']);

/** When an address from a provider counts as verified. Source: docs/access.md, "Whose address it is". */
const EMAIL_RULES = ['verified', 'edov', 'hosted_domain', 'trusted', 'never'] as const;

const exception = z
  .string('write an address')
  .check(
    z.refine(
      (value) => isEmail(value) && canonicalEmail(value) === value,
      'write an e-mail address in lower case',
    ),
  );

const Assertions = z.strictObject(
  {
    issuer: z.exactOptional(issuer),
    jwks_uri: z.exactOptional(address),
    tenant: z.exactOptional(text(256)),
    public_clients: yesOrNo,
  },
  'write an object with issuer, jwks_uri, tenant or public_clients, or {}',
);

const members = {
  id: z
    .string('write a short name')
    .check(
      z.refine(
        (value) => ID.test(value) && !TAKEN.has(value),
        'write 2 to 32 lower case letters, digits and hyphens, the first a letter; not "issuer" or "command-line"',
      ),
    ),
  name: text(100),
  issuer,
  subject_claim: z._default(text(64), 'sub'),
  email_domains: list(domain, 'domains'),
  email_rule: z._default(z.enum(EMAIL_RULES, `write one of ${EMAIL_RULES.join(', ')}`), 'verified'),
  create_accounts: yesOrNo,
  plan: z.exactOptional(z.enum(PLANS, `write one of ${PLANS.join(', ')}`)),
  deployments: z.union(
    [
      z.literal('all'),
      list(z.string('write a slug').check(z.refine(isSlug, 'write the slug of a server')), 'slugs'),
    ],
    'write "all", or a list of slugs',
  ),
  assertions: z.exactOptional(Assertions),
  sign_in: z.exactOptional(SignIn),
  passwords: z.exactOptional(z.literal('refused', 'write refused, or leave it out')),
  exceptions: z.exactOptional(list(exception, 'addresses', MAX_EXCEPTIONS)),
};

const MEMBERS = `an object with ${Object.keys(members).join(', ')}`;

const WrittenProvider = z.strictObject(
  { ...members, jwks_uri: z.exactOptional(address) },
  `write ${MEMBERS}`,
);
const KnownProvider = z.strictObject(
  { ...members, jwks_uri: address, endpoints: z.exactOptional(Endpoints) },
  `write ${MEMBERS}`,
);

export type WrittenProvider = ValueOf<typeof WrittenProvider>;

/**
 * Identity provider of a company, which operators trust to identify its users. Members are named as operators write
 * them.
 * Source: docs/access.md, "Identity providers".
 */
export type IdentityProvider = ValueOf<typeof KnownProvider>;

/** Lenient form for stored items, which other releases may have written. */
export const StoredProvider = storedOf(KnownProvider);

type Read<Provider> =
  | { readonly providers: readonly Provider[]; readonly faults?: undefined }
  | { readonly faults: readonly Finding[] };

/** Parses a list of providers as operators write it. @returns all faults, each with a JSON pointer, or the list */
export const readWrittenProviders = (value: unknown): Read<WrittenProvider> =>
  read(WrittenProvider, value);

export const readKnownProviders = (value: unknown): Read<IdentityProvider> =>
  read(KnownProvider, value);

const read = <Provider extends WrittenProvider>(
  schema: z.ZodMiniType<unknown>,
  value: unknown,
): Read<Provider> => {
  if (!Array.isArray(value)) return fault([], 'write a list of providers');
  if (value.length > MAX_PROVIDERS) return fault([], `write at most ${MAX_PROVIDERS} providers`);
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES) {
    return fault([], `write at most ${MAX_BYTES / 1024} KB`);
  }
  const found = value.map((one) => z.safeParse(schema, one));
  const faults = found.flatMap(({ error }, index) =>
    (error?.issues ?? []).map((issue) => at([index, ...issue.path], messageOf(issue))),
  );
  if (faults.length > 0) return { faults };
  const providers = found.map(({ data }) => data as Provider);
  const clashes = providers.flatMap((one, index) => [
    ...[...signInFaults(one), ...passwordFaults(one)].map(({ path, what }) =>
      at([index, ...path], what),
    ),
    ...clashesOf(one, index, providers),
  ]);
  return clashes.length > 0 ? { faults: clashes } : { providers };
};

const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys'
    ? `there is no member ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}: write ${issue.path[0] === 'sign_in' ? SIGN_IN_MEMBERS : MEMBERS}`
    : issue.message;

const at = (path: readonly PropertyKey[], what: string): Finding => ({
  where: pointerTo(...path.map(String)),
  what,
  hint: '',
});

const fault = (path: readonly PropertyKey[], what: string) => ({ faults: [at(path, what)] });

/** Values that an earlier provider of the list has too, so that it would be ambiguous whose statement counts. */
const clashesOf = (
  provider: WrittenProvider,
  index: number,
  all: readonly WrittenProvider[],
): readonly Finding[] => {
  const before = all.slice(0, index);
  const faults: Finding[] = [];
  if (before.some(({ id }) => id === provider.id)) {
    faults.push(at([index, 'id'], `another provider is called ${provider.id}: write another id`));
  }
  const taken = new Set(before.flatMap(issuersOf));
  if (issuersOf(provider).some((one) => taken.has(one))) {
    faults.push(at([index, 'issuer'], 'another provider has this issuer: leave one of them out'));
  }
  if (provider.sign_in) {
    const domains = new Set(before.flatMap((one) => (one.sign_in ? one.email_domains : [])));
    for (const [place, name] of provider.email_domains.entries()) {
      if (!domains.has(name)) continue;
      const what = `people of ${name} sign in with another provider: leave the domain to one of them`;
      faults.push(at([index, 'email_domains', place], what));
    }
  }
  return faults;
};

export const assertionIssuer = ({
  issuer: own,
  assertions,
}: Pick<WrittenProvider, 'assertions' | 'issuer'>): string => assertions?.issuer ?? own;

/** Issuers in whose name the provider makes statements. */
const issuersOf = (provider: WrittenProvider): readonly string[] => [
  provider.issuer,
  assertionIssuer(provider),
];

/** Whether assertions come from another issuer than sign-ins, and so are signed with other keys. */
export const hasOwnAssertionKeys = (
  provider: Pick<WrittenProvider, 'assertions' | 'issuer'>,
): boolean => assertionIssuer(provider) !== provider.issuer;

/** JWKS URI for assertions; undefined where none is configured. */
export const assertionKeysOf = (provider: IdentityProvider): string | undefined =>
  hasOwnAssertionKeys(provider) ? provider.assertions?.jwks_uri : provider.jwks_uri;

/** Whether any provider's assertions are accepted, which our metadata then announce. */
export const takesAssertions = (providers: readonly IdentityProvider[]): boolean =>
  providers.some(({ assertions }) => assertions !== undefined);
