import { isOrigin } from '../../platform/rules/origin.ts';
import { readDomain, readEmail } from '../rules/access/allow-list.ts';
import * as z from 'zod';

/** An entry of a list in the form that it is compared in, or an issue that says what is wrong with it. */
const entry = (read: typeof readEmail) =>
  z.string().transform((text, context) => {
    const found = read(text);
    if ('entry' in found) return found.entry;
    context.issues.push({ code: 'custom', message: found.fault, input: text });
    return z.NEVER;
  });

const MAX_ENTRIES = 1000;
/** They stand in the deployment's one item, as overrides do. */
const MAX_BYTES = 65_536;

/** Source: docs/decisions/accounts.md, "Who may use a deployment". */
export const Access = z
  .strictObject({
    mode: z.enum(['owner', 'allow_list', 'any_user']),
    emails: z.array(entry(readEmail)).max(MAX_ENTRIES).default([]),
    domains: z.array(entry(readDomain)).max(MAX_ENTRIES).default([]),
  })
  .refine(({ emails, domains }) => [...emails, ...domains].join(' ').length <= MAX_BYTES, {
    error: `More than ${MAX_BYTES} characters in all: name domains in place of addresses.`,
  })
  .transform(({ mode, ...list }) => (mode === 'allow_list' ? { mode, ...list } : { mode }));

/** Source: docs/protocol.md, "Browser clients". */
export const AllowedOrigins = z
  .array(
    z.string().max(300).refine(isOrigin, 'Give scheme and host, as in https://app.example.com.'),
  )
  .max(100);
