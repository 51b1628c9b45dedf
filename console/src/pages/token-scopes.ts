import type { AnswerOf } from '../api/operation.ts';

export type Scope = AnswerOf<'GET /account/tokens'>['items'][number]['scope'];

const TEXTS: Readonly<Record<Scope, string>> = {
  read: 'look and plan',
  logs: 'look, and read calls and events',
  declare: 'apply declarations',
  all: 'do whatever you may do with servers',
};

export const SCOPES = Object.entries(TEXTS) as readonly (readonly [Scope, string])[];
