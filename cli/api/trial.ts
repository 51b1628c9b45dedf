import type { Api, RequestHeaders } from './api.ts';
import type { AnswerOf, BodyOf } from '../../console/src/api/operation.ts';

type Trial = 'POST /deployments/{slug}/tools/{name}/test';

/** @param seen - headers of `present`, read before the decision @throws Failure `stale` if the server has changed */
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
    // An ETag that never matches, in case `seen` has none.
    headers: { 'if-match': '""', ...seen },
  });
