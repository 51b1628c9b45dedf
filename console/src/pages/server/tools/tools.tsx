import { useMemo } from 'preact/hooks';
import { Link } from '../../../kit/button.tsx';
import { Switch } from '../../../kit/choice.tsx';
import { Badge, Empty, Message, Show } from '../../../kit/show.tsx';
import { VirtualList } from '../../../kit/virtual-list.tsx';
import { count, numbered } from '../../../kit/words.ts';
import { useList } from '../../../state/load.ts';
import { usePlace, useQuery } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { NextSteps } from '../next-steps.tsx';
import { HiddenTools, SecretTools } from './hidden-tools.tsx';
import { ToolAbout } from './tool-about.tsx';
import { ToolChange } from './tool-change.tsx';
import { ToolTrial } from './tool-trial.tsx';
import type { Tool } from './tool.ts';

export const Page = () => {
  const { slug, server, etag } = useServer();
  const tools = useList(`tools:${slug}:${etag}`, 'GET /deployments/{slug}/tools', {
    path: { slug },
  });
  return (
    <>
      <NextSteps at="tools" />
      {server.tool_mode === 'search' && (
        <Message>
          Clients are shown three tools that search, describe and call these{' '}
          {count(server.tool_count, 'operation')}.
        </Message>
      )}
      <Show loaded={tools}>
        {(all) =>
          all.length === 0 && !tools.loading ? (
            <Empty title="No tool is offered">
              <p>
                Every operation is hidden or left out. Show one again below, or{' '}
                <Link to={`/servers/${slug}/tools/choose`}>choose others</Link>.
              </p>
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
    </>
  );
};

const Tools = ({ tools, isWhole }: { tools: readonly Tool[]; isWhole: boolean }) => {
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
          <NoTool missing={isWhole ? name : ''} />
        )}
      </section>
    </div>
  );
};

const NoTool = ({ missing }: { readonly missing: string }) =>
  missing === '' ? (
    <Empty title="Choose a tool">
      <p>You see what a model reads of it, try it with real arguments, and change it.</p>
    </Empty>
  ) : (
    <Empty title={`There is no tool “${missing}”`}>
      <p>It may be hidden, have another name, or be of another version. Choose one of the list.</p>
    </Empty>
  );

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

const ROW = 56;

const ToolList = ({ tools, chosen }: { tools: readonly Tool[]; chosen: string }) => {
  const { path, query } = usePlace();
  const addressOf = (name: string) => {
    const next = new URLSearchParams(query);
    next.set('tool', name);
    return `${path}?${next}`;
  };
  return (
    <VirtualList
      items={tools}
      rowHeight={ROW}
      label="Tools"
      keyOf={({ name }) => name}
      shown={tools.findIndex(({ name }) => name === chosen)}
    >
      {(tool) => (
        <Link
          to={addressOf(tool.name)}
          class="tool-row"
          aria-current={tool.name === chosen ? 'page' : undefined}
        >
          <span class="mono name">{tool.name}</span>
          <span class="small soft tokens">{numbered(tool.tokens)} tokens</span>
          <span class="small soft path">
            {tool.method} {tool.path}
          </span>
          {tool.refused_by.length > 0 && <Badge kind="warn">refused</Badge>}
        </Link>
      )}
    </VirtualList>
  );
};

const VIEWS = [
  ['', 'What a model sees'],
  ['try', 'Test'],
  ['change', 'Change it'],
] as const;

const ToolDetail = ({ tool }: { readonly tool: Tool }) => {
  const { path, query } = usePlace();
  const [view, setView] = useQuery('view');
  const back = new URLSearchParams(query);
  back.delete('tool');
  back.delete('view');
  return (
    <>
      <p class="back small">
        <Link to={`${path}?${back}`}>Back to all tools</Link>
      </p>
      <h2 class="tool-name">{tool.name}</h2>
      <p class="soft small">
        <Badge>{tool.method}</Badge> <code>{tool.path}</code>
      </p>
      <Switch label="View" value={view} onValue={setView} options={VIEWS} />
      {view === 'try' ? (
        <ToolTrial tool={tool} />
      ) : view === 'change' ? (
        <ToolChange tool={tool} />
      ) : (
        <ToolAbout tool={tool} />
      )}
    </>
  );
};
