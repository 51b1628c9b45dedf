/** A person at the company that the demonstration plays. */
export interface DemoPerson {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly does: string;
  readonly mayLeave: boolean;
}

export const DEMO_DOMAIN = 'acme.example';

/** Source: docs/local-run.md, "A company on one machine". */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { id: 'ada', name: 'Ada', group: 'support', does: 'answers customers', mayLeave: false },
  { id: 'ben', name: 'Ben', group: 'billing', does: 'sends invoices', mayLeave: false },
  { id: 'eve', name: 'Eve', group: 'support', does: 'leaves the company today', mayLeave: true },
];

export const emailOf = ({ id }: Pick<DemoPerson, 'id'>): string => `${id}@${DEMO_DOMAIN}`;

/** What the company claims of a person. Source: OpenID Connect Core 1.0 §5.1. */
export const claimsOf = (person: DemoPerson) => ({
  sub: person.id,
  name: person.name,
  email: emailOf(person),
  email_verified: true,
  groups: [person.group],
});
