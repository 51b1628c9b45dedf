import { type CredentialNeed, proposedCredentials } from '../../openapi/credential-needs.ts';
import { snakeMembers } from '../../platform/rules/shape.ts';
import { commandOptions, fieldTexts } from '../../target/rules/credential-forms.ts';

/** Command line that sets the best credential for a need, with all that the description says about it. */
export const credentialCommand = (slug: string, need: CredentialNeed): string => {
  const command = `credential set ${slug}`;
  const [best] = proposedCredentials(need);
  if (!best) return command;
  const said = fieldTexts(best.type, snakeMembers(best));
  const options = commandOptions(best.type, said, quoted, need.loginFields);
  return [command, `--type ${best.type}`, ...options].join(' ');
};

const quoted = (word: string): string =>
  /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
