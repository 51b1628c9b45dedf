import { useMemo } from 'preact/hooks';
import { ButtonLink } from '../../../kit/button.tsx';
import { readAll } from '../../../api/pages-of.ts';
import { Note } from '../../../kit/notice.tsx';
import { Empty, Show } from '../../../kit/show.tsx';
import { count, numbered } from '../../../kit/words.ts';
import { useLoad } from '../../../state/load.ts';
import { useQuery } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { HiddenTools, SecretTools } from './hidden-tools.tsx';
import { NextSteps } from './next-steps.tsx';
import { ToolDetail } from './tool-detail.tsx';
import type { Tool } from './tool.ts';
import { ToolList } from './tool-list.tsx';

/** Every tool: its size, who takes it, what was changed; tried and changed here. */
export const Page = () => {
  const { server } = useServer();
  const { slug, version } = server;
  const tools = useLoad<readonly Tool[]>(`tools:${slug}:${version}`, (show) =>
    readAll('GET /deployments/{slug}/tools', { path: { slug } }, { come: show }),
  );
  return (
    <>
      <NextSteps />
      {server.tool_mode === 'search' && (
        <Note>
          <p>
            Clients are shown three tools that search, describe and call these{' '}
            {count(server.tool_count, 'operation')}.
          </p>
        </Note>
      )}
      <Show loaded={tools}>
        {(all) =>
          all.length === 0 && !tools.loading ? (
            <Empty title="No tool is offered">
              <p>Every operation is hidden or left out. Show one again below, or choose others.</p>
            </Empty>
          ) : (
            <>
              <SecretTools tools={all} />
              <Tools tools={all} isWhole={!tools.loading} />
            </>
          )
        }
      </Show>
      <HiddenTools />
      <p class="buttons">
        <ButtonLink to={`/servers/${slug}/tools/edit`}>Edit many tools</ButtonLink>
        <ButtonLink to={`/servers/${slug}/versions?choose=yes`}>Choose operations</ButtonLink>
      </p>
    </>
  );
};

const Tools = ({
  tools,
  isWhole,
}: {
  readonly tools: readonly Tool[];
  readonly isWhole: boolean;
}) => {
  const [find, setFind] = useQuery('find');
  const [only, setOnly] = useQuery('only');
  const [name] = useQuery('tool');
  const found = useMemo(() => filtered(tools, find, only), [tools, find, only]);
  const tool = tools.find((one) => one.name === name);
  const tokens = useMemo(() => tools.reduce((sum, one) => sum + one.tokens, 0), [tools]);
  return (
    <div class={`split${name === '' ? '' : ' open'}`}>
      <section class="split-list" aria-label="Tools">
        <input
          type="search"
          aria-label="Find a tool"
          placeholder="Find by name, path or words"
          value={find}
          onInput={(event) => setFind(event.currentTarget.value)}
        />
        <div class="filters">
          <p class="small soft counted" aria-live="polite">
            {found.length === tools.length
              ? count(tools.length, 'tool')
              : `${numbered(found.length)} of ${count(tools.length, 'tool')}`}
            {isWhole ? `, about ${numbered(tokens)} tokens` : ', loading more…'}
          </p>
          <select
            aria-label="Show"
            value={only}
            onChange={(event) => setOnly(event.currentTarget.value)}
          >
            <option value="">In order</option>
            <option value="large">Largest first</option>
            <option value="changed">Changed from the description</option>
            <option value="refused">Refused by a model API</option>
          </select>
        </div>
        {found.length === 0 ? (
          <p class="soft">No tool is like that. Try fewer letters.</p>
        ) : (
          <ToolList tools={found} chosen={name} />
        )}
      </section>
      <section class="split-detail" aria-label="Tool">
        {tool ? (
          <ToolDetail key={tool.name} tool={tool} />
        ) : (
          <Empty title={name === '' || !isWhole ? 'Choose a tool' : `There is no tool “${name}”`}>
            <p>You see what a model reads of it, try it with real arguments, and change it.</p>
          </Empty>
        )}
      </section>
    </div>
  );
};

const filtered = (tools: readonly Tool[], find: string, only: string): readonly Tool[] => {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const found = tools.filter((tool) => {
    if (only === 'changed' && tool.notes.length === 0) return false;
    if (only === 'refused' && tool.refused_by.length === 0) return false;
    const text = `${tool.name} ${tool.method} ${tool.path} ${tool.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return only === 'large' ? found.toSorted((one, other) => other.tokens - one.tokens) : found;
};
