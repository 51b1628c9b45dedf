import type { Problem } from '../../api/problem.ts';
import { Radios } from '../../kit/choice.tsx';
import { fieldsOf, TextField } from '../../kit/form.tsx';
import type { Report } from '../refused-calls.tsx';
import { type NewDraft, toolModeOf } from './draft.ts';

interface PublishFieldsProps {
  readonly draft: NewDraft;
  readonly report: Report;
  readonly problem: Problem | undefined;
  readonly onChange: (part: Partial<NewDraft>) => void;
}

export const PublishFields = ({ draft, report, problem, onChange }: PublishFieldsProps) => {
  const field = fieldsOf(draft, onChange, problem);
  const isRefused = (code: string): boolean =>
    problem?.code === code || report.problems.some((one) => one.code === code);
  const unusable = report.problems
    .flatMap(({ findings }) => findings)
    .find(({ where }) => where === '/slug');
  const slug = draft.slug === '' ? (report.slug ?? 'my-api') : draft.slug;
  return (
    <>
      <div class="columns two">
        <TextField
          label="Name"
          hint="What people see."
          maxLength={200}
          placeholder={report.title}
          {...field('name')}
        />
        <TextField
          label="URL name"
          hint={
            <>
              <code>{`${location.origin}/v1/mcp-router/${slug}/messages`}</code>. It cannot be
              changed later.
            </>
          }
          maxLength={63}
          placeholder={report.slug ?? ''}
          {...field('slug')}
          fault={isRefused('slug_taken') ? 'This name is taken. Choose another.' : unusable?.hint}
          onValue={(next) => onChange({ slug: next.toLowerCase() })}
        />
      </div>
      <Radios
        legend="Who may call it"
        {...field('authMethod')}
        options={{
          oauth: ['Sign-in (OAuth)', 'Only you at first; others are let in under Access.'],
          jwt: ['API tokens', 'You create tokens for programs, or trust those of your own issuer.'],
          none: ['Public', 'Nobody signs in; calls are limited by address.'],
        }}
      />
      <Radios
        legend="Tools"
        value={toolModeOf(draft)}
        onValue={(toolMode) => onChange({ toolMode })}
        options={{
          operations: ['A tool for each operation', 'Best up to about 50.'],
          search: [
            'Search mode',
            'For large APIs: three tools search, describe and call the operations, and the list stays short.',
          ],
        }}
      />
      {draft.source !== 'gallery' && (
        <details open={draft.apiBaseUrl !== '' || report.api_base_url === undefined}>
          <summary>Base URL, if not that of the description</summary>
          <TextField
            label="Base URL of the API"
            hint={
              report.described_base_url === undefined
                ? 'The description names none that can be called.'
                : `The description says ${report.described_base_url}. A URL without a path replaces its host alone.`
            }
            type="url"
            placeholder={report.api_base_url ?? 'https://api.example.com/v1'}
            {...field('apiBaseUrl', '/api_base_url')}
            fault={
              isRefused('no_server_url') ? 'Give the address that the API is called at.' : undefined
            }
          />
          {report.api_base_url !== undefined && (
            <p class="small">
              Calls go to <code>{report.api_base_url}</code>.
            </p>
          )}
        </details>
      )}
    </>
  );
};
