import type { AnswerOf } from '../../../api/call.ts';

export type Tool = AnswerOf<'listTools'>['items'][number];
