import { FUNCTION_SETTINGS, variableOf } from '../../lib/stage/variables.ts';

const INDENT = 25;
const WIDTH = 100;

/** A name and its explanation in lines. A name longer than its column has a line of its own. */
const entry = (name: string, says: string): string => {
  const plain = says.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
  const lines = [''];
  for (const word of plain.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (INDENT + line.length > WIDTH) lines.push(word);
    else lines.splice(-1, 1, line);
  }
  const next = `\n${' '.repeat(INDENT)}`;
  const beginning = `  ${name} `.padEnd(INDENT);
  const first = beginning.length > INDENT ? beginning.trimEnd() + next : beginning;
  return first + lines.join(next);
};

const entries = (ofOptions: boolean): string =>
  FUNCTION_SETTINGS.flatMap(([key, { localDescription, localOption }]) => {
    const name = localOption ? `--${localOption.join(' ')}` : `HOSTED_MCP_${variableOf(key)}`;
    return localDescription && ofOptions === Boolean(localOption)
      ? [entry(name, localDescription)]
      : [];
  }).join('\n');

export const HELP = `Starts Hosted MCP on this machine, with everything it needs and a sample server.

  npm start
  npm start -- --openapi FILE_OR_URL [--slug NAME] [--auth oauth|jwt|none] [--api-base URL]

  --openapi FILE_OR_URL  publish this OpenAPI description (JSON or YAML); again: a new version of it
  --slug NAME            the deployment's name in its address; otherwise made from the title
  --auth METHOD          who may use it: oauth (the default: people who sign in), jwt or none (anyone)
  --api-base URL         where the API is, if not where the description says
  --include OPERATION    only these: an operationId, "GET /path" or tag:NAME; may be repeated
  --exclude OPERATION    not these; may be repeated
  --tool-mode MODE       operations (the default): a tool for each; search: three tools that find and
                         call all of them, for big descriptions
  --root DIR             where the files lie that it refers to; if omitted, its own folder
  --fetch-refs           fetch what it refers to by https as well
  --strict               refuse violations of the OpenAPI specification, which otherwise are only reported
  --declare FILE         make the servers what this file says, also at each save: see docs/declarations.md
  --demo-idp             run a company's identity provider, too, with people to sign in as:
                         see docs/local-run.md
  --allow-origin ORIGIN  pages of this origin, too, may use deployments of mode none; otherwise only
                         those of this machine may; may be repeated
  --certificate-authority FILE
                         certificates in PEM that calls of APIs trust beside the public authorities; may
                         be repeated
${entries(true)}
  --verbose              show the functions' logs here, too
  --help                 show this

Environment
  PORT                   where to listen, 8787 if not set; 0 takes any free port
  HOSTED_MCP_DATA        the folder that keeps everything, .local in the checkout if not set
  HOSTED_MCP_IDENTITY_PROVIDERS
                         a JSON list of identity providers of companies, which is applied at the start:
                         see docs/access.md; [] removes those that were
${entries(false)}
`;
