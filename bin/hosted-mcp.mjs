#!/usr/bin/env node
// The command line `hosted-mcp`: finds a Node that is new enough and installs nothing. Runs on any
// Node from 18 on and needs nothing itself.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { checkout, installedNode, isThisNode, missingNode } from './find-node.mjs';

if (isThisNode()) await import('./hosted-mcp.ts');
else runWith(installedNode());

/** Runs the program with another Node: passes signals on, and exits with the program's status. */
function runWith(node) {
  if (!node) {
    end(
      `${missingNode()}: run "npm ci" in ${checkout}, or install Node 24 from https://nodejs.org.`,
    );
  }
  const program = join(checkout, 'bin/hosted-mcp.ts');
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C reaches the program by itself; this process only waits for it.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => end(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}
