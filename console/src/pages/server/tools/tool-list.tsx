import { Link } from '../../../kit/link.tsx';
import { Badge } from '../../../kit/show.tsx';
import { VirtualList } from '../../../kit/virtual-list.tsx';
import { numbered } from '../../../kit/words.ts';
import { usePlace } from '../../../state/location.ts';
import type { Tool } from './tool.ts';

const ROW = 56;

/** Any number of tools; what is in view is drawn. */
export const ToolList = ({
  tools,
  chosen,
}: {
  readonly tools: readonly Tool[];
  readonly chosen: string;
}) => {
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
