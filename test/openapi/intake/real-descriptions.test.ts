import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readText } from '../../support/openapi/intake.ts';

const FOLDER = new URL('../../../../shared/openapi/', import.meta.url);

const DESCRIPTIONS = [
  ['amazonaws-dynamodb.yaml', 'openapi-3.0', 41],
  ['azure-logic.yaml', 'swagger-2.0', 106],
  ['bitbucket.yaml', 'swagger-2.0', 182],
  ['box-2025.json', 'openapi-3.0', 37],
  ['discord.json', 'openapi-3.1', 242],
  ['figma.yaml', 'openapi-3.1', 47],
  ['figshare.yaml', 'swagger-2.0', 127],
  ['gitea.yaml', 'swagger-2.0', 224],
  ['google-calendar-v3.yaml', 'openapi-3.0', 37],
  ['instagram.yaml', 'swagger-2.0', 27],
  ['notion.json', 'openapi-3.1', 24],
  ['oai-uspto.yaml', 'openapi-3.0', 3],
  ['openai.yaml', 'openapi-3.1', 288],
  ['readme-file-uploads.yaml', 'openapi-3.0', 3],
  ['readme-parameters-style-31.yaml', 'openapi-3.1', 25],
  ['readme-petstore-20.json', 'swagger-2.0', 20],
  ['readme-schema-circular-30.json', 'openapi-3.0', 3],
  ['readme-train-travel-31.json', 'openapi-3.1', 7],
  ['redocly-cafe-32.yaml', 'openapi-3.2', 12],
  ['redocly-museum-31.yaml', 'openapi-3.1', 8],
  ['slack.json', 'swagger-2.0', 174],
  ['spotify-fixed.yml', 'openapi-3.0', 97],
  ['stripe-2019-swagger2.yaml', 'swagger-2.0', 350],
  ['swagger-petstore-3.yaml', 'openapi-3.0', 19],
  ['trello.yaml', 'swagger-2.0', 324],
  ['twilio-taskrouter.yaml', 'openapi-3.0', 61],
  ['xkcd.yaml', 'swagger-2.0', 2],
] as const;

/** Said to have 8,000 schema keys or more by the README beside them. */
const LARGE = ['discord.json', 'openai.yaml', 'stripe-2019-swagger2.yaml'];

const present = existsSync(FOLDER);

(present ? describe : describe.skip)(
  `reading real descriptions${present ? '' : ' (skipped: the folder of shared descriptions is absent)'}`,
  () => {
    test.each(DESCRIPTIONS)('%s is %s with %i operations', (name, dialect, operations) => {
      const description = readText(readFileSync(new URL(name, FOLDER)));

      expect(description.dialect).toBe(dialect);
      expect(description.operations).toHaveLength(operations);
      expect(description.schemaKeys >= 8000).toBe(LARGE.includes(name));
    });
  },
);
