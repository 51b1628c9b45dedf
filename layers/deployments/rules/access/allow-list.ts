import { lookAlikeFault } from '../../../platform/rules/look-alike.ts';
import { asciiLowerCase, shortened } from '../../../platform/rules/text.ts';
import type { Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { AccessPolicy } from './access-policy.ts';
import { MAIL_PROVIDERS } from '../../../accounts/rules/mail-providers.ts';

export type ReadEntry = { readonly entry: string } | { readonly fault: string };

/** Source: RFC 5321 §4.1.2, `Dot-string`, without quotes; §4.5.3.1.1. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const MAX_LOCAL_PART = 64;
const MAX_ADDRESS = 254;

/** Source: RFC 1123 §2.1. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_HOST_NAME = 253;
const LOCAL_HOST = 'localhost';

/** Labels in any script, without characters that IDNA drops or treats as a dot. */
const LABELS = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u;

/** Lower-cases ASCII letters alone: Unicode folding could turn one mailbox into another. */
export const readEmail = (text: string): ReadEntry => {
  if (text.length > MAX_ADDRESS) {
    return { fault: `${quoted(text)} is no e-mail address: it is too long.` };
  }
  const at = text.lastIndexOf('@');
  const local = asciiLowerCase(text.slice(0, at));
  if (at < 1)
    return { fault: `${quoted(text)} is no e-mail address: write it as ada@example.com.` };
  if (local === '*') {
    return { fault: `${quoted(text)} is no e-mail address: for everybody there write the domain.` };
  }
  if (!LOCAL_PART.test(local) || local.length > MAX_LOCAL_PART) {
    return {
      fault: `${quoted(text)} is no e-mail address: write it alone, as ada@example.com, without name, spaces and brackets.`,
    };
  }
  const domain = readDomain(text.slice(at + 1));
  return 'fault' in domain
    ? { fault: `${quoted(text)} is no e-mail address: ${domain.fault}` }
    : { entry: `${local}@${domain.entry}` };
};

/**
 * Normalizes a domain to its A-label. Refuses names that IDNA would fold and look-alikes, so that the domain let in is
 * the one that is seen. Source: RFC 5890 §2.3.2.1; RFC 1123 §2.1.
 */
export const readDomain = (text: string): ReadEntry => {
  if (text.length > MAX_HOST_NAME)
    return { fault: `${quoted(text)} is no domain: it is too long.` };
  const plain = asciiLowerCase(text);
  if (plain === LOCAL_HOST) return { entry: plain };
  const isFolded = plain !== plain.normalize('NFKC').toLowerCase();
  const ascii = LABELS.test(plain) && !isFolded ? URL.parse(`https://${plain}`)?.hostname : '';
  if (ascii && isHostName(ascii)) {
    const fault = lookAlikeFault(ascii, plain);
    return fault === undefined
      ? { entry: ascii }
      : { fault: `${quoted(text)} is refused. ${fault}` };
  }
  const hint = plain.endsWith('.')
    ? 'leave out the dot at its end.'
    : isFolded
      ? `some of its letters only look like others; if they are meant, write ${quoted(plain.normalize('NFKC').toLowerCase())}.`
      : 'write it as example.com.';
  return { fault: `${quoted(text)} is no domain: ${hint}` };
};

/** At least two labels; a name whose last one is a number would be an IP address. Source: RFC 3696 §2. */
const isHostName = (name: string): boolean => {
  const labels = name.split('.');
  return (
    name.length <= MAX_HOST_NAME &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
};

/** Warns of domains of mail providers, where anybody can get an address. */
export const accessWarnings = (access: AccessPolicy): readonly Finding[] =>
  access.mode !== 'allow_list'
    ? []
    : access.domains.flatMap((domain, index) =>
        MAIL_PROVIDERS.includes(domain)
          ? [
              {
                where: `/access/domains/${index}`,
                what: `anybody can have an address of ${domain}, which gives them to everybody`,
                hint: 'Name single addresses, unless everybody is meant.',
              },
            ]
          : [],
      );

const MAX_SHOWN = 100;

const quoted = (text: string): string => JSON.stringify(shortened(text, MAX_SHOWN));

/** Limit on addresses, and on domains. */
export const MAX_ENTRIES = 1000;
/** Limit on all entries together: they are stored in the deployment's item, as overrides are. */
export const MAX_LIST_CHARACTERS = 65_536;

export const fitsItem = (entries: readonly string[]): boolean =>
  entries.join(' ').length <= MAX_LIST_CHARACTERS;
