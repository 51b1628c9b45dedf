import { type PageBasics, pageTemplate } from './layout.ts';

export interface ConsentView extends PageBasics {
  readonly ticket: string;
  readonly csrf: string;
  /** Client name by `shownName`: one line without invisible characters, like all names of this view. */
  readonly client: string;
  /** URL of the client's metadata document, if it has one. */
  readonly publishedAt?: string | undefined;
  readonly email: string;
  /** Whether any program on the device could pretend to be this client (loopback redirect). */
  readonly anyProgram: boolean;
  readonly place: { readonly onThisDevice: boolean; readonly name: string };
  readonly permissions: readonly string[];
  readonly lasts: string;
  /** The server that the client named in its request. */
  readonly server?: ShownServer | undefined;
  /** The servers to choose from, where the client named none. */
  readonly choice?: ShownChoice | undefined;
  /** Set while calls are recorded with arguments and answers. */
  readonly recorded?: ShownRecording | undefined;
  /** Error above everything: why the page is shown again. */
  readonly again?: string | undefined;
}

export interface ShownServer {
  readonly slug: string;
  readonly name: string;
}

export interface ShownRecording {
  /** Identifies the recording that the person was informed of; the form sends it back. */
  readonly name: string;
  readonly until: string;
  /** Set where only this tool's calls are recorded. */
  readonly tool?: string | undefined;
}

export interface ShownChoice {
  readonly servers: readonly (ShownServer & { readonly chosen: boolean })[];
  readonly otherChosen: boolean;
  readonly typed: string;
  readonly wrong?: string | undefined;
}

/**
 * Consent page: the person approves or denies the client's request.
 * Source: docs/protocol.md, "Login and consent pages"; docs/decisions/oauth.md, "One resource, three names".
 */
export const consentPage = pageTemplate<ConsentView>(
  `{{#> layout title="Approve access"}}
<h1>Connect <bdi>{{client}}</bdi> to {{#if server}}<bdi>{{server.name}}</bdi>{{else}}an MCP server{{/if}}?</h1>
{{#if again}}<div class="note bad" role="alert"><p>{{again}}</p></div>{{/if}}
{{#if choice.wrong}}<div class="note bad" role="alert"><p><a href="#other">{{choice.wrong}}</a></p></div>{{/if}}
<div class="note warn">
<p><strong>This application is not verified.</strong></p>
<p>Anybody can give an application any name. Approve only if you yourself started to connect it just now.</p>
{{#if anyProgram}}<p>This one answers on your own device only: <strong>any program on this device can claim to be it.</strong></p>
{{/if}}</div>
<dl>
<div><dt>Application</dt><dd><strong><bdi>{{client}}</bdi></strong>{{#if publishedAt}}<span class="small soft">described at {{publishedAt}}</span>{{/if}}</dd></div>
{{#if server}}<div><dt>Server</dt><dd><strong><bdi>{{server.name}}</bdi></strong><span class="small soft">{{server.slug}}</span></dd></div>{{/if}}
<div><dt>Your answer goes to</dt><dd>{{#if place.onThisDevice}}an application on this device<span class="small soft">{{place.name}}</span>{{else}}<strong>{{place.name}}</strong>{{/if}}</dd></div>
<div><dt>You are signed in as</dt><dd><strong>{{email}}</strong> <form method="post" action="{{root}}/logout"><input type="hidden" name="ticket" value="{{ticket}}"><button class="as-link small">Not you? Sign out</button></form></dd></div>
</dl>
<form method="post" action="{{root}}/authorize">
<input type="hidden" name="ticket" value="{{ticket}}">
<input type="hidden" name="csrf" value="{{csrf}}">
{{#if recorded}}<input type="hidden" name="recording" value="{{recorded.name}}">
<div class="note warn">
<p><strong>Calls are recorded.</strong></p>
<p>The owner of this server keeps what the application sends for you{{#if recorded.tool}} with <bdi>{{recorded.tool}}</bdi>{{/if}} and what it is answered. The owner can read it until {{recorded.until}}.</p>
</div>{{/if}}
<h2 id="permissions">It will be able to</h2>
<ul class="rights" aria-labelledby="permissions">
{{#each permissions}}<li>{{> check}}<span>{{this}}</span></li>
{{/each}}</ul>
{{#if choice}}<fieldset>
<legend>Which server may it use?</legend>
{{#each choice.servers}}<label class="choice"><input type="radio" name="server" value="{{slug}}"{{#if chosen}} checked{{/if}}><span><bdi>{{name}}</bdi><span class="small soft">{{slug}}</span></span></label>
{{/each}}{{#if choice.servers}}<label class="choice"><input type="radio" name="server" value=""{{#if choice.otherChosen}} checked{{/if}}><span>Another server, named below</span></label>{{/if}}
{{> field name="other" label="Name or address of another server" type="text" autocomplete="off" typed=choice.typed fault=choice.wrong optional=choice.servers}}
</fieldset>{{/if}}
<div class="decide">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny" class="second" formnovalidate>Deny</button>
</div>
<p class="small soft">Access lasts at most {{lasts}}.</p>
</form>
{{/layout}}`,
  'through',
);

export interface ClosedServerView extends PageBasics {
  readonly ticket: string;
  readonly csrf: string;
  readonly client: string;
  readonly server: ShownServer;
  readonly email: string;
}

/**
 * Shown to a person who may not use the server that the client named.
 * Source: docs/decisions/accounts.md, "Who may use a deployment".
 */
export const closedServerPage = pageTemplate<ClosedServerView>(
  `{{#> layout title="No access"}}
<h1>You have no access to <bdi>{{server.name}}</bdi></h1>
<p class="lead"><bdi>{{client}}</bdi> wants to connect to it for you, but its owner has not opened it to <strong>{{email}}</strong>.</p>
<p>Ask the owner of <strong>{{server.slug}}</strong> to add your address, or sign in with another account.</p>
<form method="post" action="{{root}}/logout">
<input type="hidden" name="ticket" value="{{ticket}}">
<button class="wide">Use another account</button>
</form>
<form method="post" action="{{root}}/authorize">
<input type="hidden" name="ticket" value="{{ticket}}">
<input type="hidden" name="csrf" value="{{csrf}}">
<button class="wide second" name="decision" value="deny">Go back to the application</button>
</form>
{{/layout}}`,
  'through',
);
