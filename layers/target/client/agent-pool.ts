import { LRUCache } from 'lru-cache';
import { type Agents, closeIdle, type ConnectionRules, keepAliveAgents } from './agents.ts';

/** Agents for as many deployments; those of the deployment that was not asked for the longest are given up. */
const MAX_POOLS = 256;

export interface AgentPool {
  /** The agents of one deployment, so that no connection is ever shared between two. */
  of(deploymentId: string): Agents;
  /** Ends all connections, those in use included. */
  close(): void;
}

export const agentPool = (rules: ConnectionRules): AgentPool => {
  const pools = new LRUCache<string, Agents>({ max: MAX_POOLS, dispose: closeIdle });

  return {
    of: (deploymentId) => {
      const known = pools.get(deploymentId);
      if (known) return known;
      const agents = keepAliveAgents(rules);
      pools.set(deploymentId, agents);
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
