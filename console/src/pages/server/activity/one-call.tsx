import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Badge } from '../../../kit/show.tsx';
import { Facts } from '../../../kit/table.tsx';
import { duration, moment, numbered } from '../../../kit/words.ts';
import { reasonOf } from './reasons.ts';
import { clientOf, type ListedCall } from './series.ts';

export type Outcome = ListedCall['outcome'];

export const OUTCOMES: Readonly<
  Record<Outcome, readonly [name: string, kind: 'good' | 'warn' | 'bad']>
> = {
  ok: ['Success', 'good'],
  target_error: ['API error', 'bad'],
  no_answer: ['No response', 'bad'],
  refused: ['Rejected', 'warn'],
  unfinished: ['Unfinished', 'warn'],
};

type Shown = Pick<ListedCall, 'outcome' | 'status' | 'trial' | 'without_tool'>;

export const Result = ({ one }: { readonly one: Shown }) => {
  const { outcome, status, trial, without_tool: withoutTool } = one;
  const [name, kind] = OUTCOMES[outcome];
  return (
    <>
      {trial && <Badge>trial</Badge>} {withoutTool && <Badge>no tool</Badge>}{' '}
      <Badge kind={kind}>
        {name}
        {status !== undefined && ` ${status}`}
      </Badge>
    </>
  );
};

type Fault = NonNullable<ListedCall['faults']>[number];

interface OneCallProps {
  readonly slug: string;
  readonly shown: ListedCall;
  readonly onClose: () => void;
}

export const OneCall = ({ slug, shown, onClose }: OneCallProps) => {
  const reason = shown.reason === undefined ? undefined : reasonOf(shown.reason);
  return (
    <Dialog title={shown.tool} onClose={onClose}>
      <p>
        <Result one={shown} />
      </p>
      {shown.outcome === 'unfinished' && (
        <p>
          The call was sent, and no end of it is known. It is still under way, or this service broke
          off while the API answered: the API may have carried it out.
        </p>
      )}
      <Facts
        of={{
          When: moment(shown.at),
          Version: shown.version,
          'Status of the API': shown.status,
          Why: reason?.text,
          'Web page': code(shown.origin),
          Arguments: shown.faults?.map(faultText).join('; '),
          'Searched for': shown.words?.join(' '),
          Took: shown.outcome === 'unfinished' ? undefined : duration(shown.duration_ms),
          'Tokens of the answer': shown.answer_tokens && `about ${numbered(shown.answer_tokens)}`,
          Person: shown.email,
          Subject: code(shown.subject),
          Client: clientOf(shown),
          'Id of the client': code(shown.client_id),
          Grant: code(shown.grant_id),
          Token: code(shown.token_id),
          From: code(shown.ip),
          Request: code(shown.request_id),
          Network: code(shown.network),
          'Version of the credential': code(shown.credential_version),
        }}
      />
      <div class="buttons">
        {reason?.remedy && (
          <ButtonLink to={`/servers/${slug}/${reason.remedy[0]}`}>{reason.remedy[1]}</ButtonLink>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
};

/** `filter: type (object)` */
const faultText = ({ argument = 'in all', keyword, sent }: Fault): string =>
  `${argument}: ${keyword === 'required' || keyword === 'path' ? 'missing' : keyword}${sent === undefined ? '' : ` (${sent})`}`;

const code = (id: string | undefined): ComponentChildren => id && <code>{id}</code>;
