import { Badge } from '../../../kit/show.tsx';
import { listed, numbered, withUnseen } from '../../../kit/words.ts';
import { MODEL_APIS } from './model-apis.ts';
import { argumentsOf } from './tool-arguments.ts';
import type { Tool } from './tool.ts';

export const ToolAbout = ({ tool }: { readonly tool: Tool }) => (
  <>
    <p class="words">{withUnseen(tool.description)}</p>
    <p class="row">
      <Badge>about {numbered(tool.tokens)} tokens</Badge>
      {tool.accepted_by.length > 0 && (
        <Badge kind="good">
          Accepted by {listed(tool.accepted_by.map((api) => MODEL_APIS[api]))}
        </Badge>
      )}
      {tool.refused_by.map(({ api }) => (
        <Badge key={api} kind="bad">
          {MODEL_APIS[api]} refuses it
        </Badge>
      ))}
    </p>
    {tool.refused_by.map(({ api, complaints }) => (
      <div key={api}>
        <h3>Why {MODEL_APIS[api]} refuses it</h3>
        <ul class="findings">
          {complaints.map((complaint) => (
            <li key={complaint}>{complaint}</li>
          ))}
        </ul>
      </div>
    ))}
    <h3>Arguments</h3>
    <Arguments tool={tool} />
    {tool.notes.length > 0 && (
      <>
        <h3>Changed from the description</h3>
        <ul class="findings">
          {tool.notes.map(({ what, why, arguments: names }, index) => (
            <li key={index}>
              {withUnseen(what)}
              {names && names.length > 0 && <span class="soft"> ({names.join(', ')})</span>}
              <span class="means">{why}</span>
            </li>
          ))}
        </ul>
      </>
    )}
    {tool.input_schema && (
      <details class="command">
        <summary>Its input schema, as clients get it</summary>
        <pre class="scrolled" tabIndex={0} aria-label="Input schema">
          <code>{withUnseen(JSON.stringify(tool.input_schema, null, 2))}</code>
        </pre>
      </details>
    )}
  </>
);

const Arguments = ({ tool }: { readonly tool: Tool }) => {
  if (!tool.input_schema) return <p class="soft">They are too long to be shown here.</p>;
  const all = argumentsOf(tool.input_schema);
  if (all.length === 0) return <p class="soft">It takes none.</p>;
  return (
    <ul class="plain arguments">
      {all.map(({ name, type, required, description }) => (
        <li key={name}>
          <code>{name}</code> <span class="soft small">{type}</span>{' '}
          {required && <span class="small needed">required</span>}
          {description !== '' && <span class="means words">{withUnseen(description)}</span>}
        </li>
      ))}
    </ul>
  );
};
