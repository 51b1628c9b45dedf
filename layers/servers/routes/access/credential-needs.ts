import { type CredentialNeed, proposedCredentials } from '../../../openapi/credential-needs.ts';
import { snakeMembers } from '../../../platform/rules/shape.ts';
import { openMembers } from '../../../target/rules/credential.ts';
import * as z from 'zod';

const Proposal = z.object(snakeMembers(openMembers));

/** Source: docs/decisions/credentials.md, "Credentials". */
export const CredentialNeeds = z
  .array(
    z.object({
      operations: z.int(),
      example: z.string().meta({ description: 'One of them: `GET /pets`.' }),
      ways: z.array(z.object(snakeMembers(openMembers))).meta({
        description:
          'Any of these will do; none, and none together: no credential of the service can.',
      }),
      together: z
        .array(z.array(z.object(snakeMembers(openMembers))))
        .optional()
        .meta({ description: 'Or all of one of these, each a credential with a name of its own.' }),
      expires: z.boolean().optional().meta({
        description:
          'The bearer token is one of OAuth 2.0 or OpenID Connect, which nothing renews.',
      }),
      login: z.string().optional().meta({
        description:
          'The operation that looks like the login which gives it, for a credential of the type `session`: `POST /sessions`.',
      }),
      login_fields: z.array(z.string()).optional().meta({
        description: 'What that login has to be given, by the names of its arguments.',
      }),
      proposals: z.array(Proposal).meta({
        description:
          'What to set, the best first and as far as the description says: what is renewed (a login, an OAuth client) before what ends.',
      }),
      others: z.array(z.string()).meta({ description: 'What they take that cannot be sent.' }),
    }),
  )
  .meta({
    description:
      'What the operations ask of a credential, as the description says, the most first.',
  });

export const credentialNeedsBody = (
  needs: readonly CredentialNeed[],
): z.input<typeof CredentialNeeds> =>
  needs.map((given) => {
    const { client: _, ways, together, others, loginFields, ...need } = given;
    return {
      ...need,
      ways: ways.map(snakeMembers),
      proposals: proposedCredentials(given).map(snakeMembers) as z.input<typeof Proposal>[],
      ...(loginFields && { login_fields: [...loginFields] }),
      ...(together && { together: together.map((all) => all.map(snakeMembers)) }),
      others: [...others],
    };
  });
