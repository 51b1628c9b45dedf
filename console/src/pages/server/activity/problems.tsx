import type { ComponentChildren } from 'preact';
import type { AnswerOf } from '../../../api/operation.ts';
import { Link } from '../../../kit/button.tsx';
import { Show } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { Time } from '../../../kit/time.tsx';
import { count, numbered } from '../../../kit/words.ts';
import { useAnswer } from '../../../state/load.ts';
import type { Range } from './range.ts';
import { reasonOf } from './reasons.ts';

type Problem = AnswerOf<'GET /deployments/{slug}/problems'>['items'][number];
type Remedy = Problem['remedies'][number];

export const Problems = ({ slug, range }: { readonly slug: string; readonly range: Range }) => {
  const problems = useAnswer(`problems:${slug}:${range.id}`, 'GET /deployments/{slug}/problems', {
    path: { slug },
    query: { since: range.sinceText },
  });
  return (
    <section>
      <h2>What went wrong</h2>
      <Show loaded={problems}>
        {({ items, calls, errors, complete }) =>
          items.length === 0 ? (
            <p class="soft">
              {complete
                ? 'Nothing: no call of a client was refused, and the API took all of them. Your trials do not count.'
                : `Nothing with the latest ${count(calls, 'call')}.`}
            </p>
          ) : (
            <>
              <Table
                label="What went wrong"
                rows={items}
                keyOf={({ tool, what, keyword = '' }) => `${tool} ${what} ${keyword}`}
                columns={[
                  [
                    'Tool',
                    ({ tool, without_tool: withoutTool }) => (
                      <>
                        <code>{tool}</code>
                        {withoutTool && <span class="means">no call of a tool</span>}
                      </>
                    ),
                  ],
                  ['What', whatOf],
                  ['Calls', (one) => numbered(one.calls), 'number'],
                  ['Callers', (one) => numbered(one.callers), 'number'],
                  ['Last', (one) => <Time at={one.last_at} />],
                  ['What helps', (one) => <Remedies slug={slug} of={one} />],
                ]}
              />
              <p class="small soft">
                {count(errors, 'call')} failed. Each counts for all that was wrong with it.
              </p>
              {!complete && <p class="small soft">Of the latest {numbered(calls)} calls.</p>}
            </>
          )
        }
      </Show>
    </section>
  );
};

const whatOf = ({ what, reason, argument }: Problem): ComponentChildren => {
  if (reason !== undefined) return reasonOf(reason).text;
  if (argument === undefined || !what.startsWith(argument)) return what;
  return (
    <>
      <code>{argument}</code>
      {what.slice(argument.length)}
    </>
  );
};

const ofTool = (tool: string): string =>
  `tools?${new URLSearchParams({ tool, view: 'change' }).toString()}`;

const LINKS: Readonly<Record<Remedy, readonly [page: (tool: string) => string, label: string]>> = {
  lenient_checks: [() => 'settings', 'Let the API decide'],
  fix_argument: [ofTool, 'Give the argument a fixed value'],
  hide_argument: [ofTool, 'Hide the argument'],
  describe_tool: [ofTool, 'Describe the tool'],
  add_keywords: [() => 'tools', 'Give a tool keywords'],
  rename_tool: [() => 'tools', 'Rename a tool'],
  hide_tool: [ofTool, 'Hide the tool'],
  overlay: [() => 'versions', 'Mend the description'],
  set_credential: [() => 'credentials', 'Look at the credential'],
};

const Remedies = ({ slug, of }: { readonly slug: string; readonly of: Problem }) => {
  const { tool, reason, remedies } = of;
  const links = remedies.map((remedy) => {
    const [page, label] = LINKS[remedy];
    return [page(tool), label] as const;
  });
  const { remedy: ofReason, advice } = reason === undefined ? {} : reasonOf(reason);
  return (
    <ul class="plain small">
      {[...links, ...(ofReason ? [ofReason] : [])].map(([page, label]) => (
        <li key={label}>
          <Link to={`/servers/${slug}/${page}`}>{label}</Link>
        </li>
      ))}
      {advice !== undefined && <li>{advice}</li>}
    </ul>
  );
};
