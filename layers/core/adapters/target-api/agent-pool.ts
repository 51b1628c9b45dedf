import { type Agents, closeIdle, type ConnectionRules, keptAgents } from './agents.ts';

/** Agents for as many deployments; those of the deployment that was not asked for the longest are given up. */
const MAX_POOLS = 256;

export interface AgentPool {
  /** The agents of one deployment, so that no connection is ever shared between two. */
  of(deploymentId: string): Agents;
  /** Ends all connections, those in use included. */
  close(): void;
}

export const agentPool = (rules: ConnectionRules): AgentPool => {
  const pools = new Map<string, Agents>();

  return {
    of: (deploymentId) => {
      const agents = pools.get(deploymentId) ?? keptAgents(rules);
      pools.delete(deploymentId);
      pools.set(deploymentId, agents);
      const [oldest] = pools;
      if (pools.size > MAX_POOLS && oldest) {
        pools.delete(oldest[0]);
        closeIdle(oldest[1]);
      }
      return agents;
    },

    close: () => {
      for (const { http, https } of pools.values()) {
        http.destroy();
        https.destroy();
      }
    },
  };
};
