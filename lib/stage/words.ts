import type * as z from 'zod';

const KINDS: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['string', 'text'],
]);

/** Messages for settings without one of their own. @returns undefined where Zod's message is better */
export const whatToWrite = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return formOf(issue) ?? withMembers(issue) ?? withKind(KINDS.get(issue.expected));
    case 'invalid_value':
      return `write ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return `write ${amount(issue.minimum, issue.origin, 'at least', 'or more')}`;
    case 'too_big':
      return `write ${amount(issue.maximum, issue.origin, 'at most', 'or less')}`;
    default:
      return undefined;
  }
};

const withKind = (kind: string | undefined): string | undefined => kind && `write ${kind}`;

/** The setting's message for wrong texts, also used for other types and missing values. */
const formOf = ({ inst }: z.core.$ZodRawIssue): string | undefined => {
  const [check] = (inst as z.core.$ZodType | undefined)?._zod.def.checks ?? [];
  const { check: kind, error } = check?._zod.def ?? {};
  const said = kind === 'string_format' ? error?.({} as never) : undefined;
  return typeof said === 'object' ? said?.message : said;
};

const withMembers = ({ inst }: z.core.$ZodRawIssue): string | undefined => {
  const def: object | undefined = (inst as z.core.$ZodType | undefined)?._zod.def;
  const members = def && 'shape' in def ? Object.keys(Object(def.shape)) : [];
  return members.length === 0 ? undefined : `write an object of ${members.join(', ')}`;
};

const amount = (bound: number | bigint, origin: string, few: string, after: string): string => {
  if (origin === 'array') return `${few} ${bound}`;
  return origin === 'string' ? `${few} ${bound} characters` : `${bound} ${after}`;
};
