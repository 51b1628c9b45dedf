import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { plain } from '../../kit/plain-words.ts';
import { Badge, Findings, Message, Note } from '../../kit/show.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { count, numbered } from '../../kit/words.ts';
import { RefusedCallsNote, type Report } from '../refused-calls.tsx';
import { MODEL_APIS, type ModelApi } from '../server/tools/model-apis.ts';

export const ReportView = ({
  report,
  isTooLarge,
  onBaseUrl,
}: {
  readonly report: Report;
  /** Search mode was chosen by the console, since a list of tools would be too long. */
  readonly isTooLarge: boolean;
  readonly onBaseUrl: (url: string) => void;
}) => {
  const { totals, problems, tools_left_out: leftOut } = report;
  const { operations_left_out: notListed } = report;
  const isEmpty = totals.tools === 0;
  return (
    <>
      {problems.map((problem) => (
        <Note key={problem.code + problem.detail} kind="bad">
          <p>
            <strong>{plain(problem.detail)}</strong>
          </p>
          {problem.code === 'too_many_operations' ? (
            <p>Choose fewer below, or let clients search them: see “Tools” under 4.</p>
          ) : (
            problem.findings.length > 0 && <Findings findings={problem.findings} />
          )}
        </Note>
      ))}
      <RefusedCallsNote report={report} onBaseUrl={onBaseUrl} />
      {isTooLarge && (
        <Message>
          <strong>{count(report.operations.length + notListed, 'operation')}</strong> are too many
          for a list of tools: clients get three tools that search, describe and call them. To list
          tools instead, choose fewer operations under 3 and “A tool for each operation” under 4.
        </Message>
      )}
      <p class="row" aria-live="polite">
        {isEmpty ? (
          <Badge kind="warn">No tools</Badge>
        ) : report.tool_mode === 'search' ? (
          <Badge>3 tools that search {count(totals.tools, 'operation')}</Badge>
        ) : (
          <>
            <Badge>{count(totals.tools, 'tool')}</Badge>
            <Badge>about {numbered(totals.tokens)} tokens</Badge>
          </>
        )}
        {!isEmpty &&
          (Object.keys(MODEL_APIS) as ModelApi[]).map((api) => (
            <Verdict key={api} api={api} report={report} />
          ))}
      </p>
      <Warnings report={report} />
      <ClientLimits report={report} />
      <ToolTable report={report} />
      {leftOut > 0 && (
        <p class="soft small">
          {count(leftOut, 'more tool')} would be made; the report would be too long with them.
        </p>
      )}
      {notListed > 0 && (
        <p class="soft small">
          {count(notListed, 'more operation')} cannot be chosen one by one here; the command line
          can name them.
        </p>
      )}
    </>
  );
};

const Verdict = ({ api, report }: { readonly api: ModelApi; readonly report: Report }) => {
  const { tools, accepted_by: accepted } = report.totals;
  const refused = tools - accepted[api];
  return (
    <Badge kind={refused === 0 ? 'good' : 'warn'}>
      {refused === 0
        ? `${MODEL_APIS[api]} accepts all`
        : `${MODEL_APIS[api]} refuses ${numbered(refused)}`}
    </Badge>
  );
};

const SHOWN = 5;

const Warnings = ({ report: { warnings, publishable } }: { readonly report: Report }) => {
  const [all, setAll] = useState(false);
  if (warnings.length === 0) return null;
  return (
    <Note kind="warn">
      <p>
        <strong>{count(warnings.length, 'warning')}.</strong>
        {publishable && ' It can still be published.'}
      </p>
      <Findings findings={all ? warnings : warnings.slice(0, SHOWN)} />
      {warnings.length > SHOWN && !all && (
        <Button onClick={() => setAll(true)}>Show all {numbered(warnings.length)}</Button>
      )}
    </Note>
  );
};

const ClientLimits = ({ report: { client_limits: limits } }: { readonly report: Report }) =>
  limits.length === 0 ? null : (
    <details>
      <summary>What some clients do with these tools</summary>
      <ul class="findings">
        {limits.map(({ client, what }) => (
          <li key={client + what}>{what}</li>
        ))}
      </ul>
    </details>
  );

const ROW = 56;

const ToolTable = ({ report }: { readonly report: Report }) =>
  report.tools.length === 0 ? null : (
    <VirtualList
      items={report.tools}
      rowHeight={ROW}
      label="Tools that would be made"
      keyOf={({ name }) => name}
    >
      {(tool) => (
        <div class="tool-row" title={tool.description}>
          <span class="mono name">{tool.name}</span>
          <span class="small soft tokens">{numbered(tool.tokens)} tokens</span>
          <span class="small soft path">
            {tool.method.toUpperCase()} {tool.path}
            {tool.notes.length > 0 &&
              ` · ${count(tool.notes.length, 'change')} from the description`}
          </span>
          {tool.refused_by.length > 0 && (
            <Badge kind="warn">
              {tool.refused_by.map(({ api }) => MODEL_APIS[api]).join(', ')}
            </Badge>
          )}
        </div>
      )}
    </VirtualList>
  );
