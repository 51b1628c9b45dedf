import type { Stage } from './stage.ts';

interface Warning {
  /** Id with which an app acknowledges it. */
  readonly id: string;
  readonly text: string;
}

export const warningsOf = (stage: Stage): readonly Warning[] => [
  ...rolesOutsideOfTheBoundary(stage),
  ...placesWithOneSubnet(stage),
];

/** Roles that `docs/policies/boundary.json` allows. */
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

/** VPC placements with a single subnet, and so in a single zone. */
const placesWithOneSubnet = ({ networks, egress }: Stage): readonly Warning[] =>
  [
    ...networks.map((network, index) => ({
      ...network,
      id: `hosted-mcp:one-subnet-${network.name}`,
      key: `networks.${index}`,
      ends: `no call of ${network.name} is answered`,
    })),
    ...(egress?.enabled
      ? [
          {
            ...egress,
            id: 'hosted-mcp:one-subnet-of-egress',
            key: 'egress',
            ends: 'nobody signs in, and no call is answered',
          },
        ]
      : []),
  ]
    .filter(({ subnets }) => subnets.length === 1)
    .map(({ id, key, ends }) => ({
      id,
      text: `\`${key}.subnets\`: name a second one, in another zone: while the zone of the only one fails, ${ends}`,
    }));
