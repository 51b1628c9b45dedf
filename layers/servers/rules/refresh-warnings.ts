import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Deployment } from './deployment.ts';

/** What is in the way of fetching a description again. */
export const refreshWarnings = ({
  refresh,
  publication: { sourceUrl },
}: Pick<Deployment, 'publication' | 'refresh'>): readonly Finding[] =>
  refresh === 'off' || sourceUrl !== undefined
    ? []
    : [
        {
          where: '/refresh',
          what: 'the description was sent, so that there is no address to fetch it from again',
          hint: 'Publish it by its address (`openapi_url`), or switch this off.',
        },
      ];
