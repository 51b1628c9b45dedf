// Publishes one description, the file given, with a management function's bundle, and tells what it
// took. As on Lambda, the function's environment is that of this process.
import { readFile } from 'node:fs/promises';

const [bundle, file] = process.argv.slice(2);
const openapi = await readFile(file, 'utf8');
const { handler } = await import(bundle);
const rssBefore = process.memoryUsage.rss();
const cpu = process.cpuUsage();
const began = performance.now();
const answer = await handler({
  operator: 'publish',
  ownerId: 'bench',
  slug: 'large',
  authMethod: 'none',
  apiBaseUrl: 'https://api.example.com',
  openapi,
});
const wallMs = performance.now() - began;
const { user, system } = process.cpuUsage(cpu);
if (!answer.ok) throw new Error(answer.description);
const took = {
  tools: answer.deployment.toolCount,
  wallMs,
  cpuMs: (user + system) / 1000,
  rssBefore,
  rssPeak: process.resourceUsage().maxRSS * 1024,
};
process.stdout.write(JSON.stringify(took), () => process.exit());
