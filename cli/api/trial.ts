import type { Api, RequestHeaders } from './api.ts';
import type { AnswerOf, BodyOf } from '../../console/src/api/operation.ts';

type Trial = 'POST /deployments/{slug}/tools/{name}/test';

/**
 * Calls a tool of a server that was looked at: nothing is sent to the API once it is another one.
 *
 * @param seen - headers of `present` of the server, which was read before anything was decided about the call
 * @throws Failure, `stale` where the server has changed since
 */
export const tryTool = (
  api: Api,
  {
    slug,
    tool,
    seen,
  }: { readonly slug: string; readonly tool: string; readonly seen: RequestHeaders },
  json: BodyOf<Trial>,
): Promise<AnswerOf<Trial>> =>
  api.call('POST /deployments/{slug}/tools/{name}/test', {
    path: { slug, name: tool },
    json,
    // Without a tag of what was looked at: one that matches nothing.
    headers: { 'if-match': '""', ...seen },
  });
