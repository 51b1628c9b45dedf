import type { Stage } from '../stage/stage.ts';

/** The namespace has the stage's name, so that no metric needs it as a dimension. */
export const metricsNamespace = ({ name }: Pick<Stage, 'name'>): string => `HostedMcp/${name}`;
