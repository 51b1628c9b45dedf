import type { AnswerOf } from '../../../api/operation.ts';

export type Tool = AnswerOf<'GET /deployments/{slug}/tools'>['items'][number];
