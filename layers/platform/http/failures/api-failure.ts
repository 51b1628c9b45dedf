import { type Failure, failure } from '../errors.ts';
import { problem } from './problem.ts';
import type { Headers, HttpReply } from '../reply.ts';

/** Answers with problem documents. Source: RFC 9457; docs/decisions/management.md, "Errors of the management API". */
export const apiFailure = (error: unknown): Failure => {
  const failed = failure(error);
  return { ...failed, reply: problemOf(failed) };
};

/** Refusals of the API itself are problem documents already. */
const problemOf = ({ reply, outcome, description }: Failure): HttpReply =>
  reply.headers['content-type'] === 'application/problem+json'
    ? reply
    : problem(reply.statusCode, outcome, description, {
        headers: kept(reply.headers),
      });

const KEPT = ['retry-after', 'allow'];

const kept = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.includes(name)));
