import { ButtonLink, Link } from '../../../kit/button.tsx';
import { Show } from '../../../kit/show.tsx';
import { bytes, count } from '../../../kit/words.ts';
import { useServer } from '../frame.tsx';
import { useList } from '../../../state/load.ts';

export const Page = () => {
  const { slug } = useServer();
  const resources = useList(`resources:${slug}`, 'GET /deployments/{slug}/resources', {
    path: { slug },
  });
  const prompts = useList(`prompts:${slug}`, 'GET /deployments/{slug}/prompts', { path: { slug } });
  const at = `/servers/${slug}/content`;
  return (
    <>
      <section class="panel">
        <div class="page-head">
          <h2>Resources</h2>
          <ButtonLink to={`${at}/resources`}>Add a resource</ButtonLink>
        </div>
        <p class="soft">
          Documents that a client can read beside the tools: how the API is meant, terms, tables.
        </p>
        <Show loaded={resources}>
          {(all) => (
            <ul class="plain entries">
              {all.map(({ name, uri, title, mime_type: type, size }) => (
                <li key={name}>
                  <Link to={`${at}/resources/${encodeURIComponent(name)}`} class="grow">
                    {title ?? name}
                  </Link>
                  <span class="soft small">
                    <code>{uri}</code> · {type ?? 'text'} · {bytes(size)}
                  </span>
                </li>
              ))}
              {all.length === 0 && <li class="soft">None yet.</li>}
            </ul>
          )}
        </Show>
      </section>
      <section class="panel">
        <div class="page-head">
          <h2>Prompts</h2>
          <ButtonLink to={`${at}/prompts`}>Add a prompt</ButtonLink>
        </div>
        <p class="soft">
          Questions that people fill in and send: clients offer them, in Claude Code as commands.
        </p>
        <Show loaded={prompts}>
          {(all) => (
            <ul class="plain entries">
              {all.map(({ name, title, arguments: args }) => (
                <li key={name}>
                  <Link to={`${at}/prompts/${encodeURIComponent(name)}`} class="grow">
                    {title ?? name}
                  </Link>
                  <span class="soft small">{count(args.length, 'argument')}</span>
                </li>
              ))}
              {all.length === 0 && <li class="soft">None yet.</li>}
            </ul>
          )}
        </Show>
      </section>
    </>
  );
};
