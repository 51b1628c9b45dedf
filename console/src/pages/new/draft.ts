import type { AnswerOf, BodyOf } from '../../api/operation.ts';
import { useDraft } from '../../state/draft.ts';
import { EVERYTHING, type Selection, sentSelection } from '../operations/selection.ts';

type Server = AnswerOf<'GET /deployments/{slug}'>;

export type Source = 'file' | 'text' | 'url' | 'gallery';

/** Everything of a server to be that somebody has said so far. */
export interface NewDraft {
  readonly source: Source;
  readonly fileName: string;
  readonly url: string;
  readonly galleryId: string;
  /** Operations that become tools. */
  readonly selection: Selection;
  readonly name: string;
  readonly slug: string;
  readonly authMethod: Server['mcp_auth_method'];
  /** undefined: nobody has chosen one. */
  readonly toolMode?: Server['tool_mode'] | undefined;
  /** Whether more operations are chosen than a list of tools may have, and nobody has chosen a mode. */
  readonly isTooLarge: boolean;
  readonly apiBaseUrl: string;
  /** Names the publication, so that one whose connection is cut makes one server. */
  readonly key: string;
}

/** What holds of another description, of which nothing was said yet. */
export const FRESH = { selection: EVERYTHING, isTooLarge: false } as const;

const NOTHING: NewDraft = {
  source: 'file',
  fileName: '',
  url: '',
  galleryId: '',
  ...FRESH,
  name: '',
  slug: '',
  authMethod: 'oauth',
  apiBaseUrl: '',
  key: '',
};

export const useNewDraft = () => useDraft<NewDraft>('new', NOTHING);

/** The text apart from the rest: where it is too long for the browser's storage, the rest is not lost with it. */
export const useText = () => useDraft('new:text', { text: '' });

type Sent = Extract<BodyOf<'POST /descriptions'>, { openapi_url?: unknown }>;

/** What was chosen; otherwise a list of tools, or the search where the list would be too long. */
export const toolModeOf = ({ toolMode, isTooLarge }: NewDraft): Server['tool_mode'] =>
  toolMode ?? (isTooLarge ? 'search' : 'operations');

/** What is sent beside the description. */
export const fieldsOf = (draft: NewDraft) => {
  const operations = sentSelection(draft.selection);
  return {
    ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
    ...(draft.slug.trim() !== '' && { slug: draft.slug.trim() }),
    ...(operations && { operations }),
    mcp_auth_method: draft.authMethod,
    tool_mode: toolModeOf(draft),
    ...(draft.apiBaseUrl.trim() !== '' &&
      draft.source !== 'gallery' && { api_base_url: draft.apiBaseUrl.trim() }),
  };
};

/** The description itself, or where it is. */
export const sourceOf = (draft: NewDraft, text: string): Sent =>
  draft.source === 'url'
    ? { openapi_url: draft.url.trim() }
    : draft.source === 'gallery'
      ? { gallery_id: draft.galleryId }
      : { openapi: text };
