import { expect } from '@jest/globals';

/** What the line of every event has beside the event. */
export const EVENT_LINE = { id: expect.stringMatching(/./), schema: 1 } as const;
