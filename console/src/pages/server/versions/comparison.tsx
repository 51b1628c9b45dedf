import { useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { Button } from '../../../kit/button.tsx';
import { Command } from '../../../kit/copy.tsx';
import { Select } from '../../../kit/form.tsx';
import { Show } from '../../../kit/show.tsx';
import { useLoad } from '../../../state/load.ts';
import { DifferenceList } from '../difference.tsx';

interface ComparisonProps {
  readonly slug: string;
  /** Newest first, two at least. */
  readonly versions: readonly number[];
}

export const Comparison = ({ slug, versions }: ComparisonProps) => {
  const [chosen, setChosen] = useState<{ readonly before: string; readonly after: string }>();
  const { before = '', after = '' } = chosen ?? {};
  const compared = useLoad(chosen && `difference:${slug}:${before}:${after}`, async () => {
    const path = { slug, version: after };
    const query = { from: before };
    return (await call('GET /deployments/{slug}/versions/{version}/difference', { path, query }))
      .body;
  });
  if (!chosen) {
    const [newest, next] = versions.map(String);
    if (newest === undefined || next === undefined) return null;
    return (
      <Button onClick={() => setChosen({ before: next, after: newest })}>Compare versions</Button>
    );
  }
  const options = versions.map((one) => [String(one), `Version ${one}`] as const);
  return (
    <div class="looked">
      <div class="columns two">
        <Select
          label="From"
          value={before}
          options={options}
          onValue={(version) => setChosen({ before: version, after })}
        />
        <Select
          label="To"
          value={after}
          options={options}
          onValue={(version) => setChosen({ before, after: version })}
        />
      </div>
      <div aria-live="polite">
        <Show loaded={compared}>
          {(difference) => (
            <>
              <p>
                <strong>
                  {difference.breaking
                    ? `A call that works with version ${before} may fail with version ${after}.`
                    : `Every call that works with version ${before} works with version ${after}.`}
                </strong>
              </p>
              <DifferenceList difference={difference} />
            </>
          )}
        </Show>
      </div>
      <Command lines={`npx --no-install hosted-mcp diff ${slug} ${before} ${after}`} />
    </div>
  );
};
