import type { Stage } from '../stage/stage.ts';

/** Where the metrics of a stage are: its name is no dimension, so that no line has to say it. */
export const metricsNamespace = ({ name }: Pick<Stage, 'name'>): string => `HostedMcp/${name}`;
