import { createHash } from 'node:crypto';
import { PALETTE } from '../../pages/palette.ts';

export const STYLE = `${PALETTE}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main, header, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem; }
p { margin: .5rem 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem; margin: .9rem 0; padding: 0; list-style: none; }
.facts li {
  border: 1px solid var(--line); border-radius: 99px; padding: .1rem .75rem;
  background: var(--card); font-size: .9rem;
}
.facts .mode { background: var(--good-ground); color: var(--good); border-color: transparent; }
.soft { color: var(--soft); }
pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88rem; }
pre {
  margin: .5rem 0; padding: .75rem .9rem; overflow-x: auto; background: var(--code);
  border: 1px solid var(--line); border-radius: 8px; user-select: all;
}
p.installs { display: flex; flex-wrap: wrap; gap: .6rem; }
a.install {
  padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 9px; background: var(--card);
  font-weight: 600; text-decoration: none;
}
a.install:hover { text-decoration: underline; }
details { border: 1px solid var(--line); border-radius: 10px; background: var(--card); margin: .5rem 0; }
summary { padding: .6rem .9rem; cursor: pointer; overflow-wrap: anywhere; }
summary code { font-weight: 600; color: var(--accent); }
summary .soft { font-size: .92rem; }
.inside { padding: 0 .9rem .7rem; overflow-wrap: anywhere; }
.words { white-space: pre-line; overflow-wrap: anywhere; }
ul.operations { margin: .5rem 0; padding: 0; list-style: none; overflow-wrap: anywhere; }
ul.operations li { padding: .3rem 0; border-bottom: 1px solid var(--line); }
dl { margin: .5rem 0 0; border-top: 1px solid var(--line); }
dl > div { padding: .55rem 0; border-bottom: 1px solid var(--line); }
dl > div:last-child { border-bottom: 0; }
dt { overflow-wrap: anywhere; }
dd { margin: .15rem 0 0; }
.needed { color: var(--good); font-size: .85rem; font-weight: 600; }
p.fine { margin-top: .8rem; }
.fine { font-size: .88rem; color: var(--soft); overflow-wrap: anywhere; }
.fine ul { margin: 0; padding-left: 1.2rem; }
details.fine { border: 0; margin: .2rem 0 0; background: none; }
details.fine summary { padding: .2rem 0; }
footer { padding: 2.5rem 1rem 3rem; font-size: .9rem; }
@media (min-width: 48rem) {
  main, header, footer { padding-left: 2rem; padding-right: 2rem; }
  header { padding-top: 3.5rem; }
  h1 { font-size: 2.2rem; }
  dl > div { display: grid; grid-template-columns: 16rem 1fr; gap: 1rem; }
  dd { margin: 0; }
}
`;

/** Hash by which the page's Content-Security-Policy allows this style and no other. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
