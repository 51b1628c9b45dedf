import { STYLE } from './docs-style.ts';

/** Handlebars escapes everything in double braces. */
export const DOCS_TEMPLATE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{name}}: MCP server</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>{{name}}</h1>
<p class="soft">A remote MCP server. Assistants that speak the Model Context Protocol can use its tools.</p>
{{#if shown}}{{#if shown.about}}<p class="words">{{shown.about}}</p>
{{/if}}{{/if}}<ul class="facts">
<li class="mode">{{mode}}</li>
{{#if shown}}{{#with shown}}<li>{{count}}</li>
<li>about {{tokens}} tokens</li>
{{#if operations}}<li>{{operationCount}}</li>
{{/if}}
{{/with}}{{/if}}<li>MCP {{protocolVersions}}</li>
</ul>
<pre aria-label="Address of the MCP server" tabindex="0">{{url}}</pre>
<p>{{authentication}}</p>
{{#if recordedUntil}}<p><strong>Calls are recorded.</strong> The owner of this server keeps what is sent and what is answered. The owner can read it until {{recordedUntil}}.</p>
{{/if}}</header>
<main>
<h2 id="connect">Connect a client</h2>
{{#if installs}}
<p class="installs">
{{#each installs}}
<a class="install" href="{{link}}">Add to {{name}}</a>
{{/each}}
</p>
<p>The application asks before it adds the server. Or by hand, in your client:</p>
{{/if}}
{{#each clients}}
<details>
<summary>{{name}}</summary>
<div class="inside">
<p>{{#each where}}{{words}}{{#if code}}<code>{{code}}</code>{{/if}}{{/each}}</p>
<pre tabindex="0" aria-label="For {{name}}">{{paste}}</pre>
{{#each notes}}
<p class="fine">{{#each this}}{{words}}{{#if code}}<code>{{code}}</code>{{/if}}{{/each}}</p>
{{/each}}
</div>
</details>
{{/each}}
{{#each obstacles}}
<p class="fine">{{this}}</p>
{{/each}}
{{#if shown}}
<details>
<summary>A registry of MCP servers</summary>
<div class="inside">
<p>What registries list of this server (<code>server.json</code>). Its owner may publish it, under a name of a domain of the owner's own:</p>
<pre tabindex="0">{{serverJson}}</pre>
</div>
</details>
{{/if}}
{{#if shown}}{{#with shown}}
<h2 id="tools">Tools</h2>
{{#if operations}}
<p>This API is large: an assistant does not read all of it at once. It searches for operations, reads those it needs, and calls them.</p>
{{/if}}
{{#each tools}}
<details id="tool-{{name}}">
<summary><code>{{name}}</code>{{#if title}} <span class="soft">{{title}}</span>{{/if}}</summary>
<div class="inside">
{{#if description}}<p class="words">{{description}}</p>{{/if}}
{{#if parameters}}
<dl>
{{#each parameters}}
<div>
<dt><code>{{name}}</code>{{#if required}} <span class="needed">required</span>{{/if}}<br><span class="soft">{{type}}</span></dt>
<dd class="words">{{description}}</dd>
</div>
{{/each}}
</dl>
{{else}}
<p class="soft">Takes no arguments.</p>
{{/if}}
<p class="fine">About {{tokens}} tokens of a model's context. {{acceptance}}</p>
{{#if complaints}}
<ul class="fine">
{{#each complaints}}
<li>{{this}}</li>
{{/each}}
</ul>
{{/if}}
{{#if notes}}
<details class="fine">
<summary>How it differs from the API's description</summary>
<ul>
{{#each notes}}
<li>{{what}} <span class="why">({{why}})</span></li>
{{/each}}
</ul>
</details>
{{/if}}
</div>
</details>
{{else}}
<p class="soft">This server has no tools yet.</p>
{{/each}}
{{#if operations}}
<h2 id="operations">Operations</h2>
<ul class="operations">
{{#each operations}}
<li><code>{{name}}</code> <span class="soft">{{method}} {{path}}</span>{{#if summary}} {{summary}}{{/if}}</li>
{{/each}}
</ul>
{{/if}}
{{/with}}{{else}}
<h2 id="tools">Tools</h2>
<p class="soft">They are shown to people who are signed in here and may use this server.</p>
<p><a href="{{signIn}}">Sign in, or make an account</a>. Whoever is signed in and does not see them asks the owner of the server.</p>
{{/if}}
</main>
<footer class="soft">
<p>{{#if shown}}Calls go to <code>{{shown.apiBaseUrl}}</code>. {{/if}}For programs: <a href="{{discoveryUrl}}">discovery document</a>, <a href="{{healthUrl}}">health</a>.</p>
</footer>
</body>
</html>
`;
