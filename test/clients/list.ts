import { claudeCode, codex, codexModern, gemini, qwen } from './agents.ts';
import { inspector, mcporter, mcpRemote } from './tools.ts';
import { sdks } from './sdks.ts';
import type { RealClient } from './real-client.ts';

/** All that connect without a model, each at the version that was published last when this was written. */
export const CLIENTS: readonly RealClient[] = [
  claudeCode,
  codex,
  codexModern,
  gemini,
  qwen,
  inspector('legacy'),
  inspector('modern'),
  mcpRemote,
  mcporter,
  ...sdks,
];
