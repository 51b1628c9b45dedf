import { createHash } from 'node:crypto';
import { DEMO_PEOPLE, type DemoPerson, emailOf } from './people.ts';

const STYLE = `
:root { color-scheme: light dark; --ground: #f4f1ea; --card: #fff; --text: #23201a; --soft: #6b6455; --line: #ddd6c8; --accent: #7a3e00; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --ground: #1a1815; --card: #24211d; --text: #efeae0; --soft: #b5ac9b; --line: #403b33; --accent: #f0a860; --on: #23180b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0 0 .3rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
.soft, dd { color: var(--soft); }
ul { margin: 1rem 0; padding: 0; list-style: none; }
li { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; justify-content: space-between; padding: .8rem 1rem; margin-top: .6rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
li > div { min-width: 0; overflow-wrap: anywhere; }
label { display: block; margin-top: .8rem; font-weight: 600; }
input, select { display: block; width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .7rem; font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--soft); border-radius: 8px; }
button { min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; cursor: pointer; color: var(--on); background: var(--accent); border: 0; border-radius: 8px; }
form > button { margin-top: 1rem; }
li form > button { margin-top: 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre { margin: .6rem 0; padding: .8rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
`;

export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

const page = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>${STYLE}</style></head><body><main>${content}</main></body></html>`;

const described = (person: DemoPerson): string =>
  `<div><strong>${person.name}</strong> <span class="soft">${emailOf(person)}</span><br>${person.group}, ${person.does}</div>`;

export const signInPage = (
  path: string,
  { hasLeft, hint }: { readonly hasLeft: (id: string) => boolean; readonly hint: string },
): string =>
  page(
    'Sign in to Acme',
    `<h1>Sign in to Acme</h1><p class="soft">A company for trying things out: nobody has a password.${
      hint === '' ? '' : ` Asked for: ${escaped(hint)}.`
    }</p><form method="post" action="${escaped(path)}"><ul>${DEMO_PEOPLE.map(
      (person) =>
        `<li>${described(person)}${
          hasLeft(person.id)
            ? '<span class="soft">has left Acme</span>'
            : `<button name="person" value="${person.id}">Sign in as ${person.name}</button>`
        }</li>`,
    ).join('')}</ul><button name="person" value="">Cancel</button></form>`,
  );

interface Home {
  readonly hasLeft: (id: string) => boolean;
  readonly signIn: string;
  readonly service: string;
  readonly signed?: string;
  readonly says?: string;
}

export const homePage = ({ hasLeft, signIn, service, signed, says }: Home): string =>
  page(
    'Acme',
    `<h1>Acme</h1><p class="soft">An identity provider for trying things out, on this machine alone.</p>${
      says === undefined ? '' : `<p role="status"><strong>${escaped(says)}</strong></p>`
    }<p><a href="${escaped(signIn)}">Sign in at Hosted MCP with Acme</a></p>
<h2>Who works here</h2><ul>${DEMO_PEOPLE.map(
      (person) => `<li>${described(person)}${leaving(person, hasLeft(person.id))}</li>`,
    ).join('')}</ul>
<h2>Identity assertions</h2><p>What a client shows at <code>${escaped(service)}/token</code> to get in for somebody without a page.</p>
<form method="post" action="/assertions"><label>For<select name="person">${DEMO_PEOPLE.filter(
      ({ id }) => !hasLeft(id),
    )
      .map(({ id, name }) => `<option value="${id}">${name}</option>`)
      .join(
        '',
      )}</select></label><label>The client's id at Hosted MCP<input name="client_id" required></label><label>The server's address (MCP URL)<input name="resource"></label><button>Sign an assertion</button></form>${
      signed === undefined
        ? ''
        : `<h2>Good once, for five minutes</h2><pre>${escaped(signed)}</pre>`
    }`,
  );

const leaving = ({ id, name, mayLeave }: DemoPerson, hasLeft: boolean): string => {
  if (!mayLeave) return '';
  const [path, label] = hasLeft
    ? ['/come-back', `${name} comes back`]
    : ['/leave', `${name} leaves`];
  return `<form method="post" action="${path}"><button name="person" value="${id}">${label}</button></form>`;
};

export const noticePage = (heading: string, text: string): string =>
  page(heading, `<h1>${escaped(heading)}</h1><p>${escaped(text)}</p>`);
