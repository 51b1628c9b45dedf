import Handlebars from 'handlebars';
import type { HtmlPage } from '../platform/http/reply.ts';
import { FORM_STYLE, FORM_STYLE_HASH } from './form-style.ts';

export interface FieldFault {
  readonly field: string;
  readonly text: string;
}

export const faultOf = (faults: readonly FieldFault[], field: string): string | undefined =>
  faults.find((one) => one.field === field)?.text;

export interface PageBasics {
  /** Path prefix of all pages: the path of the issuer, without a trailing slash. */
  readonly root: string;
  /** The service's host, for people to compare with what their browser shows. */
  readonly host: string;
}

/** Destination after sign-in or sign-up; the pages pass it to each other in links and hidden fields. */
export interface AfterSignIn {
  /** Name of both the form's field and the query parameter. */
  readonly name: 'ticket' | 'return_to';
  readonly value: string;
  readonly encoded: string;
  readonly signIn: string;
}

const AFTER_SIGN_IN = `{{#if afterSignIn}}<input type="hidden" name="{{afterSignIn.name}}" value="{{afterSignIn.value}}">{{/if}}`;

const LAYOUT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{{title}} · Hosted MCP</title>
<style>${FORM_STYLE}</style>
</head>
<body>
<header class="top"><div class="brand"><svg width="26" height="26" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M9 2v5M15 2v5M6 7h12v4a6 6 0 0 1-12 0zM12 17v5"/></svg>Hosted MCP</div></header>
<main>
<div class="card">
{{> @partial-block}}
</div>
</main>
<footer>{{host}}</footer>
</body>
</html>
`;

const FAULTS = `{{#if faults}}<div class="note bad" role="alert">
<p><strong>That did not work yet.</strong></p>
{{#each faults}}<p><a href="#{{field}}">{{text}}</a></p>
{{/each}}</div>{{/if}}`;

/** A label, its input and its fault. Views that embed it must use none of its variable names. */
const FIELD = `<div class="field">
<label for="{{name}}">{{label}}</label>
{{#if hint}}<p class="hint" id="{{name}}-hint">{{hint}}</p>{{/if}}
<input id="{{name}}" name="{{name}}" type="{{type}}" autocomplete="{{autocomplete}}" value="{{typed}}"{{#unless optional}} required{{/unless}}{{#if first}} autofocus{{else if fault}} autofocus{{/if}} spellcheck="false" autocapitalize="none"{{#if fault}} aria-invalid="true"{{/if}}{{#if hint}} aria-describedby="{{name}}-hint{{#if fault}} {{name}}-fault{{/if}}"{{else if fault}} aria-describedby="{{name}}-fault"{{/if}}>
{{#if fault}}<p class="fault" id="{{name}}-fault">{{fault}}</p>{{/if}}
</div>`;

const CHECK = `<svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M4 12.5l5.5 5.5L20 7"/></svg>`;

const engine = Handlebars.create();
engine.registerPartial({
  layout: LAYOUT,
  faults: FAULTS,
  afterSignIn: AFTER_SIGN_IN,
  field: FIELD,
  check: CHECK,
});

/** Compiles a template that begins with `{{#> layout title="..."}}`. Values can only be inserted escaped. */
export const pageTemplate = <View extends PageBasics>(
  template: string,
  forms: 'here' | 'through' = 'here',
): ((view: View) => HtmlPage) => {
  const render = engine.compile<View>(template, { knownHelpersOnly: true });
  return (view) => ({ html: render(view), styleHash: FORM_STYLE_HASH, forms });
};
