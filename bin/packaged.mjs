#!/usr/bin/env node
// The command line `hosted-mcp` as an installed package starts it, where it lies beside the bundled program.
// Runs on any Node from 18 on, to say which one the program needs.
import { isThisNode, missingNode, OLDEST_NODE_OF_PACKAGES } from './find-node.mjs';

if (isThisNode(OLDEST_NODE_OF_PACKAGES)) await import(new URL('program.mjs', import.meta.url).href);
else {
  console.error(
    `hosted-mcp: ${missingNode(OLDEST_NODE_OF_PACKAGES)}: install it from https://nodejs.org.`,
  );
  process.exit(1);
}
