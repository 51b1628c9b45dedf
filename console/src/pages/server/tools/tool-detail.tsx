import { Badge } from '../../../kit/show.tsx';
import { Link } from '../../../kit/link.tsx';
import { usePlace, useQuery } from '../../../state/location.ts';
import { ToolAbout } from './tool-about.tsx';
import { ToolChange } from './tool-change.tsx';
import { ToolTrial } from './tool-trial.tsx';
import type { Tool } from './tool.ts';

const VIEWS = [
  ['', 'What a model sees'],
  ['try', 'Test'],
  ['change', 'Change it'],
] as const;

/** One tool, in three views. */
export const ToolDetail = ({ tool }: { readonly tool: Tool }) => {
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
      <div class="switch" role="group" aria-label="View">
        {VIEWS.map(([name, text]) => (
          <button
            key={name}
            type="button"
            aria-pressed={view === name}
            onClick={() => setView(name)}
          >
            {text}
          </button>
        ))}
      </div>
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
