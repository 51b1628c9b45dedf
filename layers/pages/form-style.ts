import { createHash } from 'node:crypto';
import { PALETTE } from './palette.ts';

export const FORM_STYLE = `${PALETTE}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
.top { padding: 1.1rem 0 .25rem; }
.brand { display: flex; align-items: center; gap: .55rem; width: 100%; max-width: 28rem; margin: 0 auto; padding: 0 1rem; font-weight: 650; letter-spacing: -.01em; }
.brand svg { flex: none; color: var(--accent); }
main { width: 100%; max-width: 28rem; margin: 0 auto; padding: .75rem 1rem 2rem; }
.card { padding: 1.4rem 1.15rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
h1 { margin: 0; font-size: 1.45rem; line-height: 1.25; letter-spacing: -.015em; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 1.5rem 0 .5rem; font-size: .95rem; }
p { margin: .6rem 0; overflow-wrap: anywhere; }
.lead { margin: .45rem 0 1.2rem; color: var(--soft); }
.lead strong { color: var(--text); }
.soft { color: var(--soft); }
.small { font-size: .9rem; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { color: var(--accent-deep); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
:target { scroll-margin-top: 1rem; }
.field { margin: 1rem 0; }
label, legend { display: block; padding: 0; font-weight: 600; font-size: .95rem; }
.hint { margin: .15rem 0 0; color: var(--soft); font-size: .88rem; }
input[type=email], input[type=password], input[type=text] {
  display: block; width: 100%; min-height: 2.9rem; margin-top: .35rem; padding: .55rem .75rem;
  font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--edge); border-radius: 9px;
}
input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
.fault { margin: .35rem 0 0; color: var(--bad); font-size: .9rem; font-weight: 600; }
button, .button {
  min-height: 2.9rem; padding: .55rem 1.1rem; font: inherit; font-weight: 600; cursor: pointer;
  border: 1px solid transparent; border-radius: 9px; background: var(--accent); color: var(--on-accent);
}
button:hover, .button:hover { background: var(--accent-deep); }
.button { display: block; padding-block: .65rem; text-align: center; text-decoration: none; }
.button:hover { color: var(--on-accent); }
.wide { width: 100%; margin-top: .35rem; }
.second { background: transparent; border-color: var(--edge); color: var(--text); }
.second:hover { background: var(--code); }
.as-link { min-height: 0; padding: .1rem 0; background: none; border: 0; color: var(--accent); font-weight: 400; text-decoration: underline; text-underline-offset: .15em; }
.as-link:hover { background: none; color: var(--accent-deep); }
.note { margin: 1rem 0; padding: .75rem .9rem; border: 1px solid; border-radius: 10px; font-size: .95rem; }
.note p { margin: .25rem 0 0; }
.note p:first-child { margin-top: 0; }
.note.bad { background: var(--bad-ground); border-color: var(--bad-line); color: var(--bad); }
.note.warn { background: var(--warn-ground); border-color: var(--warn-line); color: var(--warn); }
.note.good { background: var(--good-ground); border-color: transparent; color: var(--good); }
.note a, .note strong { color: inherit; }
.more { display: flex; flex-direction: column; gap: .45rem; margin: 1.3rem 0 0; padding: 1.1rem 0 0; border-top: 1px solid var(--line); list-style: none; font-size: .95rem; }
dl { margin: 1.2rem 0; border: 1px solid var(--line); border-radius: 10px; }
dl > div { padding: .6rem .85rem; border-bottom: 1px solid var(--line); }
dl > div:last-child { border-bottom: 0; }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; overflow-wrap: anywhere; }
dd form { display: inline; }
dd .small { display: block; }
.rights { margin: .4rem 0 0; padding: 0; list-style: none; }
.rights li { display: flex; gap: .6rem; padding: .3rem 0; }
.rights svg { flex: none; margin-top: .22rem; color: var(--good); }
fieldset { margin: 1.3rem 0 0; padding: 0; border: 0; min-width: 0; }
.choice { display: flex; gap: .7rem; align-items: flex-start; margin-top: .5rem; padding: .7rem .85rem; border: 1px solid var(--line); border-radius: 10px; font-weight: 400; cursor: pointer; overflow-wrap: anywhere; }
.choice:has(:checked) { border-color: var(--accent); }
.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: .17rem 0 0; accent-color: var(--accent); }
.choice span { min-width: 0; }
.choice .small { display: block; }
.decide { display: flex; flex-direction: column; gap: .6rem; margin-top: 1.4rem; }
footer { margin-top: auto; padding: 0 1rem 1.4rem; text-align: center; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
@media (min-width: 48rem) {
  .top { padding-top: 3.2rem; }
  .card { padding: 2rem; box-shadow: 0 1px 2px rgb(20 24 60 / 6%), 0 12px 32px -12px rgb(20 24 60 / 14%); }
  h1 { font-size: 1.6rem; }
  .decide { flex-direction: row; }
  .decide button { flex: 1; }
}
@media (min-width: 64rem) {
  .top { padding-top: 5.5rem; }
  .brand, main { max-width: 30rem; }
}
@media (forced-colors: active) { .choice:has(:checked) { border-width: 3px; } }
`;

/** Hash that the Content-Security-Policy of these pages allows as their only style. */
export const FORM_STYLE_HASH = `sha256-${createHash('sha256').update(FORM_STYLE).digest('base64')}`;
