import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { AnswerOf, BodyOf } from '../api/operation.ts';
import { jsonBody } from '../api/packed.ts';
import type { Finding } from '../api/problem.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { sentence } from '../kit/form.tsx';

type Server = AnswerOf<'GET /deployments/{slug}'>;
type Wanted = Extract<BodyOf<'POST /descriptions'>, { deployment?: unknown }>;

/** What strangers could newly do; the API is asked only if they could call. @param server - undefined for a new one */
export const exposuresOf = async (
  server: Server | undefined,
  wanted: Wanted,
): Promise<readonly Finding[]> => {
  if (!isOpen({ ...server, ...wanted })) return [];
  const raw = await jsonBody({ ...wanted, ...(server && { deployment: server.slug }) });
  const { body } = await call('POST /descriptions', { raw });
  return body.exposures;
};

const isOpen = ({
  mcp_auth_method: method = 'oauth',
  access,
}: Pick<Wanted, 'mcp_auth_method' | 'access'>): boolean =>
  method === 'none' ||
  (method === 'oauth' &&
    (access?.mode === 'any_user' ||
      (access?.mode === 'allow_list' && (access.domains ?? []).length > 0)));

interface OpeningQuestion {
  /** Asks only if there are exposures. @returns whether the person agrees */
  agreed(exposures: readonly Finding[]): Promise<boolean>;
  readonly dialog: preact.ComponentChildren;
}

/** Asks before strangers get access, and shows what they could do. */
export const useOpeningQuestion = (action: string): OpeningQuestion => {
  const [asked, setAsked] = useState<{
    readonly exposures: readonly Finding[];
    answer(agrees: boolean): void;
  }>();
  return {
    agreed: (exposures) =>
      exposures.length === 0
        ? Promise.resolve(true)
        : new Promise((resolve) =>
            setAsked({
              exposures,
              answer: (agrees) => {
                setAsked(undefined);
                resolve(agrees);
              },
            }),
          ),
    dialog: asked && (
      <Dialog title="Let in people you do not know?" onClose={() => asked.answer(false)}>
        {asked.exposures.map(({ what, hint }, index) => (
          <p key={index}>{sentence(capitalized(what), hint)}</p>
        ))}
        <div class="buttons">
          <Button kind="danger" onClick={() => asked.answer(true)}>
            {action}
          </Button>
          <Button onClick={() => asked.answer(false)}>Cancel</Button>
        </div>
      </Dialog>
    ),
  };
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
