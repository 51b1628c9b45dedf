import { type CredentialNeed, proposedCredentials } from '../../openapi/credential-needs.ts';
import { snakeMembers } from '../../platform/rules/shape.ts';
import { commandOptions, fieldTexts } from '../../target/rules/credential-forms.ts';

/** Of the command line: how the best credential for a need is set, with what the description says of it. */
export const credentialCommand = (slug: string, need: CredentialNeed): string => {
  const command = `credential set ${slug}`;
  const [best] = proposedCredentials(need);
  if (!best) return command;
  const said = fieldTexts(best.type, snakeMembers(best));
  const options = commandOptions(best.type, said, quoted, need.loginFields);
  return [command, `--type ${best.type}`, ...options].join(' ');
};

/** As one word of a shell. */
const quoted = (word: string): string =>
  /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
