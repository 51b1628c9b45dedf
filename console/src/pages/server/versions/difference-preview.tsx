import { call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { jsonBody } from '../../../api/packed.ts';
import { ProblemNote } from '../../../kit/notice.tsx';
import { Progress } from '../../../kit/progress.tsx';
import { useLoad } from '../../../state/load.ts';
import { DifferenceList } from '../difference.tsx';
import { useServer } from '../frame.tsx';

/** What a description would change, with the choices that hold now; nothing is published by it. */
export const DifferencePreview = ({
  of,
}: {
  readonly of: () => Promise<{ readonly openapi: string }>;
}) => {
  const { slug } = useServer().server;
  const looked = useLoad<AnswerOf<'POST /descriptions'>>('', async () => {
    const raw = await jsonBody({ ...(await of()), deployment: slug });
    return (await call('POST /descriptions', { raw })).body;
  });
  const { difference } = looked.value ?? {};
  return (
    <div class="looked">
      <ProblemNote problem={looked.problem} onRetry={looked.reload} />
      {looked.loading && <Progress what="Looking what would differ…" />}
      {!looked.loading && difference && (
        <>
          <p>
            <strong>
              {difference.breaking
                ? 'A call that works now may fail then.'
                : 'Every call that works now works then.'}
            </strong>
          </p>
          <DifferenceList difference={difference} slug={slug} />
        </>
      )}
    </div>
  );
};
