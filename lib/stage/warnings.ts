import type { Stage } from './stage.ts';

/** What a synthesis goes on with, and tells whoever deploys. */
interface Warning {
  /** By which an app may acknowledge it. */
  readonly id: string;
  readonly text: string;
}

/** What of a stage is allowed and may not be meant: a sentence for each, with the key and what helps. */
export const warningsOf = (stage: Stage): readonly Warning[] => [
  ...rolesOutsideOfTheBoundary(stage),
  ...networksWithOneSubnet(stage),
];

/** `docs/policies/boundary.json` allows these. */
const BOUNDED = /:role\/hosted-mcp\//;

const rolesOutsideOfTheBoundary = (stage: Stage): readonly Warning[] => {
  const { permissionsBoundary: boundary, assumableRoles } = stage;
  const roles = assumableRoles.filter((role) => !BOUNDED.test(role));
  if (boundary === undefined || roles.length === 0) return [];
  return [
    {
      id: 'hosted-mcp:assumable-roles',
      text: `\`assumable_roles\`: docs/policies/boundary.json lets no role be assumed but those below the path /hosted-mcp/; see that ${boundary} allows sts:AssumeRole, sts:SetSourceIdentity and sts:TagSession on ${roles.join(', ')}, or give these roles that path`,
    },
  ];
};

const networksWithOneSubnet = ({ networks }: Stage): readonly Warning[] =>
  networks.flatMap(({ name, subnets }, index) =>
    subnets.length > 1
      ? []
      : [
          {
            id: `hosted-mcp:one-subnet-${name}`,
            text: `\`networks.${index}.subnets\`: name a second one, in another zone: while the zone of the only one fails, no call of ${name} is answered`,
          },
        ],
  );
